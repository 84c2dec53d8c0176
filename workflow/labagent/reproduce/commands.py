"""What a shell command is, as far as lessons must know: what it runs, writes and changes."""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Mapping, Sequence

LOOKING = re.compile(
    r"^\s*(?:awk|cat|cmp|cut|date|df|diff|du|echo|env|file|find|free|grep|head|id|less|locus|ls|more|nl|nproc|"
    r"printenv|printf|ps|pwd|rg|sed|sleep|sort|stat|tail|tree|true|type|uname|uniq|wc|which|whoami)\b"
)
LOOKING_MORE = re.compile(
    r"^(?:\S*/)?(?:python3?|pip3?|conda|mamba|R|Rscript|uv|git)\s+"
    r"(?:-m\s+pip\s+)?(?:pip\s+)?(?:list|show|freeze|index|--version|-V|search|info|check|status|log)\b"
)
HELP = re.compile(r"\s(?:--help|-h|--version)(?:\s*2>&1)?(?:\s*\|[^|;&]*)?\s*$")
OPERATIONAL = re.compile(
    r"^(?:\S*/)?(?:(?:python[\d.]*\s+-m\s+)?pip[\d.]*|uv|conda|mamba|micromamba|apt-get|mkdir|R\s+CMD\s+INSTALL|"
    r"Rscript\s+-e\s+['\"](?:install|utils::install|BiocManager::install|remotes::))"
)
WRITES = re.compile(r"(?<![0-9&])>{1,2}(?!\s*/dev/null|&)|\btee\b|\bsed\s+(?:\S+\s+)*-i")
SCRIPT = re.compile(
    r"(?:^|[;&|]\s*|\s)(?:python[\d.]*|Rscript|bash|sh)\s+(?:-[^\s]+\s+)*(?P<script>[\w./-]+)"
)
HEREDOC = re.compile(
    r"\bcat\s+>\s*(?P<file>[\w./-]+)\s+<<-?\s*(?P<quote>['\"]?)(?P<mark>[\w-]+)(?P=quote)[^\n]*\n"
    r"(?P<text>.*?)^(?P=mark)[ \t]*$",
    re.DOTALL | re.MULTILINE,
)
INSTALLS = re.compile(r"^(?:\S*/)?(?:python[\d.]*\s+-m\s+pip|pip[\d.]*|uv\s+pip)\s+install\s+(?P<words>.+)$")
DISTRIBUTION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
DISPLAY = re.compile(r"\s*(?:2>&1|\|&?\s*(?:head|tail|cat|less|more|tee\s+\S+)\b[^|;&]*|&?>\s*\S+)\s*$")
INTERPRETERS = re.compile(r"(?:\S*/)?(?:python[\d.]*|Rscript|R|bash|sh|perl|node)")
MAX_EDIT = 24
"""Lines of a difference that still says what was changed."""


def is_fix(command: str) -> bool:
    """Whether a command may change anything; one that only looks around fixes nothing."""
    if WRITES.search(command):
        return True
    looks = LOOKING.match(command) or LOOKING_MORE.match(command.strip()) or HELP.search(command)
    return not looks


def is_operational(command: str) -> bool:
    """Whether a command changes the environment alone, so that it may help any skill."""
    return OPERATIONAL.match(command.strip()) is not None


def even(text: str) -> str:
    """A command with its blanks made even."""
    return " ".join(text.split())


def without_display(command: str) -> str:
    """A command without what only decides how its output is shown."""
    text = even(command)
    while (shorter := DISPLAY.sub("", text)) != text:
        text = shorter
    return text


def script_of(command: str) -> str:
    """The script that a command runs; empty where it runs none."""
    found = SCRIPT.search(command)
    return found["script"] if found and "." in found["script"] else ""


def program_of(command: str) -> str:
    """The program and subcommand (``samtools sort``, ``python -m macs3``) that a command calls, if any."""
    words = even(command.split("\n")[0]).split(" ")
    if LOOKING.match(command) or is_operational(command) or len(words) < 2 or not words[0]:
        return ""
    if INTERPRETERS.fullmatch(words[0]):
        return " ".join(words[:3]) if words[1] == "-m" and len(words) > 2 else ""
    return words[0] if words[1].startswith("-") else " ".join(words[:2])


def before_step(command: str, step: str) -> str:
    """What a command does before it runs a step."""
    text, end = command.strip(), step.strip()
    if not text.endswith(end) or len(text) == len(end):
        return ""
    return text[: -len(end)].rstrip().removesuffix("&&").rstrip().rstrip(";").strip()


def undoes(later: str, earlier: str) -> bool:
    """Whether a later installation puts another release in the place of all that an earlier one installed."""
    before, after = _installed(earlier), _installed(later)
    return bool(before) and before <= after


def effective(commands: Sequence[str]) -> list[str]:
    """Commands without repetitions and without those that a later one undoes."""
    once = list(dict.fromkeys(commands))
    return [c for n, c in enumerate(once) if not any(undoes(later, c) for later in once[n + 1 :])]


def written(command: str) -> dict[str, str]:
    """Files that a command writes from heredocs, with their text."""
    return {found["file"]: found["text"] for found in HEREDOC.finditer(command)}


def as_edit(command: str, before: Mapping[str, str]) -> str:
    """A command that writes whole files, as the changes it makes to files that are known; else as it is.

    Args:
        command: the command.
        before: the files as this run wrote them earlier.
    """
    files = written(command)
    if not files or not files.keys() <= before.keys():
        return command
    return "\n".join(_patch(name, before[name], text) for name, text in files.items() if text != before[name])


def _patch(name: str, old: str, new: str) -> str:
    """A command that makes a small change to a file; nothing for a change too large to say what it is."""
    lines = list(difflib.unified_diff(old.splitlines(), new.splitlines(), name, name, lineterm="", n=1))
    if sum(line.startswith(("+", "-")) for line in lines[2:]) > MAX_EDIT:
        return ""
    return "\n".join([f"patch --forward {shlex.quote(name)} <<'END-OF-PATCH'", *lines, "END-OF-PATCH"])


def _installed(command: str) -> frozenset[str]:
    """Distributions that a plain installation names, as the index compares names."""
    found = INSTALLS.match(command.strip())
    if not found or re.search(r"[\n;&|]", found["words"]):
        return frozenset()
    try:
        words = [word for word in shlex.split(found["words"]) if not word.startswith("-")]
    except ValueError:
        return frozenset()
    names = [match[0] for word in words if (match := DISTRIBUTION.match(word))]
    return frozenset(re.sub(r"[-_.]+", "-", name).lower() for name in names)
