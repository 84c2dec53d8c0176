"""What a fix must not carry into a memory that later runs read: answers, and paths of this machine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from labagent.models.answers import AnswerError, read_answer
from labagent.models.tables import Quantity

NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?(?![\w]|\.\d)")
ABSOLUTE = re.compile(r"(?<![\w{}:/.~-])/(?P<top>[\w.+-]+)/[\w.+/-]+")
SYSTEM = frozenset({"usr", "bin", "sbin", "lib", "lib64", "etc", "opt", "dev", "proc", "sys", "var", "tmp"})
TELLING_DIGITS = 3
"""Significant digits from which a number that equals an answer is no chance."""


def why_not(fix: str, contract: tuple[Quantity, ...], output: Path) -> str:
    """Why a fix may not be kept; empty where it may.

    Args:
        fix: places of the run already replaced by ``{run}`` and the like, secrets redacted.
        contract: the target's answer contract.
        output: the run's output folder; its answers are compared with the numbers in the fix.
    """
    words = set(re.findall(r"[\w.-]+", fix))
    for quantity in contract:
        if PurePosixPath(quantity.file).name in words:
            return f"it writes or reads the answer ({quantity.file})"
    for answer in _answers(contract, output):
        if any(_tells(found[0], answer) for found in NUMBER.finditer(fix)):
            return "a number in it is an answer of the target"
    for found in ABSOLUTE.finditer(fix):
        if found["top"] not in SYSTEM and Path("/", found["top"]).is_dir():
            return "it names a path of this machine"
    return ""


def _answers(contract: tuple[Quantity, ...], output: Path) -> Iterator[float]:
    """The numbers that the run answered."""
    for quantity in contract:
        try:
            value = read_answer(output, quantity)
        except AnswerError:
            continue
        if isinstance(value, float | int):
            yield float(value)


def _tells(text: str, answer: float) -> bool:
    """Whether a number, as precise as it is written, is an answer."""
    mantissa = re.split("[eE]", text.lstrip("+-"))[0]
    if len(mantissa.replace(".", "").lstrip("0")) < TELLING_DIGITS:
        return False
    exponent = int(re.split("[eE]", text)[1]) if re.search("[eE]", text) else 0
    decimals = len(mantissa.partition(".")[2])
    return abs(abs(float(text)) - abs(answer)) <= 0.5 * 10.0 ** (exponent - decimals)
