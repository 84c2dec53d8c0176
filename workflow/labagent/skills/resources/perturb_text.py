"""Changes texts: the cells of tables, fractions and sequences of anything else. Standard library only."""

from __future__ import annotations

import csv
import io
import random
import re
from typing import Any

SHARE, FACTOR, DROPPED, LEVELS = 0.3, 0.1, 0.1, 10
FRACTION = re.compile(r"(?<![\w.])[-+]?\d+\.\d+(?:[eE][-+]?\d+)?(?![\w.])")
WHOLE = re.compile(r"(?<![\w.:/-])\d+(?![\w.:/-])")
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
LETTERS = re.compile(r"^[A-Za-z*.\-]{10,}$")
ABSENT = {"", "na", "nan", "null", "none", "n/a", "?", "."}


class Shaker:
    """Changes values and counts the changes."""

    def __init__(self, kind: str, seed: int) -> None:
        self.kind, self.random, self.changed = kind, random.Random(seed), 0

    def moved(self, items: list[Any]) -> list[Any]:
        """A list in which some items have changed places."""
        at = sorted(self.random.sample(range(len(items)), max(2, int(len(items) * SHARE))))
        new = list(items)
        for here, there in zip(at, at[1:] + at[:1]):  # noqa: B905
            new[here] = items[there]
        self.changed += sum(a != b for a, b in zip(new, items))  # noqa: B905
        return new

    def numbers(self, items: list[float]) -> list[float]:
        """Finite numbers of one column, changed."""
        if self.kind != "values" or len(items) < 2 or len(set(items)) < 2:
            return items
        whole = all(float(item).is_integer() for item in items)
        steps = {b - a for a, b in zip(items, items[1:])}  # noqa: B905
        if whole and len(items) > 2 and len(steps) == 1:
            return items
        if whole and len(set(items)) <= LEVELS:
            return self.moved(items)
        low, high = min(items), max(items)
        new = [min(max(item * (1 + FACTOR * self.random.uniform(-1, 1)), low), high) for item in items]
        new = [float(round(item)) for item in new] if whole else new
        self.changed += sum(a != b for a, b in zip(new, items))  # noqa: B905
        return new

    def labels(self, items: list[str]) -> list[str]:
        """Texts of one column, changed."""
        few = self.kind != "labels" or len(items) < 3 or len(set(items)) < 2
        return items if few else self.moved(items)

    def kept(self, count: int) -> int:
        """How many of ``count`` rows stay."""
        if self.kind != "rows" or count < 3:
            return count
        gone = max(1, int(count * DROPPED))
        self.changed += gone
        return count - gone


def as_number(text: str) -> float | None:
    """A cell as a number."""
    return float(text) if NUMBER.fullmatch(text.strip()) else None


def written(old: str, new: float) -> str:
    """A number in the way of the cell that it replaces, with two decimals more."""
    if float(old) == new:
        return old
    if "e" in old.lower():
        return f"{new:.12g}"
    decimals = len(old.strip().partition(".")[2])
    return str(int(new)) if new.is_integer() and not decimals else f"{new:.{max(decimals, 2) + 2}f}"


def table(rows: list[list[str]], shaker: Shaker) -> list[list[str]]:
    """The cells of a table; the first row may be a heading."""
    width = max(map(len, rows))
    heading = rows[0] if not any(as_number(cell) is not None for cell in rows[0]) else None
    body = [list(row) for row in (rows[1:] if heading is not None else rows)]
    body = body[: shaker.kept(len(body))]
    for column in range(width):
        at = [
            i for i, row in enumerate(body) if column < len(row) and row[column].strip().lower() not in ABSENT
        ]
        cells = [body[i][column] for i in at]
        found = [as_number(cell) for cell in cells]
        numbers = [number for number in found if number is not None]
        if cells and len(numbers) == len(cells):
            new = [written(old, number) for old, number in zip(cells, shaker.numbers(numbers))]  # noqa: B905
        else:
            new = shaker.labels(cells)
        for i, cell in zip(at, new):  # noqa: B905
            body[i][column] = cell
    return [heading, *body] if heading is not None else body


