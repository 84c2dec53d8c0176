"""Which licence a repository states, as an SPDX-like name."""

from __future__ import annotations

import email
import re
import tomllib
from pathlib import Path

LICENCE_FILES = re.compile(r"^(licen[cs]e|copying|unlicense)([-._].*)?$", re.IGNORECASE)
HEAD = 4000  # characters of a licence file that are looked at
CLASSIFIERS = {
    "MIT License": "MIT",
    "BSD License": "BSD-3-Clause",
    "Apache Software License": "Apache-2.0",
    "GNU General Public License v2 (GPLv2)": "GPL-2.0-only",
    "GNU General Public License v2 or later (GPLv2+)": "GPL-2.0-or-later",
    "GNU General Public License v3 (GPLv3)": "GPL-3.0-only",
    "GNU General Public License v3 or later (GPLv3+)": "GPL-3.0-or-later",
    "GNU Lesser General Public License v2 or later (LGPLv2+)": "LGPL-2.1-or-later",
    "GNU Lesser General Public License v3 (LGPLv3)": "LGPL-3.0-only",
    "GNU Lesser General Public License v3 or later (LGPLv3+)": "LGPL-3.0-or-later",
    "GNU Affero General Public License v3": "AGPL-3.0-only",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "ISC License (ISCL)": "ISC",
    "The Unlicense (Unlicense)": "Unlicense",
}
# In this order: what names another licence in passing comes later.
TEXTS = (
    (r"GNU AFFERO GENERAL PUBLIC LICENSE\s+Version 3", "AGPL-3.0-only"),
    (r"GNU LESSER GENERAL PUBLIC LICENSE\s+Version 3", "LGPL-3.0-only"),
    (r"GNU LESSER GENERAL PUBLIC LICENSE\s+Version 2\.1", "LGPL-2.1-only"),
    (r"GNU GENERAL PUBLIC LICENSE\s+Version 3", "GPL-3.0-only"),
    (r"GNU GENERAL PUBLIC LICENSE\s+Version 2", "GPL-2.0-only"),
    (r"Apache License\s+Version 2\.0", "Apache-2.0"),
    (r"Mozilla Public License,? Version 2\.0", "MPL-2.0"),
    (r"Creative Commons Attribution 4\.0|\bCC[- ]BY[- ]4\.0", "CC-BY-4.0"),
    (r"CC0 1\.0 Universal", "CC0-1.0"),
    (r"This is free and unencumbered software", "Unlicense"),
    (r"Boost Software License", "BSL-1.0"),
    (r"Artistic License 2\.0", "Artistic-2.0"),
    (r"\bISC License\b", "ISC"),
    (r"Redistribution and use[\s\S]*?Neither the name", "BSD-3-Clause"),
    (r"Redistribution and use in source and binary forms", "BSD-2-Clause"),
    (r"Permission is hereby granted, free of charge", "MIT"),
    (r"\bMIT License\b", "MIT"),
)
NAMES = {"mit license": "MIT", "bsd": "BSD-3-Clause", "new bsd": "BSD-3-Clause", "apache 2.0": "Apache-2.0"}
EXPRESSION = re.compile(r"^[A-Za-z0-9.+-]+( (AND|OR|WITH) [A-Za-z0-9.+-]+)*$")


def detect_licence(root: Path) -> str:
    """The licence a repository's metadata or licence file states; empty when none is recognized."""
    return _pyproject(root) or _pkg_info(root) or _description(root) or _files(root)


def _read(path: Path) -> str:
    """The file's text, or nothing."""
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def _named(text: str) -> str:
    """A name or expression as metadata gives it; whole licence texts are recognized."""
    text = text.strip()
    known = NAMES.get(text.lower())
    if known or (EXPRESSION.match(text) and len(text) <= 80):
        return known or text
    return _recognized(text)


def _recognized(text: str) -> str:
    """The licence whose wording is in ``text``."""
    head = text[:HEAD]
    return next((name for pattern, name in TEXTS if re.search(pattern, head, re.IGNORECASE)), "")


def _pyproject(root: Path) -> str:
    """``project.license`` or poetry's."""
    try:
        table = tomllib.loads(_read(root / "pyproject.toml"))
    except tomllib.TOMLDecodeError:
        return ""
    stated = table.get("project", {}).get("license") or table.get("tool", {}).get("poetry", {}).get("license")
    if isinstance(stated, str):
        return _named(stated)
    if isinstance(stated, dict) and isinstance(stated.get("text"), str):
        return _named(stated["text"])
    return ""


def _pkg_info(root: Path) -> str:
    """``License-Expression``, ``License`` or the classifiers of a source distribution."""
    info = email.message_from_string(_read(root / "PKG-INFO"))
    for field in ("License-Expression", "License"):
        name = _named(str(info.get(field, "")))
        if name and name != "UNKNOWN":
            return name
    for classifier in info.get_all("Classifier", []):
        kind, _, name = str(classifier).rpartition(" :: ")
        if kind.startswith("License") and name in CLASSIFIERS:
            return CLASSIFIERS[name]
    return ""


def _description(root: Path) -> str:
    """The ``License`` field of an R package."""
    match = re.search(r"^License:\s*(.+)$", _read(root / "DESCRIPTION"), re.MULTILINE)
    return match[1].split("+ file")[0].strip() if match else ""


def _files(root: Path) -> str:
    """A licence file at the top of the repository."""
    for path in sorted(root.iterdir()):
        if path.is_file() and LICENCE_FILES.match(path.name):
            name = _recognized(_read(path))
            if name:
                return name
    return ""
