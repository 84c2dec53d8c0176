"""The examples of a tool skill: its loci run on the arguments of each, in the sandbox, and the facts of the
answer are held against those expected.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from labagent.models.answers import AnswerError, answer_file, read_answer_json
from labagent.models.skill import Manifest, OutputSpec, QuickStart
from labagent.skills.checks.run import failure
from labagent.skills.finding import Context
from labagent.skills.manifest import ANSWER, schema_fault
from labagent.skills.quick_run import opened, prepare, steps
from labagent.tools.examples import differences

QUICK_SECONDS = 300.0


@dataclass(frozen=True)
class Outcome:
    """What came of an example (``number`` from 1): what is otherwise than expected, if anything."""

    number: int
    faults: tuple[str, ...]


def run_examples(context: Context, manifest: Manifest) -> Iterator[Outcome]:
    """Run all examples of a skill, one after the other.

    Args:
        context: of a validation whose environment is built.
        manifest: the skill's.

    Raises:
        InfrastructureError: the sandbox failed.
    """
    for number in range(1, len(manifest.examples) + 1):
        yield Outcome(number, tuple(_faults(context, manifest, number)))


def _faults(context: Context, manifest: Manifest, number: int) -> Iterator[str]:
    """Run one example; what is wrong."""
    example, place = manifest.examples[number - 1], context.work / f"example-{number}"
    seconds = context.skill.quickstart.seconds if context.skill.quickstart else QUICK_SECONDS
    start = QuickStart(protocol=example.arguments, outputs=(OutputSpec(file=ANSWER),), seconds=seconds)
    folders = prepare(context, start, place)
    with opened(context, start, folders) as sandbox:
        for step in steps(context, start, sandbox, place):
            if step.result is None or step.result.status != 0:
                what = failure(step, step.result).message if step.result else "its seconds are over"
                yield f"{step.locus.path}, line {step.block.line}: {what}"
                return
    yield from _answer_faults(folders.run, manifest, number)


def _answer_faults(folder: Path, manifest: Manifest, number: int) -> Iterator[str]:
    """What is wrong with the answer that an example left."""
    try:
        answer = read_answer_json(answer_file(folder, ANSWER), ANSWER)
    except AnswerError as error:
        yield error.reason
        return
    if fault := schema_fault(answer, manifest.result):
        yield f"{ANSWER} does not fit the schema of results: {fault}"
    yield from differences(answer, manifest.examples[number - 1].expect)