def text(content: str, suffix: str, shaker: Shaker) -> str:
    """A text file: a table where it is one, else its numbers and sequences."""
    lines = content.split("\n")
    solid = [line for line in lines if line.strip() and not line.startswith("#")]
    for mark in ("\t", ",", ";", "|", None) if suffix not in (".xml", ".sbml", ".yaml", ".yml") else ():
        widths = [len(line.split(mark)) for line in solid]
        common = max(set(widths), key=widths.count) if widths else 0
        if len(solid) > 2 and (common > 1 or mark is None) and widths.count(common) >= 0.9 * len(widths):
            if mark is None and common == 1 and not all(as_number(line) is not None for line in solid[1:]):
                break
            return _delimited(lines, mark, shaker)
    return _loose(lines, suffix, shaker)


def _delimited(lines: list[str], mark: str | None, shaker: Shaker) -> str:
    """A table whose cells are divided by ``mark``, by blanks where that is ``None``."""
    head = [line for line in lines if line.startswith("#")]
    solid = [line for line in lines if line.strip() and not line.startswith("#")]
    if mark is None:
        rows = table([line.split() for line in solid], shaker)
        return "\n".join([*head, *(" ".join(row) for row in rows)]) + "\n"
    out = io.StringIO()
    quoted = "\n".join(solid)
    rows = table([row for row in csv.reader(io.StringIO(quoted), delimiter=mark) if row], shaker)
    csv.writer(out, delimiter=mark, lineterminator="\n").writerows(rows)
    return "".join(f"{line}\n" for line in head) + out.getvalue()


def _loose(lines: list[str], suffix: str, shaker: Shaker) -> str:
    """Text of no fixed form: fractions are scaled, whole numbers and letters of sequences change."""
    if shaker.kind == "values":
        return "\n".join(
            line if line.startswith("<?") else FRACTION.sub(shaken(shaker), line) for line in lines
        )
    if shaker.kind == "rows":
        starts = [i for i, line in enumerate(lines) if line.startswith(">")]
        if len(starts) >= 5:
            return "\n".join(lines[: starts[shaker.kept(len(starts))]]) + "\n"
        return "\n".join(lines)
    new = [_letters(line, shaker) for line in lines]
    if shaker.changed:
        return "\n".join(new)
    return "\n".join(
        line if line.startswith("<?") else WHOLE.sub(lambda m: _more(m, shaker), line) for line in lines
    )


def shaken(shaker: Shaker) -> Any:
    """Scales a fraction that was matched."""

    def scaled(match: re.Match[str]) -> str:
        old = float(match[0])
        new = fitted(match[0], old * (1 + FACTOR * shaker.random.uniform(-1, 1)))
        shaker.changed += new != match[0]
        return new

    return scaled


def fitted(old: str, new: float) -> str:
    """A number as long as the one it replaces, since columns may be fixed; else the old one."""
    exponent = "e" in old.lower()
    decimals = len(re.split("[eE]", old)[0].partition(".")[2])
    text = f"{new:.{decimals}{'e' if exponent else 'f'}}"
    plus = old.startswith("+") and not text.startswith("-")
    text = f"+{text}" if plus else text
    return text.rjust(len(old)) if len(text) <= len(old) else old


def _more(match: re.Match[str], shaker: Shaker) -> str:
    """A whole number made larger by a tenth, by one at least; not each of them."""
    if shaker.random.random() > SHARE:
        return match[0]
    shaker.changed += 1
    return str(int(match[0]) + max(1, int(match[0]) // 10))


def _letters(line: str, shaker: Shaker) -> str:
    """Letters of a line of sequence that change places; gaps and case stay."""
    body = line.split()[-1] if line.split() else ""
    if line.startswith((">", "#", ";")) or not LETTERS.match(body) or len(set(body.upper())) > 26:
        return line
    at = [i for i, letter in enumerate(body) if letter.isalpha()]
    if len(at) < 5:
        return line
    letters = list(body)
    for i, letter in zip(at, shaker.moved([body[i].upper() for i in at])):  # noqa: B905
        letters[i] = letter if body[i].isupper() else letter.lower()
    return line[: line.rindex(body)] + "".join(letters)
