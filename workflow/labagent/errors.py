"""Every error labagent raises on purpose.

LabagentError
├── InputError            the user's files are wrong: lists every fault found, with file, row, field
├── SourceError           a lab's source cannot be had as asked (path, commit, hash, archive)
├── SkillError            a skill cannot be read at all (validation verdicts are records, not errors)
├── SelectionError        a model named no skill, two skills or an unknown one
├── MemoryStoreError      the memory cannot be read or appended to
├── ToolError             a tool cannot answer: code, field, value, what is allowed, hints
├── ModelError
│   ├── ModelConfigError  unknown model name, missing key: asking again does not help
│   ├── ContextOverflow   the messages do not fit the model's window: shorten them and ask again
│   ├── ModelTimeUp       the time given to a call ended before the model answered
│   ├── ModelBudgetUp     what failed calls may have cost leaves too little to ask once more
│   └── ReplayMiss        a replayed run asked for a call that was not recorded
└── InfrastructureError   the machinery failed (model service down, disk full, registry
    │                     unreachable): no outcome is recorded and the next start tries again
    └── MoneySpent        the budget over all entries does not cover one more call

Outcomes of a run (an environment that does not build, a cap, a refused skill) are status files, never
exceptions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class LabagentError(Exception):
    """Base of all errors raised on purpose; its text is shown to the user without a traceback."""


@dataclass(frozen=True)
class InputFault:
    """One thing wrong in a file the user edits.

    ``row`` counts lines of the file, the header being line 1; ``None`` for a fault of the whole file.
    """

    file: str
    message: str
    row: int | None = None
    column: str | None = None

    def __str__(self) -> str:
        place = self.file
        if self.row is not None:
            place += f", line {self.row}"
        if self.column is not None:
            place += f', "{self.column}"'
        return f"{place}: {self.message}"


class InputError(LabagentError):
    """The inputs have faults; all those found are in ``faults`` and in the text."""

    def __init__(self, faults: Sequence[InputFault]) -> None:
        self.faults = tuple(faults)
        count = f"{len(faults)} fault" + ("s" if len(faults) != 1 else "")
        super().__init__(f"{count} in the inputs\n" + "\n".join(f"  - {fault}" for fault in faults))


class SourceError(LabagentError):
    """A lab's source cannot be had as asked."""


class SkillError(LabagentError):
    """A skill's files cannot be read."""


class SelectionError(LabagentError):
    """The choice of a skill is not exactly one known name; ``cost_usd`` is what asking cost."""

    cost_usd: float | None = 0.0


class MemoryStoreError(LabagentError):
    """The memory cannot be read or written."""


class ToolError(LabagentError):
    """A tool cannot answer as asked; ``code`` is one of ``labagent.models.tools.ErrorCode``."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        field: str = "",
        value: str = "",
        allowed: str = "",
        hints: Sequence[str] = (),
    ) -> None:
        self.code, self.message = code, message
        self.field, self.value, self.allowed, self.hints = field, value, allowed, tuple(hints)
        super().__init__(message)


class ModelError(LabagentError):
    """A model cannot be used."""


class ModelConfigError(ModelError):
    """The model's name or key is wrong; a retry cannot help."""


class ContextOverflow(ModelError):
    """The messages are longer than the model's context window."""


class ModelTimeUp(ModelError):
    """The caller's time for this call is over; the service itself was not at fault."""


class ModelBudgetUp(ModelError):
    """After failed calls that may have been billed, the caller cannot afford another one."""


class ReplayMiss(ModelError):
    """A replayed run asked for a call that is not in the recording."""


class InfrastructureError(LabagentError):
    """The machinery failed, not the entry: nothing is recorded as a result."""


class MoneySpent(InfrastructureError):
    """The budget over all entries does not cover one more call; the entry is attempted once it is raised."""
