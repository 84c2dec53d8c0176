"""Where the files of a run lie, relative to the workflow's folder; with wildcards for the rules."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Paths:
    """Path patterns below ``results``; fill them in with ``str.format`` or Snakemake's ``expand``."""

    results: str = "results"

    @property
    def artifacts(self) -> str:
        """A lab's staged artifacts."""
        return f"{self.results}/artifacts/{{skill}}/manifest.json"

    @property
    def data(self) -> str:
        """A target's staged data."""
        return f"{self.results}/data/{{target}}/manifest.json"

    @property
    def snapshot(self) -> str:
        """A lab's API snapshot."""
        return f"{self.results}/explore/api/{{skill}}.json"

    @property
    def draft(self) -> str:
        """An explorer's draft of a skill."""
        return f"{self.results}/explore/{{explorer}}/{{skill}}/draft.json"

    @property
    def verdict(self) -> str:
        """A frozen skill's verdict."""
        return f"{self.results}/skills/{{origin}}/{{skill}}/verdict.json"

    @property
    def select(self) -> str:
        """The skill chosen for a target by an arm."""
        return f"{self.results}/select/{{arm}}/{{target}}.json"

    @property
    def environment(self) -> str:
        """The environment of a target in an arm."""
        return f"{self.results}/environments/{{arm}}/{{target}}.json"

    @property
    def run(self) -> str:
        """The record of an attempt."""
        return f"{self.results}/runs/{{arm}}/{{target}}/{{attempt}}/run.json"

    @property
    def score(self) -> str:
        """The score of an attempt."""
        return f"{self.results}/scores/{{arm}}/{{target}}/{{attempt}}.json"

    @property
    def biobench(self) -> str:
        """The record of a run of BioBench."""
        return f"{self.results}/biobench/{{bench}}/{{condition}}/{{model}}/{{seed}}/run.json"

    @property
    def biobench_scores(self) -> str:
        """Its scores."""
        return f"{self.results}/biobench/{{bench}}/{{condition}}/{{model}}/{{seed}}/scores.json"

    @property
    def answer(self) -> str:
        """The answer to a question of the table."""
        return f"{self.results}/answers/{{question}}/answer.json"

    @property
    def report(self) -> str:
        """The report's folder."""
        return f"{self.results}/report"

    @property
    def logs(self) -> str:
        """The folder of job logs."""
        return f"{self.results}/logs"
