from __future__ import annotations

import hashlib
import io
import os
import socket
import stat
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from labagent.errors import InfrastructureError, SourceError
from labagent.files import sha256_tree
from labagent.models.sources import ArtifactManifest
from labagent.stage.archives import unpack


def test_folder_is_pinned_by_content(stage, tmp_path, write):
    source = write(tmp_path / "src", {"a.py": "x = 1\n", "d/b.txt": "b", ".git/config": "secret"})
    manifest = stage.lab(repository="src")
    assert stage.names() == ["a.py", "d/b.txt"]
    assert manifest.origin == f"tree:{sha256_tree(source, ignore=frozenset({'.git'}))}"
    assert manifest.commit == ""
    assert ArtifactManifest.read(stage.folder / "manifest.json") == manifest
    (stage.folder / "manifest.json").unlink()
    assert manifest.content_sha256 == sha256_tree(stage.folder)


def test_links_do_not_lead_out(stage, tmp_path, write):
    source = write(tmp_path / "src", {"a.txt": "inside", "d/b.txt": "b"})
    outside = tmp_path / "outside.txt"
    outside.write_text("outside")
    (source / "in.txt").symlink_to("a.txt")
    (source / "out.txt").symlink_to(outside)
    (source / "up").symlink_to("../..")
    (source / "dir").symlink_to("d")
    os.mkfifo(source / "pipe")
    manifest = stage.lab(repository="src")
    assert stage.names() == ["a.txt", "d/b.txt", "in.txt"]
    assert not (stage.folder / "repository/in.txt").is_symlink()
    assert (stage.folder / "repository/in.txt").read_text() == "inside"
    assert len(manifest.warnings) == 3


def test_a_folder_that_contains_the_results_is_not_copied_into_itself(stage, tmp_path, write):
    write(tmp_path, {"a.py": ""})
    stage.lab(repository=".")
    stage.lab(repository=".")
    assert stage.names() == ["a.py"]


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ({"repository": "nowhere"}, "nowhere does not exist"),
        ({"repository": "file.txt"}, "is a file"),
        ({"repository": "plain", "commit": "v1"}, "not a git repository"),
        ({"repository": "hg:something"}, "no such kind of repository"),
    ],
)
def test_sources_that_are_not_there(stage, tmp_path, row, text, write):
    write(tmp_path, {"file.txt": "", "plain/a": ""})
    with pytest.raises(SourceError, match=text):
        stage.lab(**row)


@pytest.mark.parametrize("form", ["full", "short", "tag", "bare", "url"])
def test_git_exports_exactly_the_commit(stage, tmp_path, repo, form, git):
    source, (first, _) = repo
    text, commit = source.name, {"short": first[:8], "tag": "v1"}.get(form, first)
    if form == "bare":
        git(tmp_path, "clone", "-q", "--bare", str(source), "bare.git")
        text = "bare.git"
    if form == "url":
        text = f"file://{source}"
    manifest = stage.lab(repository=text, commit=commit)
    assert manifest.commit == first
    assert manifest.origin.endswith(f"@{first}")
    assert stage.names() == ["README.md", "run.sh"]
    assert (stage.folder / "repository/README.md").read_text() == "first\n"
    assert (stage.folder / "repository/run.sh").stat().st_mode & stat.S_IXUSR
    assert not manifest.warnings


@pytest.mark.parametrize("commit", ["full", "short", "v1", ""])
def test_git_url_and_again_without_the_remote(stage, tmp_path, repo, commit):
    source, (first, last) = repo
    text = f"git+file://{source}"
    asked = {"full": first, "short": first[:9]}.get(commit, commit)
    manifest = stage.lab(repository=text, commit=asked)
    assert manifest.commit == (first if commit else last)
    source.rename(tmp_path / "gone")
    if commit:
        assert stage.lab(repository=text, commit=asked) == manifest
    else:
        assert "HEAD was taken" in manifest.warnings[0]


def test_git_without_commit_pins_head(stage, repo):
    source, (_, last) = repo
    manifest = stage.lab(repository=source.name)
    assert manifest.commit == last
    assert "HEAD was taken" in manifest.warnings[0]


@pytest.mark.parametrize("kind", ["path", "url"])
@pytest.mark.parametrize("commit", ["f" * 40, "deadbee", "v9", "--upload-pack=touch x"])
def test_git_commit_that_does_not_exist(stage, repo, kind, commit):
    source, _ = repo
    text = source.name if kind == "path" else f"file://{source}"
    with pytest.raises(SourceError, match="there is no commit"):
        stage.lab(repository=text, commit=commit)


