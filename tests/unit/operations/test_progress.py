"""How far a run is, from what its jobs leave."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from labagent.models.spending import Held, SpendingRecord
from labagent.operations.progress import estimate, is_held, read_progress
from labagent.operations.states import OVER, STATES
from labagent.reproduce.guard import guarded
from support.synthetic import Benchmark, generate


@pytest.fixture
def made(tmp_path: Path) -> Benchmark:
    made = generate(tmp_path, targets=60, arms={"offline": "offline", "model": "m"}, attempts=2)
    made.score()
    return made


def state_of(made: Benchmark, place: tuple[str, str, int]) -> str:
    truth = made.truth[place]
    if truth.status == "infrastructure":
        return "interrupted"
    return "tainted" if truth.tainted else "done" if truth.status == "scored" else truth.status


def listing(root: Path) -> dict[str, tuple[int, int]]:
    stats = {path: path.lstat() for path in root.rglob("*")}
    return {str(path): (stat.st_mtime_ns, stat.st_size) for path, stat in stats.items()}


def test_entries_are_counted_by_what_became_of_their_first_attempt(made: Benchmark) -> None:
    before = listing(made.inputs.root)
    progress, attempts = read_progress(made.inputs, made.results)
    assert listing(made.inputs.root) == before, "looking changed something"
    for arm in ("offline", "model"):
        wanted = Counter(state_of(made, place) for place in made.truth if place[0] == arm and place[2] == 1)
        assert progress.entries[arm] == wanted and len(wanted) > 4
    assert sum(progress.total.values()) == 120 and len(attempts) == 240
    assert set(progress.total) <= set(STATES)
    known = sum(truth.cost or 0.0 for truth in made.truth.values() if truth.status != "infrastructure")
    assert progress.book.spent_usd == pytest.approx(known)


def test_running_waiting_and_unscored_attempts(made: Benchmark) -> None:
    done = [place for place in made.truth if state_of(made, place) == "done"][:3]
    folders = [made.results / "runs" / arm / target / str(number) for arm, target, number in done]
    (folders[0] / "run.json").unlink()
    (made.results / "scores" / done[1][0] / done[1][1] / f"{done[1][2]}.json").unlink()
    (folders[2] / "run.json").unlink()
    for path in sorted(folders[2].rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    with guarded(folders[0]):
        progress, attempts = read_progress(made.inputs, made.results)
        assert is_held(folders[0] / ".lock")
    states = {attempt.place: attempt.state for attempt in attempts}
    assert [states[place] for place in done] == ["running", "to_score", "waiting"]
    assert progress.running == ("/".join(map(str, done[0])),)
    states = {attempt.place: attempt.state for attempt in read_progress(made.inputs, made.results)[1]}
    assert states[done[0]] == "interrupted", "its lock is free again"


def test_the_end_follows_from_what_the_attempts_of_each_arm_take(made: Benchmark) -> None:
    progress, attempts = read_progress(made.inputs, made.results)
    left = {arm: progress.attempts_left(arm) for arm in progress.attempts}
    assert left == {
        arm: sum(t.status == "infrastructure" for p, t in made.truth.items() if p[0] == arm) for arm in left
    }
    work = sum(left[arm] * progress.mean_seconds[arm] for arm in left)
    assert progress.seconds_of_work == pytest.approx(work) and work > 0

    ended = [a for a in attempts if a.wall_seconds is not None]
    for attempt in ended[:10]:
        path = made.results / "runs" / "/".join(map(str, attempt.place)) / "run.json"
        os.utime(path, (2e9, 2e9))
    progress, attempts = read_progress(made.inputs, made.results)
    seconds = sum(a.wall_seconds or 0.0 for a in ended[:10])
    ends = estimate(progress, attempts, 2e9 - 50, 2e9 + 50)
    assert ends.at_once == pytest.approx(seconds / 100)
    assert ends.seconds_left == pytest.approx(work / (seconds / 100))
    assert estimate(progress, attempts, 2.1e9, 2.2e9).seconds_left is None, "none has ended since the start"


def test_costs_are_the_books_where_there_is_one(made: Benchmark) -> None:
    held = Held(usd=0.5, who="reproduce/model/t/1", host="h", pid=1, mark="m", until=0.0)
    SpendingRecord(spent_usd=3.0, possible_usd=0.25, held={"a": held}).write(made.results / "spending.json")
    book = read_progress(made.inputs, made.results)[0].book
    assert (book.spent_usd, book.certain_usd, book.held_usd) == (3.0, 3.25, 0.5)


def test_a_lock_that_nobody_holds_is_free(tmp_path: Path) -> None:
    assert not is_held(tmp_path / "missing")
    (tmp_path / "lock").touch()
    assert not is_held(tmp_path / "lock")
    assert "waiting" not in OVER and "running" not in OVER
