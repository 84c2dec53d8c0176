"""Everything a report is made from, read once: the records of a run, in the order of the inputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from labagent.errors import InfrastructureError
from labagent.inputs import Inputs, load_leaderboard
from labagent.models.base import FileRecord
from labagent.models.leaderboard import PublishedRow
from labagent.models.run import EnvironmentRecord, RunRecord, SelectionRecord
from labagent.models.score import EntryStatus, QuantityScore, ScoreRecord
from labagent.models.skill import DraftRecord, Verdict

AnyRecord = TypeVar("AnyRecord", bound=FileRecord)
REPLAY = "protocol replay"
RECORDED = "recorded"
MODEL = "model"
STATUSES: tuple[EntryStatus, ...] = (
    "scored",
    "capped",
    "failed",
    "env_failed",
    "unscorable",
    "infrastructure",
)


@dataclass(frozen=True)
class Attempt:
    """One run of an arm on a target, as far as it came: no score means a fault of the machinery."""

    number: int
    folder: Path
    run: RunRecord | None
    score: ScoreRecord | None

    @property
    def status(self) -> EntryStatus:
        """What became of it."""
        return self.score.status if self.score else "infrastructure"

    @property
    def tainted(self) -> bool:
        """Whether it had access to what it should not: such an attempt is counted apart."""
        return bool(self.score and self.score.tainted)

    @property
    def within(self) -> bool:
        """Whether all quantities are within, in a run that completed and is not tainted."""
        return bool(self.score and self.score.status == "scored" and self.score.within) and not self.tainted

    @property
    def quantities(self) -> tuple[QuantityScore, ...]:
        """Its quantities against their references."""
        return self.score.quantities if self.score else ()

    @property
    def reason(self) -> str:
        """Why it was not scored."""
        return self.score.reason if self.score else "no result: the machinery failed or was stopped"

    def all_quantities(self, name: str) -> bool | None:
        """Whether a verdict (``within_sd``, ``within_band``, ``as_good``) holds for all that have it."""
        verdicts = [v for q in self.quantities if (v := getattr(q, name)) is not None]
        if not verdicts:
            return None
        return self.status == "scored" and not self.tainted and all(verdicts)


@dataclass(frozen=True)
class Entry:
    """A (target, arm) pair. Its verdict is that of the first attempt."""

    arm: str
    target: str
    family: str
    attempts: tuple[Attempt, ...]
    selection: SelectionRecord | None
    environment: EnvironmentRecord | None

    @property
    def first(self) -> Attempt:
        """The attempt that counts."""
        return self.attempts[0]

    @property
    def skill(self) -> str:
        """The skill it was attempted with, empty for none."""
        run = self.first.run
        return (run.skill if run else self.selection.skill if self.selection else None) or ""


@dataclass(frozen=True)
class Study:
    """A run's records. ``entries`` are all that were asked for, whatever became of them."""

    inputs: Inputs
    results: Path
    entries: tuple[Entry, ...]

    @property
    def arms(self) -> list[str]:
        """Names of the arms, in the order of the config."""
        return list(self.inputs.selected_arms)

    @property
    def families(self) -> list[str]:
        """Names of the families with targets, sorted."""
        return sorted({entry.family for entry in self.entries})

    def kind(self, arm: str) -> str:
        """``protocol replay`` without a model, ``recorded`` for a replay of one, else ``model``.

        They are not ranked together.
        """
        return {"offline": REPLAY, "replay": RECORDED}.get(self.inputs.config.arms[arm].model, MODEL)

    @cached_property
    def by_pair(self) -> dict[tuple[str, str], Entry]:
        """Entries by (arm, target)."""
        return {(entry.arm, entry.target): entry for entry in self.entries}

    @cached_property
    def of_arm(self) -> dict[str, list[Entry]]:
        """Entries by arm, in the order of targets."""
        found: dict[str, list[Entry]] = {arm: [] for arm in self.arms}
        for entry in self.entries:
            found[entry.arm].append(entry)
        return found

    @cached_property
    def boards(self) -> dict[tuple[str, str], list[PublishedRow]]:
        """Published rows by (family, board)."""
        found: dict[tuple[str, str], list[PublishedRow]] = {}
        for name in self.families:
            for row in load_leaderboard(self.inputs.families[name]):
                found.setdefault((name, row.board), []).append(row)
        return found

    @cached_property
    def drafts(self) -> list[DraftRecord]:
        """What exploring left, by lab and explorer."""
        paths = (
            self.results / "explore" / explorer / skill / "draft.json"
            for skill in self.inputs.labs
            for explorer in self.inputs.config.explorers
        )
        return [record for path in paths if (record := read_record(DraftRecord, path))]

    @cached_property
    def verdicts(self) -> list[tuple[Verdict, Path]]:
        """Verdicts of all skills, refused ones too, with the skill's folder."""
        folders = (
            self.results / "skills" / origin / skill
            for skill in self.inputs.labs
            for origin in ("curated", *self.inputs.config.explorers)
        )
        found = ((read_record(Verdict, folder / "verdict.json"), folder) for folder in folders)
        return [(verdict, folder) for verdict, folder in found if verdict]

    def attempts(self) -> Iterator[tuple[Entry, Attempt]]:
        """All attempts of all entries."""
        return ((entry, attempt) for entry in self.entries for attempt in entry.attempts)