def test_git_runs_nothing_of_the_repository(stage, tmp_path, repo, git, write):
    source, _ = repo
    mark = tmp_path / "ran"
    script = f"touch {mark}; cat"
    write(source, {".gitattributes": "*.txt filter=evil\n", "x.txt": "x\n"})
    git(source, "add", ".")
    git(source, "commit", "-qm", "three")
    git(source, "config", "filter.evil.smudge", script)
    git(source, "config", "core.fsmonitor", script)
    git(source, "config", "core.pager", script)
    hook = write(source / ".git/hooks", {"post-checkout": f"#!/bin/sh\n{script}\n"}) / "post-checkout"
    hook.chmod(0o755)
    stage.lab(repository=source.name, commit="HEAD")
    stage.lab(repository=f"file://{source}", commit="main" if "main" in git(source, "branch") else "master")
    assert "x.txt" in stage.names()
    assert not mark.exists()


def test_git_submodules_and_lfs_pointers_are_named(stage, tmp_path, repo, git, write):
    source, _ = repo
    inner = tmp_path / "inner"
    inner.mkdir()
    git(inner, "init", "-q")
    git(inner, "commit", "-q", "--allow-empty", "-m", "x")
    git(source, "submodule", "--quiet", "add", str(inner), "sub")
    write(source, {"big.bin": "version https://git-lfs.github.com/spec/v1\noid sha256:0\n"})
    git(source, "add", ".")
    git(source, "commit", "-qm", "sub")
    warnings = " | ".join(stage.lab(repository=source.name, commit="HEAD").warnings)
    assert "submodules are not fetched: sub" in warnings
    assert "git-lfs pointers" in warnings


def test_git_partial_clone(stage, tmp_path, repo, git):
    source, (first, _) = repo
    git(source, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--bare", "--filter=blob:limit=6", f"file://{source}", "partial.git")
    mark = tmp_path / "ran"
    git(tmp_path / "partial.git", "config", "remote.origin.uploadpack", f"touch {mark}; git-upload-pack")
    manifest = stage.lab(repository="partial.git", commit=first)
    assert not mark.exists()
    assert stage.names() == ["run.sh"]
    assert "left out: README.md" in manifest.warnings[0]


def test_git_credentials_are_shown_nowhere(stage, tmp_path, serve):
    (tmp_path / "web").mkdir()
    server = serve(tmp_path / "web")
    url = server.url.replace("://", "://robot:hunter2@") + "/lab.git"
    with pytest.raises(SourceError) as caught:
        stage.lab(repository=url, commit="v1")
    assert "hunter2" not in str(caught.value)
    assert "robot" not in str(caught.value)
    everything = "".join(p.read_text(errors="replace") for p in tmp_path.rglob("*") if p.is_file())
    assert "hunter2" not in everything


def test_git_over_http(stage, tmp_path, repo, serve, git):
    source, (first, _) = repo
    web = tmp_path / "web"
    git(tmp_path, "clone", "-q", "--bare", str(source), str(web / "lab.git"))
    git(web / "lab.git", "update-server-info")
    url = serve(web).url.replace("://", "://robot:hunter2@") + "/lab.git"
    manifest = stage.lab(repository=url, commit=first)
    assert manifest.commit == first
    assert "hunter2" not in (stage.folder / "manifest.json").read_text()


def test_git_server_down_is_infrastructure(stage):
    with pytest.raises(InfrastructureError):
        stage.lab(repository="http://127.0.0.1:9/lab.git", commit="v1")


def sdist(folder: Path, name: str, files: dict[str, str]) -> str:
    """A source distribution and its sha256."""
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(folder / f"{name}.tar.gz", "w:gz") as tar:
        for path, text in files.items():
            info = tarfile.TarInfo(f"{name}/{path}")
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text.encode()))
    return hashlib.sha256((folder / f"{name}.tar.gz").read_bytes()).hexdigest()


@pytest.fixture
def index(tmp_path, serve, monkeypatch, write):
    web = tmp_path / "web"
    digest = sdist(web / "files", "mylab-1.0", {"setup.py": "raise SystemExit('built')", "a.csv": "1"})
    page = (
        f'<a href="/files/mylab-1.0.tar.gz#sha256={digest}">mylab-1.0.tar.gz</a>'
        '<a href="/files/mylab-2.0-py3-none-any.whl#sha256=00">mylab-2.0-py3-none-any.whl</a>'
        f'<a href="/files/mylab-1.0.tar.gz#sha256={"0" * 64}">mylab-3.0.tar.gz</a>'
    )
    write(web / "simple/mylab", {"index.html": page})
    server = serve(web)
    for name in ("UV_DEFAULT_INDEX", "UV_INDEX_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_INDEX_URL", f"{server.url}/simple/")
    return server, digest


