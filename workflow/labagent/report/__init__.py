"""The report: counts of entries against published values, as tables, figures and one page."""

from labagent.report.build import build_report, figure_files, table_names

__all__ = ["build_report", "figure_files", "table_names"]
