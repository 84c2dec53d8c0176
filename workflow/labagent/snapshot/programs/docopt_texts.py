"""``docopt``: the docstring of a file is its command line."""

from __future__ import annotations

import ast
import re

from labagent.snapshot.programs._found import HELP, Found, OptionFound, parse

SIGN, SUFFIXES = "docopt", (".py",)
LISTED = re.compile(r"^\s*(?P<names>-{1,2}\w[^\n]*?)(?:\s{2,}(?P<help>[^\n]*))?$", re.MULTILINE)
NAME = re.compile(r"(?<![\w-])(--?[A-Za-z][\w-]*)(?:[ =](<[^>]+>|[A-Z_]+))?")
DEFAULT = re.compile(r"\[default: ([^\]]*)\]")


def read(text: str) -> list[Found]:
    """One program, where the file calls ``docopt`` and its docstring shows a usage."""
    tree = parse(text)
    usage = ast.get_docstring(tree, clean=False) or ""
    if "docopt(" not in text or not re.search(r"usage:", usage, re.IGNORECASE):
        return []
    options: dict[str, OptionFound] = {}
    for match in LISTED.finditer(usage):
        names = NAME.findall(match["names"])
        default = DEFAULT.search(match["help"] or "")
        listed = tuple(name for name, _ in names)
        if listed:
            record = OptionFound(
                listed,
                any(value for _, value in names),
                False,
                default[1] if default else None,
                (),
                (match["help"] or "").strip()[:HELP],
                usage.count("\n", 0, match.start("names")) + 1,
            )
            options.update(dict.fromkeys(listed, record))
    for name, value in NAME.findall(usage):
        options.setdefault(name, OptionFound((name,), bool(value), False, None, (), "", 1))
    return [Found("docopt", "", 1, True, "", tuple(dict.fromkeys(options.values())))]
