"""``report.md`` and ``report.html``: one page each, from the templates beside this module.

The HTML page holds all it needs: styles, figures, no script, no request.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labagent.models.tables import Reference
from labagent.report import numbers
from labagent.report.figures import Drawing
from labagent.report.study import Attempt, Study
from labagent.report.tables import Cell, Table

TEMPLATES = Path(__file__).parent / "templates"
Drawings = Mapping[str, Sequence[Drawing]]

STATUS_MEANING = {
    "scored": "the run completed and every quantity has a value",
    "capped": "a cap (turns, cost, time) ended the run; not within, whatever it left",
    "failed": "the run gave up or left no answer",
    "env_failed": "the environment could not be built",
    "unscorable": "the run completed, but its answer is missing or wrong",
    "infrastructure": "the machinery failed; there is no result",
}


@dataclass(frozen=True)
class ResultCell:
    """One quantity in one arm: ``mark`` is ``within``, ``off`` or ``none``."""

    text: str
    word: str
    mark: str
    detail: str = ""


@dataclass(frozen=True)
class Result:
    """One quantity of a target: as published, and by arm."""

    target: str
    first: bool
    reference: Reference
    published: str
    criterion: str
    cells: list[ResultCell]


def html_page(study: Study, tables: Mapping[str, Table], drawings: Drawings) -> str:
    """The report as one self-contained HTML page."""
    return _render("report.html.j2", study, tables, drawings)


def markdown_page(study: Study, tables: Mapping[str, Table], drawings: Drawings) -> str:
    """The report as Markdown."""
    return _render("report.md.j2", study, tables, drawings)


def results_of(study: Study, family: str) -> list[Result]:
    """Every quantity of a family's targets, with each arm's first attempt."""
    found = []
    for target in study.inputs.selected_targets:
        if target.family != family:
            continue
        references = study.inputs.references.get(target.target, {})
        for position, reference in enumerate(references.values()):
            cells = [_cell(study.by_pair[arm, target.target].first, reference) for arm in study.arms]
            found.append(
                Result(
                    target.target,
                    position == 0,
                    reference,
                    numbers.published(reference),
                    numbers.criterion(reference),
                    cells,
                )
            )
    return found


def shown(value: Cell, column: str) -> str:
    """A cell of a table for people."""
    if value is None or value == "":
        return numbers.NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return numbers.p_value(value) if column.startswith("p_") else numbers.plain(value)
    return str(value)


def _cell(attempt: Attempt, reference: Reference) -> ResultCell:
    """What the page says of one quantity in one attempt."""
    q = next((q for q in attempt.quantities if q.quantity == reference.quantity), None)
    status = attempt.status.replace("_", " ")
    if q is None or q.value is None:
        return ResultCell(numbers.NONE, status, "none", (q.reason if q else "") or attempt.reason)
    text = numbers.ours(q, reference)
    if attempt.status != "scored" or attempt.tainted:
        return ResultCell(text, "tainted" if attempt.tainted else status, "none", attempt.reason)
    basis = "computed here from predictions" if q.basis == "computed" else "self-reported"
    return ResultCell(text, "within" if q.within else "not within", "within" if q.within else "off", basis)


def _bars(record: Mapping[str, Any]) -> list[tuple[str, str, int]]:
    """Parts of an arm's bar: class, what it counts, count; they add up to all entries."""
    not_within = record["scored"] - record["within"] - record["tainted_scored"]
    parts = [("within", "within", record["within"]), ("off", "not within", not_within)]
    parts += [("tainted", "tainted", record["tainted_scored"])]
    parts += [(s, s.replace("_", " "), record[s]) for s in list(STATUS_MEANING)[1:]]
    return [part for part in parts if part[2]]


def _overview(study: Study, summary: Table) -> list[dict[str, Any]]:
    """The summary's records with the parts of their bars."""
    records: list[dict[str, Any]] = [dict(record) for record in summary.records()]
    for record in records:
        firsts = [e.first for e in study.entries if e.arm == record["arm"]]
        record["tainted_scored"] = sum(f.tainted and f.status == "scored" for f in firsts)
        record["bars"] = _bars(record)
    return records


def _facts(overview: Sequence[Mapping[str, Any]]) -> list[tuple[str, list[str]]]:
    """Counts that are not in the bars, a row each, a cell an arm."""
    ranked = any(r["mean_rank"] is not None for r in overview)
    rerun = any(r["same_verdict"] is not None for r in overview)
    rows: list[tuple[str, bool, Callable[[Mapping[str, Any]], str]]] = [
        ("within published SD, of those with one", True, lambda r: f"{r['within_sd']} of {r['with_sd']}"),
        ("within 5 %", True, lambda r: str(r["within_band"])),
        (
            "first places",
            ranked,
            lambda r: _or_none(r["first_places"], f"{r['first_places']} of {r['ranked']}"),
        ),
        ("mean rank", ranked, lambda r: shown(r["mean_rank"], "mean_rank")),
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
    return f"{known}, {record['cost_unknown']} unknown" if record["cost_unknown"] else known


def _percent(share: float | None) -> str:
    """A share in per cent."""
    return "" if share is None else f"{100 * share:.0f} %"


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


def _render(template: str, study: Study, tables: Mapping[str, Table], drawings: Drawings) -> str:
    """Fill in a template."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(["html.j2"], default_for_string=False),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(shown=shown, md=_markdown_cell, plain=numbers.plain)
    families = [
        {
            "name": name,
            "title": study.inputs.families[name].title,
            "description": study.inputs.families[name].description,
            "results": results_of(study, name),
            "drawings": drawings[name],
        }
        for name in study.families
    ]
    overview = _overview(study, tables["summary"])
    return environment.get_template(template).render(
        study=study,
        tables=tables,
        overview=overview,
        facts=_facts(overview),
        families=families,
        further=[t for t in tables.values() if t.shown and t.name != "summary"],
        not_scored=_not_scored(study),
        statuses=STATUS_MEANING,
        targets=len(study.inputs.selected_targets),
        attempts=study.inputs.config.attempts,
        replay=any(study.kind(arm) == "protocol replay" for arm in study.arms),
    )


def _markdown_cell(text: object) -> str:
    """Text that keeps its place in a Markdown table."""
    line = " ".join(str(text).split())
    for mark in ("\\", "|", "<", "`", "*", "_", "["):
        line = line.replace(mark, f"\\{mark}")
    return line
