"""One function a job: read the job's inputs, call the stage, write its record.

Called by the scripts of the rules of labs and of the report, and by the commands of all others. Stages are
imported where they are used, so that a job loads only its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from labagent.inputs import load_lab, load_labs, load_target, skill_origin
from labagent.models.config import Arm, Config
from labagent.models.tables import Target
from labagent.workflow.paths import Paths
from labagent.workflow.session import current_config

if TYPE_CHECKING:
    from labagent.llm import Model
    from labagent.select import Candidate

CACHE = ".labagent/cache"


def stage(root: Path, skill: str, record: Path) -> None:
    """Stage a lab's artifacts into the folder of ``record``.

    Raises:
        SourceError: a source cannot be had as the row asks.
        InfrastructureError: a server cannot be reached.
    """
    from labagent.stage import stage_lab

    lab = load_lab(root, current_config(root), skill)
    manifest = stage_lab(lab, record.parent, base=root, cache=root / CACHE)
    for warning in manifest.warnings:
        print(f"warning: {warning}")


def data(root: Path, target: str) -> None:
    """Stage a target's data into the folder of its record."""
    from labagent.stage import stage_data

    config = current_config(root)
    record = root / Paths(config.results).data.format(target=target)
    row = load_target(root, config, target).target
    artifacts = root / config.results / "artifacts"
    manifest = stage_data(row, record.parent, base=root, artifacts=artifacts, cache=root / CACHE)
    if manifest.status == "failed":
        print(f"warning: {manifest.reason}")


def snapshot(root: Path, manifest: Path, skill: str, record: Path) -> None:
    """Read the API of a staged repository; of files read before, what was found then."""
    from labagent.snapshot import snapshot as read_api

    cache = root / CACHE / "snapshot" / f"{skill}.kept"
    found = read_api(manifest.parent / "repository", skill, cache=cache)
    found.write(record)
    counts = f"{len(found.objects)} callables, {len(found.examples)} examples"
    print(f"{counts}, {len(found.unreadable)} unreadable files")


def explore(root: Path, skill: str, explorer: str, key: str) -> None:
    """Draft a skill with an explorer.

    Raises:
        ModelConfigError: the explorer's model cannot be used.
        InfrastructureError: the model service failed; no draft is recorded.
    """
    from labagent.explore.drafting import explore as draft
    from labagent.explore.trial import Trial
    from labagent.memory import open_memory
    from labagent.models.snapshot import Snapshot

    config = current_config(root)
    paths = Paths(config.results)
    settings = config.explorers[explorer]
    destination = root / Path(paths.draft.format(explorer=explorer, skill=skill)).parent
    model = config.models.get(settings.model)
    with paid_by(root, config, f"explore/{explorer}/{skill}"):
        record = draft(
            load_lab(root, config, skill),
            artifacts=root / Path(paths.artifacts.format(skill=skill)).parent,
            snapshot=Snapshot.read(root / paths.snapshot.format(skill=skill)),
            explorer=explorer,
            settings=settings,
            model=model,
            destination=destination,
            key=key,
            trial=Trial(config.environment, config.sandbox, root, destination / "trial.log"),
            tasks=_tasks(root, skill) if model else {},
            memory=open_memory(config.memory, f"explore-{explorer}", "live", root=root),
        )
    print(f"{record.status} {record.reason}".strip())


def _tasks(root: Path, skill: str) -> dict[str, str]:
    """Texts of the targets that name a skill."""
    from labagent.workflow.session import current_inputs

    targets = current_inputs(root).targets.values()
    return {t.target: Path(t.task).read_text("utf-8-sig") for t in targets if t.skill == skill}


def explore_tasks(
    root: Path, name: str, targets: Sequence[str], explorer: str, corpus: Sequence[Path]
) -> int:
    """Draft skills for open tasks; 0 where at least one came out.

    Raises:
        InputError: the name, a target or the explorer is wrong.
        InfrastructureError: the model service failed; the next call goes on from what was paid for.
    """
    from labagent.errors import InputError, InputFault
    from labagent.explore.open_tasks import OpenTask, explore_open
    from labagent.explore.trial import Trial
    from labagent.memory import open_memory
    from labagent.models.exploration import ExplorationRecord

    config = current_config(root)
    settings = config.explorers.get(explorer)
    model = config.models.get(settings.model) if settings else None
    if settings is None or model is None:
        with_models = [key for key, value in config.explorers.items() if value.model in config.models]
        message = f'"{explorer}" is no explorer with a model; there are: {", ".join(with_models) or "none"}'
        raise InputError([InputFault("config/config.yaml", message, column="explorers")])
    tasks = {}
    for target in targets:
        row = load_target(root, config, target).target
        data = (root / Paths(config.results).data.format(target=target)).parent / "files"
        tasks[target] = OpenTask(Path(row.task).read_text("utf-8-sig"), data if data.is_dir() else None)
    destination = (root / Paths(config.results).draft.format(explorer=explorer, skill=name)).parent
    with paid_by(root, config, f"explore/{explorer}/{name}"):
        record = explore_open(
            name,
            tasks,
            explorer=explorer,
            settings=settings,
            model=model,
            destination=destination,
            corpus=corpus,
            trial=Trial(config.environment, config.sandbox, root, destination / "trial.log"),
            memory=open_memory(config.memory, f"explore-{explorer}", "live", root=root),
        )
    done = ExplorationRecord.read(destination / "exploration.json")
    for analysis, reason in done.analyses.items():
        print(f"{destination / 'skill' / analysis}: {f'refused: {reason}' if reason else 'drafted'}")
    print(f"{record.status} {record.reason}".strip())
    return 0 if record.status == "drafted" else 1


