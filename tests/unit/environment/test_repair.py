"""Builds that fail and are repaired, with real packages from the index."""

import json
import subprocess
from pathlib import Path

import pytest

from labagent.environment import build_environment
from labagent.environment.changes import change
from labagent.environment.pythons import interpreters
from labagent.environment.spec import parse_spec
from labagent.memory import Memory, classify, lesson_event
from labagent.models.config import EnvironmentSettings
from labagent.models.memory import LessonEvent, OutcomeEvent, Provenance
from labagent.models.run import EnvironmentRecord

LIBRARY = Path(__file__).parents[3] / "memory" / "lessons.jsonl"
SETTINGS = EnvironmentSettings(builder="venv", build_seconds=300)
SPEC = "dependencies: [python=3.11, six=1.16, 'numpy>=1.20', {pip: [PyVCF==0.6.8]}]\n"


def memory_of(place: Path, *lessons: LessonEvent) -> Memory:
    live = place / "arm.jsonl"
    live.write_text("".join(f"{lesson.model_dump_json()}\n" for lesson in lessons))
    return Memory(arm="arm", mode="live", library=place / "library.jsonl", live=live)


def build(
    root: Path, text: str, memory: Memory | None, settings: EnvironmentSettings = SETTINGS
) -> tuple[EnvironmentRecord, str]:
    spec, log = root / "repair.yaml", root / "logs" / "repair.log"
    spec.write_text(text)
    record = build_environment(
        spec, settings, root=root, log=log, memory=memory, run="environment/arm/target"
    )
    return record, log.read_text()


def events(memory: Memory) -> list[LessonEvent | OutcomeEvent]:
    from labagent.memory.log import read_events

    return list(read_events(memory.live))


