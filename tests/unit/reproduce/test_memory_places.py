"""A memory on a read-only mount, and on a full disk: the run stands, and its own file keeps the lessons."""

import subprocess

import pytest

from labagent.files import read_jsonl
from labagent.reproduce import reproduce
from labagent.trace import read_trace


def mount(place, *options):
    """Mount a small file system, or skip where that is not allowed."""
    done = subprocess.run(["mount", *options, str(place)], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"cannot mount here: {done.stderr.strip()}")


@pytest.fixture(params=["read-only", "full"])
def attempt_and_error(request, make, tmp_path):
    """An attempt whose memory's folder takes nothing more, and what the file system says of it."""
    attempt = make()
    place = tmp_path / "memory"
    place.mkdir(exist_ok=True)
    mount(place, "-t", "tmpfs", "-o", "size=64k", "tmpfs")
    if request.param == "full":
        with (place / "filler").open("wb", buffering=0) as stream, pytest.raises(OSError, match="No space"):
            while True:
                stream.write(b"x" * 4096)
    else:
        subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
    yield (
        attempt,
        {"full": "no space left on the device", "read-only": "Read-only file system"}[request.param],
    )
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_the_run_keeps_its_lessons(attempt_and_error, capfd):
    attempt, error = attempt_and_error
    record = reproduce(attempt)
    assert record.status == "completed" and record.lessons_written == 0
    folder = attempt.folder / "try-1"
    assert any(event["event"] == "lesson" for event in read_jsonl(folder / "lessons.jsonl"))
    said = [event["reason"] for event in read_trace(folder / "trace.jsonl") if event["event"] == "memory"]
    assert len(said) == 1 and error in said[0] and "offline.jsonl" in said[0]
    assert "lessons are kept in" in capfd.readouterr().err