def paid_by(root: Path, config: Config, who: str) -> AbstractContextManager[None]:
    """Have the model calls of a job paid from the budget over all entries.

    Args:
        root: the workflow's folder.
        config: its configuration.
        who: the job, as ``stage/<arm or explorer>/…``.
    """
    from labagent.llm import Book, paying

    return paying(Book(root / config.results, config.spending, who))


def validate(root: Path, origin: str, skill: str, record: Path) -> None:
    """Validate a skill and freeze it into the folder of ``record``.

    Raises:
        InfrastructureError: a registry or the sandbox failed; no verdict is recorded.
    """
    from labagent.library.published import published_values
    from labagent.models.skill import DraftRecord
    from labagent.models.snapshot import Snapshot
    from labagent.skills.freeze import validate_and_freeze

    config = current_config(root)
    paths = Paths(config.results)
    reason = ""
    source: Path | None = root / "skills" / skill
    if origin != "curated":
        draft = root / paths.draft.format(explorer=origin, skill=skill)
        reason = DraftRecord.read(draft).reason
        source = draft.parent / "skill" / skill
    elif source and not source.is_dir():
        source, reason = None, f"there is no skills/{skill}"
    verdict = validate_and_freeze(
        source if source and source.is_dir() else None,
        record.parent,
        skill=skill,
        origin=origin,
        snapshot=Snapshot.read(root / paths.snapshot.format(skill=skill)),
        artifacts=root / Path(paths.artifacts.format(skill=skill)).parent,
        environment=config.environment,
        sandbox=config.sandbox,
        root=root,
        log=record.parent.parent / f".{skill}.log",
        reason=reason,
        scan=published_values(root),
    )
    print(f"{verdict.status} {verdict.reason}".strip())


def select(root: Path, arm: str, target: str, key: str) -> None:
    """Choose the skill of a target for an arm, and write the record.

    Raises:
        ModelConfigError: the arm's model cannot be used.
        InfrastructureError: the model service failed; nothing is recorded.
    """
    from labagent.select import select_skill

    config = current_config(root)
    settings = config.arms[arm]
    row = load_target(root, config, target).target
    task = Path(row.task).read_text(encoding="utf-8-sig")
    destination = root / Paths(config.results).select.format(arm=arm, target=target)
    candidates = _candidates(root, config, arm, row)
    needs_model = not row.skill and settings.skills != "none"
    chooser = _chooser(root, config, settings, destination, needed=needs_model)
    with paid_by(root, config, f"select/{arm}/{target}"), chooser as model:
        record = select_skill(row, arm, settings, candidates, task, model)
    record.model_copy(update={"key": key}).write(destination)
    print(f"{record.status} {record.skill or ''}: {record.reason}")


def environment(root: Path, arm: str, target: str) -> None:
    """Build or reuse the environment of a target in an arm, and write its record.

    Raises:
        InfrastructureError: the package index or the disk failed; nothing is recorded.
    """
    from labagent.environment import build_environment
    from labagent.environment.shell import builds_cut
    from labagent.memory import open_memory
    from labagent.models.run import SelectionRecord

    config = current_config(root)
    paths = Paths(config.results)
    record = root / paths.environment.format(arm=arm, target=target)
    chosen = SelectionRecord.read(root / paths.select.format(arm=arm, target=target))
    spec = None
    if chosen.skill and chosen.origin:
        verdict = paths.verdict.format(origin=chosen.origin, skill=chosen.skill)
        spec = (root / verdict).parent / "environment.yaml"
    with builds_cut(config.sandbox.network == "off"):
        built = build_environment(
            spec,
            config.environment,
            root=root,
            log=record.with_suffix(".log"),
            memory=open_memory(config.memory, arm, config.arms[arm].memory, root=root),
            run=f"environment/{arm}/{target}",
        )
    built.write(record)
    print(f"{built.status} {built.reason} {'(reused)' if built.reused else ''}".strip())


