"""Figures: what each shows in words, as part of the page and as SVG files of their own.

Strips of a family are cut into files of one height, so that they print. What a figure draws is bounded: of a
family with very many quantities, strips are drawn for quantities at equal distances in its table, and the
page says so. The same inputs give the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from labagent.files import write_text
from labagent.inputs import Inputs
from labagent.report import plots
from labagent.report.figure import WIDTH, document
from labagent.report.strips import AXIS, LINE, Strip, file_block
from labagent.report.study import Study
from labagent.report.svg import SHAPES, key, marker, text

PAGE = 1100  # pixels of a file
STRIPS = 240  # of a report, over all families


def figure_files(inputs: Inputs) -> dict[str, list[str]]:
    """File names of each family's figures and of those of the whole study; they follow from the inputs."""
    files = {"study": plots.file_names(inputs)}
    for family in sorted({target.family for target in inputs.selected_targets}):
        per_file = _per_file(len(inputs.selected_arms))
        drawn = len(_chosen(_quantities(inputs, family), inputs))
        files[family] = [_file(family, page) for page in range(max(1, -(-drawn // per_file)))]
    return files


def strips_of(study: Study, family: str) -> tuple[list[Strip], int]:
    """The strips of a family that are drawn, and how many quantities it has."""
    rows = _quantities(study.inputs, family)
    strips = [
        Strip(
            target,
            study.inputs.references[target][quantity],
            [(arm, study.by_pair[arm, target].attempts) for arm in study.arms],
        )
        for target, quantity in _chosen(rows, study.inputs)
    ]
    return strips, len(rows)


def arm_key(study: Study) -> list[tuple[str, str]]:
    """Symbols and names of the arms."""
    return [(marker(0, 0, position), arm) for position, arm in enumerate(study.arms)]


def strip_files(study: Study, family: str, strips: Sequence[Strip]) -> dict[str, str]:
    """A family's strips as SVG files, by name."""
    per_file = _per_file(len(study.arms))
    pages = [strips[i : i + per_file] for i in range(0, len(strips), per_file)] or [[]]
    title = f"{study.inputs.families[family].title}: published and reproduced values"
    return {
        _file(family, number): _stripsdocument(study, page, f"{title}{_part(number, len(pages))}")
        for number, page in enumerate(pages)
    }


def write_figures(documents: Mapping[str, str], folder: Path) -> None:
    """Write SVG files."""
    for name, text_of in documents.items():
        write_text(folder / name, text_of, durable=False)


def _stripsdocument(study: Study, strips: Sequence[Strip], title: str) -> str:
    """One file of strips."""
    published = '<line class="published" x1="0" y1="-6" x2="0" y2="6"/>'
    band = '<rect class="band" x="-5" y="-5" width="10" height="10"/>'
    hollow = f'<path class="s0 hollow" d="{SHAPES[0]}"/>'
    legend = [
        (published, "published"),
        (band, "within"),
        (hollow, "hollow: not within"),
        *arm_key(study),
    ]
    drawn, head = key(legend)
    y = 44 + head
    parts = [text(16, 20, title, "strong"), f'<svg x="16" y="30" overflow="visible">{drawn}</svg>']
    for strip in strips:
        block, height = file_block(strip, WIDTH - 32)
        parts.append(f'<svg x="16" y="{y:g}" width="{WIDTH - 32}" overflow="visible">{block}</svg>')
        y += height
    described = "\n".join(f"{s.target}, {s.reference.quantity}, {s.describe()}" for s in strips)
    return document(title, described, y, parts)


def _quantities(inputs: Inputs, family: str) -> list[tuple[str, str]]:
    """(target, quantity) of a family, in the order of its tables."""
    return [
        (target.target, quantity)
        for target in inputs.selected_targets
        if target.family == family
        for quantity in inputs.references.get(target.target, {})
    ]


def _chosen(rows: list[tuple[str, str]], inputs: Inputs) -> list[tuple[str, str]]:
    """All rows, or as many at equal distances as a family may have drawn."""
    families = len({target.family for target in inputs.selected_targets})
    most = max(12, STRIPS // max(families, 1))
    if len(rows) <= most:
        return rows
    return [rows[number * len(rows) // most] for number in range(most)]


def _file(family: str, page: int) -> str:
    """``<family>.svg``, then ``<family>-2.svg`` and so on."""
    return f"{family}.svg" if page == 0 else f"{family}-{page + 1}.svg"


def _part(number: int, pages: int) -> str:
    """Which of several files."""
    return f" ({number + 1} of {pages})" if pages > 1 else ""


def _per_file(arms: int) -> int:
    """Strips that fit one file."""
    return max(1, PAGE // (max(LINE * arms + AXIS, 40) + 26))
