"""A draft of a small lab's skill as a model writes it, in the form of a reply."""

from __future__ import annotations

import json

ROOT = """---
name: tinylab
description: Straight lines with tinylab. Use for a slope.
---

# Lines

A line is fitted by `Line` [E1]. It is not for curves.

| step | what it does |
|---|---|
| [data](references/data.md) | counts |
| [method](references/method.md) | settings |
| [run](references/run.md) | the line |
| [report](references/report.md) | the answer |
"""
READ = """import json, os
with open(os.path.join(os.environ["LABAGENT_DATA"], "growth.csv")) as stream:
    rows = [line.split(",") for line in stream.read().split()[1:]]
"""
FIT = """import sys
sys.path.insert(0, os.path.join(os.environ["LABAGENT_SKILL"], "assets", "source"))
from tinylab import Line
line = Line(intercept=True)
line.fit([float(a) for a, _ in rows], [float(b) for _, b in rows])
json.dump({"slope": line.slope_}, open("line.json", "w"))
print("slope:", line.slope_)
"""
FILES = {
    "SKILL.md": ROOT,
    "references/data.md": f"# Data\n\n```python\n{READ}print('rows:', len(rows))\n```\n",
    "references/method.md": "# Method\n\n`Line` has an intercept [E2].\n\n"
    "```bash\ngrep -c . \"$LABAGENT_DATA/growth.csv\"\n```\n",
    "references/run.md": f"# Run\n\n```python\n{READ}{FIT}```\n",
    "references/report.md": "# Report\n\nThe slope is per unit of the first column, of all rows.\n\n"
    "- [ ] rows counted\n- [ ] slope printed\n\n```bash\ncp line.json answer.json\ncat answer.json\n```\n",
    "environment.yaml": "dependencies:\n  - python=3.11\n  - pip\n",
    "assets/quickstart.yaml": "data: [tinylab/sets/growth.csv]\n"
    "outputs:\n  - file: answer.json\n    keys: [slope]\n",
    "evidence.jsonl": json.dumps({
        "id": "E1", "statement": "a line", "terms": ["Line"],
        "source": {"kind": "repository", "path": "tinylab/line.py", "lines": [5, 6]},
    }) + "\n" + json.dumps({
        "id": "E2", "statement": "it has an intercept", "terms": ["intercept"],
        "source": {"kind": "repository", "path": "tinylab/line.py", "lines": [8, 9]},
    }) + "\n",
}  # fmt: skip


def reply(**changes: str) -> str:
    """The whole draft, with changed files (``__`` in a name is ``/``)."""
    files = {**FILES, **{k.replace("__", "/"): v for k, v in changes.items()}}
    return "\n".join(f"=== FILE: {path} ===\n{text}" for path, text in files.items()) + "\n=== END ===\n"


def with_run(old: str, new: str) -> str:
    """The draft with a change in its run."""
    assert old in FILES["references/run.md"]
    return reply(**{"references/run.md": FILES["references/run.md"].replace(old, new)})
