"""``config/config.yaml`` as a typed record. Every key is explained in ``config/README.md``."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import Field, FiniteFloat, StringConstraints, field_validator, model_validator

from labagent.models.ask_settings import Ask
from labagent.models.base import Record
from labagent.models.biobench_settings import BiobenchSettings
from labagent.models.presets import UNEXPLORED, apply_preset, with_unexplored
from labagent.models.spending import Spending

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=64)]
Seconds = Annotated[FiniteFloat, Field(gt=0)]
Perspective = Literal["user", "maintainer", "reviewer", "statistician", "engineer"]
PERSPECTIVES: tuple[Perspective, ...] = ("user", "maintainer", "reviewer", "statistician", "engineer")
KEPT = frozenset(
    {"config", "workflow", "skills", "memory", "benchmarks", "profiles", "docs", "tests", ".labagent"}
)


class Price(Record):
    """Price of a model in US$ per million tokens; overrides litellm's table."""

    input: Annotated[float, Field(ge=0)]
    output: Annotated[float, Field(ge=0)]
    cached_input: Annotated[float, Field(ge=0)] | None = None


class ModelSettings(Record):
    """A litellm model and how it is called. Keys come from the environment, never from here."""

    model: str
    api_base: str | None = None
    api_key_env: Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z0-9_]*$")] | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = 0.0
    max_output_tokens: Annotated[int, Field(ge=16)] = 4096
    context_tokens: Annotated[int, Field(ge=1024)] | None = None
    seed: Annotated[int, Field(ge=0, lt=2**31)] | None = None
    timeout_seconds: Seconds = 300.0
    retries: Annotated[int, Field(ge=0, le=20)] = 6
    backoff_seconds: Annotated[float, Field(ge=0)] = 2.0
    price: Price | None = None


class Budget(Record):
    """Caps of one attempt; the first that binds ends it.

    ``tokens`` counts prompt and completion. Where it is not set and a model's price is unknown, ``usd`` is
    turned into tokens at US$ 10 per million.
    """

    turns: Annotated[int, Field(ge=1)] = 60
    usd: Annotated[float, Field(ge=0)] = 5.0
    tokens: Annotated[int, Field(ge=0)] | None = None
    command_seconds: Seconds = 600.0
    wall_seconds: Seconds = 3600.0
    cores: Annotated[int, Field(ge=1)] = 1
    mem_mb: Annotated[int, Field(ge=64)] = 4000
    gpus: Annotated[int, Field(ge=0, le=64)] = 0


EnvName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]


class Harness(Record):
    """An agent of its own, run as one command in the run's sandbox.

    ``adapter`` is a module of ``labagent/reproduce/harness/adapters`` and knows the tool's transcript and its
    usual ``command``. ``env`` names variables of the host that it gets, all of them secret; ``variables`` are
    plain settings. ``mounts`` are folders of the host that it needs, shown read-only at the same place.
    ``price`` is that of its model.
    """

    adapter: Name = "plain"
    command: tuple[Annotated[str, StringConstraints(min_length=1)], ...] = ()
    env: tuple[EnvName, ...] = ()
    variables: dict[EnvName, str] = Field(default_factory=dict)
    mounts: tuple[Annotated[str, StringConstraints(pattern=r"^(/|~/)")], ...] = ()
    network: Literal["open", "off"] = "open"
    price: Price | None = None

    @field_validator("env", "variables")
    @classmethod
    def _names_are_free(cls, names: Any) -> Any:
        for name in names:
            if name in ("HOME", "PATH", "TMPDIR") or name.startswith(("LABAGENT_", "LD_")):
                raise ValueError(f"{name} is set by the sandbox; leave it out")
        return names

    @field_validator("mounts")
    @classmethod
    def _mounts_are_plain(cls, mounts: tuple[str, ...]) -> tuple[str, ...]:
        for mount in mounts:
            if ".." in mount.split("/") or mount.strip("~/") == "":
                raise ValueError(f'"{mount}": name a folder without .., and not / or ~ as a whole')
        return mounts


