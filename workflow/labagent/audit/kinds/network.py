"""Attempts to reach the network while it was cut. Asking a package index is a repair's way: a note."""

from __future__ import annotations

import re
from collections.abc import Iterator

from labagent.audit.facts import Facts
from labagent.audit.rows import every_text
from labagent.audit.story import Sign, Story, excerpt

CLIENTS = re.compile(
    r"(?:^|[\s;&|(`'\"/])(?:curl|wget|aria2c|ssh|scp|sftp|telnet|ncat|nc)\s+[^\n|;&]{0,300}?(?::|\.\w{2,}|\s-\w)"
    r"|/dev/(?:tcp|udp)/[\w.$-]+"
    r"|(?<![\w./-])git\s+(?:clone|fetch|pull|push|ls-remote)\b"
    r"|\burl(?:open|retrieve)\s{0,2}\(|\brequests\.(?:get|post|put|head|request|Session)\s{0,2}\("
    r"|\bhttpx\.\w+\s{0,2}\(|\baiohttp\.ClientSession\b|\bcreate_connection\s{0,2}\(|\.connect\s{0,2}\(\s{0,2}\("
    r"|\bgethostbyname\s{0,2}\(|\bgetaddrinfo\s{0,2}\(|\bdownload\.file\s{0,2}\(",
    re.MULTILINE,
)
_PACKAGES = re.compile(
    r"\bpip3?\s+(?:install|download|index)\b|\buv\s+pip\s+install\b|\b(?:conda|mamba|micromamba)\s+(?:install|create)\b"
    r"|\binstall\.packages\s{0,2}\(|\bBiocManager::install\b|\b(?:apt|apt-get)\s+(?:update|install)\b"
)
_OFFLINE = re.compile(r"--no-index\b|--offline\b")
_LOOPBACK = re.compile(r"\blocalhost\b|\b127\.\d+\.\d+\.\d+\b|\[?::1\]?|\b0\.0\.0\.0\b")


def find(story: Story, facts: Facts) -> Iterator[Sign]:
    """Clients of the network in commands and code; the run's own loopback is none."""
    if story.network == "open":
        return
    for turn, place, text in every_text(story):
        for pattern, taints in ((CLIENTS, True), (_PACKAGES, False)):
            for match in pattern.finditer(text):
                line = text[match.start() : _line_end(text, match.end())]
                if not (_LOOPBACK.search(line) or (not taints and _OFFLINE.search(line))):
                    yield Sign(turn, place, excerpt(text, match.start(), match.end()), taints)
                    break


def _line_end(text: str, start: int) -> int:
    """Where the line ends."""
    end = text.find("\n", start)
    return len(text) if end < 0 else end
