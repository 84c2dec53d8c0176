import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labagent.sandbox.observation import WINDOW, clean_text, observe


def seen(path: Path, raw: bytes, **more: object) -> str:
    path.write_bytes(raw)
    return observe(path, **more).text  # type: ignore[arg-type]


def test_a_short_output_is_shown_whole(tmp_path: Path) -> None:
    (tmp_path / "o").write_text("one\ntwo\n")
    got = observe(tmp_path / "o")
    assert (got.text, got.bytes, got.omitted) == ("one\ntwo\n", 8, 0)


def test_head_and_tail_with_the_exact_number_of_bytes_between(tmp_path: Path) -> None:
    raw = "".join(f"line {n:05d}\n" for n in range(5000))
    path = tmp_path / "turn-3.txt"
    path.write_text(raw)
    got = observe(path, limit=1000)
    head, _note, tail = got.text.partition("\n[... ")
    rest = tail.partition(" ...]\n")[2]
    assert raw.startswith(head) and raw.endswith(rest)
    assert got.omitted == len(raw) - len(head.encode()) - len(rest.encode())
    assert f"{got.omitted} bytes left out; all {len(raw)} bytes are in turn-3.txt" in tail
    assert 0.55 < len(head) / 1000 < 0.61 and 0.35 < len(rest) / 1000 < 0.41


def test_a_line_of_100_megabytes_stays_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "o"
    with path.open("wb") as stream:
        stream.write(b"start")
        for _ in range(100):
            stream.write(b"x" * (1 << 20))
        stream.write(b"end")
    tracemalloc.start()
    got = observe(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert got.text.startswith("startx") and got.text.endswith("xend")
    assert got.omitted == got.bytes - 8000
    assert peak < 16 * WINDOW


def test_escapes_progress_bars_and_control_characters(tmp_path: Path) -> None:
    raw = (
        b"\x1b[31mred\x1b[0m \x1b]0;title\x07plain\n"
        b"  0%|\r 50%|##\r100%|####\r\n"
        b"N\x08NA\x08AM\x08M\n"
        b"nul\x00bell\x07\n"
        b"bad \xff\xfe utf\n"
    )
    assert seen(tmp_path / "o", raw).splitlines() == [
        "red plain",
        "100%|####",
        "NAM",
        "nul\u2400bell\u2407",
        "bad \ufffd\ufffd utf",
    ]


def test_text_cannot_be_turned_around_by_hidden_characters() -> None:
    assert clean_text("a\u202eb\u2066c\u2028d".encode()) == "a\ufffdb\ufffdc\ufffdd"


def test_folding_a_progress_bar_is_not_counted_as_left_out(tmp_path: Path) -> None:
    (tmp_path / "o").write_bytes(b"".join(b"%d%%\r" % n for n in range(20000)) + b"\ndone\n")
    got = observe(tmp_path / "o")
    assert (got.text, got.omitted) == ("19999%\ndone\n", 0)


@given(raw=st.binary(max_size=400), limit=st.integers(min_value=10, max_value=100))
def test_any_bytes_give_printable_bounded_text(
    tmp_path_factory: pytest.TempPathFactory, raw: bytes, limit: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "any"
    path.write_bytes(raw)
    got = observe(path, limit=limit)
    assert not any(ord(c) < 32 and c not in "\n\t" for c in got.text)
    assert len(got.text) <= limit + 100
    assert 0 <= got.omitted <= got.bytes == len(raw)
    got.text.encode("utf-8")


def test_a_flood_of_backspaces_and_escapes_takes_no_time(tmp_path: Path) -> None:
    raw = b"a" * 400_000 + b"\x08" * 400_000 + b"\x1b]" * 100_000
    assert seen(tmp_path / "o", raw)


@pytest.mark.parametrize("form", ["{}", "{0}{0}{0}", "\x1b[1m{}\x1b[0m"])
def test_no_part_of_a_secret_is_shown_where_an_output_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    secret = "v3ry-s3cret-value-0123"
    monkeypatch.setenv("LAB_API_TOKEN", secret)
    for shift in range(0, len(secret) + 2, 5):
        raw = (
            "." * (600 - shift) + form.format(secret) + "." * 5000 + form.format(secret) + "." * (400 - shift)
        )
        text = seen(tmp_path / "o", raw.encode(), limit=1000)
        assert not any(secret[at : at + 6] in text for at in range(len(secret) - 5)), shift


def test_a_secret_that_colours_split_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAB_API_TOKEN", "v3ry-s3cret-value-0123")
    assert "s3cret" not in seen(tmp_path / "o", b"one\nv3ry-s3cr\x1b[31met-value-0123\x1b[0m\n")
