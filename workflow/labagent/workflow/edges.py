"""The edges of the graph: which files each job reads, and the values that decide whether a free job follows.

Every method takes a job's wildcards (anything with the attributes it names), so that the graph can be tested
without Snakemake.
"""

from __future__ import annotations

from typing import Any

from labagent.errors import LabagentError
from labagent.inputs import Inputs
from labagent.models.config import Budget
from labagent.models.tables import LAB_DATA, Target
from labagent.workflow.keys import Keys, short
from labagent.workflow.paths import Paths


class Edges:
    """Input functions of the rules."""

    def __init__(self, inputs: Inputs, keys: Keys) -> None:
        self.inputs = inputs
        self.keys = keys
        self.paths = Paths(inputs.config.results)

    def target(self, wildcards: Any) -> Target:
        """The target of a job.

        Raises:
            LabagentError: no targets table has it.
        """
        try:
            return self.inputs.targets[wildcards.target]
        except KeyError:
            raise LabagentError(f'"{wildcards.target}" is in no targets table') from None

    def budget(self, wildcards: Any) -> Budget:
        """The budget of a job's target."""
        return self.inputs.config.budgets[self.target(wildcards).budget]

    def data(self, wildcards: Any) -> list[str]:
        """Manifests of the labs whose files a target's data names."""
        skills = {match["skill"] for item in self.target(wildcards).data if (match := LAB_DATA.match(item))}
        return [self.paths.artifacts.format(skill=skill) for skill in sorted(skills)]

    def explore(self, wildcards: Any) -> list[str]:
        """What a draft is made from: artifacts and snapshot."""
        return [
            pattern.format(skill=wildcards.skill) for pattern in (self.paths.artifacts, self.paths.snapshot)
        ]

    def validate(self, wildcards: Any) -> list[str]:
        """What a verdict is made from: artifacts, snapshot, and the draft of an explored skill."""
        if wildcards.origin == "curated":
            return self.explore(wildcards)
        draft = self.paths.draft.format(explorer=wildcards.origin, skill=wildcards.skill)
        return [*self.explore(wildcards), draft]

    def verdicts(self, wildcards: Any) -> list[str]:
        """Verdicts of the skills an arm may choose from for a target."""
        pairs = self.keys.candidates(wildcards.arm, self.target(wildcards))
        return [self.paths.verdict.format(origin=origin, skill=skill) for origin, skill in pairs]

    def select(self, wildcards: Any) -> list[str]:
        """What the choice of a skill is made from."""
        return [*self.verdicts(wildcards), *self._recorded(wildcards, self.paths.select)]

    def reproduce(self, wildcards: Any) -> list[str]:
        """What an attempt reads."""
        names = {"arm": wildcards.arm, "target": wildcards.target}
        patterns = (self.paths.select, self.paths.environment, self.paths.data)
        return [
            *(pattern.format(**names) for pattern in patterns),
            *self._recorded(wildcards, self.paths.run, attempt=wildcards.attempt),
        ]

    def _recorded(self, wildcards: Any, pattern: str, **names: Any) -> list[str]:
        """The record of the arm that a replay arm replays, where this workflow makes it."""
        arm = self.inputs.config.arms.get(wildcards.arm)
        if arm is None or arm.replay is None or arm.recording is not None:
            return []
        return [pattern.format(arm=arm.replay, target=wildcards.target, **names)]

    def references(self, wildcards: Any) -> str:
        """The published values of a target, its withheld labels and its scorer's settings, as a hash."""
        target = self.target(wildcards)
        labels = self.inputs.labels.get(target.target)
        return short(
            [row.model_dump(mode="json") for row in self.inputs.references[target.target].values()],
            [quantity.model_dump(mode="json") for quantity in target.answer],
            self.inputs.families[target.family].settings,
            labels.read_text(encoding="utf-8") if labels else "",
        )

    def sealed(self, wildcards: Any) -> list[str]:
        """What was sealed from a target's runs, of all labs: an audit looks for it."""
        return sorted({glob for lab in self.inputs.labs.values() for glob in lab.sealed})

    def scores(self) -> list[str]:
        """Scores of all entries."""
        return [
            self.paths.score.format(arm=arm, target=target, attempt=attempt)
            for arm, target, attempt in self.inputs.entries()
        ]

    def runs(self) -> list[str]:
        """Records of all attempts: what they cost is reported, too."""
        return [
            self.paths.run.format(arm=arm, target=target, attempt=attempt)
            for arm, target, attempt in self.inputs.entries()
        ]

    def library(self) -> list[str]:
        """The verdict of each lab's skill: curated where it has one, else of the first explorer.

        Where targets or families are selected, of the skills that these name.
        """
        chosen = self.inputs.config.selection
        wanted = set(chosen.skills)
        named = {target.skill for target in self.inputs.selected_targets}
        if (chosen.targets or chosen.families) and not wanted and "" not in named:
            wanted = named
        explorer = self.inputs.config.default_explorer
        return [
            self.paths.verdict.format(origin="curated" if lab.source == "curated" else explorer, skill=skill)
            for skill, lab in self.inputs.labs.items()
            if not wanted or skill in wanted
        ]

    def report(self) -> dict[str, Any]:
        """What the report depends on besides its files."""
        return {
            "arms": {name: arm.model_dump(mode="json") for name, arm in self.inputs.selected_arms.items()},
            "attempts": self.inputs.config.attempts,
            "targets": short([target.target for target in self.inputs.selected_targets]),
            "references": short(
                {
                    target: {name: row.model_dump(mode="json") for name, row in rows.items()}
                    for target, rows in self.inputs.references.items()
                }
            ),
        }
