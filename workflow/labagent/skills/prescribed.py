"""What a text prescribes: thresholds, parameters, versions, packages and methods, one sentence at a time.

A figure is prescribed by the words around it. Dates, references to parts of a text, names of files, counts of
a skill's own parts, sizes of memory, seeds and numbers of processors prescribe nothing about a result.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal

from labagent.skills.checks.citations import CITATION, cited_in
from labagent.skills.figures import WORD, Figure, figures
from labagent.skills.sentences import Sentence, sentences

Kind = Literal["threshold", "parameter", "version", "package", "method"]
MONTH = r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.?"
YEAR = r"(?:19|20)\d\d\b"
PARTS = (
    r"steps?|loc(?:us|i)|tables?|figures?|fig\.|sections?|chapters?|pages?|lines?|rows?|cells?|columns?|"
    r"equations?|eq\.|appendix|tiers?|issues?|comments?|examples?|chromosomes?|chr|exit (?:status|code)"
)
OWN_PARTS = (
    r"loci|steps|files|lines|blocks|tables|scripts|notebooks|columns|pages|decimals?|digits|significant"
)
HARMLESS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        CITATION.pattern,
        r"https?://\S+|\bdoi:\s*\S+|\b10\.\d{4,}/\S+|\barxiv:?\s*\d{4}\.\d{4,5}(?:v\d+)?",
        r"\]\([^)\s]*\)",
        r"\b\d{4}-\d\d(?:-\d\d)?\b",
        rf"\b\d{{1,2}} {MONTH} {YEAR}|\b{MONTH} (?:\d{{1,2}},? )?{YEAR}",
        rf"\b(?:in|since|before|after|until|late|early|from) {YEAR}(?! [a-z]+s\b)",
        rf"\([^()\d]{{0,60}}{YEAR}[a-z]?\)",
        rf"\b(?:{PARTS})\s+`?\d+(?:\.\d+)*(?:\s?(?:-|–|to|and|,)\s?\d+)*(?!\.?\d|\s?%)",
        rf"(?:\b\d+|{WORD}) (?:{OWN_PARTS})\b",
        r"\b\d+(?:st|nd|rd|th|D)\b(?! (?:percentile|quantile))|\b\d+\s?[×x]\s?\d+ (?:table|matrix)",
        r"\b\d+(?:\.\d+)?\s?(?:%|per ?cent) (?:confidence|credible|CI)\b",
        r"\b\d+(?:\.\d+)?\s?(?-i:[KMGT]i?B)\b",
        r"\b(?:[\w-]*n_?(?:cpus|jobs|threads|workers|cores)|cores?|cpus?|threads?|workers?|process(?:es|ors)?|"
        r"verbos\w+|seeds?|random_?state)\b\W{0,6}(?:(?:of|to|is|at|be)\W{1,3})?\d+",
        r"\b\d+ (?:cores?|cpus?|threads?|workers?|process(?:es|ors)?)\b",
        r"`[^`\s]*\.(?:csv|tsv|txt|json|ya?ml|py|r|rmd|md|ipynb|gz|pkl|h5|fa|fasta|vcf|bed)`",
    )
)
VERSIONS = (
    r"\bversions?\s+(?:(?:is|was|must be|should be|to|at|at least|below|before|after|since|from|[<>=~]+)\s+)"
    r"{0,2}v?(?P<v>\d[\w.]*\w|\d)(?! of the (?:paper|manuscript|article))",
    r"(?<=[\w\]])(?:===?|~=)v?(?P<v>\d[\w.]*\w|\d)",
    r"\w\s+(?:===?|~=)\s*v?(?P<v>\d+(?:\.\w+)+)",
    r"\b(?P<n>[A-Za-z][\w.+-]*)`?\s+v?(?P<v>\d+\.\d+(?:\.\w+)+)",
    r"\bv(?P<v>\d+(?:\.\d+)+)\b",
)
NAMED = r"\b(?:{names})\b`?\s*(?P<o>[<>=~!]=?)?\s*v?(?P<v>\d+(?:\.\d+)+|(?<=[<>=])\d+|(?<=[<>=] )\d+)"
GAP = r"[^.;\d]"
MORE = r"(?:(?:about|around|roughly|exactly|only|set to|fixed at|[~≈$|(*`'\"±+-])\s*)*"
BOUNDS = (
    r"thresholds?|cut-?offs?|cut off|alpha|padj|[pq]-?values?|fdr|below|above|at least|at most|more than|"
    r"less than|fewer than|(?:discovery|error) rate|(?:greater|larger|smaller|higher|lower|longer|shorter|"
    r"older|younger) than|exceed\w*|minimum|maximum|min|max|up to|within|significan\w+|tolerance"
)
NOUNS = (
    r"penali[sz]ers?|penalty|penalties|regulari[sz]ation|shrinkage|alpha|lambda|gamma|sigma|rho|tau|"
    r"learning rate|windows?|bandwidth|step size|resolution|perplexity|neighbou?rs|clusters|components|"
    r"folds|permutations|bootstraps?|iterations|epochs|trees|depth|bins|degree|pseudo-?counts?|prior|"
    r"quantile|percentile|fraction|proportion|margin|radius|coverage|dropout|batch size|hidden units|"
    r"layers|temperature|burn-?in|thinning|patience|momentum|weight decay|inflation|hyper-?parameters?|"
    r"parameters?|settings?|filter|lr|tol|convergence|e-values?|bit ?scores?|identity|half-life|"
    r"strength|(?:mutation|sampling|recombination) rate"
)
SETS = (
    r"set|sets|setting|fix(?:es|ed)?|tuned?|raised?|lowered?|increased?|decreased?|reduced?|limit(?:s|"
    r"ed)?|cap(?:s|ped)?|restrict(?:s|ed)?|round(?:s|ed)?|trim|clip(?:ped)?|truncate[sd]?|scaled?|split|"
    r"downsampled?|subsampled?|rarefy|rarefied|initiali[sz]ed?|defaults?"
)
ORDERS = (
    r"use|take|choose|pick|keep|pass|apply|run|call|train|filter|require|drop|discard|exclude|remove|"
    r"give|cluster|draw|repeat|bin|fit|select|retain|sample|permute|bootstrap|set|try|stop|add|subtract|"
    r"multiply|divide|impute|penali[sz]e|regulari[sz]e|trim|clip|winsori[sz]e|thin|demand|ask for|"
    r"insist on|go for|start (?:with|from)|work with|stick (?:to|with)|cut|binari[sz]e|dichotomi[sz]e|"
    r"slide|hold out|leave|assume"
)
GOOD = (
    r"recommend\w*|suggest\w*|advis\w*|prefer\w*|typical\w*|usual\w*|sensible|reasonable|optimal|(?:good|"
    r"best|safe) (?:choice|value)|works? (?:well|best)"
)
REACH = 110  # characters on the left of a figure that are looked at
FILE = r"[^`\s]*\.(?:csv|tsv|txt|json|ya?ml|py|r|md|ipynb|gz)"
ON_THE_LEFT: tuple[tuple[Kind, str], ...] = (
    ("threshold", rf"(?:(?<![-=])>|<|≤|≥|≪|≫|&[lg]t;)=?\s*{MORE}"),
    ("threshold", rf"\b(?:{BOUNDS})\b{GAP}{{0,25}}"),
    ("threshold", rf"\b(?:over|under|beyond|between|level(?: of)?)\s+{MORE}"),
    ("threshold", rf"\bbetween {GAP}?[\d.,]+\s?%? and\s+{MORE}"),
    ("parameter", rf"(?<!\w)(?!n\b|N\b)[A-Za-z_λασγρτ][\w.]*`?\s*(?::=|=|←|<-)\s*{MORE}"),
    ("parameter", rf"(?:`[A-Za-z_]\w*`?|\w+_\w+|\b(?:{NOUNS})[*_`]*)\s*:[*_]*\s*{MORE}"),
    ("parameter", r"(?:^|[\s`(])-{1,2}[A-Za-z][\w-]*[ =]"),
    ("parameter", rf"\b(?:{NOUNS})\b{GAP}{{0,25}}"),
    (
        "parameter",
        rf"(?:`(?!{FILE})[\w.]+`|\b\w+_\w+)\s+(?:[\w']+\s+){{0,3}}?"
        rf"(?:to|of|at|is|are|as|be|equals?|with|near|by)\s+{MORE}",
    ),
    ("parameter", rf"\b(?:{SETS})\b{GAP}{{0,60}}?\b(?:to|at|as|into|by)\s+{MORE}"),
    ("parameter", rf"\bdefaults?\b{GAP}{{0,30}}"),
    (
        "parameter",
        rf"\b(?:should|must|shall|ought to|(?:has|have|needs?) to)\s+(?:be|equal|stay)\b{GAP}{{0,25}}",
    ),
    ("parameter", rf"\b(?:{GOOD})\b{GAP}{{0,40}}"),
    (
        "parameter",
        rf"(?:\A|[;:,(]\s*|\b(?:then|and|or|please|always|we|you|must|should|shall|to)\s+)[-*+>\d.)\s`_]*"
        rf"(?:{ORDERS})\b{GAP}{{0,50}}",
    ),
)
LEFT = tuple((kind, re.compile(pattern + r"\Z", re.IGNORECASE)) for kind, pattern in ON_THE_LEFT)
UNITS = (
    r"permutations|bootstraps?|iterations|epochs|(?:random )?trees|(?:nearest )?neighbou?rs|clusters|bins|"
    r"(?:principal |latent )?components|resamples|draws|repetitions|folds"
)
VERDICTS = (
    r"works?|suffices?|is (?:an? |the )?(?:good|sensible|reasonable|safe|usual|common|typical|standard|"
    r"recommended|best|optimal|enough|sufficient|appropriate|fine|adequate|default)|are (?:enough|"
    r"sufficient)|should be used|is (?:the )?(?:cut|limit|minimum|maximum)"
)
ON_THE_RIGHT: tuple[tuple[Kind, str], ...] = (
    (
        "threshold",
        r"(?:st|nd|rd|th)?\s*%?\s*(?:[\w-]+\s+){0,3}?(?:as (?:the |an? )?)?(?:[\w-]+ )?"
        r"(?:thresholds?|cut-?offs?|FDR|significance|percentile|quantile)\b",
    ),
    (
        "threshold",
        r"\s*%?\s*(?:\w+ )?(?:or|and) (?:more|less|fewer|higher|lower|larger|smaller|longer|better|above|"
        r"below|greater|over|up)\b",
    ),
    ("parameter", rf"\s+(?:{UNITS})\b|-?fold cross|-fold\b"),
    (
        "parameter",
        r"\s?(?:[kKMG]?bp?|[nmµ]?[mMs])?[ -](?:[\w-]+ )?(?:windows?|bandwidth|radius|margin|flanks?)\b",
    ),
    ("parameter", rf"[`'\"*]*\s*%?\s*(?:[\w-]+\s+){{0,2}}?(?:{VERDICTS})\b"),
)
RIGHT = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in ON_THE_RIGHT)
COLUMN = re.compile(r"\b(?:values?|defaults?|settings?|thresholds?|cut-?offs?|parameters?)\b", re.I)
INSTALL = re.compile(
    r"\b(?:(?:pip|conda|mamba) install|install(?:ing)?(?: the package)?)\s+`?(?P<p>[A-Za-z][\w.-]*\w)`?",
    re.IGNORECASE,
)
METHOD = re.compile(
    r"(?:\A|[;:]\s+)[-*+>\d.)\s`_]*(?:use|take|apply|choose|prefer|fit|correct|adjust|normali[sz]e|test|impute)\b"
    rf"{GAP}{{0,60}}\b(?:method|test|correction|estimator|normali[sz]ation|regression|algorithm|approximation|kernel|"
    r"prior|imputation|procedure|correlation|distance|metric|optimi[sz]er|solver|criterion)\b"
    r"|(?:\A|[;:]\s+)[-*+>\d.)\s`_]*(?:correct|adjust)(?: for [a-z ]{0,40}?)? (?:by|with) (?-i:[A-Z])[\w-]+",
    re.IGNORECASE,
)
JOINED = re.compile(r"\s?%?\s?(?:and|or|to|–|-|/|,)\s?")
NO_PACKAGE = frozenset(
    "the a an it all them this that these everything nothing from with into what whatever".split()
)


@dataclass(frozen=True)
class Prescription:
    """Something a sentence prescribes. ``said`` are its words; ``figure`` is missing for what has none."""

    kind: Kind
    said: str
    line: int
    sentence: Sentence
    figure: Figure | None = None
    version: str = ""
    name: str = ""

    @property
    def cited(self) -> tuple[str, ...]:
        """The evidence its sentence cites."""
        return tuple(dict.fromkeys(cited_in(self.sentence.text)))


def prescriptions_of(text: str, names: Collection[str] = ()) -> Iterator[Prescription]:
    """What a Markdown text prescribes outside its fences.

    Args:
        text: root or locus of a skill.
        names: names of distributions, whose figures are versions.
    """
    for sentence in sentences(text):
        yield from of_sentence(sentence, names)


def of_sentence(sentence: Sentence, names: Collection[str] = ()) -> Iterator[Prescription]:
    """What one sentence prescribes: packages, versions, figures in the order they stand, then a method."""
    text = sentence.text
    for pattern in HARMLESS:
        text = pattern.sub(lambda m: _blank(m.group()), text)
    for match in INSTALL.finditer(text):
        if match["p"].casefold() not in NO_PACKAGE and not match["p"].endswith(("ed", "ing")):
            line = sentence.line_at(match.start())
            yield Prescription("package", _said(match.group()), line, sentence, name=match["p"])
    for match in _versions(text, names):
        line = sentence.line_at(match.start("v"))
        yield Prescription("version", _said(match.group()), line, sentence, version=match["v"])
        text = text[: match.start()] + _blank(match.group()) + text[match.end() :]
    kind: Kind | None = None
    end, said_something = 0, False
    for figure in figures(text):
        goes_on = JOINED.fullmatch(text[end : figure.start]) and (said_something or figure.percent)
        kind = (kind if goes_on else None) or _kind(figure, text, sentence)
        end, said_something = figure.end, kind is not None and not _trivial(kind, figure, text)
        if kind and not _trivial(kind, figure, text):
            said = _around(text, figure)
            yield Prescription(kind, said, sentence.line_at(figure.start), sentence, figure)
    method = METHOD.search(text)
    if method:
        yield Prescription("method", _said(method.group()), sentence.line_at(method.start()), sentence)


def _blank(text: str) -> str:
    """As many blanks, with the ends of lines kept."""
    return re.sub(r"[^\n]", " ", text)


def _said(text: str) -> str:
    """Words for a message, on one line and whole."""
    words = " ".join(text.split())
    return words if len(words) < 60 else words[:60]


def _around(text: str, figure: Figure) -> str:
    """A figure with some whole words on both sides."""
    before = text[max(0, figure.start - 30) : figure.start]
    behind = text[figure.end : figure.end + 12]
    before = before if figure.start <= 30 else before.partition(" ")[2]
    behind = behind if figure.end + 12 >= len(text) else behind.rpartition(" ")[0]
    return " ".join(f"{before}{text[figure.start : figure.end]}{behind}".split())


def _versions(text: str, names: Collection[str]) -> list[re.Match[str]]:
    """Versions, those of named distributions too; each place once, the last one first."""
    known = "|".join(re.escape(name) for name in sorted({"python", "R", *names}, key=lambda n: (-len(n), n)))
    found: dict[int, re.Match[str]] = {}
    for pattern in (*VERSIONS, NAMED.format(names=known)):
        for match in re.finditer(pattern, text, re.IGNORECASE):
            found.setdefault(match.start("v"), match)
    return [found[start] for start in sorted(found, reverse=True)]


def _kind(figure: Figure, text: str, sentence: Sentence) -> Kind | None:
    """What a figure prescribes, from the words on its left, on its right, or its column of a table.

    An order (the last of ``LEFT``) reaches too far for numbers written as words.
    """
    left, right = text[: figure.start], text[figure.end :]
    left = left if len(left) <= REACH else f"x{left[-REACH:]}"
    if re.match(r"[A-Za-z]*\d|\s?[:/]\d", right) and not re.match(r"/\d", right):
        return None
    for kind, pattern in LEFT[: -1 if text[figure.start].isalpha() else None]:
        if pattern.search(left):
            return kind
    for kind, pattern in RIGHT:
        if pattern.match(right):
            return kind
    return "parameter" if _in_column(figure, text, sentence) else None


def _in_column(figure: Figure, text: str, sentence: Sentence) -> bool:
    """Whether a figure is a cell of its own in a table of parameters, and not its first column."""
    cells = sentence.header.strip().strip("|").split("|")
    at = text[: figure.start].count("|") - 1
    alone = re.search(r"\|[\s`*]*\Z", text[: figure.start]) and re.match(
        r"\s?%?[\s`*]*\|", text[figure.end :]
    )
    return bool(alone) and 0 < at < len(cells) and COLUMN.search(cells[at]) is not None


def _trivial(kind: Kind, figure: Figure, text: str) -> bool:
    """Whether a figure says nothing: zero; one and what is a word below three, unless it is compared with."""
    word = text[figure.start].isalpha()
    if figure.value == 0 or (word and figure.value < 3):
        return True
    return kind == "parameter" and figure.value == 1 and not figure.percent
