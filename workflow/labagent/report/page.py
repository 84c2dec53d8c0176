"""``report.md`` and ``report.html``: one page each, from the templates beside this module.

The HTML page holds all it needs: styles and figures, no script, no request. What stands on it is bounded, so
that it can be read for any number of entries; tables in files hold everything.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from labagent.report import numbers
from labagent.report.figure import Figure
from labagent.report.figures import arm_key, figure_files, strips_of
from labagent.report.panels import panels_of, results_of, sources_of
from labagent.report.rendering import environment
from labagent.report.sections import ROWS, pair_matrix, row_link, sections_of, shown
from labagent.report.strips import Strip
from labagent.report.study import STATUSES, Study
from labagent.report.tables import Table
from labagent.report.traces import Key, address

STATUS_MEANING = {
    "scored": "the run completed and every quantity has a value",
    "capped": "a cap (turns, cost, time) ended the run; not within, whatever it left",
    "failed": "the run gave up or left no answer",
    "env_failed": "the environment could not be built",
    "unscorable": "the run completed, but its answer is missing or wrong",
    "infrastructure": "the machinery failed; there is no result",
}
Strips = Mapping[str, tuple[list[Strip], int]]


def html_page(
    study: Study,
    tables: Mapping[str, Table],
    figures: Sequence[Figure],
    strips: Strips,
    traces: Collection[Key] = (),
) -> str:
    """The report as one self-contained HTML page.

    Args:
        study: the study.
        tables: all tables.
        figures: the figures of the whole study.
        strips: what :func:`strips_of` gave, by family.
        traces: the attempts whose trace has a page.
    """
    return _render("report.html.j2", study, tables, figures, strips, traces)


def markdown_page(
    study: Study, tables: Mapping[str, Table], figures: Sequence[Figure], strips: Strips
) -> str:
    """The report as Markdown, with its figures beside it."""
    return _render("report.md.j2", study, tables, figures, strips, ())


def family_strips(study: Study) -> Strips:
    """The strips of every family, and how many quantities it has."""
    return {family: strips_of(study, family) for family in study.families}


def _bars(record: Mapping[str, Any]) -> list[tuple[str, str, int]]:
    """Parts of an arm's bar: class, what it counts, count; they add up to all entries."""
    not_within = record["scored"] - record["within"] - record["tainted_scored"]
    parts = [("within", "within", record["within"]), ("off", "not within", not_within)]
    parts += [("tainted", "tainted", record["tainted_scored"])]
    parts += [(s, s.replace("_", " "), record[s]) for s in STATUSES[1:]]
    return [part for part in parts if part[2]]


def _overview(study: Study, summary: Table) -> list[dict[str, Any]]:
    """The summary's records with the parts of their bars."""
    records: list[dict[str, Any]] = [dict(record) for record in summary.records()]
    tainted = dict.fromkeys(study.arms, 0)
    for entry in study.entries:
        tainted[entry.arm] += entry.first.tainted and entry.first.status == "scored"
    for position, record in enumerate(records):
        record["tainted_scored"] = tainted[record["arm"]]
        record["bars"] = _bars(record)
        record["symbol"] = arm_key(study)[position][0]
    return records


def _facts(overview: Sequence[Mapping[str, Any]]) -> list[tuple[str, list[str]]]:
    """Counts that are not in the bars, a row each, a cell an arm."""
    ranked = any(r["mean_rank"] is not None for r in overview)
    published = any(r["mean_rank_published"] is not None for r in overview)
    rerun = any(r["same_verdict"] is not None for r in overview)
    rows: list[tuple[str, bool, Callable[[Mapping[str, Any]], str]]] = [
        ("within published SD, of those with one", True, lambda r: f"{r['within_sd']} of {r['with_sd']}"),
        ("within 5 %", True, lambda r: str(r["within_band"])),
        (
            "first places",
            ranked,
            lambda r: _or_none(r["first_places"], f"{r['first_places']} of {r['ranked']}"),
        ),
        ("mean rank among arms", ranked, lambda r: shown(r["mean_rank"], "mean_rank")),
        (
            "mean rank among published rows",
            published,
            lambda r: _over(r["mean_rank_published"], r["ranked_published"]),
        ),
        (
            "same verdict on a rerun",
            rerun,
            lambda r: _or_none(r["same_verdict"], _percent(r["same_verdict"])),
        ),
        ("tainted", True, lambda r: str(r["tainted"])),
        ("with departures", True, lambda r: str(r["departures"])),
        ("model cost, all attempts", True, _cost),
        (
            "wall time per entry",
            True,
            lambda r: _or_none(r["wall_s_per_entry"], f"{shown(r['wall_s_per_entry'], '')} s"),
        ),
        ("failing commands", True, lambda r: str(r["failing_turns"])),
        ("lessons shown, written", True, lambda r: f"{r['lessons_shown']}, {r['lessons_written']}"),
        ("reduced isolation", True, lambda r: str(r["sandbox_reduced"])),
    ]
    return [(label, [cell(r) for r in overview]) for label, wanted, cell in rows if wanted]


