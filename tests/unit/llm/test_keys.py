"""The file of keys: read by its owner alone, handed on to nobody, never shown."""

import os

import pytest

from labagent.errors import ModelConfigError
from labagent.llm.keys import keys_loaded, load_keys, read_keys

SECRET = "sk-not-a-real-key-0123456789"


@pytest.fixture
def file(tmp_path, monkeypatch):
    path = tmp_path / "keys.env"
    path.write_text(f"# of the lab\nexport OPENAI_API_KEY='{SECRET}'\n\nLAB_TOKEN = {SECRET}2\n")
    path.chmod(0o600)
    monkeypatch.setenv("LABAGENT_KEYS", str(path))
    for name in ("OPENAI_API_KEY", "LAB_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    return path


def test_names_and_values(file):
    assert read_keys() == {"OPENAI_API_KEY": SECRET, "LAB_TOKEN": f"{SECRET}2"}


def test_a_variable_that_is_set_stays(file, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "mine")
    monkeypatch.setenv("LAB_TOKEN", "")
    load_keys()
    assert (os.environ["OPENAI_API_KEY"], os.environ["LAB_TOKEN"]) == ("mine", f"{SECRET}2")


def test_loaded_for_a_while_leaves_nothing(file):
    with keys_loaded():
        assert os.environ["OPENAI_API_KEY"] == SECRET
    assert "OPENAI_API_KEY" not in os.environ and "LAB_TOKEN" not in os.environ


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o660])
def test_a_file_that_others_may_read_is_refused(file, mode):
    file.chmod(mode)
    with pytest.raises(ModelConfigError, match=r"others may read .*chmod 600"):
        read_keys()


@pytest.mark.parametrize(
    "line", [f"PATH={SECRET}", SECRET, f"OPENAI_API_KEY {SECRET}", f"LD_PRELOAD={SECRET}"]
)
def test_a_line_that_is_no_key_is_named_and_not_shown(file, line):
    file.write_text(f"OPENAI_API_KEY=x\n{line}\n")
    with pytest.raises(ModelConfigError, match="line 2: no NAME=value") as error:
        read_keys()
    assert SECRET not in str(error.value)


def test_a_file_that_is_named_and_not_there(file):
    file.unlink()
    with pytest.raises(ModelConfigError, match=r"LABAGENT_KEYS names .* no such file"):
        read_keys()


def test_no_file_is_no_fault(tmp_path, monkeypatch):
    monkeypatch.delenv("LABAGENT_KEYS", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert read_keys() == {}
