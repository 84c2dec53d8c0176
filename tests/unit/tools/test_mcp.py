"""``labagent mcp`` as official clients meet it, over stdio and HTTP; real processes, real sockets."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from mcp import Client, types
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError

from labagent.cli import main
from labagent.tools import registry
from labagent.tools.calling import Caller
from labagent.tools.examples import differences
from labagent.tools.store import CallStore

RUN = "import sys; from labagent.cli import main; sys.exit(main(sys.argv[1:]))"
# A tool that prints, one that breaks, one that waits for a file: what a server has to live with.
ROUGH = '''
from labagent.models.base import Record
from labagent.tools.registry import tool
import os, time

class Nothing(Record):
    path: str = ""

@tool(version="1.0")
def loud(arguments: Nothing) -> Nothing:
    """Print."""
    print("this is no protocol", flush=True)
    os.write(1, b"neither is this\\n")
    return arguments

@tool(version="1.0")
def broken(arguments: Nothing) -> Nothing:
    """Break."""
    raise RuntimeError("secret detail")

@tool(version="1.0", safety="compute")
def slow(arguments: Nothing) -> Nothing:
    """Wait for a file."""
    open(arguments.path + ".begun", "w").close()
    while not os.path.exists(arguments.path):
        time.sleep(0.02)
    return arguments
'''
HELLO = (
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
    '"capabilities":{},"clientInfo":{"name":"by hand","version":"1"}}}\n'
    '{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
)


@pytest.fixture(scope="module")
def rough(tmp_path_factory):
    """Python's words that serve one namespace more."""
    folder = tmp_path_factory.mktemp("rough")
    (folder / "rough.py").write_text(ROUGH)
    more = f"from labagent.tools import namespaces; namespaces.__path__.append({str(folder)!r}); "
    return ["-c", more + RUN, "mcp"]


def request(number, tool, arguments):
    params = {"name": tool, "arguments": arguments}
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}) + "\n"


@contextmanager
def served(words, folder):
    """The address of a server over HTTP that runs in a folder."""
    command = [sys.executable, *words, "--http"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder) as server:
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()
            assert server.stdout.read() == ""


def piped(words, folder):
    """A server over stdio that runs in a folder, where no project's store answers instead of the tools."""
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, *words], stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder)


@pytest.fixture(scope="module")
def http(rough, tmp_path_factory):
    with served(rough, tmp_path_factory.mktemp("empty")) as address:
        yield address


async def every_example(client):
    """Call all examples of all tools; what came otherwise than expected."""
    wrong = []
    for name, tool in registry().items():
        for example in tool.examples:
            reply = await client.call_tool(name, example.arguments)
            got = reply.structured_content
            if example.error or reply.is_error:
                code = got.get("error", {}).get("code", "none")
                wrong += [] if code == example.error else [(name, code)]
            else:
                wrong += [(name, line) for line in differences(got, example.expect)]
    return wrong


def test_every_tool_is_listed_and_answers_its_examples_over_http(http):
    assert http.startswith("http://127.0.0.1:") and http.endswith("/mcp")

    async def talk():
        async with Client(http) as client:
            listed = {t.name: t for t in (await client.list_tools()).tools}
            return listed, await every_example(client)

    listed, wrong = asyncio.run(talk())
    assert wrong == []
    assert set(listed) >= set(registry())
    for name, tool in registry().items():
        assert tool.examples, name
        spec, shown = tool.spec(), listed[name]
        examples = shown.input_schema.pop("examples", None)
        assert (shown.input_schema, shown.output_schema) == (spec.arguments, spec.result)
        assert examples and shown.description.startswith(spec.summary)
        assert shown.annotations.read_only_hint and not shown.annotations.destructive_hint
        assert shown.annotations.open_world_hint is (spec.safety == "network")
        assert shown.meta["labagent/safety"] == spec.safety and not shown.meta["labagent/refused"]


