"""Where commands print tables."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

UNBROKEN = 10_000


def table_console() -> Console:
    """As wide as the terminal; where standard output is none (a pipe, a file), no cell is broken."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else UNBROKEN)
