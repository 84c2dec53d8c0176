"""Figures: one strip a quantity, in its own metric and on its own axis; published value beside ours.

The shaded band is what counts as within; a filled marker lies in it, a hollow one does not. Figures are cut
into pages of one height, so that they can be printed. The same inputs give the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from labagent.files import write_text
from labagent.inputs import Inputs
from labagent.report.numbers import published
from labagent.report.strips import (
    BAND,
    COLOURS,
    INK,
    MUTED,
    PAPER,
    Strip,
    draw_legend,
    draw_strip,
    legend_height,
    plot_height,
    value_text,
)
from labagent.report.study import Study

WIDTH, LABELS, VALUES = 9.2, 3.35, 1.75  # inches
PAGE, AXIS = 10.5, 0.33


@dataclass(frozen=True)
class Drawing:
    """A figure as SVG, with what it shows in words."""

    file: str
    title: str
    description: str
    svg: str

    def inline(self) -> str:
        """The SVG for use inside a page: its colours follow the page's, its ids are its own."""
        text = self.svg[self.svg.index("<svg") :]
        slug = self.file.removesuffix(".svg").replace(".", "-")
        for mark in ('id="', "url(#", 'href="#', 'labelledby="'):
            text = text.replace(mark, f"{mark}{slug}-")
        named = {INK: "ink", MUTED: "muted", BAND: "band", PAPER: "paper"}
        for colour, name in {**named, **{c: f"series-{i}" for i, c in enumerate(COLOURS)}}.items():
            text = text.replace(colour, f"var(--{name})")
        return text


def figure_files(inputs: Inputs) -> dict[str, list[str]]:
    """File names of each family's figures; they follow from the inputs alone."""
    files = {}
    for family in sorted({target.family for target in inputs.selected_targets}):
        rows = sum(
            len(inputs.references.get(t.target, {})) for t in inputs.selected_targets if t.family == family
        )
        per_page = _per_page(len(inputs.selected_arms))
        files[family] = [_file(family, page) for page in range(max(1, -(-rows // per_page)))]
    return files


def draw_family(study: Study, family: str) -> list[Drawing]:
    """All figures of one family."""
    strips = [
        Strip(target.target, reference, [(a, study.by_pair[a, target.target].attempts) for a in study.arms])
        for target in study.inputs.selected_targets
        if target.family == family
        for reference in study.inputs.references.get(target.target, {}).values()
    ]
    per_page = _per_page(len(study.arms))
    pages = [strips[i : i + per_page] for i in range(0, len(strips), per_page)] or [[]]
    title = study.inputs.families[family].title
    return [
        _draw(
            page,
            study.arms,
            _file(family, number),
            title,
            f" ({number + 1} of {len(pages)})" * (len(pages) > 1),
        )
        for number, page in enumerate(pages)
    ]


def write_figures(drawings: Sequence[Drawing], folder: Path) -> None:
    """Write figures as SVG files."""
    for drawing in drawings:
        write_text(folder / drawing.file, drawing.svg)


def _file(family: str, page: int) -> str:
    """``<family>.svg``, then ``<family>-2.svg`` and so on."""
    return f"{family}.svg" if page == 0 else f"{family}-{page + 1}.svg"


def _per_page(arms: int) -> int:
    """Strips that fit one page."""
    return max(1, int((PAGE - legend_height(arms)) / (plot_height(arms) + AXIS)))


def _draw(strips: Sequence[Strip], arms: Sequence[str], file: str, title: str, part: str) -> Drawing:
    """One page of strips."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    settings: Any = {
        "svg.hashsalt": file,
        "svg.fonttype": "none",
        "font.family": "DejaVu Sans",
        "font.size": 8,
        "text.parse_math": False,
    }
    with mpl.rc_context(settings):
        step = plot_height(len(arms)) + AXIS
        head = legend_height(len(arms))
        height = head + step * max(len(strips), 1) + 0.1
        figure = Figure(figsize=(WIDTH, height), facecolor=PAPER)
        draw_legend(figure, arms)
        for number, strip in enumerate(strips):
            bottom = height - head - step * number - plot_height(len(arms))
            box = (
                LABELS / WIDTH,
                bottom / height,
                (WIDTH - LABELS - VALUES) / WIDTH,
                plot_height(len(arms)) / height,
            )
            draw_strip(figure.add_axes(box), strip)
        stream = io.StringIO()
        figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    heading = f"{title}: published and reproduced values{part}"
    description = _describe(strips)
    svg = "\n".join(line.rstrip() for line in stream.getvalue().splitlines()) + "\n"
    return Drawing(file, heading, description, _name(svg, heading, description))


def _describe(strips: Sequence[Strip]) -> str:
    """What the figure shows, for those who cannot see it."""
    lines = []
    for strip in strips:
        values = "; ".join(f"{arm} {value_text(strip, attempts[0])}" for arm, attempts in strip.arms)
        reference = strip.reference
        what = f"{strip.target}, {reference.quantity} ({reference.metric})"
        lines.append(f"{what}: published {published(reference)}; {values}.")
    return "\n".join(lines)


def _name(svg: str, title: str, description: str) -> str:
    """Give an SVG the title and description that screen readers read."""
    start = svg.index(">", svg.index("<svg"))
    labels = f'<title id="title">{escape(title)}</title>\n<desc id="desc">{escape(description)}</desc>'
    return f'{svg[:start]} role="img" aria-labelledby="title desc">\n{labels}{svg[start + 1 :]}'
