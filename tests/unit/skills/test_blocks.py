"""Blocks of loci and the commands they become."""

from __future__ import annotations

import subprocess

import pytest

from labagent.models.skill import Block
from labagent.skills.blocks import command_for, fences, prose, runnable
from labagent.skills.faults import SkillFault


def run(block, folder, index=1):
    command = command_for(block, index, "some-step")
    return subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False)


def test_python_becomes_a_file_that_runs(tmp_path):
    code = 'x = """\nEOF\n"""\nprint("$HOME `pwd`", x)\n'
    done = run(Block(language="python", code=code, line=1), tmp_path, 3)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "$HOME `pwd` \nEOF\n\n"
    assert (tmp_path / "step-03-some-step.py").read_text() == code


def test_bash_stops_at_the_first_failure(tmp_path):
    done = run(Block(language="bash", code="echo one\nfalse | true\nfalse\necho two", line=1), tmp_path)
    assert (done.returncode, done.stdout) == (1, "one\n")
    assert run(Block(language="bash", code="false | cat\necho on\n", line=1), tmp_path).returncode == 1
    assert run(Block(language="bash", code="echo $UNSET_NAME\n", line=1), tmp_path).returncode != 0


def test_the_terminator_never_stands_in_the_code(tmp_path):
    plain = Block(language="bash", code="echo x\n", line=1)
    mark = command_for(plain, 1, "a").rstrip("\n").split("\n")[-1]
    nasty = Block(language="python", code=f'print("""\n{mark}\n""")\n', line=1)
    again = command_for(nasty, 1, "a").rstrip("\n").split("\n")[-1]
    assert again not in nasty.code.split("\n")
    assert run(nasty, tmp_path).stdout == f"\n{mark}\n\n"


def test_r_runs_with_rscript():
    assert "Rscript step-10-fit.R" in command_for(Block(language="r", code="print(1)", line=1), 10, "fit")


def test_an_exit_status_is_the_code_s_own(tmp_path):
    assert run(Block(language="python", code="raise SystemExit(7)", line=1), tmp_path).returncode == 7


TEXT = """intro
```python
a = 1
```
~~~bash
echo ```
~~~
```text
not run
```
   ```r
   print(1)
   ```
````python
x = '''
```
'''
````
end
"""


def test_tagged_blocks_are_found_with_their_lines():
    found = [(b.language, b.code, b.line) for b in runnable(TEXT, "x.md")]
    assert found == [
        ("python", "a = 1\n", 3),
        ("bash", "echo ```\n", 6),
        ("r", "print(1)\n", 12),
        ("python", "x = '''\n```\n'''\n", 15),
    ]
    assert [f.tag for f in fences(TEXT, "x.md")] == ["python", "bash", "text", "r", "python"]
    assert [line for _, line in prose(TEXT)] == ["intro", "end", ""]


def test_an_open_block_is_a_fault():
    with pytest.raises(SkillFault, match=r"x\.md, line 2: .*never closed"):
        runnable("a\n```python\nb\n", "x.md")
