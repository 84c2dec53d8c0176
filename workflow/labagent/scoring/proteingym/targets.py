"""Targets and references of chosen assays, written as tables of the family."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from string import Template

from labagent.errors import InputError, InputFault
from labagent.files import write_text
from labagent.inputs import load_leaderboard
from labagent.inputs.withheld import IMPORTED
from labagent.models.family import Family
from labagent.models.leaderboard import PublishedRow
from labagent.scoring.proteingym.assays import Assay

TARGETS = ("target", "family", "skill", "task", "data", "answer", "protocol", "budget")
REFERENCES = ("target", "quantity", "metric", "direction", "value", "source", "board", "method")


def write_targets(
    family: Family, chosen: Sequence[Assay], *, method: str = "", folder: Path | None = None, prefix: str = ""
) -> Path:
    """Write ``targets.tsv``, ``references.tsv`` and ``tasks/`` of chosen assays; returns their folder.

    The choice is made by then: published scores are read here only as references.

    Args:
        family: the family of the assays.
        chosen: the assays.
        method: the published method that is to be reproduced; empty for the best published value of each
            assay, whichever method it is of.
        folder: where to; the family's ``imported/`` where it is ``None``.
        prefix: of the targets' names, so that two choices can stand beside each other.

    Raises:
        InputError: the method is unknown, or has no value for an assay.
    """
    place = folder or Path(family.folder) / IMPORTED
    start = prefix or ("chosen" if folder is None else "pg")
    targets, references = ["\t".join(TARGETS)], ["\t".join(REFERENCES)]
    for assay, row in zip(chosen, _published(family, chosen, method), strict=True):
        name = f"{start}-{assay.assay}"
        task = f"tasks/{name}.md"
        write_text(place / task, _task(assay, method))
        targets.append(
            "\t".join(
                (
                    name,
                    family.name,
                    "",
                    task,
                    f"data/{assay.assay}",
                    "spearman=predictions.csv",
                    "",
                    "default",
                )
            )
        )
        value = f"{row.value:.{row.decimals}f}"
        which = row.method if method else f"{row.method}, the best published"
        references.append(
            "\t".join(
                (
                    name,
                    "spearman",
                    "spearman",
                    "higher",
                    value,
                    f"{row.source}; {which}",
                    assay.assay,
                    row.method,
                )
            )
        )
    write_text(place / "targets.tsv", "\n".join(targets) + "\n")
    write_text(place / "references.tsv", "\n".join(references) + "\n")
    return place


def _published(family: Family, chosen: Sequence[Assay], method: str) -> list[PublishedRow]:
    """The published value of each chosen assay: of one method, or the best."""
    names = {assay.assay for assay in chosen}
    rows = [row for row in load_leaderboard(family) if row.board in names and method in ("", row.method)]
    best: dict[str, PublishedRow] = {}
    for row in rows:
        if row.board not in best or row.value > best[row.board].value:
            best[row.board] = row
    without = [assay.assay for assay in chosen if assay.assay not in best]
    if without:
        who = f'the method "{method}"' if method else "no method"
        raise InputError([InputFault(family.name, f"{who} has no published value for {', '.join(without)}")])
    return [best[assay.assay] for assay in chosen]


def _task(assay: Assay, method: str) -> str:
    """The task of one assay."""
    how = f'with the method "{method}"' if method else "with a method of your choice from the library"
    text = Path(__file__).with_name("task.md").read_text(encoding="utf-8")
    return Template(text).substitute(
        assay=assay.assay,
        variants=assay.variants,
        protein=assay.uniprot,
        length=assay.length,
        selection=_words(assay.selection),
        how=how,
    )


def _words(selection: str) -> str:
    """``OrganismalFitness`` → ``organismal fitness``."""
    return "".join(f" {c.lower()}" if c.isupper() else c for c in selection).strip()
