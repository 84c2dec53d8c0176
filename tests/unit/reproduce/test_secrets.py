import base64
import os
import subprocess
import sys
import time

import pytest

from labagent.reproduce import secrets
from labagent.reproduce.secrets import OVERLAP, PIECE, redact_file, redact_folder

SECRET = "v3ry-s3cret-value-0123"


@pytest.fixture(autouse=True)
def secret(monkeypatch):
    monkeypatch.setenv("SOME_API_TOKEN", SECRET)


def test_a_secret_is_taken_out_and_the_rest_stays(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"before\n" + SECRET.encode() + b"\n\xff\x00after\n")
    path.chmod(0o640)
    redact_file(path)
    content = path.read_bytes()
    assert SECRET.encode() not in content
    assert content.startswith(b"before\n") and content.endswith(b"\n\xff\x00after\n")
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_file_without_a_secret_is_not_touched(tmp_path):
    path = tmp_path / "a.bin"
    path.write_bytes(bytes(range(256)) * 100)
    before = path.stat()
    redact_file(path)
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_secret_at_the_seam_of_two_pieces_is_found(tmp_path):
    path = tmp_path / "long.txt"
    path.write_text("x" * (PIECE - 5) + " " + SECRET + "\nend\n")
    redact_file(path)
    assert SECRET not in path.read_text() and path.read_text().endswith("\nend\n")


def test_links_are_not_followed(tmp_path):
    outside = tmp_path / "outside.txt"
    outside.write_text(SECRET)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/link").symlink_to(outside)
    redact_folder(tmp_path / "folder")
    assert outside.read_text() == SECRET


BOUNDED = r"""
import re, sys
from pathlib import Path
from labagent.reproduce.secrets import redact_file
redact_file(Path(sys.argv[1]))
print(re.search(r"VmHWM:\s*(\d+)", Path("/proc/self/status").read_text())[1])
"""


def peak_kib(path) -> int:
    """The most memory that redacting a file takes, imports included."""
    words = [sys.executable, "-c", BOUNDED, str(path)]
    return int(subprocess.run(words, check=True, capture_output=True, text=True, timeout=60).stdout)


@pytest.mark.parametrize("filler", [b"x", b"\0", b"\xff"])
def test_a_file_of_one_line_takes_little_memory(tmp_path, filler):
    path = tmp_path / "answer.json"
    path.write_bytes(filler * (24 << 20) + b" " + SECRET.encode())
    assert peak_kib(path) < 110 << 10
    content = path.read_bytes()
    assert content == filler * (24 << 20) + b" [redacted:SOME_API_TOKEN]"


def test_holes_are_passed_over_and_stay_holes(tmp_path):
    path = tmp_path / "sparse.bin"
    with path.open("wb") as stream:
        stream.write(b"head " + SECRET.encode())
        stream.seek(1 << 33)
        stream.write(SECRET.encode() + b" tail")
        stream.truncate((1 << 33) + (1 << 30))
    started = time.monotonic()
    redact_file(path)
    assert time.monotonic() - started < 10
    assert path.stat().st_blocks * 512 < 1 << 20
    longer = len("[redacted:SOME_API_TOKEN]") - len(SECRET)
    assert path.stat().st_size == (1 << 33) + (1 << 30) + 2 * longer
    with path.open("rb") as stream:
        assert stream.read(31) == b"head [redacted:SOME_API_TOKEN]\0"
        stream.seek((1 << 33) + longer)
        assert stream.read(31) == b"[redacted:SOME_API_TOKEN] tail\0"


@pytest.mark.parametrize("shift", [1, 5, len(SECRET) - 1, OVERLAP - 3, OVERLAP, OVERLAP + len(SECRET) - 1])
@pytest.mark.parametrize(
    "form", [str.encode, lambda s: base64.encodebytes(s.encode()), lambda s: s.encode().hex()]
)
def test_a_secret_across_any_seam_is_found_in_a_file_without_lines(tmp_path, shift, form):
    written = SECRET.encode() if form is str.encode else form(SECRET)
    written = written.encode() if isinstance(written, str) else written
    path = tmp_path / "long.bin"
    path.write_bytes(b"\xff" * (PIECE - shift) + written + b"\xfe" * PIECE)
    redact_file(path)
    content = path.read_bytes()
    assert content.count(b"[redacted:SOME_API_TOKEN]") == 1
    assert written.strip() not in content
    assert content.startswith(b"\xff" * (PIECE - shift) + b"[") and content.endswith(b"\xfe" * PIECE)


def test_secrets_one_after_the_other_are_all_taken_out(tmp_path):
    path = tmp_path / "long.txt"
    count = 3 * PIECE // len(SECRET)
    path.write_text(SECRET * count)
    redact_file(path)
    assert path.read_text() == "[redacted:SOME_API_TOKEN]" * count


