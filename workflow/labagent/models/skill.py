"""Skills, their evidence, drafts and verdicts."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from labagent.models.asking import RouteName
from labagent.models.base import FileRecord, Record
from labagent.models.tools import Safety

TOOL_SKILL = "tool-skill"


class Source(Record):
    """A place in a lab's staged artifacts.

    ``path`` is relative to the staged folder of its kind; ``lines`` (first, last, from 1) for files,
    ``page`` for papers, ``cell`` for notebooks, ``issue`` and ``comment`` for threads (0: the opening
    post). ``kind: url`` is for facts outside the staged artifacts (a publication): it needs ``url`` and is
    listed as not machine-checkable.
    """

    kind: Literal["repository", "paper", "tutorial", "issue", "url"]
    path: str = ""
    lines: tuple[int, int] | None = None
    page: int | None = None
    cell: int | None = None
    issue: int | None = None
    comment: int | None = None
    url: str = ""


class Evidence(Record):
    """One line of ``evidence.jsonl``: what a statement of the skill rests on.

    ``terms`` are the identifiers and figures of the statement; each must occur in the cited place.
    """

    id: Annotated[str, StringConstraints(pattern=r"^E\d+$")]
    statement: Annotated[str, StringConstraints(min_length=1)]
    source: Source
    terms: Annotated[tuple[str, ...], Field(min_length=1)]


class Block(Record):
    """A runnable fenced block of a locus (``bash``, ``python`` or ``r``), in the order of the file."""

    language: Literal["bash", "python", "r"]
    code: str
    line: int


class Locus(Record):
    """One workflow step of a skill: a Markdown file in ``references/``."""

    name: str
    path: str
    title: str
    text: str
    blocks: tuple[Block, ...]


class OutputSpec(Record):
    """A file the quick start must leave, with JSON keys or table columns that must be in it."""

    file: str
    keys: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()


class QuickStart(Record):
    """``assets/quickstart.yaml``: the skill on the lab's own data, as tier 3 runs it.

    ``data``: paths in the lab's staged repository, laid out by file name in ``$LABAGENT_DATA``.
    ``protocol``: what the loci read from ``$LABAGENT_PROTOCOL``.
    """

    data: tuple[str, ...] = ()
    protocol: dict[str, Any] = {}
    outputs: Annotated[tuple[OutputSpec, ...], Field(min_length=1)]
    seconds: Annotated[float, Field(gt=0)] = 900.0


class Skill(Record):
    """A skill as read from its folder."""

    name: str
    description: str
    licence: str = ""
    compatibility: str = ""
    metadata: dict[str, str] = {}
    root: str
    loci: tuple[Locus, ...]
    evidence: tuple[Evidence, ...]
    quickstart: QuickStart | None = None
    sha256: str

    @property
    def is_tool_skill(self) -> bool:
        """Whether it works with the registered tools, in labagent's own environment: it has no lab."""
        return self.metadata.get("kind") == TOOL_SKILL


class SkillExample(Record):
    """A line of a tool skill's examples, which are its tests.

    ``arguments`` are what the loci read from ``$LABAGENT_PROTOCOL``; ``expect`` maps places in
    ``answer.json`` to values, as :class:`labagent.models.tools.ToolExample` has it.
    """

    arguments: dict[str, Any]
    expect: Annotated[dict[str, Any], Field(min_length=1)]


class Manifest(Record):
    """What the frontmatter of a tool skill says of it, with the files it names.

    ``routes`` are those of questions it serves; ``safety`` the levels of its ``tools``; ``arguments`` and
    ``result`` JSON schemas of what it reads and of the ``answer.json`` it leaves.
    """

    skill: str
    description: str
    version: str = ""
    category: str
    routes: tuple[RouteName, ...] = ()
    safety: tuple[Safety, ...]
    tools: tuple[str, ...]
    arguments: dict[str, Any]
    result: dict[str, Any]
    examples: tuple[SkillExample, ...]
    sha256: str


class Check(Record):
    """The result of one check of a tier; ``file`` and ``line`` are those of the offending text."""

    id: str
    tier: Literal[1, 2, 3]
    status: Literal["passed", "failed", "warning", "skipped"]
    message: str = ""
    file: str = ""
    line: int | None = None


class TierVerdict(Record):
    """The verdict of one tier; ``not_run`` when an earlier tier refused or it was not asked for."""

    tier: Literal[1, 2, 3]
    status: Literal["passed", "refused", "not_run"]
    seconds: float = 0.0
    checks: tuple[Check, ...] = ()


class Verdict(FileRecord):
    """``results/skills/<origin>/<skill>/verdict.json``: what was found, for exactly this content.

    ``status``: ``valid`` (all tiers passed), ``refused``, ``missing`` (no draft came out of explore).
    It holds no value the skill computed, so that it can lie beside the skill.
    """

    skill: str
    origin: str
    status: Literal["valid", "refused", "missing"]
    reason: str = ""
    skill_sha256: str = ""
    lock_sha256: str = ""
    tiers: tuple[TierVerdict, ...] = ()


class DraftRecord(FileRecord):
    """``results/explore/<explorer>/<skill>/draft.json``, written last: the outcome of explore."""

    skill: str
    explorer: str
    status: Literal["drafted", "refused"]
    reason: str = ""
    skill_sha256: str = ""
    struck: tuple[str, ...] = ()
    cost_usd: float | None = 0.0
    seconds: float = 0.0
    key: str = ""