def test_pypi_source_distribution_and_again_offline(stage, index):
    server, digest = index
    manifest = stage.lab(repository="pypi:mylab==1.0")
    assert manifest.origin == f"pypi:mylab==1.0 sha256:{digest}"
    assert stage.names() == ["a.csv", "setup.py"]
    server.stop()
    assert stage.lab(repository="pypi:mylab==1.0") == manifest


def test_pypi_first_variable_that_is_set_wins(stage, index, monkeypatch):
    monkeypatch.setenv("UV_DEFAULT_INDEX", "http://user:hunter2@127.0.0.1:9/simple/")
    with pytest.raises(InfrastructureError) as caught:
        stage.lab(repository="pypi:mylab==1.0")
    assert "hunter2" not in str(caught.value)


def test_pypi_damaged_cache_is_fetched_again(stage, index):
    _, digest = index
    stage.lab(repository="pypi:mylab==1.0")
    archive = stage.cache / "pypi" / digest / "mylab-1.0.tar.gz"
    archive.write_bytes(b"damaged")
    stage.lab(repository="pypi:mylab==1.0")
    assert stage.names() == ["a.csv", "setup.py"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pypi:mylab==2.0", "no source distribution.*mylab-2.0-py3-none-any.whl"),
        ("pypi:mylab==9", "no such version; the last ones are: 1.0, 2.0, 3.0"),
        ("pypi:otherlab==1", 'no project "otherlab"'),
        ("pypi:mylab==3.0", "digest"),
    ],
)
def test_pypi_what_is_not_there(stage, index, text, message):
    with pytest.raises(SourceError, match=message):
        stage.lab(repository=text)
    assert not stage.folder.exists()


def test_archives_cannot_write_outside(tmp_path):
    (tmp_path / "into").mkdir()
    with tarfile.open(tmp_path / "a.tar", "w") as tar:
        tar.addfile(tarfile.TarInfo("../evil"))
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as bundle:
        bundle.writestr("x/../../evil", "x")
    (tmp_path / "a.txt").write_text("text")
    (tmp_path / "cut.tar.gz").write_bytes(b"\x1f\x8b\x08\x00broken")
    for name in ("a.tar", "a.zip", "a.txt", "cut.tar.gz"):
        with pytest.raises(SourceError, match=name):
            unpack(tmp_path / name, tmp_path / "into")
    assert not (tmp_path / "evil").exists()


def test_an_error_leaves_the_old_folder(stage, tmp_path, write):
    write(tmp_path, {"src/a": "a"})
    stage.lab(repository="src")
    before = sha256_tree(stage.folder)
    with pytest.raises(SourceError):
        stage.lab(repository="src", papers="none.pdf")
    assert sha256_tree(stage.folder) == before
    assert [p.name for p in stage.folder.parent.iterdir()] == ["lab"]


def test_a_kill_leaves_the_old_folder(stage, tmp_path, write):
    write(tmp_path, {"src/a": "a"})
    stage.lab(repository="src")
    before = sha256_tree(stage.folder)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        row = {
            "skill": "lab",
            "source": "explore",
            "repository": "src",
            "papers": "http://127.0.0.1:%d/p.pdf",
        }
        row["papers"] %= silent.getsockname()[1]
        code = (
            "from pathlib import Path; from labagent.stage import stage_lab\n"
            "from labagent.models.tables import Lab\n"
            f"stage_lab(Lab.model_validate({row!r}), Path({str(stage.folder)!r}),"
            f" base=Path({str(tmp_path)!r}), cache=Path({str(stage.cache)!r}))"
        )
        with subprocess.Popen([sys.executable, "-c", code]) as process:
            silent.settimeout(60)
            silent.accept()
            process.kill()
    assert sha256_tree(stage.folder) == before
    assert len(list(stage.folder.parent.iterdir())) == 2
    stage.lab(repository="src")
    assert [p.name for p in stage.folder.parent.iterdir()] == ["lab"]


def test_names_of_earlier_tags_can_be_cited(stage, repo, git):
    folder, commits = repo
    git(folder, "tag", "v2")
    stage.lab(repository="gitlab", commit=commits[0])
    assert (stage.folder / "tutorials/git-tags.txt").read_text() == "v1\n"
    stage.lab(repository="gitlab", commit=commits[1])
    assert sorted((stage.folder / "tutorials/git-tags.txt").read_text().split()) == ["v1", "v2"]
    assert not list(stage.folder.rglob(".git"))
