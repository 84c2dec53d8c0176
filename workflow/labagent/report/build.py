"""Make the whole report from the records of a run."""

from __future__ import annotations

from pathlib import Path

from labagent.files import fresh_folder, write_text
from labagent.inputs import Inputs
from labagent.report.figures import figure_files, strip_files, write_figures
from labagent.report.page import family_strips, html_page, markdown_page
from labagent.report.plots import draw_all
from labagent.report.study import read_study
from labagent.report.tables import make_tables, table_names
from labagent.report.traces import chosen, write_traces

__all__ = ["build_report", "figure_files", "table_names"]


def build_report(
    *, inputs: Inputs, results: Path, out: Path, partial: bool = False, all_traces: bool = False
) -> None:
    """Write tables (TSV), figures (SVG), pages of traces, ``report.md`` and ``report.html`` into ``out``.

    The same records give the same bytes.

    Args:
        inputs: what the run was made from: its targets, references and arms.
        results: the run's folder of results.
        out: where the report goes.
        partial: report a run that is not finished; entries without a result count as ``infrastructure``.
        all_traces: a page for every attempt, also where there are very many.

    Raises:
        InfrastructureError: an entry has no result (without ``partial``), or a record is unreadable.
    """
    study = read_study(inputs, results, partial=partial)
    tables = make_tables(study)
    figures = draw_all(study, tables)
    strips = family_strips(study)
    traces = chosen(study, everything=all_traces)
    for table in tables.values():
        table.write(out)
    fresh_folder(out / "figures")
    write_figures({figure.file: figure.document() for figure in figures}, out / "figures")
    for family, (drawn, _) in strips.items():
        write_figures(strip_files(study, family, drawn), out / "figures")
    write_traces(study, traces, out)
    write_text(out / "report.md", markdown_page(study, tables, figures, strips))
    write_text(out / "report.html", html_page(study, tables, figures, strips, traces))