def reproduce(root: Path, arm: str, target: str, attempt: int, key: str) -> None:
    """Make one attempt and write its record.

    Raises:
        ModelConfigError: the arm's model cannot be used.
        InfrastructureError: the machinery failed; the try stays, no result is recorded.
    """
    from labagent.reproduce import reproduce as run
    from labagent.workflow.attempts import attempt_of

    config = current_config(root)
    with paid_by(root, config, f"reproduce/{arm}/{target}/{attempt}"):
        record = run(attempt_of(root, config, arm, config.arms[arm], target, attempt, key))
    print(f"{record.status}, ended by {record.ended_by} after {record.turns} turns {record.reason}".strip())


def score(root: Path, arm: str, target: str, attempt: int) -> None:
    """Score and audit one attempt, and write the record."""
    from labagent.models.run import EnvironmentRecord
    from labagent.models.sources import DataManifest
    from labagent.scoring.score import score_attempt
    from labagent.workflow.auditing import audit

    config = current_config(root)
    paths = Paths(config.results)
    place = {"arm": arm, "target": target}
    found = load_target(root, config, target, scoring=True)
    scored = score_attempt(
        run_folder=(root / paths.run.format(attempt=attempt, **place)).parent,
        target=found.target,
        references=found.references,
        labels=found.labels,
        family=found.family,
        environment=EnvironmentRecord.read(root / paths.environment.format(**place)),
        data=(root / paths.data.format(target=target)).parent / "files",
    )
    data_manifest = DataManifest.read(root / paths.data.format(target=target))
    if data_manifest.status == "failed":
        # An earlier attempt on other data is kept, but does not count for what the target says now.
        scored = scored.model_copy(
            update={"status": "failed", "within": False, "reason": data_manifest.reason}
        )
    seen = audit(root, config, arm, attempt, found)
    scored = scored.model_copy(update={"audit": seen, "tainted": seen.verdict == "tainted"})
    scored.write(root / paths.score.format(attempt=attempt, **place))
    verdict = "tainted" if scored.tainted else "within" if scored.within else "not within"
    print(f"{scored.status}, {verdict} {scored.reason}".strip())


@contextmanager
def _chooser(root: Path, config: Config, arm: Arm, record: Path, *, needed: bool) -> Iterator[Model | None]:
    """The model that chooses a skill, at temperature 0 and recorded beside the record; or its recording.

    ``None`` for ``offline`` and where none is needed.
    """
    settings = config.models.get(arm.model)
    if not needed or (settings is None and arm.replay is None):
        yield None
        return
    from labagent.llm import LitellmModel, Recording, ReplayModel
    from labagent.trace import TraceWriter
    from labagent.workflow.attempts import recordings

    record.parent.mkdir(parents=True, exist_ok=True)
    with TraceWriter(record.with_suffix(".trace.jsonl")) as writer:
        if settings is None:
            place = recordings(root, config, arm) / "select" / str(arm.replay) / record.name
            yield ReplayModel(place.with_suffix(".calls.jsonl"), writer)
        else:
            cold = None if settings.temperature is None else 0.0
            settings = settings.model_copy(update={"temperature": cold})
            yield LitellmModel(settings, writer, Recording(record.with_suffix(".calls.jsonl")))


def _candidates(root: Path, config: Config, arm: str, target: Target) -> list[Candidate]:
    """The frozen skills an arm may choose from for a target."""
    from labagent.models.skill import Verdict
    from labagent.select import Candidate
    from labagent.skills.frontmatter import parse_frontmatter

    if config.arms[arm].skills == "none":
        return []
    labs = [load_lab(root, config, target.skill)] if target.skill else load_labs(root, config)
    found = []

    def describe(folder: Path) -> str:
        return parse_frontmatter((folder / "SKILL.md").read_text(encoding="utf-8"), folder.name).description

    for lab in labs:
        origin = skill_origin(config, arm, lab)
        path = root / Paths(config.results).verdict.format(origin=origin, skill=lab.skill)
        verdict = Verdict.read(path)
        found.append(
            Candidate(
                name=lab.skill,
                description=describe(path.parent) if verdict.status == "valid" else "",
                origin=origin,
                status=verdict.status,
                reason=verdict.reason,
                sha256=verdict.skill_sha256,
            )
        )
    return found


def report(root: Path, *, partial: bool = False) -> None:
    """Write the report of the run.

    Raises:
        InfrastructureError: an entry has no result (without ``partial``).
    """
    from labagent.report import build_report
    from labagent.workflow.judging import judge_all
    from labagent.workflow.session import current_inputs

    inputs = current_inputs(root)
    results = root / inputs.config.results
    build_report(inputs=inputs, results=results, out=results / "report", partial=partial)
    judge_all(root)
