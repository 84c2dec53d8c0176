"""A figure: a drawing and all that is said of it, for the page and as a file of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

from labagent.report.inert import visible
from labagent.report.palette import file_styles
from labagent.report.svg import key, text

WIDTH = 860  # pixels of a file


@dataclass(frozen=True)
class Figure:
    """A drawing, ``height`` pixels high and as wide as its place, with all that is said of it.

    ``beside`` is the section of the page it belongs to, ``axes`` what the axes show, with units, ``legend``
    drawn symbols with their words.
    """

    file: str
    beside: str
    title: str
    caption: str
    description: str
    body: str
    height: float
    axes: str = ""
    legend: Sequence[tuple[str, str]] = field(default_factory=tuple)

    @property
    def name(self) -> str:
        """Its id in the page."""
        return "figure-" + self.file.removesuffix(".svg").replace(".", "-")

    def inline(self) -> str:
        """The drawing for use inside a page."""
        labels = f'aria-labelledby="{self.name}-title {self.name}-desc"'
        return (
            f'<svg class="drawing" width="100%" height="{self.height:g}" role="img" overflow="visible" '
            f"{labels}>"
            f'<title id="{self.name}-title">{escape(visible(self.title))}</title>'
            f'<desc id="{self.name}-desc">{escape(visible(self.description))}</desc>{self.body}</svg>'
        )

    def document(self) -> str:
        """The figure as a file of its own."""
        legend, head = key(self.legend) if self.legend else ("", 0.0)
        top = 34 + head
        height = top + self.height + (24 if self.axes else 8)
        parts = [
            text(16, 20, self.title, "strong"),
            f'<svg x="16" y="30" width="{WIDTH - 32}" overflow="visible">{legend}</svg>',
            f'<svg x="16" y="{top:g}" width="{WIDTH - 32}" height="{self.height:g}" overflow="visible">'
            f"{self.body}</svg>",
            text(WIDTH / 2, height - 8, self.axes, "muted", "middle") if self.axes else "",
        ]
        return document(self.title, self.description, height, parts)


def document(title: str, description: str, height: float, parts: Sequence[str]) -> str:
    """An SVG file with title and description for those who cannot see it."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:g}" '
            f'viewBox="0 0 {WIDTH} {height:g}" role="img" aria-labelledby="title desc">',
            f'<title id="title">{escape(visible(title))}</title>',
            f'<desc id="desc">{escape(visible(description))}</desc>',
            f"<style>{file_styles()}</style>",
            '<rect class="paper" width="100%" height="100%"/>',
            *parts,
            "</svg>\n",
        ]
    )