def test_a_secret_longer_than_the_overlap_makes_it_longer(tmp_path, monkeypatch):
    monkeypatch.setattr(secrets, "OVERLAP", 100)
    long = "".join(f"{number:05d}z" for number in range(500))
    monkeypatch.setenv("LONG_TOKEN", long)
    path = tmp_path / "a.txt"
    path.write_text("-" * (PIECE - 1_500) + long + "-" * PIECE)
    redact_file(path)
    assert path.read_text() == "-" * (PIECE - 1_500) + "[redacted:LONG_TOKEN]" + "-" * PIECE


def test_in_a_large_file_secrets_are_overwritten_where_they_stand(tmp_path, monkeypatch):
    monkeypatch.setattr(secrets, "COPIED", PIECE)
    path = tmp_path / "large.bin"
    before = b"\xc3\xa9\xff" * PIECE
    path.write_bytes(before + SECRET.encode() + before)
    inode = path.stat().st_ino
    redact_file(path)
    assert path.stat().st_ino == inode
    assert path.read_bytes() == before + b"*" * len(SECRET) + before


def test_a_large_file_with_another_name_is_not_changed_under_that_name(tmp_path, monkeypatch):
    monkeypatch.setattr(secrets, "COPIED", 0)
    outside, path = tmp_path / "outside.txt", tmp_path / "a.txt"
    outside.write_text(SECRET)
    os.link(outside, path)
    redact_file(path)
    assert outside.read_text() == SECRET and path.read_text() == "[redacted:SOME_API_TOKEN]"


@pytest.mark.parametrize("name", ["a.txt~", ".#a", ".a.swp", "deep/.DS_Store"])
def test_no_name_hides_a_secret(tmp_path, name):
    (tmp_path / "deep").mkdir()
    (tmp_path / name).write_text(SECRET)
    redact_folder(tmp_path)
    assert (tmp_path / name).read_text() == "[redacted:SOME_API_TOKEN]"


@pytest.mark.parametrize("key", ["sk-a1" + "Bc2_" * (PIECE // 2), "npm_" + "x" * 36])
@pytest.mark.parametrize("copied", [secrets.COPIED, PIECE // 2])
def test_a_key_of_any_length_is_taken_out_to_its_end(tmp_path, monkeypatch, key, copied):
    monkeypatch.setattr(secrets, "COPIED", copied)
    path = tmp_path / "a.txt"
    path.write_text("-" * (PIECE - 7) + " " + key + " the end\n" + "-\n" * PIECE)
    redact_file(path)
    content = path.read_text()
    assert " the end\n-\n" in content and "Bc2_" not in content and "x" * 5 not in content


def test_a_private_key_of_many_lines_is_taken_out_to_its_end(tmp_path):
    path = tmp_path / "id"
    lines = "".join(f"{'QUJDREVGR0hJSktMTU5P' * 3}\n" for _ in range(40_000))
    path.write_text(f"before\n-----BEGIN RSA PRIVATE KEY-----\n{lines}\nafter all\n")
    redact_file(path)
    content = path.read_text()
    assert "QUJD" not in content and content.startswith("before\n") and content.endswith("after all\n")


def test_names_of_files_and_folders_hold_no_secret(tmp_path):
    encoded = base64.b64encode(SECRET.encode()).decode().rstrip("=")
    deep = tmp_path / f"a-{SECRET}" / SECRET.encode().hex() / "plain"
    deep.mkdir(parents=True)
    (deep / f"{encoded}.csv").write_text("kept")
    (deep / f"x{SECRET}.csv").write_text("one")
    (deep / "x[redacted].csv").write_text("two")
    (deep / "link").symlink_to(f"/nowhere/{SECRET}")
    redact_folder(tmp_path)
    names = sorted(p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*"))
    assert not [n for n in names if SECRET in n or SECRET.encode().hex() in n or encoded in n]
    place = tmp_path / "a-[redacted]/[redacted]/plain"
    assert (place / "[redacted].csv").read_text() == "kept"
    assert (place / "x[redacted].csv").read_text() == "two"
    assert (place / "x[redacted]-2.csv").read_text() == "one"
    assert (place / "link").is_symlink() and SECRET not in str((place / "link").readlink())


def test_a_secret_that_a_path_spells_is_taken_out_of_its_names(tmp_path, monkeypatch):
    monkeypatch.setenv("SLASH_TOKEN", "abcdefgh/ijklmnop/qrstuvwx")
    (tmp_path / "abcdefgh/ijklmnop").mkdir(parents=True)
    (tmp_path / "abcdefgh/ijklmnop/qrstuvwx.txt").write_text("kept")
    (tmp_path / "abcdefgh/other.txt").write_text("kept")
    redact_folder(tmp_path)
    assert not [p for p in tmp_path.rglob("*") if "qrstuvwx" in p.name or "ijklmnop" in p.name]
    assert len([p for p in tmp_path.rglob("*") if p.is_file()]) == 2