class Arm(Record):
    """A complete way of attempting targets.

    ``preset``: a row of ``arm_presets.yaml``, whose settings the arm then has. ``explore: false``: explored
    skills are drafted without a search in the lab's sources, by the arm's explorer with ``rounds: 0``.
    ``model``: ``offline``, a name under ``models``, or ``replay``: then ``replay`` names the arm whose
    recorded attempts are made again without any call, in this workflow's results or in the results folder
    ``recording``. ``skills``: ``all`` (curated where the lab has a
    curated skill, explored otherwise), ``curated``, ``explored:<explorer>``, ``none``. ``harness``:
    ``builtin`` or an agent of its own; ``model`` then chooses the skill alone.
    """

    model: Name = "offline"
    skills: Annotated[
        str, StringConstraints(pattern=r"^(all|curated|none|explored:[A-Za-z0-9][A-Za-z0-9._-]*)$")
    ] = "all"
    memory: Literal["live", "frozen", "off"] = "live"
    explore: bool | None = None
    preset: Name | None = None
    replay: Name | None = None
    recording: str | None = None
    harness: Harness | None = None

    @field_validator("harness", mode="before")
    @classmethod
    def _builtin(cls, harness: object) -> object:
        return None if harness == "builtin" else harness

    @model_validator(mode="before")
    @classmethod
    def _has_a_preset(cls, data: object) -> object:
        return apply_preset(data)

    @model_validator(mode="after")
    def _explores_something(self) -> Arm:
        if self.explore is False and self.skills in ("none", "curated"):
            raise ValueError(f"explore: false changes nothing with skills: {self.skills}; leave one out")
        return self

    @model_validator(mode="after")
    def _replays_something(self) -> Arm:
        if (self.model == "replay") != (self.replay is not None):
            raise ValueError("model: replay and replay: <arm> go together; replay names the recorded arm")
        if self.recording is not None and self.replay is None:
            raise ValueError("recording is the results folder of the arm that replay names; name that arm")
        if self.harness is not None and self.replay is not None:
            raise ValueError("a replay makes recorded calls again and has no harness; leave one of both out")
        return self

    @property
    def explorer(self) -> str | None:
        """The explorer named by ``skills: explored:<explorer>``, as it explores for this arm."""
        named = self.skills.partition(":")[2]
        return f"{named}{UNEXPLORED if self.explore is False else ''}" if named else None


class Explorer(Record):
    """A way of exploring: ``offline`` or a name under ``models``; the caps are those of one lab.

    ``rounds: 0`` drafts from the briefing alone. ``tokens`` as in a budget. ``admit_patches``: a patch that
    validates takes the place of this explorer's draft without being looked at. ``example_seconds``: what one
    run of a released example may take while the offline drafter tries it; after ``wall_seconds`` no more are.
    """

    model: Name = "offline"
    max_repairs: Annotated[int, Field(ge=0, le=10)] = 2
    rounds: Annotated[int, Field(ge=0, le=20)] = 3
    perspectives: Annotated[tuple[Perspective, ...], Field(min_length=1)] = PERSPECTIVES
    scout_turns: Annotated[int, Field(ge=1, le=20)] = 3
    hits: Annotated[int, Field(ge=1, le=50)] = 6
    calls: Annotated[int, Field(ge=1)] = 80
    usd: Annotated[float, Field(ge=0)] = 5.0
    tokens: Annotated[int, Field(ge=0)] | None = None
    wall_seconds: Seconds = 3600.0
    example_seconds: Seconds = 900.0
    admit_patches: bool = False


class MemorySettings(Record):
    """Where lessons live and how many are shown."""

    library: str = "memory/lessons.jsonl"
    folder: str = "memory"
    at_start: Annotated[int, Field(ge=0)] = 8
    at_failure: Annotated[int, Field(ge=0)] = 3


class EnvironmentSettings(Record):
    """How environments are built. ``prefix`` holds them by lock hash, outside ``results/``.

    ``direct_hosts``: hosts that a skill's dependencies may be taken from by address (``name @ https://…``);
    the lab's own repository at the staged commit always may.
    """

    builder: Literal["auto", "conda", "venv"] = "auto"
    prefix: str = ".labagent/environments"
    channels: tuple[str, ...] = ("conda-forge", "nodefaults")
    python: Annotated[str, StringConstraints(pattern=r"^3\.\d+$")] = "3.11"
    build_seconds: Seconds = 1800.0
    repair_tries: Annotated[int, Field(ge=0, le=20)] = 4
    repair_seconds: Seconds = 900.0
    direct_hosts: tuple[Annotated[str, StringConstraints(pattern=r"^[a-z0-9.-]+$")], ...] = ()


class SandboxSettings(Record):
    """Isolation of commands. ``auto`` uses bubblewrap where it works, and says so where it does not.

    ``network``: ``open`` for all, ``setup`` for building environments and not for an agent's commands,
    ``off`` for neither.
    """

    kind: Literal["auto", "bubblewrap", "none"] = "auto"
    network: Literal["open", "setup", "off"] = "open"
    processes: Annotated[int, Field(ge=16)] = 512
    disk_mb: Annotated[int, Field(ge=16)] = 8000


class Selection(Record):
    """Which part of the benchmark runs; an empty list means all."""

    families: tuple[Name, ...] = ()
    targets: tuple[Name, ...] = ()
    skills: tuple[Name, ...] = ()
    arms: tuple[Name, ...] = ()