def test_offline_over_stdio_every_network_tool_is_refused_and_all_others_answer(tmp_path):
    server = StdioServerParameters(command=sys.executable, args=["-c", RUN, "mcp", "--offline"], cwd=tmp_path)

    async def talk():
        async with Client(server, mode="legacy") as client:
            return (await client.list_tools()).tools, await every_example(client)

    tools, wrong = asyncio.run(talk())
    network = {name for name, tool in registry().items() if tool.safety == "network"}
    assert network == {"uniprot.fetch", "uniprot.search", "pubmed.fetch", "pubmed.search"}
    assert {name for name, _ in wrong} == network and {code for _, code in wrong} == {"refused"}
    assert {t.name for t in tools if t.meta["labagent/refused"]} == network


def test_calls_that_were_kept_are_replayed(tmp_path):
    asked = {"gene": "HBB", "taxon": 9606}
    kept = Caller(CallStore(tmp_path / "kept", "record")).call("uniprot.search", asked)
    words = ["-c", RUN, "mcp", "--store", "kept", "--mode", "replay"]
    server = StdioServerParameters(command=sys.executable, args=words, cwd=tmp_path)

    async def talk():
        async with Client(server) as client:
            return [await client.call_tool("uniprot.search", asked | {"gene": g}) for g in ("HBB", "HBA1")]

    again, missed = asyncio.run(talk())
    assert again.structured_content == kept.result and again.meta["labagent/key"] == kept.key
    assert "HBB" in json.dumps(missed.structured_content["error"])  # the nearest that is kept


def test_a_result_says_where_it_comes_from(http):
    async def talk():
        async with Client(http) as client:
            return await client.call_tool("uniprot.fetch", {"accession": "P68871", "fields": ["ec"]})

    reply = asyncio.run(talk())
    assert reply.meta["labagent/source"] == "facts" and reply.meta["labagent/retrieved"]
    assert len(reply.meta["labagent/key"]) == len(reply.meta["labagent/sha256"]) == 64
    assert json.loads(reply.content[0].text) == reply.structured_content


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "field"),
    [
        ("sequence.stats", {"sequence": 3}, "arguments", "sequence"),
        ("sequence.stats", {}, "arguments", "sequence"),
        ("sequence.stats", None, "arguments", "sequence"),
        ("sequence.stats", {"sequence": "ACGT", "more": 1}, "arguments", "more"),
        ("sequence.translate", {"sequence": "ACGT", "table": True}, "arguments", "table"),
        ("sequence.parse", {"sequence": "???"}, "input", "sequence"),
        ("variant.apply", {"sequence": "MTEYK", "variant": "A2D"}, "mismatch", "variant"),
        ("uniprot.fetch", {"accession": "../../etc/passwd"}, "input", "accession"),
    ],
)
def test_wrong_arguments_give_a_record_with_field_and_what_is_allowed(http, tool, arguments, code, field):
    async def talk():
        async with Client(http) as client:
            return await client.call_tool(tool, arguments)

    reply = asyncio.run(talk())
    error = reply.structured_content["error"]
    assert reply.is_error and error["code"] == code
    (fault,) = [fault for fault in error["faults"] if fault["field"] == field]
    assert fault["allowed"] and set(error) == {"code", "message", "faults", "hints"}


def test_an_unknown_tool_is_an_error_of_the_protocol_with_the_same_record(http):
    async def talk():
        async with Client(http) as client:
            with pytest.raises(MCPError) as caught:
                await client.call_tool("sequence.stat", {})
            return caught

    caught = asyncio.run(talk())
    assert caught.value.code == types.INVALID_PARAMS
    assert caught.value.data["error"]["code"] == "unknown_tool"
    assert "sequence.stats" in caught.value.data["error"]["hints"][0]