def read_study(inputs: Inputs, results: Path, *, partial: bool = False) -> Study:
    """Read the records of every entry the inputs ask for.

    Args:
        inputs: what the run was made from.
        results: its folder of results.
        partial: count entries that were not attempted yet as ``infrastructure``.

    Raises:
        InfrastructureError: an entry was never attempted (without ``partial``), or a record is unreadable.
    """
    numbers = range(1, inputs.config.attempts + 1)
    locks: dict[tuple[str, ...], tuple[str, ...]] = {}
    entries = tuple(
        Entry(
            arm=arm,
            target=target.target,
            family=target.family,
            attempts=tuple(_attempt(results, arm, target.target, number) for number in numbers),
            selection=read_record(SelectionRecord, results / "select" / arm / f"{target.target}.json"),
            environment=_environment(results / "environments" / arm / f"{target.target}.json", locks),
        )
        for target in inputs.selected_targets
        for arm in inputs.selected_arms
    )
    if not partial:
        _refuse_missing(entries)
    return Study(inputs, results, entries)


def read_record(model: type[AnyRecord], path: Path) -> AnyRecord | None:
    """A record, or ``None`` where there is no such file.

    Raises:
        InfrastructureError: the file does not follow its schema.
    """
    try:
        return model.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise InfrastructureError(f"{path}: is no readable record: {error}") from error


def _environment(path: Path, locks: dict[tuple[str, ...], tuple[str, ...]]) -> EnvironmentRecord | None:
    """An environment's record; equal locks, most of what it holds, are kept in memory once."""
    record = read_record(EnvironmentRecord, path)
    if record is None:
        return None
    return record.model_copy(update={"lock": locks.setdefault(record.lock, record.lock)})


def _attempt(results: Path, arm: str, target: str, number: int) -> Attempt:
    """One attempt's records."""
    folder = results / "runs" / arm / target / str(number)
    return Attempt(
        number=number,
        folder=folder,
        run=read_record(RunRecord, folder / "run.json"),
        score=read_record(ScoreRecord, results / "scores" / arm / target / f"{number}.json"),
    )


def _refuse_missing(entries: Sequence[Entry]) -> None:
    """A report of a whole run has a score, or at least a try, of every attempt."""
    missing = [
        f"{entry.arm}/{entry.target}/{attempt.number}"
        for entry in entries
        for attempt in entry.attempts
        if attempt.score is None and not any(attempt.folder.glob("try-*"))
    ]
    if missing:
        raise InfrastructureError(
            f"{len(missing)} attempts have no result, the first is {missing[0]}; finish the run "
            "(snakemake), or report what there is with: labagent report --partial"
        )
