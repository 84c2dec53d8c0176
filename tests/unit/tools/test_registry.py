"""The registry and ``labagent tools``: discovery, checks on both sides, structured errors."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from labagent.cli import main
from labagent.errors import ToolError
from labagent.models.base import Record
from labagent.tools import call, find_tool, namespaces, registry

NAMES = {
    *(f"sequence.{n}" for n in ("parse", "stats", "reverse_complement", "translate", "orfs", "align")),
    *(f"variant.{n}" for n in ("parse", "apply", "compare", "effect")),
    "identifiers.find",
}
NAMESPACE = '''
from pydantic import Field
from labagent.errors import ToolError
from labagent.models.base import Record
from labagent.tools.registry import tool

class Twice(Record):
    number: int = Field(ge=0, le=10, description="what to double", json_schema_extra={"unit": "nt"})

class Doubled(Record):
    number: int = Field(le=15)

@tool(version="2.1", safety="network")
def double(arguments: Twice) -> Doubled:
    """Double a number."""
    if arguments.number == 7:
        raise ToolError("not_found", "no seven", field="number", value="7", allowed="another")
    return Doubled.model_construct(number=2 * arguments.number)

def helper(arguments: Twice) -> Doubled:
    """No tool."""
'''


@pytest.fixture
def added(tmp_path, monkeypatch):
    """A namespace that is one more file."""
    name = "addedhere"
    (tmp_path / f"{name}.py").write_text(NAMESPACE)
    monkeypatch.setattr(namespaces, "__path__", [*namespaces.__path__, str(tmp_path)])
    registry.cache_clear()
    yield name
    registry.cache_clear()
    sys.modules.pop(f"{namespaces.__name__}.{name}", None)


def test_the_tools_that_are_promised_are_there_with_units_and_versions():
    assert set(registry()) >= NAMES
    for name in NAMES:
        spec = find_tool(name).spec()
        assert spec.summary.endswith(".") and spec.version == find_tool(name).version
        for field in spec.arguments["properties"].values():
            assert field.get("description"), (name, field)
    stats = json.dumps(find_tool("sequence.stats").spec().result)
    assert all(f'"unit": "{unit}"' in stats for unit in ("Da", "%", "M-1 cm-1", "pH"))


def test_adding_a_namespace_is_adding_a_file(added):
    assert [t for t in registry() if t.startswith(added)] == [f"{added}.double"]
    reply = call(f"{added}.double", {"number": 4})
    assert (reply.status, reply.result, reply.version) == ("ok", {"number": 8}, "2.1")


def test_a_result_that_does_not_fit_is_the_tools_fault(added):
    reply = call(f"{added}.double", {"number": 9})
    assert (reply.status, reply.error.code, reply.result) == ("error", "result", None)


def test_an_error_of_a_tool_is_a_record(added):
    reply = call(f"{added}.double", {"number": 7})
    assert reply.error.code == "not_found" and reply.error.faults[0].allowed == "another"
    assert reply.arguments == {"number": 7}


def test_a_safety_level_that_is_not_allowed_is_refused(added):
    reply = call(f"{added}.double", {"number": 4}, safety={"safe", "compute"})
    assert reply.error.code == "refused" and "network" in reply.error.message


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"number": "4"}, "number"),
        ({"number": 11}, "number"),
        ({"number": True}, "number"),
        ({}, "number"),
        ({"number": 4, "more": 1}, "more"),
        ([], "(all)"),
        (None, "(all)"),
        ("number", "(all)"),
    ],
)
def test_wrong_arguments_name_the_field_and_what_is_allowed(added, arguments, field):
    error = call(f"{added}.double", arguments).error
    assert error.code == "arguments"
    (fault,) = [f for f in error.faults if f.field == field]
    assert "number" in fault.allowed or "maximum" in fault.allowed


@pytest.mark.parametrize("arguments", [{"number": object()}, {"number": float("nan")}, {1: {2}}])
def test_arguments_that_are_no_json_are_refused(added, arguments):
    assert call(f"{added}.double", arguments).error.code == "arguments"


def test_an_unknown_tool_names_those_that_are_near():
    error = call("sequence.stat", {}).error
    assert error.code == "unknown_tool" and "sequence.stats" in error.hints[0]
    with pytest.raises(ToolError, match="no tool"):
        find_tool("os.system")


def test_every_argument_and_result_is_a_record_that_refuses_more():
    for made in registry().values():
        for model in (made.arguments, made.result):
            assert issubclass(model, Record) and model.model_config["extra"] == "forbid"


def test_the_command_lists_and_calls(capsys):
    assert main(["tools", "list"]) == 0
    assert "variant.effect" in capsys.readouterr().out
    assert main(["tools", "list", "--json"]) == 0
    assert {s["name"] for s in json.loads(capsys.readouterr().out)} >= NAMES
    assert main(["tools", "call", "identifiers.find", "--json", '{"text": "P38398.2"}']) == 0
    (found,) = json.loads(capsys.readouterr().out)["result"]["identifiers"]
    assert (found["value"], found["version"]) == ("P38398", "2")


@pytest.mark.parametrize("text", ['{"sequenc": "ACGT"}', "{", "[]", '{"sequence": 3}'])
def test_the_command_leaves_2_on_wrong_arguments(capsys, text):
    assert main(["tools", "call", "sequence.stats", "--json", text]) == 2
    reply = json.loads(capsys.readouterr().out)
    assert reply["status"] == "error" and "sequence" in json.dumps(reply["error"]["faults"])


def test_arguments_from_standard_input():
    done = subprocess.run(
        [sys.executable, "-c", "from labagent.cli import main; raise SystemExit(main())", "tools", "call",
         "sequence.reverse_complement"],
        input='{"sequence": "AUGGCCAAAUUA"}', capture_output=True, text=True, check=True,
    )  # fmt: skip
    (record,) = json.loads(done.stdout)["result"]["records"]
    assert record["reverse_complement"] == "UAAUUUGGCCAU"
