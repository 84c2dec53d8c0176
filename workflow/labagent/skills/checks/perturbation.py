"""The checked output changes with the lab's data, and the lab's own functions made it.

A quick start that prints a fixed answer, or computes on numbers it made itself, shows nothing of the method.
So the files of the lab that it reads are changed and everything runs again in the same places.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from labagent.models.skill import QuickStart
from labagent.skills.checks.run import failure
from labagent.skills.comparing import Numbers, output_numbers, stable_changes, varying_changes, varying_keys
from labagent.skills.finding import Context, Finding, Skipped
from labagent.skills.perturbing import KINDS, SAID, Candidate, Perturbed, candidates, perturb
from labagent.skills.quick_run import Folders, Replaced, opened, prepare, steps
from labagent.skills.read import QUICKSTART
from labagent.skills.watching import Seen, read_seen

ID, TIER, ORDER = "perturbation", 3, 40
SHOWN, CONTROLS = 5, 3


def check(context: Context) -> Iterator[Finding]:
    """Functions of the lab ran on files of the lab, and changed files change the declared outputs."""
    start = context.skill.quickstart
    if start is None or context.output is None or context.watch is None:
        raise Skipped("the quick start did not run")
    if context.snapshot is None:
        raise Skipped("the lab's API is not at hand")
    seen = read_seen(context.watch)
    if not seen.methods:
        yield Finding(_no_method(seen), QUICKSTART, 1)
        return
    first = context.output.parent
    folders = Folders(**{n: first / n for n in Folders.__dataclass_fields__})
    found = candidates(context, start, folders, seen)
    if not found:
        message = "the quick start reads no data file of the lab; data made in code do not count"
        yield Finding(message, QUICKSTART, 1)
        return
    yield _Trial(context, start, found, seen, output_numbers(context.output, start)).finding()


class _NoControl(Exception):
    """The quick start failed on the data it ran on before; the text says how."""


@dataclass
class _Trial:
    """Runs with changed data, one kind of change after the other, until the output changes."""

    context: Context
    start: QuickStart
    found: list[Candidate]
    seen: Seen
    before: Numbers
    equal: list[Numbers] = field(default_factory=list)
    tried: list[str] = field(default_factory=list)

    def finding(self) -> Finding:
        """What shows that the output depends on the data, or why nothing does."""
        for kind in KINDS:
            made = perturb(self.context, self.found, kind, self.context.work / f"perturb-{kind}")
            if not made.changed:
                self.tried.append(
                    f"{SAID[kind]}: not possible ({'; '.join(made.why_not[:2]) or 'nothing to change'})"
                )
                continue
            try:
                evidence = self._changes(kind, made)
            except _NoControl as reason:
                message = f"the quick start ran once, and not again on the same data ({reason})"
                return Finding(f"{message}: whether its output depends on them is not known", QUICKSTART, 1)
            if evidence:
                return Finding(evidence, QUICKSTART, 1, passed=True)
        names = ", ".join(c.name for c in self.found[:SHOWN])
        message = f"the checked output does not depend on the lab's data ({names}). {'. '.join(self.tried)}"
        return Finding(message[:1000], QUICKSTART, 1)

    def _changes(self, kind: str, made: Perturbed) -> str:
        """Evidence that one kind of change shows in the output; empty where it does not."""
        files = ", ".join(made.changed[:SHOWN])
        after = self._run(f"run-{kind}", made.replaced)
        if isinstance(after, str):
            self.tried.append(f"{SAID[kind]} in {files}: the run then fails ({after})")
            return ""
        if after == self.before:
            self.tried.append(f"{SAID[kind]} in {files}: all {len(after)} numbers stay as they were")
            return ""
        changed, compared = self._compared(kind, made, after)
        if not changed:
            self.tried.append(
                f"{SAID[kind]} in {files}: nothing changes beyond what differs between equal runs"
            )
            return ""
        return (
            f"{changed} of {compared} checked numbers change with {SAID[kind]} in {files}; "
            f"functions of the lab that ran: {', '.join(self.seen.methods[:SHOWN])}"
        )

    def _compared(self, kind: str, made: Perturbed, after: Numbers) -> tuple[int, int]:
        """How many numbers changed, of how many.

        Numbers that equal runs leave equal tell first. Where none of them changes (they may be no more than
        arguments that are printed), those that vary are asked, twice.
        """
        changed, stable = stable_changes(self._equal_runs(2), after)
        if changed or not varying_keys(self.equal):
            return changed, stable
        shown = varying_changes(self._equal_runs(1 + CONTROLS), after)
        if not shown[0]:
            return shown
        again = self._run(f"again-{kind}", made.replaced)
        return (0, shown[1]) if isinstance(again, str) else varying_changes(self.equal, again)

    def _equal_runs(self, count: int) -> list[Numbers]:
        """The first run and more on the same data, ``count`` in all.

        Raises:
            _NoControl: one of them fails, so that nothing can be compared.
        """
        self.equal = self.equal or [self.before]
        while len(self.equal) < count:
            control = self._run(f"control-{len(self.equal)}", Replaced())
            if isinstance(control, str):
                raise _NoControl(control)
            self.equal.append(control)
        return self.equal

    def _run(self, name: str, replaced: Replaced) -> Numbers | str:
        """The declared numbers of one more run; the reason where a step of it fails."""
        place = self.context.work / name
        folders = prepare(self.context, self.start, place)
        with opened(self.context, self.start, folders, replaced) as sandbox:
            for step in steps(self.context, self.start, sandbox, place):
                if step.result is None:
                    return "its seconds are over"
                if step.result.status != 0:
                    return failure(step, step.result).message
        return output_numbers(folders.run, self.start)


def _no_method(seen: Seen) -> str:
    """Why the quick start does not count, from what ran."""
    if not seen.called:
        return "no function of the lab's package ran; a quick start must call the lab's method"
    names = ", ".join(dict.fromkeys(outermost for outermost, _ in seen.called[:SHOWN]))
    return f"of the lab's package only functions that load data ran ({names}); it must call the method, too"
