"""Failure classes: cases in our words of how real tools print errors, alone, buried in noise, and cut."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

import pytest

from labagent.memory import classify
from labagent.memory.needles import needles
from labagent.memory.table import table
from labagent.memory.text import clean, condense

TEXT = "".join(
    (Path(__file__).parent / name).read_text(encoding="utf-8") for name in ("failures.txt", "recorded.txt")
)


def cases() -> list[tuple[tuple[str, ...], int | None, str]]:
    found = []
    for block in re.split(r"^### ", TEXT, flags=re.MULTILINE)[1:]:
        head, _, output = block.partition("\n")
        classes, _, status = head.partition(" status=")
        found.append((tuple(classes.split("|")), int(status) if status else None, output))
    return found


CASES = cases()


def noise(seed: int, length: int) -> str:
    generator = random.Random(seed)
    lines = [
        "epoch {} loss {:.4f} accuracy {:.4f}",
        "INFO  read {} records, {:.3f} s, {:.3f} MB",
        "Requirement already satisfied: packaging>={} in a place ({:.2f}) ({:.2f})",
        "WARNING: value {} out of range {:.2f} {:.2f}, continuing",
        "  {} / 100 |######    | {:.1f}% {:.1f} it/s",
        "ACGTTGCA{} {:.3f} {:.3f}",
    ]
    out, size = [], 0
    while size < length:
        line = generator.choice(lines).format(
            generator.randrange(10**6), generator.random(), generator.random()
        )
        out.append(line)
        size += len(line) + 1
    return "\n".join(out) + "\n"


@pytest.mark.parametrize(("classes", "status", "output"), CASES)
def test_each_case_has_its_class(classes, status, output) -> None:
    assert classify(output, status=status).failure_class in classes


def test_there_are_enough_cases_and_every_class_has_some() -> None:
    assert len(CASES) >= 150
    assert {name for classes, _, _ in CASES for name in classes} == set(table().classes)


@pytest.mark.parametrize("place", ["start", "middle", "end"])
def test_noise_hides_no_failure(place: str) -> None:
    around = {"start": (0, 120_000), "middle": (50_000, 70_000), "end": (120_000, 0)}[place]
    before, after = noise(1, around[0]), noise(2, around[1])
    lost = []
    for classes, status, output in CASES if place == "middle" else CASES[::6]:
        if "unknown" in classes or not output.strip() or status in {-11, 124}:
            continue
        short = classify(output, status=status)
        long = classify(before + output.rstrip("\n") + "\n" + after, status=status)
        if long.failure_class not in classes:
            lost.append((classes, short.key_line, long.failure_class, long.key_line))
    assert not lost


def test_colours_frames_and_progress_bars_do_not_matter() -> None:
    plain = classify("ModuleNotFoundError: No module named 'lifelines'")
    for output in (
        "\x1b[31mModuleNotFoundError\x1b[0m: No module named \x1b[1m'lifelines'\x1b[0m",
        "  0%|     | 0/3\r 50%|##   | 1/3\rModuleNotFoundError: No module named 'lifelines'\r\n",
        "[rank0]: ModuleNotFoundError: No module named ‘lifelines’",
        "E   ModuleNotFoundError: No module named 'lifelines'",
        "  │ ModuleNotFoundError: No module named 'lifelines'",
    ):
        assert classify(output) == plain


def test_a_transcript_header_is_read_and_not_searched() -> None:
    found = classify("$ grep -v 'No space left on device' x; conda env list\n[exit 127]\nnothing here\n")
    assert found.failure_class == "missing_command"
    assert found.key_line == "exit status 127 of grep"


def test_groups_serve_repairs() -> None:
    assert classify("ModuleNotFoundError: No module named 'sklearn'").groups == {
        "module": "sklearn",
        "distribution": "scikit-learn",
    }
    found = classify("OSError: Cannot save file into a non-existent directory: 'out/tables'")
    assert (found.groups["path"], found.groups["folder"]) == ("out/tables", "out")
    found = classify(
        "tensorflow 2.10.0 requires protobuf<3.20, but you have protobuf 4.25.0 which is incompatible."
    )
    assert (found.groups["distribution"], found.groups["requirement"]) == ("tensorflow", "protobuf<3.20")


def test_an_error_in_a_chain_is_not_called_masked() -> None:
    output = "KeyError: 'a'\n\nDuring handling of the above exception, another exception occurred:\n\n"
    assert classify(output + "NameError: name 'b' is not defined").failure_class == "data_format"


def test_a_swallowed_error_is_named_by_its_cause() -> None:
    output = "Could not load: No module named 'torch'\nNameError: name 'torch' is not defined"
    found = classify(output)
    assert (found.failure_class, found.groups["cause"]) == ("masked_failure", "missing_module")
    assert found.key_line == "Could not load: No module named 'torch'"


def test_retries_explain_a_distribution_that_is_not_found_and_nothing_else() -> None:
    retry = "WARNING: Retrying (Retry(total=0, connect=None)) after connection broken: /simple/numpy/\n"
    assert classify(retry + "ERROR: No matching distribution found for numpy\n").failure_class == "network"
    found = classify(retry + "Successfully installed numpy\nModuleNotFoundError: No module named 'scipy'\n")
    assert found.failure_class == "missing_module"


def test_a_warning_does_not_name_a_failure_when_there_is_an_error() -> None:
    output = "WARNING: No module named 'optional'\nFileNotFoundError: [Errno 2] No such file: 'x.csv'\n"
    assert classify(output).failure_class == "file_not_found"


def test_nothing_at_all_is_unknown_and_binary_output_does_no_harm() -> None:
    assert classify("").failure_class == "unknown"
    generator = random.Random(0)
    data = bytes(generator.randrange(256) for _ in range(300_000)).decode("utf-8", "replace")
    assert classify(data).signature.startswith("unknown")
    assert classify("x" * 5_000_000).failure_class == "unknown"


def test_needles_are_in_what_their_patterns_match() -> None:
    assert needles(r"No module named (?:abc|bcd)") == ("No module named ",)
    assert needles(r"abc?d+ef[xyz]gh\.so") == ("gh.so",)
    assert needles(r"(?:first|second) of [a-z]+ (?:longest part|another part)") == (
        "another part",
        "longest part",
    )
    assert needles(r"(?i)One Two") == ("one two",)
    assert needles(r"one|[a-z]+") == () and needles(r"(?:optional)?x*") == ()
    rows = table().rows
    assert sum(not row.needles for row in rows if row.pattern.pattern) < len(rows) / 20
    for _, _, output in CASES:
        text = clean(output)
        for row in rows:
            if row.needles and row.pattern.search(text):
                searched = text.lower() if row.folded else text
                assert any(needle in searched for needle in row.needles), row.pattern.pattern


def test_large_outputs_are_cut_to_a_bounded_size_in_order() -> None:
    text = noise(3, 3_000_000)
    short = condense(text + "error: first\n" + noise(4, 100_000) + "error: second\n" + noise(5, 100_000))
    assert len(short) < 500_000
    assert 0 < short.index("error: first") < short.index("error: second")


@pytest.mark.parametrize(
    "filler", ["error ", "Traceback: error: failed: cannot open\n", "\n", "KeyError: 'x'\n", "a/"]
)
def test_no_output_takes_long(filler: str) -> None:
    output = (filler * (1_000_000 // len(filler) + 1))[:1_000_000]
    classify("warm up")
    started = time.process_time()
    classify(output)
    assert time.process_time() - started < 1.0
