"""Words of titles, abstracts and queries, made comparable: case, accents, Greek letters, hyphens.

Greek letters become their names on both sides, so that ``TNF-α`` and ``TNF-alpha`` are the same words.
"""

from __future__ import annotations

import re
import unicodedata

_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau "
    "upsilon phi chi psi omega"
).split()
GREEK: dict[str, str] = {
    **dict(zip("αβγδεζηθικλμνξοπρστυφχψω", _NAMES, strict=True)),
    **dict(zip("ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ", (n.capitalize() for n in _NAMES), strict=True)),
    "ς": "sigma",
    "µ": "mu",
    "ϵ": "epsilon",
    "ϕ": "phi",
    "ϑ": "theta",
}
"""Letter to name; ``µ`` is the micro sign."""
GREEK_LETTER = re.compile("[" + "".join(GREEK) + "]")
WORD = re.compile(r"[^\W_]+")
STOP_WORDS = frozenset(
    "a about again all almost also although always among an and another any are as at be because been before "
    "being between both but by can could did do does done due during each either enough especially etc for "
    "found from further had has have having here how however i if in into is it its itself just may might "
    "most mostly must nearly neither nor obtained of often on our overall perhaps quite rather really "
    "regarding seem seen several should show showed shown since so some such than that the their theirs them "
    "then there therefore these they this those through thus to upon use used using various very was we were "
    "what when which while with within without would".split()
)
"""Words that PubMed leaves out of a search (https://pubmed.ncbi.nlm.nih.gov/help/#help-stopwords)."""


def latin(text: str) -> str:
    """The text with each Greek letter replaced by its name."""
    return GREEK_LETTER.sub(lambda m: GREEK[m[0]], text)


def words_of(text: str) -> list[str]:
    """The words of a text in order: case folded, without accents, Greek letters by name."""
    plain = unicodedata.normalize("NFKD", latin(text))
    return WORD.findall("".join(c for c in plain if not unicodedata.combining(c)).casefold())