def _cost(record: Mapping[str, Any]) -> str:
    """Known cost, and how much of it is not known."""
    known = f"{record['cost_usd']:.2f} US$"
    return f"{known}; {record['cost_unknown']} unknown" if record["cost_unknown"] else known


def _percent(share: float | None) -> str:
    """A share in per cent."""
    return "" if share is None else f"{100 * share:.0f} %"


def _over(mean: float | None, entries: int) -> str:
    """A mean with how many entries it is over."""
    return numbers.NONE if mean is None else f"{shown(mean, '')}, {entries} entries"


def _or_none(value: object, text: str) -> str:
    """A text, or a dash where there is no value."""
    return numbers.NONE if value is None else text


def _not_scored(study: Study) -> list[dict[str, str]]:
    """Entries without a score, with the reason."""
    return [
        {
            "target": entry.target,
            "arm": entry.arm,
            "status": entry.first.status.replace("_", " "),
            "reason": entry.first.reason,
        }
        for entry in study.entries
        if entry.first.status != "scored"
    ]


def _families(
    study: Study, figures: Sequence[Figure], strips: Strips, link: Callable[[str, str, int], str]
) -> list[dict[str, Any]]:
    """What is said of each family."""
    found = []
    for name in study.families:
        drawn, quantities = strips[name]
        results, _ = results_of(study, name, ROWS, link)
        found.append(
            {
                "name": name,
                "title": study.inputs.families[name].title,
                "description": study.inputs.families[name].description,
                "panels": panels_of(drawn, name, link),
                "quantities": quantities,
                "results": results,
                "figures": [figure for figure in figures if figure.beside == f"family-{name}"],
                "files": _files(study, name, figures),
                "sources": sources_of(study, name),
            }
        )
    return found


def _files(study: Study, family: str, figures: Sequence[Figure]) -> list[tuple[str, str]]:
    """A family's figures as files, with their titles."""
    title = f"{study.inputs.families[family].title}: published and reproduced values"
    own = [(figure.file, figure.title) for figure in figures if figure.beside == f"family-{family}"]
    return [*((file, title) for file in figure_files(study.inputs)[family]), *own]


def _render(
    template: str,
    study: Study,
    tables: Mapping[str, Table],
    figures: Sequence[Figure],
    strips: Strips,
    traces: Collection[Key],
) -> str:
    """Fill in a template."""

    def link(arm: str, target: str, number: int) -> str:
        return address((arm, target, number)) if (arm, target, number) in traces else ""

    overview = _overview(study, tables["summary"])
    not_scored = _not_scored(study)
    return (
        environment()
        .get_template(template)
        .render(
            study=study,
            tables=tables,
            overview=overview,
            facts=_facts(overview),
            families=_families(study, figures, strips, link),
            figures=figures,
            counts=[figure for figure in figures if figure.beside == "counts"],
            sections=sections_of(tables, figures),
            matrices=pair_matrix(tables["pairwise"]),
            not_scored=not_scored[:ROWS],
            not_scored_more=max(0, len(not_scored) - ROWS),
            most=ROWS,
            statuses=STATUS_MEANING,
            targets=len(study.inputs.selected_targets),
            attempts=study.inputs.config.attempts,
            replay=any(study.kind(arm) == "protocol replay" for arm in study.arms),
            arm_key=arm_key(study),
            traces=traces,
            all_attempts=sum(len(entry.attempts) for entry in study.entries),
            link=link,
            row_link=lambda table, row: row_link(table, row, link),
            shown=shown,
        )
    )
