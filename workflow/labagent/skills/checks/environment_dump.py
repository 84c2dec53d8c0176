"""No block of a skill reads the whole environment: it asks for variables by name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TypeGuard

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
PASSED_ON = re.compile(
    r"\bos\.environb?\b(?!\s*(?:\[|\.(?:get|setdefault|pop|update)\b))|\bcompgen\s+-[ev]\b"
)
SHELLS = frozenset({"system", "popen", "run", "call", "check_call", "check_output", "Popen", "getoutput"})
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
    patterns = {"bash": (BASH, PROCESS, PASSED_ON), "r": (R, PROCESS), "python": (PROCESS,)}[block.language]
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
        if _renamed(node) or (isinstance(node, ast.Call) and BASH.search(_shell_text(node))):
            yield node.lineno
        if not isinstance(node, ast.Attribute | ast.Name):
            continue
        name = node.attr if isinstance(node, ast.Attribute) else node.id
        if name in WHOLE and not _by_name(node, parents.get(node)):
            yield node.lineno


def _renamed(node: ast.AST) -> TypeGuard[ast.alias | ast.Call | ast.Subscript]:
    """Whether all variables are taken under another name, by an import or by the attribute's name as text."""
    if isinstance(node, ast.alias):
        return node.name in WHOLE and node.asname is not None
    if isinstance(node, ast.Call):
        text = (
            node.args[1]
            if isinstance(node.func, ast.Name) and node.func.id == "getattr" and node.args[1:]
            else None
        )
    elif isinstance(node, ast.Subscript):
        text = node.slice if ast.unparse(node.value) in ("vars(os)", "os.__dict__") else None
    else:
        return False
    return isinstance(text, ast.Constant) and text.value in WHOLE


def _shell_text(node: ast.Call) -> str:
    """The command that a call gives to a shell or starts, where it stands there as text."""
    named = isinstance(node.func, ast.Attribute) and node.func.attr in SHELLS
    given = node.args[0] if named and node.args else None
    items = given.elts if isinstance(given, ast.List | ast.Tuple) else [given]
    texts = [item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)]
    return " ".join(texts) if len(texts) == len(items) else ""


def _by_name(node: ast.AST, parent: ast.AST | None) -> bool:
    """Whether a use asks for one variable: indexed, tested with ``in``, or through a method that does."""
    if isinstance(parent, ast.Subscript):
        return parent.value is node
    if isinstance(parent, ast.Compare):
        return all(isinstance(op, ast.In | ast.NotIn) for op in parent.ops)
    return isinstance(parent, ast.Attribute) and parent.attr in BY_NAME
