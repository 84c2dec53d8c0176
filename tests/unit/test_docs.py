"""The documentation names what there is: every key and column, every path it links to."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from labagent.models import biobench_settings, config, tables

ROOT = Path(__file__).parents[2]
MANUAL = (ROOT / "config/README.md").read_text(encoding="utf-8")
DOCUMENTS = sorted(
    p for p in (*ROOT.glob("*.md"), *ROOT.glob("*/README.md"), *ROOT.glob("benchmarks/*/README.md"))
)


@pytest.mark.parametrize(
    "model",
    [
        *(config.Config, config.Arm, config.Budget, config.Explorer, config.ModelSettings, config.Price),
        *(
            config.Harness,
            config.MemorySettings,
            config.EnvironmentSettings,
            config.SandboxSettings,
            config.Selection,
        ),
        *(tables.Lab, tables.Target, tables.Reference),
        *(biobench_settings.BiobenchSettings, biobench_settings.BiobenchSet),
    ],
)
def test_every_key_and_column_is_explained(model: type) -> None:
    missing = [name for name in model.model_fields if not re.search(rf"`[^`]*\b{name}\b[^`]*`", MANUAL)]
    assert [name for name in missing if name != "decimals"] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_links_lead_to_files(document: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)\)", document.read_text(encoding="utf-8"))
    local = [link for link in links if "://" not in link]
    assert [link for link in local if not (document.parent / link).exists()] == []


def test_every_design_note_starts_with_a_title() -> None:
    notes = list((ROOT / "docs/design").glob("*.md"))
    assert len(notes) > 5
    assert [note.name for note in notes if not note.read_text(encoding="utf-8").startswith("# ")] == []
