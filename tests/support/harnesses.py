"""Real executables that speak the output formats of Claude Code and Codex, for tests of harness arms."""

from __future__ import annotations

from pathlib import Path

COMMON = r'''
import json, os, signal, subprocess, sys, time

def say(**line):
    print(json.dumps(line), flush=True)

def shell(command):
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr

def never_end():
    """TERM is ignored, and so do children in sessions of their own."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                while True:
                    with open("alive.txt", "a") as stream:
                        stream.write(".")
                    time.sleep(0.05)
            os._exit(0)
'''

CLAUDE = (
    r"""#!/usr/bin/env python3
# Speaks the stream-json of Claude Code.
"""
    + COMMON
    + r'''
mode = os.environ.get("MODE", "work")
prompt = sys.stdin.read()
usage = {"input_tokens": 10, "cache_creation_input_tokens": 2000, "cache_read_input_tokens": 1000,
         "output_tokens": 100}

def message(number, *blocks, **more):
    """A message of the API: one line a block, with the same id and usage."""
    for block in blocks:
        say(type="assistant", message={"id": f"msg_{number}", "type": "message", "role": "assistant",
            "model": "claude-test-1", "content": [block], "usage": {**usage, **more}},
            parent_tool_use_id=None, session_id="s")

def tool(number, name, given, status, text):
    block = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": given}
    message(number, {"type": "text", "text": f"Step {number}."}, block)
    if status:
        text = f"Exit code {status}\n{text}"
    result = {"type": "tool_result", "content": text, "is_error": bool(status)}
    say(type="user", message={"role": "user", "content": [{"tool_use_id": f"toolu_{number}", **result}]})

def bash(number, command):
    tool(number, "Bash", {"command": command, "description": "a step"}, *shell(command))

print("warning: not a line of JSON", file=sys.stderr)
say(type="system", subtype="init", session_id="s", model="claude-test-1", tools=["Bash", "Read"])
if mode == "work":
    assert "mean of the column" in prompt and "answer.json" in prompt, prompt
    assert sys.argv[1:] == ["--max-turns", "20", "--max-budget-usd", "1.0000"], sys.argv
    skill = os.path.join(os.environ["LABAGENT_SKILL"], "references/compute.md")
    tool(1, "Read", {"file_path": skill}, 0, open(skill).read())
    bash(2, "python3 -c 'import toystats'")
    bash(3, "cp $LABAGENT_DATA/toystats.py .")
    bash(4, "python3 -c 'import toystats'")
    code = ("import csv,os,json,toystats\n"
            "rows = csv.DictReader(open(os.path.join(os.environ['LABAGENT_DATA'], 'values.csv')))\n"
            "values = [float(row['value']) for row in rows]\n"
            "json.dump({'mean': toystats.mean(values)}, open('answer.json', 'w'))\n")
    open("compute.py", "w").write(code)
    tool(5, "Write", {"file_path": "compute.py", "content": code}, 0, "File created")
    bash(6, "python3 compute.py; cat answer.json")
    bash(7, "echo the login is $LAB_LOGIN; echo $LAB_LOGIN > note.txt; ls -a $HOME; id -u")
    bash(8, "env | grep -c OTHER_SECRET")
    message(9, {"type": "text", "text": "The mean is there."})
    say(type="result", subtype="success", is_error=False, num_turns=9, result="The mean is there.",
        total_cost_usd=0.0815, duration_ms=1,
        usage={**usage}, modelUsage={
            "claude-test-1": {"inputTokens": 90, "outputTokens": 900, "cacheReadInputTokens": 9000,
                              "cacheCreationInputTokens": 18000, "costUSD": 0.08},
            "claude-small-1": {"inputTokens": 500, "outputTokens": 10, "cacheReadInputTokens": 0,
                               "cacheCreationInputTokens": 0, "costUSD": 0.0015}})
elif mode == "greedy":
    never_end()
    for number in range(1, 100000):
        message(number, {"type": "text", "text": "More."})
        time.sleep(0.05)
elif mode == "stubborn":
    never_end()
    say(type="assistant", message={"id": "msg_1", "model": "claude-test-1", "usage": usage, "content": [
        {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "sleep 1000"}}]})
    time.sleep(1000)
elif mode == "flood":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    line = "x" * 65535 + "\n"
    while True:
        sys.stdout.write(line)
elif mode == "broken":
    print("API key is not valid", file=sys.stderr)
    say(type="result", subtype="success", is_error=True, result="Not logged in", total_cost_usd=0)
    sys.exit(1)
'''
)

CODEX = (
    r"""#!/usr/bin/env python3
# Speaks the JSON lines of codex exec, and writes a rollout beside them.
"""
    + COMMON
    + r"""
assert sys.argv[1:3] == ["exec", "--json"] and "column" in sys.argv[3], sys.argv
assert sys.stdin.read() == ""
folder = os.path.expanduser("~/.codex/sessions/2026/01/02")
os.makedirs(folder)
rollout = open(os.path.join(folder, "rollout-2026-01-02T03-04-05-1.jsonl"), "w")

def note(kind, **payload):
    line = {"timestamp": "2026-01-02T03:04:05Z", "type": kind, "payload": payload}
    print(json.dumps(line), file=rollout, flush=True)

def tokens(prompt, cached, completion):
    total = {"input_tokens": prompt, "cached_input_tokens": cached, "output_tokens": completion}
    note("event_msg", type="token_count", info={"total_token_usage": total, "last_token_usage": total})

say(type="thread.started", thread_id="t")
say(type="turn.started")
note("turn_context", model="gpt-test-1")

def command(number, text):
    item = {"id": f"item_{number}", "type": "command_execution", "command": f"/bin/bash -lc '{text}'"}
    say(type="item.started", item={**item, "aggregated_output": "", "exit_code": None,
        "status": "in_progress"})
    status, output = shell(text)
    say(type="item.completed", item={**item, "aggregated_output": output, "exit_code": status,
        "status": "completed" if status == 0 else "failed"})

say(type="item.completed", item={"id": "item_0", "type": "reasoning", "text": "Thinking."})
command(1, "head -n 2 $LABAGENT_DATA/values.csv")
tokens(1000, 600, 50)
if os.environ.get("MODE") == "greedy":
    for number in range(2, 100000):
        tokens(1000 * number, 0, 50)
        time.sleep(0.05)
command(2, "echo \"{\\\"mean\\\": 6.6}\" > answer.json")
say(type="item.completed", item={"id": "item_3", "type": "file_change", "status": "completed",
    "changes": [{"path": "answer.json", "kind": "add"}]})
say(type="item.completed", item={"id": "item_4", "type": "agent_message", "text": "Done."})
say(type="turn.completed", usage={"input_tokens": 3000, "cached_input_tokens": 1000, "output_tokens": 200})
"""
)


def write_tools(folder: Path) -> Path:
    """``bin/claude`` and ``bin/codex`` below a folder; a shell command in single quotes holds none itself."""
    for name, text in (("claude", CLAUDE), ("codex", CODEX)):
        path = folder / "bin" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
    return folder
