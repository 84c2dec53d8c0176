"""Make the whole report from the records of a run."""

from __future__ import annotations

from pathlib import Path

from labagent.files import fresh_folder, write_text
from labagent.inputs import Inputs
from labagent.report.figures import draw_family, figure_files, write_figures
from labagent.report.page import html_page, markdown_page
from labagent.report.study import read_study
from labagent.report.tables import make_tables, table_names

__all__ = ["build_report", "figure_files", "table_names"]


def build_report(*, inputs: Inputs, results: Path, out: Path, partial: bool = False) -> None:
    """Write tables (TSV), figures (SVG), ``report.md`` and ``report.html`` into ``out``.

    The same records give the same bytes.

    Args:
        inputs: what the run was made from: its targets, references and arms.
        results: the run's folder of results.
        out: where the report goes.
        partial: report a run that is not finished; entries without a result count as ``infrastructure``.

    Raises:
        InfrastructureError: an entry has no result (without ``partial``), or a record is unreadable.
    """
    study = read_study(inputs, results, partial=partial)
    tables = make_tables(study)
    drawings = {family: draw_family(study, family) for family in study.families}
    for table in tables.values():
        table.write(out)
    fresh_folder(out / "figures")
    for pages in drawings.values():
        write_figures(pages, out / "figures")
    write_text(out / "report.md", markdown_page(study, tables, drawings))
    write_text(out / "report.html", html_page(study, tables, drawings))
