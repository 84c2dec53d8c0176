"""Secrets are taken out of text before it is written anywhere.

Two kinds: values of this process' secret-looking environment variables, in plain, URL-encoded, base64 (at
any of the three alignments, wrapped or not) and hexadecimal form; and strings that have the shape of a
known kind of key. Each becomes ``[redacted:NAME]``. Sequences, hashes and accession numbers pass.
"""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path
from urllib.parse import quote, quote_plus

MIN_SECRET = 8

_SECRET_NAME = re.compile(
    r"KEY|TOKEN|SECRET|PASSW(?:OR)?D|PASSPHRASE|PASSWRD|CREDENTIAL|_PWD$|_AUTH$|AUTHORIZATION|COOKIE|WEBHOOK|_DSN$",
    re.IGNORECASE,
)
_HARMLESS_NAME = re.compile(r"KEYBOARD|KEYMAP|^TOKENIZERS_|^SSH_AUTH_SOCK$|^GPG_KEY$", re.IGNORECASE)
_URL_USERINFO = re.compile(r"^[a-z][a-z0-9+.-]*://[^\s/@:]*:([^\s/@]+)@", re.IGNORECASE)


def redact(text: str) -> str:
    """``text`` with every secret replaced by ``[redacted:NAME]``.

    NAME is the environment variable's name or the kind of key. Safe to call on text of any size and to call
    twice.
    """
    if len(text) < MIN_SECRET:
        return text
    lowered = text.lower()
    unwrapped = lowered.replace("\n", "").replace("\r", "")
    for name, needles, pattern in _environment_forms(_secret_items()):
        if any(needle in unwrapped for needle in needles):
            text = pattern.sub(partial(_placeholder, name), text)
    for words, shape, replacement in _SHAPES:
        if any(word in lowered for word in words):
            text = shape.sub(replacement, text)
    return text


def find_secrets(text: str) -> list[tuple[int, int]]:
    """Where ``text`` holds what ``redact`` takes out: (start, end), in order and without overlaps."""
    lowered = text.lower()
    unwrapped = lowered.replace("\n", "").replace("\r", "")
    found: list[tuple[int, int]] = []
    for _, needles, pattern in _environment_forms(_secret_items()):
        if any(needle in unwrapped for needle in needles):
            found += [match.span() for match in pattern.finditer(text)]
    for words, shape, _ in _SHAPES:
        if any(word in lowered for word in words):
            found += [match.span() for match in shape.finditer(text)]
    merged: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if merged and start < merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


@contextmanager
def also_secret(names: Iterable[str]) -> Iterator[None]:
    """While it lasts, the values of these environment variables are secrets, whatever they are called."""
    global _named
    before = _named
    _named = before | frozenset(names)
    try:
        yield
    finally:
        _named = before


def longest_secret() -> int:
    """Bytes that the longest secret of this process' environment takes in a text, in any of its forms."""
    sizes = (len(value.encode("utf-8", "surrogateescape")) for _, value in _secret_items())
    return 4 * max(sizes, default=0)


def _placeholder(name: str, _: re.Match[str]) -> str:
    """What stands for a variable's value."""
    return f"[redacted:{name}]"


def secret_names() -> tuple[str, ...]:
    """Names of this process' environment variables whose values are redacted, sorted."""
    return tuple(sorted({name for name, _ in _secret_items()}))


def _secret_items() -> tuple[tuple[str, str], ...]:
    """The secrets of the environment as it is now: (variable, value)."""
    global _known
    # Decoding all variables for every redacted text would be most of what redaction costs.
    raw: dict[object, object] | None = getattr(os.environ, "_data", None)
    if raw is None or (raw, _named) != _known[:2]:
        items = tuple((n, v) for name, value in os.environ.items() for n, v in _secrets_of(name, value))
        more = ((name, os.environ.get(name, "")) for name in sorted(_named))
        known = tuple(item for item in more if len(item[1]) >= MIN_SECRET and item not in items)
        _known = (dict(raw or {}), _named, items + known)
    return _known[2]


_named: frozenset[str] = frozenset()
"""Variables that are secret by their user's word."""
_known: tuple[dict[object, object], frozenset[str], tuple[tuple[str, str], ...]] = ({}, frozenset(), ())
"""The environment as last looked at, what was named then, and its secrets."""


@lru_cache(maxsize=4096)
def _secrets_of(name: str, value: str) -> tuple[tuple[str, str], ...]:
    """What is secret in one variable: nothing, its value, or the password of a URL."""
    if len(value) < MIN_SECRET:
        return ()
    if url := _URL_USERINFO.match(value):
        return ((name, url[1]),) if len(url[1]) >= MIN_SECRET else ()
    if not _SECRET_NAME.search(name) or _HARMLESS_NAME.search(name):
        return ()
    if value.startswith(("/", "~/", "./")) and Path(value).expanduser().exists():
        return ()
    return ((name, value),)


@lru_cache(maxsize=8)
def _environment_forms(
    items: tuple[tuple[str, str], ...],
) -> tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...]:
    """For each secret, longest first: variable, unwrapped lower-case needles, pattern of all its forms."""
    found = []
    for name, value in sorted(items, key=lambda item: -len(item[1])):
        forms = sorted(_forms(value), key=lambda form: -len(form[0]))
        needles = tuple({re.sub(r"[\r\n]", "", plain).lower() for plain, _ in forms})
        found.append((name, needles, re.compile("|".join(pattern for _, pattern in forms))))
    return tuple(found)


