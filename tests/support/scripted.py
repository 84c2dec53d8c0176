"""A scripted model as an arm of the toy project."""

from __future__ import annotations

import json
import re
from typing import Any

from support.model_server import Say

CONFIG = """\
models:
  local:
    model: openai/scripted
    api_base: "{url}"
    retries: 1
    backoff_seconds: 0.05
    price: {{input: 1, output: 2}}
arms:
  offline: {{}}
  model: {{model: local}}
"""


def finish(body: dict[str, Any]) -> str:
    """Say that the task is done, with the mark that the prompt gave."""
    text = json.dumps(body)
    mark = re.findall(r"LABAGENT-DONE-[0-9a-f]{16}", text)[0]
    return f"```bash\necho {mark}; echo STATUS: SUCCESS\n```"


def command(text: str) -> Say:
    """A reply with one command."""
    return Say(f"```bash\n{text}\n```")