def test_what_tools_print_and_garbage_on_the_way_in_leave_the_protocol_whole(rough, tmp_path):
    lines = [
        HELLO, "garbage\n", "\n", "[]\n", "null\n", '{"jsonrpc":"2.0"}\n', "[" * 50_000 + "\n", "x" * 200_000,
        "\n",
        request(2, "sequence.stats", [1]),
        '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":5}}\n',
        '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"variant.parse","arguments":{"text":NaN}}}\n',
        request(5, "rough.loud", {}), request(6, "rough.broken", {}),
        request(7, "sequence.parse", {"sequence": "ACGTACGTTT"}),
    ]  # fmt: skip
    given = "".join(lines).encode() + b"\xff\xfe\x00\n"
    with piped(rough, tmp_path) as server:
        server.stdin.write(given)
        server.stdin.flush()
        replies = {}
        while not {1, 2, 3, 4, 5, 6, 7} <= set(replies):
            reply = json.loads(server.stdout.readline())  # nothing but protocol
            replies[reply["id"]] = reply
        rest, said = server.communicate()
    assert (server.returncode, rest) == (0, b"")
    assert all("error" in replies[n] for n in (2, 3))
    assert replies[4]["result"]["structuredContent"]["error"]["code"] == "arguments"
    assert replies[5]["result"]["structuredContent"] == {"path": ""}
    broken = replies[6]["result"]["structuredContent"]["error"]
    assert broken["code"] == "result" and "secret detail" not in json.dumps(replies[6])
    assert replies[7]["result"]["structuredContent"]["total"] == 1
    assert b"this is no protocol" in said and b"neither is this" in said


def wait_for(path):
    while not path.exists():
        pass


def test_a_client_that_leaves_in_the_middle_of_a_call_ends_the_server_over_stdio(rough, tmp_path):
    with piped(rough, tmp_path) as server:
        server.stdin.write((HELLO + request(2, "rough.slow", {"path": str(tmp_path / "go")})).encode())
        server.stdin.flush()
        wait_for(tmp_path / "go.begun")
        server.stdout.close()  # before, so that what the server says in the end finds no reader
        server.stdin.close()
        assert server.wait() == 0  # the tool waits for a file that never comes
        assert b"Traceback" not in server.stderr.read()


def posted(address, body, **headers):
    """The status of a request, and the socket, from which its body was not read."""
    at = urlsplit(address)
    fields = {
        "Host": at.netloc,
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2025-06-18",
        "Content-Length": str(len(body.encode())),
        "Connection": "close",
    } | {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    connection = socket.create_connection((at.hostname, at.port))
    connection.sendall(f"POST {at.path} HTTP/1.1\r\n{head}\r\n{body}".encode())
    return connection


def status(connection):
    with connection, connection.makefile("rb") as stream:
        return int(stream.readline().split()[1])


def test_clients_that_leave_or_send_garbage_do_not_keep_others_from_being_answered(http, tmp_path):
    given = [posted(http, request(2, "rough.slow", {"path": str(tmp_path / f"go{n}")})) for n in range(2)]
    for number, connection in enumerate(given):
        wait_for(tmp_path / f"go{number}.begun")
        connection.close()
    for body in ("garbage", "", "[]", '{"jsonrpc":"2.0"}', "[" * 20_000):
        assert status(posted(http, body)) in (400, 202)
    assert status(posted(http, "{", Content_Length="9000000000")) == 413
    assert status(posted(http, request(3, "sequence.parse", {"sequence": "GATTACA"}))) == 200
    for number in range(2):
        (tmp_path / f"go{number}").touch()


def test_pages_under_another_name_cannot_reach_the_server(http):
    body = request(2, "sequence.parse", {"sequence": "GATTACA"})
    port = urlsplit(http).port
    assert status(posted(http, body, Host=f"evil.example:{port}")) == 421
    assert status(posted(http, body, Origin="http://evil.example")) == 403
    assert status(posted(http, body, Content_Type="text/plain")) == 400
    assert status(posted(http, body, Origin=f"http://localhost:{port}", Host=f"localhost:{port}")) == 200


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--safety", "safe,fast"], 'no safety level "fast"; there are: compute, network, safe'),
        (["--http", "--host", "0.0.0.0"], "0.0.0.0 may be reached by other machines"),
        (["--http", "--port", "99999"], "port 99999 of 127.0.0.1 cannot be used"),
        (["--backend", "nowhere"], "no backend is called 'nowhere'"),
    ],
)
def test_what_cannot_be_served_is_said(words, said, capsys):
    assert main(["mcp", *words]) == 2
    assert said in capsys.readouterr().err


def test_a_port_that_is_taken_is_said(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert main(["mcp", "--http", "--port", str(taken.getsockname()[1])]) == 2
    assert "cannot be used" in capsys.readouterr().err
