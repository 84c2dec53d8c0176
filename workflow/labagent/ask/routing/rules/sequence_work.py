"""Work on a sequence is asked for, but none is given: it is asked for."""

from __future__ import annotations

import re

from labagent.ask.routing.aspects import covered
from labagent.ask.routing.query import build_query
from labagent.ask.routing.reading import Read
from labagent.ask.routing.rules import Decision
from labagent.ask.routing.words import blank

ORDER = 85
WORK = re.compile(
    r"^\W*(?:please\s+|can you\s+|could you\s+)?(?:(?:get|give|compute|calculate|find|show|"
    r"what is)\s+(?:me\s+)?(?:the\s+)?)?(?:translate|reverse[- ]?complement|transcribe|"
    r"gc[- ]?content|align|find (?:the )?orfs?|open reading frames?)\b(?!.*\b(?:papers?|evolution|across|"
    r"between species)\b)|"
    r"^\W*(?:请|帮我)?(?:翻译|反向互补|转录|比对)",
    re.IGNORECASE,
)
ON_BASES = frozenset(
    ("translate", "reverse_complement", "complement", "transcribe", "six_frames", "orfs", "gc", "codons")
)
MEASURES = frozenset(
    ("mass", "pi", "gravy", "extinction", "charge", "composition", "length", "type", "align")
)
MINE = re.compile(
    r"\b(?:my|our|this|that|these|the|an?|following)\s+(?:\w+\s+){0,2}?(?:sequences?|dna|rna|mrna|cdna|peptide|oligo\w*|primers?|fragment|strand|amplicon|plasmid|construct)\b|"
    r"\bof (?:a )?sequence\b|\bmy protein\b|我的|序列|[这该][段条个]?\s*(?:DNA|RNA)|肽|引物|片段",
    re.IGNORECASE,
)
ASKS = re.compile(
    r"^\W*(?:(?:please|can|could|would|will|you|i|we|want|need|would like|'d like|help|me|to|kindly|hi|hello|"
    r"just|now|do|give|get|make|show|tell|find|compute|calculate|determine|estimate|predict|run|perform|"
    r"generate|what(?:'s| is| are)?|how|the|a|an|my|this)\W+)*"
    r"(?:translat|reverse|complement|transcri|gc\b|align|orfs?\b|open reading|molecular|mass|weight|"
    r"isoelectric|pi\b|hydropath|gravy|extinction|charge|net|composition|amino|base|nucleotide|length|long|many|"
    r"heavy|six|codon|type|theoretical|melting|tm\b|statistic)|"
    r"请|帮|计算|翻译|转录|比对|给出|求|互补|多少|什么|^\W*GC",
    re.IGNORECASE,
)
"""How a question begins that asks for work, and does not name a topic."""
CLAUSE = re.compile(
    r"\b(?:translat(?:e|ion)|reverse|complement|transcri(?:be|ption))\b.*\b(?:papers?|evolution|across|"
    r"initiation|literature|regulation|between species)\b",
    re.IGNORECASE,
)
GENERIC = frozenset(
    """
    dna rna mrna cdna protein proteins peptide peptides sequence sequences primer primers oligo oligos strand
    fragment nucleotide nucleotides amino acid acids calculate compute determine estimate predict run perform
    generate make using use used code codes genetic standard bacterial below above following attached here
    statistics stats sequence's own gene plasmid construct amplicon long many letters content value figure
    frame reading first second third number exact total average theoretical want kindly into one ones coding
    string letter text input
    """.split()
)
"""Words beside an operation that name no topic."""
GENERIC_ZH = re.compile(
    r"帮我|算|一下|[这那我]?[段条个列份]|序列|片段|含量|计算|翻译|转录|比对|互补|反向|蛋白质?|核酸|引物|多肽|肽段?|"
    r"氨基酸|碱基|密码子?表?|标准|得到|求|成|下"
)


def decide(read: Read) -> Decision | None:
    """Route ``sequence``."""
    if read.of("uniprot", "refseq_protein", "name", "gene", "sequence", "variant"):
        return None
    if not (WORK.match(read.text) and not read.leftover) and not _asks_work(read):
        return None
    return Decision(
        "sequence",
        f"{read.aspects('s')[0] if read.aspects('s') else 'work'} on a sequence that is not given",
        asks="sequence",
    )


def _asks_work(read: Read) -> bool:
    """Whether work on a sequence is asked for, and nothing that could be a topic of papers."""
    asked = frozenset(read.aspects("s"))
    measured = not asked.isdisjoint(MEASURES) and MINE.search(read.text)
    if asked.isdisjoint(ON_BASES) and not measured:
        return False
    if read.of("organism") or "papers" in asked or not ASKS.search(read.text) or CLAUSE.search(read.text):
        return False
    words = blank(read.plain, [(p.start, p.start + len(p.written)) for p in read.parameters])
    left = GENERIC_ZH.sub(" ", build_query(covered(words, asked)).text).replace('"', " ")
    left_words = re.findall(r"[^\W\d_]+", left)
    return all(w.lower() in GENERIC or w in ("AND", "OR") for w in left_words)
