import subprocess
import sys

import pytest

from labagent.errors import ModelConfigError
from labagent.llm import check_model
from labagent.llm.service import api_key
from labagent.models.config import ModelSettings


@pytest.fixture(autouse=True)
def no_keys(monkeypatch):
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "MY_KEY"):
        monkeypatch.delenv(name, raising=False)


def test_an_unknown_name_is_refused_with_its_neighbours():
    with pytest.raises(ModelConfigError, match=r"gpt-4oo.*Did you mean .*gpt-4o"):
        check_model(ModelSettings(model="gpt-4oo"))


def test_a_missing_key_names_the_variable_and_what_to_do():
    with pytest.raises(ModelConfigError, match=r"Set ANTHROPIC_API_KEY .*api_key_env.*offline"):
        check_model(ModelSettings(model="anthropic/claude-sonnet-4-5"))


def test_a_named_variable_must_be_set_even_for_a_server_of_ones_own(monkeypatch):
    named = ModelSettings(model="openai/x", api_base="http://localhost:1/v1", api_key_env="MY_KEY")
    with pytest.raises(ModelConfigError, match="Set MY_KEY"):
        check_model(named)
    monkeypatch.setenv("MY_KEY", "value")
    check_model(named)
    assert api_key(named) == "value"


def test_a_server_of_ones_own_needs_no_key():
    local = ModelSettings(model="openai/x", api_base="http://localhost:1/v1")
    check_model(local)
    assert api_key(local)


def test_importing_the_package_does_not_import_litellm():
    code = "import sys, labagent.llm; print('litellm' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "False"