def test_a_lesson_builds_what_would_not_build_and_is_remembered(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = Memory(arm="arm", mode="live", library=LIBRARY, live=tmp_path / "arm.jsonl")
    text = "dependencies: [python=3.11, {pip: [PyVCF==0.6.8]}]\n"
    record, log = build(root, text, memory)
    assert record.status == "ready", log
    (repair,) = record.repairs
    assert repair.failure_class == "build_failure" and repair.lesson.startswith("L")
    assert any("without isolation, with setuptools<58, wheel" in line for line in repair.changes)
    assert "use_2to3 is invalid" in log and f"lesson {repair.lesson}" in log
    words = [f"{record.prefix}/bin/python", "-c", "import vcf; print(vcf.VERSION)"]
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout == "0.6.8\n"
    (outcome,) = events(memory)
    assert isinstance(outcome, OutcomeEvent) and outcome.success and outcome.lesson == repair.lesson
    # What the memory says later changes nothing: no failing build, no network, the same environment.
    monkeypatch.setattr("labagent.environment.venv._ask_uv", None)
    again, log = build(root, text, memory)
    assert (again.prefix, again.repairs, again.reused) == (record.prefix, record.repairs, True)
    assert "use_2to3" not in log and len(events(memory)) == 1


@pytest.mark.skipif(
    not any(p.version.startswith("3.9.") for p in interpreters()), reason="no Python 3.9 on this machine"
)
def test_a_general_repair_that_works_becomes_a_lesson(root: Path, tmp_path: Path) -> None:
    memory = memory_of(tmp_path)
    older = SETTINGS.model_copy(update={"python": "3.9"})
    record, log = build(root, "dependencies: [{pip: [iniconfig==2.3.0]}]\n", memory, older)
    assert record.status == "ready" and "iniconfig==2.3.0" in record.lock, log
    assert record.repairs[0].changes == ("python: the default → >=3.10",) and not record.repairs[0].lesson
    (lesson,) = memory.state()
    assert (lesson.fix, lesson.scope) == ("conda install 'python>=3.10'", "operational")
    assert lesson.provenance[0].run == "environment/arm/target"
    # The next lab that fails in this way is helped by the lesson, and says so.
    second, _ = build(root, "dependencies: [six=1.16, {pip: [iniconfig==2.3.0]}]\n", memory, older)
    assert second.repairs[0].lesson == lesson.id
    assert memory.state()[0].successes == 1


def wrong_lesson(text: str, fix: str) -> LessonEvent:
    return lesson_event(classify(text), fix, provenance=Provenance(run="a/t/1", turn=3), time=1.0)


SAID = (
    "error: No solution found when resolving dependencies\n  cause: Because there is no version of six==99 "
    "and you require six==99, we can conclude that your requirements are unsatisfiable.\n"
)


def test_what_does_not_help_is_taken_back_and_counted_within_the_budget(root: Path, tmp_path: Path) -> None:
    fixes = ["pip install 'iniconfig<2'", "touch x", "pip install ./six", "pip install 'toolz<1'"]
    memory = memory_of(tmp_path, *[wrong_lesson(SAID, fix) for fix in fixes])
    record, log = build(root, "dependencies: [python=3.11, six=99]\n", memory)
    assert (record.status, record.failure_class, record.repairs) == ("env_failed", "missing_distribution", ())
    assert "six==99" in record.reason and log.count("of at most 4, lesson") == 2
    assert "no lesson and no general repair is left" in log
    outcomes = [event for event in events(memory) if isinstance(event, OutcomeEvent)]
    assert len(outcomes) == 2 and not any(event.success for event in outcomes)
    one = SETTINGS.model_copy(update={"repair_tries": 1})
    _, log = build(root, "dependencies: [python=3.11, six=99]\n", memory_of(tmp_path, *map(
        wrong_lesson, [SAID, SAID], fixes[::3])), one)  # fmt: skip
    assert log.count("of at most 1, lesson") == 1 and "environment.repair_tries (1) are used up" in log
    none = SETTINGS.model_copy(update={"repair_seconds": 1e-9})
    _, log = build(root, "dependencies: [python=3.11, six=99]\n", memory, none)
    assert "of at most" not in log and "environment.repair_seconds are used up" in log


def test_a_repair_that_is_stopped_says_nothing_of_its_lesson(root: Path, tmp_path: Path) -> None:
    memory = memory_of(tmp_path, wrong_lesson(SAID, "pip install six==1.15"))
    short = SETTINGS.model_copy(update={"repair_seconds": 0.02})
    record, log = build(root, "dependencies: [python=3.11, iniconfig, six=99]\n", memory, short)
    assert (record.status, record.failure_class) == ("env_failed", "missing_distribution")
    assert "timeout: longer than environment.build_seconds" in log
    assert not [event for event in events(memory) if isinstance(event, OutcomeEvent)]


def test_a_memory_that_cannot_be_written_undoes_no_build(root: Path, tmp_path: Path) -> None:
    library = memory_of(tmp_path, wrong_lesson(SAID, "pip install six==1.16")).live
    (tmp_path / "lock.jsonl.lock").mkdir()
    broken = Memory(arm="lock", mode="live", library=library, live=tmp_path / "lock.jsonl")
    record, log = build(root, "dependencies: [python=3.11, six=99]\n", broken)
    assert record.status == "ready" and record.repairs[0].changes == ("six: =99 → ==1.16",)
    assert "lessons are kept in repair.lessons.jsonl alone" in log
    kept = (root / "logs" / "repair.lessons.jsonl").read_text().splitlines()
    assert json.loads(kept[-1])["success"] is True


@pytest.mark.parametrize(
    ("fix", "said"),
    [
        ("python -m pip install 'numpy<2'", ("numpy: >=1.20 → <2",)),
        ("pip install -U six==1.15 && pip uninstall -y PyVCF",
         ("PyVCF: ==0.6.8 → left out", "six: =1.16 → ==1.15")),
        ("uv pip install 'PyVCF3[x]'", ("PyVCF3: not asked for → any",)),
        ("conda install -y python=3.9 samtools", ("python: =3.11 → =3.9", "samtools: not asked for → any")),
        ("pip install 'cython<3' && pip config --site set install.no-build-isolation false",
         ("PyVCF: built without isolation, with cython<3",)),
        ("pip install --no-build-isolation 'setuptools<58'",
         ("PyVCF: built without isolation, with setuptools<58",)),
        ("pip install six==1.16 --index-url http://x", None),
        ("pip install git+https://x/y", None),
        ("pip install 'x @ https://x/y.whl'", None),
        ("pip install -r requirements.txt", None),
        ("pip install $(cat /etc/passwd)", None),
        ("pip install 'numpy<2' > /dev/null", None),
        ("mkdir -p out && pip install toolz", None),
        ("conda install -c evil toolz", None),
        ("", None),
    ],
)  # fmt: skip
def test_a_fix_as_a_change_of_the_specification(fix: str, said: tuple[str, ...] | None) -> None:
    found = change(parse_spec(SPEC, "test"), fix, "PyVCF")
    assert (found[1] if found else None) == said
