"""Conda's version constraints as the package index writes them."""

from __future__ import annotations

import re

_OPERATOR = re.compile(r"^(==|>=|<=|!=|~=|>|<)\s*(.+)$")


def specifiers(version: str) -> str:
    """Turn ``=1.2``, ``1.2.*``, ``>=1,<2`` or ``1.2.3=py310_0`` into specifiers of the index.

    A single ``=`` means any version that starts so, as in conda; a build string is dropped.

    Raises:
        ValueError: alternatives (``1.2|1.3``), which the index cannot say.
    """
    version = version.strip()
    if not version or version == "*":
        return ""
    if "|" in version:
        raise ValueError(f'"{version}" has alternatives')
    return ",".join(_one(part.strip()) for part in version.split(",") if part.strip())


def _one(part: str) -> str:
    """One constraint."""
    if match := _OPERATOR.match(part):
        operator, number = match[1], match[2].strip()
        if operator == "==":
            number = number.split("=")[0].split(" ")[0]
        elif operator not in {"!=", "~="}:
            number = number.removesuffix(".*")
        return operator + number
    fuzzy = part.startswith("=")
    words = [word for word in re.split(r"[= ]", part) if word]
    number = words[0]
    if number.endswith("*"):
        return "==" + number.rstrip("*").rstrip(".") + ".*"
    exact = len(words) > 1 or not fuzzy
    return f"=={number}" if exact else f"=={number}.*"
