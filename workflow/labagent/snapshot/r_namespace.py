"""``NAMESPACE`` of an R package: what it exports."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from labagent.snapshot.r_tokens import Token, arguments, tokens


@dataclass
class Namespace:
    """Exported names, patterns of exported names, S3 methods ``(generic, class)``, imported names."""

    exports: set[str] = field(default_factory=set)
    patterns: list[str] = field(default_factory=list)
    methods: list[tuple[str, str]] = field(default_factory=list)
    imported: set[str] = field(default_factory=set)

    def takes(self, name: str) -> bool:
        """Whether a defined name is exported."""
        return name in self.exports or any(_search(pattern, name) for pattern in self.patterns)


def read_namespace(text: str) -> Namespace:
    """Read the directives; conditions around them are ignored, all branches count."""
    found = Namespace()
    listed = tokens(text)
    for at, token in enumerate(listed[:-1]):
        if token.kind != "name" or listed[at + 1].text != "(":
            continue
        values = [_value(part) for part in arguments(listed, at + 1)]
        names = [value for value in values if value]
        if token.text in ("export", "exportMethods", "exportClasses", "exportClass"):
            found.exports.update(names)
        elif token.text == "exportPattern":
            found.patterns += [name.replace("\\\\", "\\") for name in names]
        elif token.text == "S3method" and len(names) >= 2:
            found.methods.append((names[0], names[1]))
        elif token.text == "importFrom":
            found.imported.update(names[1:])
    return found


def _value(part: list[Token]) -> str:
    """A name or string; ``alias = name`` gives the name."""
    solid = [t for t in part if t.kind != "newline"]
    return solid[-1].value if solid and solid[-1].kind in ("name", "string", "quoted") else ""


def _search(pattern: str, name: str) -> bool:
    """R's pattern on a name; one that Python does not know takes what does not start with a dot."""
    try:
        return (
            re.search(pattern.replace("[:alpha:]", "A-Za-z").replace("[:alnum:]", "A-Za-z0-9"), name)
            is not None
        )
    except re.error:
        return not name.startswith(".")
