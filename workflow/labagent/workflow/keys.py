"""What each costly result depends on, as hashes.

A result that costs money is made again only when its key changes. A key is made of *sources* (the user's
files, the package's prompts, settings that change what is attempted), never of times. What does not belong
to it, so that a change never spends money unasked: budgets, sandbox and environment settings, code, the
memory. The key a result was made with is stored in its record.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

from labagent.errors import LabagentError
from labagent.files import list_files, sha256_file, sha256_json, sha256_text, sha256_tree
from labagent.fingerprint import content_hash
from labagent.inputs import Inputs
from labagent.models.config import Arm
from labagent.models.tables import LAB_DATA, Lab, Target
from labagent.workflow.paths import Paths

PENDING = "pending"
NOTHING_RAN = frozenset({"data_failed", "env_failed", "skill_refused", "harness_missing"})
HARNESS_PLACES = {"mounts", "env", "price", "network"}
"""Settings of a harness that say where it lies and what it may use, not what is attempted."""
EXPLORER_CAPS = {"calls", "usd", "tokens", "wall_seconds", "admit_patches"}
IGNORED = frozenset({".git", "__pycache__", ".snakemake"})


class Keys:
    """Keys of the jobs of one run; every source is hashed once."""

    def __init__(self, inputs: Inputs) -> None:
        self.inputs = inputs
        self.paths = Paths(inputs.config.results)
        self._sources: dict[str, str] = {}
        self._skills: dict[str, str] = {}

    @cached_property
    def labs(self) -> dict[str, str]:
        """Key of each lab's sources: the row, and the content of what is local."""
        return {skill: self._lab(lab) for skill, lab in self.inputs.labs.items()}

    def explore(self, explorer: str, skill: str) -> str:
        """What a draft depends on: the sources, the explorer's settings, prompts and parts of drafts."""
        settings = self.inputs.config.explorers[explorer].model_dump(mode="json", exclude=EXPLORER_CAPS)
        model = self._model(settings["model"])
        parts = [content_hash("explore", "*.j2"), content_hash("explore/resources", "*")]
        return short(self.labs[skill], settings, model, parts)

    def skill(self, origin: str, skill: str) -> str:
        """What a skill is: the curated folder, or the explorer's key and the draft it last left."""
        if origin == "curated":
            return self._curated(skill)
        return short(self.explore(origin, skill), self._draft(origin, skill))

    def data(self, target: Target) -> str:
        """What staging a target's data depends on: its items as written, and the content behind them."""
        return short([_written(item) for item in target.data], self._data(target))

    def select(self, arm: str, target: Target) -> str:
        """What the choice of a skill depends on."""
        skills = [self.skill(origin, skill) for origin, skill in self.candidates(arm, target)]
        return short(
            self._arm(arm),
            target.skill,
            self._file(target.task),
            skills,
            content_hash("select", "*.j2"),
            *self._recorded(arm, target, self.select),
        )

    def reproduce(self, arm: str, target: Target) -> str:
        """What an attempt depends on: skill, task, protocol, data, contract, arm settings and prompts."""
        return short(
            self.select(arm, target),
            self._file(target.task),
            self._file(target.protocol) if target.protocol else "",
            self._data(target),
            [q.model_dump(mode="json") for q in target.answer],
            content_hash("reproduce", "*.j2"),
            *([content_hash("reproduce/harness", "*.jinja")] if self._settings(arm).harness else []),
            *self._recorded(arm, target, self.reproduce),
        )

    def candidates(self, arm: str, target: Target) -> list[tuple[str, str]]:
        """(origin, skill) pairs an arm may choose from for a target."""
        if self._settings(arm).skills == "none":
            return []
        names = [target.skill] if target.skill else list(self.inputs.labs)
        return [(self.inputs.origin(arm, name), name) for name in names]

    def is_current(self, record: str, key: str) -> bool:
        """Whether a record exists, was made with this key, and stands for work that was done.

        An attempt that ended before anything ran (failed data, environment, skill) cost nothing and follows
        what it waits for.
        """
        path = self.inputs.root / record
        try:
            found = json.loads(path.read_bytes())
            return bool(found.get("key") == key and found.get("ended_by") not in NOTHING_RAN)
        except (OSError, ValueError, AttributeError):
            return False

    def _settings(self, arm: str) -> Arm:
        """The settings of an arm."""
        try:
            return self.inputs.config.arms[arm]
        except KeyError:
            allowed = ", ".join(self.inputs.config.arms)
            raise LabagentError(f'"{arm}" is no arm of config.yaml; allowed: {allowed}') from None

    def _arm(self, arm: str) -> dict[str, Any]:
        """An arm's settings, with its model's."""
        settings = self._settings(arm)
        return {
            **settings.model_dump(
                mode="json", exclude_none=True, exclude={"harness": HARNESS_PLACES, "preset": True}
            ),
            "settings": self._model(settings.model),
        }

    def _recorded(self, arm: str, target: Target, key: Callable[[str, Target], str]) -> list[str]:
        """What a replay arm's recordings depend on: their own key, or what is there; nothing for others."""
        settings = self._settings(arm)
        if settings.replay is None:
            return []
        if settings.recording is None:
            return [key(settings.replay, target)]
        folder = Path(settings.recording)
        places = [folder / "select" / settings.replay / f"{target.target}.json"]
        runs = self.inputs.root / folder / "runs" / settings.replay / target.target
        places += sorted(path.relative_to(self.inputs.root) for path in runs.glob("*/run.json"))
        return [self._source(str(place)) for place in places]

    def _model(self, name: str) -> dict[str, Any]:
        """The settings of a model that change what it answers."""
        settings = self.inputs.config.models.get(name)
        if settings is None:
            return {}
        return settings.model_dump(
            mode="json", include={"model", "temperature", "max_output_tokens", "context_tokens"}
        )

    def _curated(self, skill: str) -> str:
        """The content of a curated skill's folder, read once."""
        if skill not in self._skills:
            folder = self.inputs.root / "skills" / skill
            self._skills[skill] = (
                sha256_tree(folder, ignore=IGNORED, litter=False) if folder.is_dir() else "absent"
            )
        return self._skills[skill]

    def _draft(self, explorer: str, skill: str) -> str:
        """The content of the draft there is now; read each time, since a run makes it."""
        draft = self.inputs.root / self.paths.draft.format(explorer=explorer, skill=skill)
        try:
            return str(json.loads(draft.read_bytes())["skill_sha256"])
        except (OSError, ValueError, KeyError):
            return PENDING

    def _lab(self, lab: Lab) -> str:
        """The key of a lab's row and local files."""
        local = [*lab.papers, *lab.tutorials, *lab.issues]
        sources = [self._repository(lab), *(self._source(item) for item in local)]
        return short(lab.model_dump(mode="json"), sources)

    def _repository(self, lab: Lab) -> str:
        """What pins a repository: nothing more for an index or a URL, the commit or content for a path."""
        path = self.inputs.root / Path(lab.repository).expanduser()
        if lab.repository.startswith("pypi:") or not path.exists():
            return ""
        return _git_commit(path, lab.commit or "HEAD") or self._tree(path)

    def _source(self, item: str) -> str:
        """The content of a local file or folder; nothing for URLs, searches and places in the repository."""
        path = self.inputs.root / Path(item.removeprefix("corpus:")).expanduser()
        if "://" in item or item.startswith("repo:") or not path.exists():
            return ""
        return self._tree(path) if path.is_dir() else self._file(str(path))

    def _data(self, target: Target) -> str:
        """The content of a target's data; a hash that the user adds or mends changes nothing in it."""
        return short(*(self._data_item(item) for item in target.data))

    def _data_item(self, item: str) -> str:
        """A data item with the content behind it."""
        path, _, _ = item.partition("#sha256=")
        if match := LAB_DATA.match(path):
            return f"{path} {self.labs[match['skill']]}"
        if path.startswith("https://"):
            return item
        return f"{Path(path).name} {self._source(path)}"

    def _file(self, path: str) -> str:
        """The hash of a file, read once."""
        if path not in self._sources:
            self._sources[path] = sha256_file(Path(path))
        return self._sources[path]

    def _tree(self, path: Path) -> str:
        """The hash of a folder, read again only when a name, size or time in it changed."""
        stamp = sha256_text("\n".join(_stamps(path)))
        memo = self.inputs.root / ".labagent" / "hashes" / sha256_text(str(path))[:24]
        try:
            known, value = memo.read_text(encoding="ascii").split()
        except (OSError, ValueError):
            known = value = ""
        if known != stamp:
            value = sha256_tree(path, ignore=IGNORED)
            memo.parent.mkdir(parents=True, exist_ok=True)
            memo.write_text(f"{stamp} {value}", encoding="ascii")
        return value


def _written(item: str) -> str:
    """A data item as it was written, less the folder this checkout happens to lie in."""
    path, mark, digest = item.partition("#sha256=")
    return (path if "://" in path or path.startswith("lab:") else Path(path).name) + mark + digest


def short(*parts: Any) -> str:
    """A hash of JSON values, long enough to be unique and short enough to read."""
    return sha256_json(parts)[:24]


def _stamps(root: Path) -> Iterable[str]:
    """Path, size and time of every file below a folder."""
    for path in list_files(root, ignore=IGNORED):
        status = path.stat()
        yield f"{path} {status.st_size} {status.st_mtime_ns}"


def _git_commit(path: Path, commit: str) -> str:
    """The full hash of a commit of a local repository; empty where there is none."""
    command = ["git", "-C", str(path), "rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    inside = done.returncode == 0 and ((path / ".git").exists() or (path / "HEAD").is_file())
    return done.stdout.strip() if inside else ""
