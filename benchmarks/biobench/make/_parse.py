"""UniProtKB records as facts: one dictionary an entry, from its JSON, its flat file or its XML.

Only facts are kept: names, identifiers, positions, controlled terms, titles of cited papers. Comments in
prose (function, subunit, disease descriptions, effects of mutations) are left out.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import _from_flat
import _from_json
import _from_xml


def parse(path: Path) -> dict[str, Any]:
    """The facts of the one entry in ``path`` (``.json``, ``.xml``, else a flat file)."""
    readers = {".json": _from_json.read, ".xml": _from_xml.read}
    return readers.get(path.suffix, _from_flat.read)(path)
