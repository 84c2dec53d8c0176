"""A GeneBench-style problem: its description, and its scripts run through the scorer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import Field, FiniteFloat, model_validator

from labagent.errors import InputError, InputFault
from labagent.files import list_files
from labagent.models.answers import AnswerError, answer_file, find_key, finite_number, read_answer_json
from labagent.models.base import Record
from labagent.models.config import Name
from labagent.models.family import Family
from labagent.models.tables import Quantity, Reference, SkillName, Target
from labagent.scoring.attempt import Attempt, Unscorable
from labagent.scoring.importers._scripts import run_script
from labagent.scoring.importers._writing import ImportedTarget, ImportOptions
from labagent.scoring.judge import judge
from labagent.scoring.scorers import tolerances

ANSWER = "answer.json"
NAMES = ("meta.yaml", "meta.json")


class Tolerance(Record):
    """How a field is compared: exactly, or within a distance in its unit or relative to the value."""

    exact: Literal[True] | None = None
    absolute: Annotated[FiniteFloat, Field(ge=0)] | None = None
    relative: Annotated[FiniteFloat, Field(ge=0)] | None = None
    unit: str = ""

    @model_validator(mode="after")
    def _is_one(self) -> Tolerance:
        if sum(value is not None for value in (self.exact, self.absolute, self.relative)) != 1:
            raise ValueError("give one of exact: true, absolute: NUMBER, relative: NUMBER")
        return self


class Variant(Record):
    """The same data and answer with columns withheld, and the prompt that goes with it."""

    prompt: str
    drop: dict[str, Annotated[tuple[str, ...], Field(min_length=1)]]


class Meta(Record):
    """``meta.yaml`` of a problem."""

    title: str
    type: str = ""
    skill: SkillName | Literal[""] = ""
    seed: int = 1
    fields: Annotated[dict[Name, Tolerance], Field(min_length=1)]
    variants: dict[Name, Variant] = {}


@dataclass(frozen=True)
class Trial:
    """A problem's scripts, run in a scratch folder."""

    folder: Path
    meta: Meta
    scratch: Path
    options: ImportOptions

    @property
    def data(self) -> Path:
        """What the generator gave."""
        return self.scratch / "data"

    def generate(self) -> dict[str, bytes]:
        """The data by file name; what the folder holds must be what its generator gives."""
        shipped = _contents(self.folder / "data")
        self.data.mkdir()
        script = self.folder / "generate.py"
        if script.is_file():
            arguments = ["/data", str(self.meta.seed)]
            self._run("generate.py", arguments, {"/data": (self.data, True)})
        else:
            for name, content in shipped.items():
                (self.data / name).parent.mkdir(parents=True, exist_ok=True)
                (self.data / name).write_bytes(content)
        found = _contents(self.data)
        if shipped and shipped != found:
            other = sorted(n for n in shipped.keys() | found.keys() if shipped.get(n) != found.get(n))
            text = f"is not what generate.py gives with seed {self.meta.seed}: {', '.join(other)}"
            raise InputError([InputFault(str(self.folder / "data"), text)])
        wrong = next((name for name in found if "/" in name or any(mark in name for mark in ";#\t")), None)
        if wrong or not found:
            text = (
                f'gives "{wrong}"; files must lie side by side, without ; or #' if wrong else "gives no file"
            )
            raise InputError([InputFault(str(script), text)])
        return found

    def answer(self, script: str) -> dict[str, Any]:
        """The values that a script leaves for the fields."""
        try:
            value = read_answer_json(answer_file(self.leave(script), ANSWER), ANSWER)
            given = {name: find_key(value, name, ANSWER) for name in self.meta.fields}
            for name, how in self.meta.fields.items():
                if not how.exact:
                    finite_number(given[name], name)
                elif not isinstance(given[name], str | bool | int):
                    raise AnswerError(f"{name} is exact: it must be a text, an integer, true or false")
        except AnswerError as error:
            raise InputError([InputFault(str(self.folder / script), str(error))]) from error
        return given

    def leave(self, script: str) -> Path:
        """Run a script that answers; the folder with what it left."""
        output = self.scratch / "answers" / script.replace("/", "-")
        output.mkdir(parents=True)
        mounts = {"/data": (self.data, False), "/run": (output, True)}
        self._run(script, ["/data", f"/run/{ANSWER}"], mounts)
        return output

    def judge_all(self, target: ImportedTarget, family: Family) -> Iterator[str]:
        """Run alternatives and ablations through the scorer: the former must pass, the latter must fail.

        Raises:
            InputError: one that did not do what it must, or no ablation at all.
        """
        faults: list[InputFault] = []
        if not list((self.folder / "ablations").glob("*.py")):
            faults.append(
                InputFault(str(self.folder), "has no ablations/*.py: nothing shows what a wrong answer is")
            )
        for kind, must in (("alternatives", True), ("ablations", False)):
            for script in sorted((self.folder / kind).glob("*.py")):
                missed = missed_fields(target, family, self.leave(f"{kind}/{script.name}"), self.scratch)
                if must is bool(missed):
                    said = f"misses {', '.join(missed)}" if missed else "passes every field"
                    faults.append(
                        InputFault(str(script), f"{said}; {kind} must {'pass' if must else 'fail'}")
                    )
                said = f"fails {', '.join(missed)}" if missed else "passes"
                yield f"{self.folder.name}: {kind}/{script.name} {said}"
        if faults:
            raise InputError(faults)

    def _run(self, script: str, arguments: list[str], mounts: dict[str, tuple[Path, bool]]) -> None:
        """Run one script."""
        if not (self.folder / script).is_file():
            raise InputError([InputFault(str(self.folder / script), "is missing")])
        place = self.scratch / "scripts" / script.replace("/", "-")
        run_script(self.folder, script, arguments, mounts=mounts, place=place, options=self.options)


def missed_fields(target: ImportedTarget, family: Family, output: Path, scratch: Path) -> list[str]:
    """The fields of an answer that the family's scorer does not find within.

    Args:
        target: with its references and its sheet of exact fields.
        family: the family.
        output: folder with the answer.
        scratch: receives the sheet.
    """
    sheet = None
    if target.rubric is not None:
        sheet = scratch / "sheet.yaml"
        sheet.write_text(yaml.safe_dump(dict(target.rubric)), encoding="utf-8")
    row = Target(target=target.target, family=family.name, task="task.md", answer=target.answer)
    references = {
        str(r["quantity"]): Reference.model_validate({"target": target.target, **r})
        for r in target.references
    }
    attempt = Attempt(output, row, references, sheet, family)
    return [quantity.name for quantity in row.answer if not _is_within(attempt, quantity)]


def _is_within(attempt: Attempt, quantity: Quantity) -> bool:
    """Whether the scorer finds a quantity within."""
    try:
        measured = tolerances.measure(attempt, quantity)
    except (AnswerError, Unscorable):
        return False
    return judge(quantity.name, measured, attempt.references[quantity.name]).within


def _contents(folder: Path) -> dict[str, bytes]:
    """Files of a folder by their path in it."""
    found = list_files(folder) if folder.is_dir() else []
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}
