"""Which runs a configuration asks for, where they lie, and what their answers depend on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from labagent.ask.conditions import condition_names, load_condition
from labagent.biobench.tasks import read_tasks
from labagent.errors import InputError, InputFault
from labagent.files import sha256_file, sha256_json
from labagent.fingerprint import content_hash, fingerprint
from labagent.models.biobench import BiobenchTask
from labagent.models.biobench_runs import RunPlace
from labagent.models.biobench_settings import BiobenchSet
from labagent.models.config import Config, ModelSettings

OFFLINE = "offline"
MODEL_KEY = ("model", "temperature", "max_output_tokens", "context_tokens", "seed")
"""Settings of a model that change what it answers."""
HASHED_BYTES = 64 << 20
"""Files of backends up to this size are part of a key by content, larger ones by size."""
SHOWN = "config/config.yaml"


@dataclass(frozen=True)
class Plan:
    """A run: what is asked, how, of whom. ``keys`` is what each task's answer depends on."""

    place: RunPlace
    folder: Path
    tasks: tuple[BiobenchTask, ...]
    chosen: BiobenchSet
    model: ModelSettings | None
    keys: Mapping[str, str]
    root: Path
    config: Config

    @property
    def key(self) -> str:
        """What the whole run depends on."""
        return sha256_json([self.keys[task.id] for task in self.tasks])[:16]


def folder_of(results: Path, place: RunPlace) -> Path:
    """Where a run lies."""
    return results / "biobench" / place.set / place.condition / place.model / str(place.seed)


def places(config: Config) -> Iterator[RunPlace]:
    """Every run that the config asks for: what needs a model has none offline, and offline has one seed."""
    bench = config.biobench
    for name in bench.sets:
        for condition in bench.conditions:
            for model in bench.models:
                if model == OFFLINE and load_condition(condition, model=True).NEEDS_MODEL:
                    continue
                for seed in bench.seeds[:1] if model == OFFLINE else bench.seeds:
                    yield RunPlace(set=name, condition=condition, model=model, seed=seed)


def faults(root: Path, config: Config) -> list[InputFault]:
    """What is wrong in the section ``biobench``: conditions, models, task files."""
    bench = config.biobench
    found = [_unknown("conditions", c, condition_names()) for c in bench.conditions]
    found += [_unknown("models", m, [OFFLINE, *config.models]) for m in bench.models]
    if not any(found) and set(bench.models) == {OFFLINE}:
        found += [_modelless(c) for c in bench.conditions]
    for name, chosen in bench.sets.items():
        if not (root / chosen.tasks).is_file():
            message = f"{chosen.tasks}: there is no such file; labagent biobench import writes one"
            found.append(InputFault(SHOWN, message, column=f"biobench.sets.{name}.tasks"))
    return [fault for fault in found if fault is not None]


def plan(root: Path, config: Config, place: RunPlace) -> Plan:
    """A run in all its parts.

    Raises:
        InputError: the set, condition or model is not there, or the condition needs a model and has none;
            the task file is wrong, or nothing of it is selected.
    """
    bench = config.biobench
    chosen = bench.sets.get(place.set)
    known = {OFFLINE, *config.models}
    if chosen is None or place.model not in known:
        column, value = ("sets", place.set) if chosen is None else ("models", place.model)
        allowed = bench.sets if chosen is None else known
        message = f'there is no "{value}"; allowed: {", ".join(sorted(allowed))}'
        raise InputError([InputFault(SHOWN, message, column=f"biobench.{column}")])
    settings = config.models.get(place.model)
    load_condition(place.condition, model=settings is not None)
    model = settings.model_copy(update={"seed": place.seed}) if settings else None
    tasks = selected(read_tasks(root / chosen.tasks), bench.splits, bench.categories)
    if not tasks:
        message = "no task of it is of the selected splits and categories"
        raise InputError([InputFault(chosen.tasks, message)])
    shared = _shared(root, config, place, model)
    keys = {t.id: sha256_json([shared, t.question, t.history])[:16] for t in tasks}
    folder = folder_of(root / config.results, place)
    return Plan(place, folder, tasks, chosen, model, keys, root, config)


def selected(
    tasks: Iterable[BiobenchTask], splits: Sequence[str], categories: Sequence[str]
) -> tuple[BiobenchTask, ...]:
    """Tasks of some splits and categories; empty means all."""
    return tuple(
        t for t in tasks if (not splits or t.split in splits) and (not categories or t.category in categories)
    )


def _shared(root: Path, config: Config, place: RunPlace, model: ModelSettings | None) -> object:
    """What all answers of a run depend on.

    With a model never the code (answers cost money, docs/design/reruns.md), but the prompts; without one the
    code that answers.
    """
    chosen = config.biobench.sets[place.set]
    backends = [_backend(root, config, name) for name in chosen.backends]
    code = (
        [model.model_dump(mode="json", include=set(MODEL_KEY)), content_hash("ask", "*.j2")]
        if model
        else fingerprint("labagent.ask", "labagent.tools")
    )
    return [place.condition, place.seed if model else 0, backends, chosen.mode, chosen.store, code]


def _backend(root: Path, config: Config, name: str) -> list[str | int]:
    """A backend with what its file holds."""
    detail = name.partition(":")[2]
    path = root / config.ask.mirrors.get(detail, detail)
    if not detail or not path.is_file():
        return [name]
    size = path.stat().st_size
    return [name, size if size > HASHED_BYTES else sha256_file(path)]


def _unknown(column: str, name: str, allowed: Sequence[str]) -> InputFault | None:
    """A name that is not there."""
    if name in allowed:
        return None
    message = f'"{name}" is not there; allowed: {", ".join(allowed)}'
    return InputFault(SHOWN, message, column=f"biobench.{column}")


def _modelless(condition: str) -> InputFault | None:
    """A condition that no model is named for."""
    try:
        load_condition(condition, model=False)
    except InputError as error:
        return InputFault(SHOWN, error.faults[0].message, column="biobench.models")
    return None
