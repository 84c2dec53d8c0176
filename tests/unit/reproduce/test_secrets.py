import pytest

from labagent.reproduce.secrets import PIECE, redact_file, redact_folder

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