class Cluster(Record):
    """How the workflow uses a cluster.

    ``local`` are the rules whose jobs run where ``snakemake`` runs. ``scratch`` is a folder of the machine
    that makes an attempt, for what is written while it lasts (``$TMPDIR``; variables are those of the job).
    """

    local: tuple[Literal["stage", "data", "snapshot", "select", "score", "report"], ...] = (
        "stage",
        "data",
        "select",
        "score",
        "report",
    )
    scratch: str = ""

    @field_validator("scratch")
    @classmethod
    def _scratch_is_absolute(cls, scratch: str) -> str:
        if scratch and not scratch.startswith(("/", "$")):
            raise ValueError('must be an absolute folder or begin with a variable, such as "$TMPDIR"')
        return scratch


class Config(Record):
    """The whole configuration."""

    labs: str = "config/labs.tsv"
    targets: str = "config/targets.tsv"
    references: str = "config/references.tsv"
    questions: str = "config/questions.tsv"
    results: str = "results"
    arms: dict[Name, Arm] = Field(default_factory=lambda: {"offline": Arm()}, min_length=1)
    attempts: Annotated[int, Field(ge=1, le=100)] = 1
    budgets: dict[Name, Budget] = Field(default_factory=lambda: {"default": Budget()})
    spending: Spending = Spending()
    models: dict[Name, ModelSettings] = Field(default_factory=dict)
    explorers: dict[Name, Explorer] = Field(default_factory=lambda: {"offline": Explorer()})
    memory: MemorySettings = MemorySettings()
    environment: EnvironmentSettings = EnvironmentSettings()
    sandbox: SandboxSettings = SandboxSettings()
    selection: Selection = Selection()
    ask: Ask = Ask()
    biobench: BiobenchSettings = BiobenchSettings()
    cluster: Cluster = Cluster()

    @field_validator("results")
    @classmethod
    def _results_are_apart(cls, results: str) -> str:
        parts = results.split("/")
        if (
            not all(parts)
            or {".", ".."} & set(parts)
            or re.search(r"[{}*?\[\]]", results)
            or parts[0] in KEPT
        ):
            raise ValueError(
                "must be a folder of its own below the workflow's, without .., braces or wildcards"
            )
        return results

    @field_validator("budgets")
    @classmethod
    def _has_default(cls, budgets: dict[str, Budget]) -> dict[str, Budget]:
        if "default" not in budgets:
            raise ValueError('needs an entry "default": the budget of targets that name none')
        return budgets

    @model_validator(mode="before")
    @classmethod
    def _adds_explorers(cls, data: object) -> object:
        return with_unexplored(data)

    @model_validator(mode="after")
    def _searches_are_there_to_leave_out(self) -> Config:
        for name, arm in self.arms.items():
            base = self.explorer_of(arm).removesuffix(UNEXPLORED)
            if arm.explore is False and base in self.explorers and self.explorers[base].model == "offline":
                raise ValueError(
                    f'arms.{name}.explore: the explorer "{base}" drafts without a model and has no search to '
                    "leave out; give explorers one with a model"
                )
        return self

    @model_validator(mode="after")
    def _names_resolve(self) -> Config:
        known = {"offline", *self.models}
        for kind, members in (("arms", self.arms), ("explorers", self.explorers)):
            allowed = known | ({"replay"} if kind == "arms" else set())
            for name, member in members.items():
                if member.model not in allowed:
                    raise ValueError(
                        f'{kind}.{name}.model: "{member.model}" is not defined; '
                        f"allowed: {', '.join(sorted(allowed))}"
                    )
        for name, arm in self.arms.items():
            if arm.explorer and arm.explorer not in self.explorers:
                raise ValueError(
                    f'arms.{name}.skills: explorer "{arm.explorer}" is not defined; '
                    f"allowed: {', '.join(sorted(self.explorers))}"
                )
        if {"offline", "replay"} & self.models.keys() or "curated" in self.explorers:
            raise ValueError(
                '"offline" and "replay" under models and "curated" under explorers are reserved names'
            )
        return self

    @model_validator(mode="after")
    def _ask_resolves(self) -> Config:
        if self.ask.model not in ("offline", *self.models):
            allowed = ", ".join(sorted({"offline", *self.models}))
            raise ValueError(f'ask.model: "{self.ask.model}" is not defined; allowed: {allowed}')
        return self

    @model_validator(mode="after")
    def _replays_resolve(self) -> Config:
        models = {name for name, arm in self.arms.items() if arm.model not in ("offline", "replay")}
        for name, arm in self.arms.items():
            if arm.replay and not arm.recording and arm.replay not in models:
                raise ValueError(
                    f'arms.{name}.replay: "{arm.replay}" is no arm with a model; allowed: '
                    f"{', '.join(sorted(models)) or 'none'} (or name its results folder with recording)"
                )
        return self

    @property
    def default_explorer(self) -> str:
        """The explorer used by arms with ``skills: all``: the first one of the file."""
        return next(iter(self.explorers))

    def explorer_of(self, arm: Arm) -> str:
        """The explorer whose drafts an arm reads for labs without a curated skill."""
        return arm.explorer or f"{self.default_explorer}{UNEXPLORED if arm.explore is False else ''}"
