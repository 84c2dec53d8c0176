"""Requirements as written, and the lines they stand on."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from packaging.requirements import InvalidRequirement, Requirement

from labagent.models.snapshot import Dependency

EXTRA = re.compile(r"""\s*(?:and\s+)?extra\s*==\s*['"]([^'"]+)['"]""")


def python_requirement(text: str, path: PurePosixPath, line: int, extra: str = "") -> Dependency | None:
    """A PEP 508 requirement; ``None`` for what is none (options, local paths, empty lines)."""
    written = re.split(r"\s+#|\s--hash", text.strip(), maxsplit=1)[0].strip().rstrip("\\").strip()
    egg = re.search(r"#egg=([\w.-]+)", text)
    try:
        requirement = Requirement(written)
    except InvalidRequirement:
        if not egg:
            return None
        place = text.split("#egg=")[0].removeprefix("-e ").strip()
        return Dependency(
            name=egg[1],
            specifier=f"@ {place}",
            ecosystem="python",
            extra=extra,
            file=path.as_posix(),
            line=line,
        )
    marker = str(requirement.marker or "")
    named = EXTRA.search(marker)
    if named and not extra:
        extra = named[1]
    marker = EXTRA.sub("", marker).strip().removeprefix("and ").strip()
    place = f"@ {requirement.url}" if requirement.url else str(requirement.specifier)
    return Dependency(
        name=requirement.name,
        specifier=f"{place}; {marker}" if marker else place,
        ecosystem="python",
        extra=extra,
        file=path.as_posix(),
        line=line,
    )


def python_requirements(
    texts: Iterable[str], path: PurePosixPath, source: str, extra: str = ""
) -> list[Dependency]:
    """Requirements found in ``source``, each with the line its text stands on."""
    lines = Lines(source)
    found = (python_requirement(text, path, lines.find(text), extra) for text in texts)
    return [dependency for dependency in found if dependency is not None]


class Lines:
    """Finds the lines on which texts stand, taking equal texts in their order."""

    def __init__(self, source: str) -> None:
        self.lines = source.splitlines()
        self.used: set[tuple[str, int]] = set()

    def find(self, text: str, default: int = 1) -> int:
        """The first line (from 1) that is ``text``, else holds it, and was not given for it yet."""
        word = re.compile(rf"(?<![\w.-]){re.escape(text.strip())}(?![\w-])")
        matching = [n for n, line in enumerate(self.lines, start=1) if word.search(line)]
        matching.sort(key=lambda n: self.lines[n - 1].strip("-,;'\" \t") != text.strip())
        for number in matching:
            if (text, number) not in self.used:
                self.used.add((text, number))
                return number
        return matching[0] if matching else default
