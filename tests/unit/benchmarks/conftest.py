"""The shipped families, and a target of each scorer on small data."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from labagent.inputs.load import load_inputs
from labagent.models.family import Family
from labagent.models.score import QuantityScore
from labagent.models.tables import Quantity, Reference, Target
from labagent.scoring.attempt import Attempt, Unscorable
from labagent.scoring.judge import judge
from labagent.scoring.scorers import load_scorer

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="session")
def inputs():
    return load_inputs(ROOT)


@pytest.fixture(scope="session")
def tdc(inputs) -> Family:
    return inputs.families["tdc_admet"]


@pytest.fixture(scope="session")
def gym(inputs) -> Family:
    return inputs.families["proteingym"]


class Bench:
    """One answer against withheld labels, scored by a family's scorer."""

    def __init__(self, root: Path, family: Family, reference: Mapping[str, object]) -> None:
        self.output = root / "output"
        self.output.mkdir(parents=True)
        self.labels = root / "labels.csv"
        self.family = family
        self.reference = Reference.model_validate(
            {"target": "t", "quantity": "q", "value": "0.500", "source": "a paper", **reference}
        )
        self.target = Target.model_validate(
            {"target": "t", "family": family.name, "task": "task.md", "answer": "q=p.csv"}
        )

    def write(self, predictions: bytes | str, labels: bytes | str | None = None) -> None:
        for path, content in ((self.output / "p.csv", predictions), (self.labels, labels)):
            if content is not None:
                path.write_bytes(content.encode() if isinstance(content, str) else content)

    def measure(self):
        attempt = Attempt(self.output, self.target, {"q": self.reference}, self.labels, self.family)
        return load_scorer(self.family.scorer).measure(attempt, Quantity(name="q", file="p.csv"))

    def score(self) -> QuantityScore:
        return judge("q", self.measure(), self.reference)

    def outcome(self) -> tuple[object, str]:
        """The value and SD, or ``None`` and the reason."""
        from labagent.models.answers import AnswerError

        try:
            measured = self.measure()
        except (Unscorable, AnswerError) as error:
            return None, str(error)
        return (measured.value, measured.dispersion), ""


@pytest.fixture
def new_bench(tmp_path_factory) -> Callable[[Family, Mapping[str, object]], Bench]:
    return lambda family, reference: Bench(tmp_path_factory.mktemp("bench"), family, reference)
