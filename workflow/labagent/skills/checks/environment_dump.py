"""No block of a skill reads the whole environment: it asks for variables by name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from labagent.models.skill import Block
from labagent.skills.finding import Context, Finding

ID, TIER, ORDER = "environment-dump", 1, 55
REASON = "a skill reads variables by name, never all of them"
BASH = re.compile(
    r"(?:^|[;&|(`]\s*|\$\(\s*)(?:(?:/usr)?/bin/)?(?:printenv|env|export|declare|typeset)(?:\s+-[pxg0]+)*\s*(?=$|[;&|)>`])"
    r"|(?:^|[;&|(`]\s*)set\s*(?=$|[;&|)>`])",
    re.MULTILINE,
)
R = re.compile(r"\bSys\.getenv\(\s*(?:names\s*=\s*\w+\s*)?\)")
PROCESS = re.compile(r"/proc/(?:self|\d+|\$\$|\$\{?PPID\}?|\{[^}]*\}|[*])/environ")
WHOLE = frozenset({"environ", "environb"})
BY_NAME = frozenset({"get", "setdefault", "pop", "update"})


def check(context: Context) -> Iterator[Finding]:
    """Blocks, and scripts of the skill, that copy, print or walk through the environment."""
    for locus in context.skill.loci:
        for block in locus.blocks:
            for line in _lines(block):
                yield Finding(f"takes the whole environment: {REASON}", locus.path, block.line + line - 1)
    for path in sorted((context.folder / "scripts").glob("*")):
        language = {".py": "python", ".sh": "bash", ".R": "r"}.get(path.suffix)
        if language and path.is_file() and not path.is_symlink():
            text = path.read_text(encoding="utf-8", errors="replace")
            script = Block.model_validate({"language": language, "code": text, "line": 1})
            for line in _lines(script):
                name = path.relative_to(context.folder).as_posix()
                yield Finding(f"takes the whole environment: {REASON}", name, line)


def _lines(block: Block) -> Iterator[int]:
    """Lines of a block (from 1) that take all variables."""
    patterns = {"bash": (BASH, PROCESS), "r": (R, PROCESS), "python": (PROCESS,)}[block.language]
    found = {
        block.code.count("\n", 0, match.start()) + 1 for p in patterns for match in p.finditer(block.code)
    }
    if block.language == "python":
        found |= set(_python(block.code))
    yield from sorted(found)


def _python(code: str) -> Iterator[int]:
    """Uses of ``os.environ`` other than of one variable."""
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute | ast.Name):
            continue
        name = node.attr if isinstance(node, ast.Attribute) else node.id
        if name in WHOLE and not _by_name(node, parents.get(node)):
            yield node.lineno


def _by_name(node: ast.AST, parent: ast.AST | None) -> bool:
    """Whether a use asks for one variable: indexed, tested with ``in``, or through a method that does."""
    if isinstance(parent, ast.Subscript):
        return parent.value is node
    if isinstance(parent, ast.Compare):
        return all(isinstance(op, ast.In | ast.NotIn) for op in parent.ops)
    return isinstance(parent, ast.Attribute) and parent.attr in BY_NAME
