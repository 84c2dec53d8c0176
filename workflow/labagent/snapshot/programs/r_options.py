"""R's ``optparse`` (``make_option``) and ``argparse`` (``add_argument``)."""

from __future__ import annotations

from labagent.snapshot.programs._found import HELP, Found, OptionFound
from labagent.snapshot.r_tokens import Token, arguments, tokens

SIGN, SUFFIXES = "(", (".r",)
ADDING = frozenset({"make_option", "add_option", "add_argument"})


def read(text: str) -> list[Found]:
    """One program a file, where it adds options."""
    if not any(name in text for name in ADDING):
        return []
    listed = tokens(text)
    options = []
    for at, token in enumerate(listed[:-1]):
        if token.value in ADDING and listed[at + 1].text == "(":
            option = _option(list(arguments(listed, at + 1)), token.line)
            if option is not None:
                options.append(option)
    complete = "list(" not in text or "option_list" in text
    return [Found("optparse", "", options[0].line, complete, "", tuple(options))] if options else []


def _option(parts: list[list[Token]], line: int) -> OptionFound | None:
    """One option: its names are the texts of its first arguments."""
    names: list[str] = []
    named: dict[str, str] = {}
    for part in parts:
        solid = [t for t in part if t.kind != "newline"]
        if len(solid) > 2 and solid[1].text == "=":
            named[solid[0].value] = " ".join(t.value for t in solid[2:])
        else:
            names += [t.value for t in solid if t.kind == "string" and t.value]
    if "opt_str" in named:
        names += [word for word in named["opt_str"].split() if word.startswith("-")]
    if not names:
        return None
    flag = named.get("action") in ("store_true", "store_false")
    positional = not names[0].startswith("-")
    return OptionFound(
        tuple(names), not flag, positional, named.get("default"), (), named.get("help", "")[:HELP], line
    )
