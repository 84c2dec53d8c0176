"""The command line of a harness, with the task and the caps in its places."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence

IN_PLACE = re.compile(r"\{(prompt|prompt_file|task_file|protocol_file|skill|usd|turns|seconds)\}")
CARRIES_TASK = ("{prompt}", "{prompt_file}", "{task_file}")
STDERR = "harness-stderr.txt"


def fill(words: Sequence[str], values: Mapping[str, str]) -> list[str]:
    """Words with ``{name}`` replaced; braces of any other kind stay as they are."""
    return [IN_PLACE.sub(lambda match: values[match[1]], word) for word in words]


def shell_line(words: Sequence[str], values: Mapping[str, str]) -> str:
    """The shell command that starts a tool.

    The prompt comes on standard input, unless a word holds it or names its file. What the tool says on
    standard error goes to a file of its own, so that it tears no line of the transcript.

    Args:
        words: program and arguments, with places.
        values: what is put in the places.
    """
    given = any(place in word for word in words for place in CARRIES_TASK)
    source = "/dev/null" if given else shlex.quote(values["prompt_file"])
    return f'exec {shlex.join(fill(words, values))} < {source} 2> "$TMPDIR/{STDERR}"'