def _forms(value: str) -> set[tuple[str, str]]:
    """The ways in which a value may stand in a text: (as it is, regular expression)."""
    lines = [value, *(line for line in value.splitlines() if len(line) >= MIN_SECRET)]
    forms = {(line, re.escape(line)) for line in lines}
    for encoded in (quote(value, safe=""), quote(value), quote_plus(value)):
        pattern = re.sub(r"%[0-9A-F]{2}", lambda m: f"(?i:{m[0]})", re.escape(encoded))
        forms.add((encoded, pattern))
    data = value.encode("utf-8", "surrogateescape")
    forms |= set(_base64_forms(data))
    forms.add((data.hex(), f"(?i:{data.hex()})"))
    return forms


def _base64_forms(data: bytes) -> Iterable[tuple[str, str]]:
    """The base64 characters that depend on ``data`` alone, for each alignment and alphabet."""
    for shift, skipped in ((0, 0), (1, 2), (2, 3)):
        whole = base64.b64encode(b"\0" * shift + data).decode("ascii")
        bits = (shift + len(data)) * 8
        core = whole[skipped : bits // 6]
        shared = r"[A-Za-z0-9+/_-]?" if bits % 6 else ""
        for text in {core, core.translate(str.maketrans("+/", "-_"))}:
            if len(text) >= MIN_SECRET:
                yield text, r"(?:\r?\n)?".join(map(re.escape, text)) + shared + "={0,2}"


def _shape(needles: str, pattern: str, name: str, flags: int = 0) -> tuple[list[str], re.Pattern[str], str]:
    """A kind of key: lower-case strings of which one must occur, its pattern, what it becomes."""
    return needles.split(), re.compile(pattern, flags), f"[redacted:{name}]"


_LEFT = r"(?<![A-Za-z0-9_])"
# Every repetition that can fail after it matched is bounded or possessive: the text is hostile, and a pattern
# that scans on from each of its beginnings would take hours for a megabyte.
_DIGIT = r"(?=[A-Za-z_-]{0,100}[0-9])"
_RIGHT = r"(?![A-Za-z0-9])"
_ASSIGNED = (
    r"(?P<kept>(?:api[_-]?key|secret[_-]?key|access[_-]?key|client[_-]?secret|secret|auth[_-]?token|"
    r"access[_-]?token|api[_-]?token|password|passwd|passphrase)[\"']?\s*[=:]\s*[\"']?)"
    r"(?=[^\s\"']{0,256}[0-9])(?=[^\s\"']{0,256}[A-Za-z])"
    r"(?:[A-Za-z0-9+/_=.~!@#%^&*-]{512,}|[A-Za-z0-9+/_=.~!@#%^&*-]{8,511}(?![\w(\[]))"
)

_SHAPES: list[tuple[list[str], re.Pattern[str], str]] = [
    _shape(
        "private",
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        # No possessive repeat of a group: Python before 3.11.5 matches too little with it.
        r"(?:(?:(?!-----)[\s\S]){0,65536}-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        r"|(?:\s*+[A-Za-z0-9+/=]{16,}+\s)*)",
        "private-key",
    ),
    _shape("sk-", _LEFT + r"sk-" + _DIGIT + r"[A-Za-z0-9_-]{20,}", "sk-key"),
    _shape("_live_ _test_", _LEFT + r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,}", "payment-key"),
    _shape(
        "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        _LEFT + r"(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{40,})",
        "git-token",
    ),
    _shape("glpat-", _LEFT + r"glpat-[A-Za-z0-9_-]{18,}", "git-token"),
    _shape(
        "akia asia",
        r"(?<![A-Za-z0-9])(?:AKIA|ASIA)(?=[A-Z]*[0-9BJOUXZ])[0-9A-Z]{16}" + _RIGHT,
        "cloud-access-key",
    ),
    _shape("aiza", _LEFT + r"AIza[0-9A-Za-z_-]{35}", "cloud-api-key"),
    _shape("hf_", _LEFT + r"hf_[A-Za-z0-9]{30,}", "hub-token"),
    _shape("gsk_ xai- r8_", _LEFT + r"(?:gsk_|xai-|r8_)" + _DIGIT + r"[A-Za-z0-9]{30,}", "model-key"),
    _shape("xox", _LEFT + r"xox[abeoprs]-[A-Za-z0-9-]{10,}", "chat-token"),
    _shape(
        "npm_ pypi- dckr_",
        _LEFT + r"(?:npm_[A-Za-z0-9]{36}|pypi-[\w-]{60,}|dckr_pat_[\w-]{20,})",
        "registry-token",
    ),
    _shape("eyj", _LEFT + r"eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}", "web-token"),
    (
        ["bearer", "authorization"],
        re.compile(
            r"(?P<kept>\bBearer\s+|\bAuthorization[\"']?\s*[:=]\s*[\"']?(?:Bearer|Basic|Token)\s+)"
            r"(?=[^\s\"']{0,256}[0-9])[A-Za-z0-9._~+/=-]{16,}",
            re.IGNORECASE,
        ),
        r"\g<kept>[redacted:authorization]",
    ),
    (
        ["://"],
        re.compile(
            r"(?P<kept>\b[A-Za-z][A-Za-z0-9+.-]{0,30}://)"
            r"(?:[^\s/@:\"'<>]{0,256}:[^\s/@\"'<>]{1,512}|[^\s/@:\"'<>]{16,512})@"
        ),
        r"\g<kept>[redacted:userinfo]@",
    ),
    (
        [
            "key",
            "secret",
            "_token",
            "-token",
            "authtoken",
            "accesstoken",
            "apitoken",
            "passw",
            "passphrase",
        ],
        re.compile(_ASSIGNED, re.IGNORECASE),
        r"\g<kept>[redacted:assigned]",
    ),
]
