"""What must be asked back before a question is answered: each a function that gives a question, or
nothing."""

from __future__ import annotations

from collections.abc import Callable

from labagent.ask.routing.lexicon import WORDS
from labagent.ask.routing.reading import PROTEINS, Read
from labagent.models.asking import RouteName

NUCLEIC = frozenset(
    ("gc", "reverse_complement", "complement", "transcribe", "translate", "six_frames", "orfs", "codons")
)
KIND_NAMES = {"dna": "DNA", "rna": "RNA", "protein": "a protein"}
KIND_NAMES_ZH = {"dna": " DNA", "rna": " RNA", "protein": "蛋白质"}
DIFFERS = frozenset(("mass",))
"""What can be told of every type, and is another figure for each."""
PEPTIDIC = frozenset(("pi", "gravy", "extinction", "charge"))


def said(read: Read, english: str, chinese: str) -> str:
    """A question back in the language of the question."""
    return chinese if read.language == "zh" else english


def unclear_reference(read: Read, route: RouteName) -> str:
    """ "This protein" where none, or more than one, was named."""
    if not read.problem:
        return ""
    words = read.reference.written.strip() if read.reference else "this"
    if read.candidates:
        names = ", ".join(dict.fromkeys(_name(c.value) for c in read.candidates[:6]))
        return said(
            read, f'Which one do you mean by "{words}": {names}?', f"“{words}”指的是哪一个：{names}？"
        )
    return said(
        read,
        f'What does "{words}" refer to? Please name the protein, gene, variant, sequence or paper.',
        f"“{words}”指的是什么？请给出蛋白、基因、变异、序列或文献。",
    )


def _name(value: str) -> str:
    """A value short enough to be read."""
    return value if len(value) <= 40 else f"{value[:20]}… ({len(value)} letters)"


def variant_without_gene(read: Read, route: RouteName) -> str:
    """A variant that could be in any protein."""
    if route != "mutation" or read.of("sequence"):
        return ""
    homeless = [
        v
        for v in read.of("variant")
        if not any(v.facts.get(f) for f in ("gene", "protein", "reference")) and v.facts.get("level") != "m"
    ]
    if not homeless or read.of("dbsnp"):
        return ""
    name = homeless[0].value
    return said(
        read,
        f"Which gene or protein is {name} in? Please give a gene symbol, an accession or the sequence.",
        f"{name} 属于哪个基因或蛋白？请给出基因名、登录号或序列。",
    )


def several_organisms(read: Read, route: RouteName) -> str:
    """A gene with more than one organism."""
    if route not in ("protein", "mutation"):
        return ""
    for entity in read.of("gene", "name"):
        if note := next((n for n in entity.notes if "more than one organism" in n), ""):
            named = note.partition(": ")[2]
            return said(
                read, f"{entity.value} of which organism: {named}?", f"哪个物种的 {entity.value}：{named}？"
            )
    return ""


def word_alone(read: Read, route: RouteName) -> str:
    """``CAT`` and nothing else."""
    genes = read.of("gene")
    if (
        route == "protein"
        and read.alone
        and len(genes) == 1
        and genes[0].written.upper() in WORDS
        and len(read.all) == 1
    ):
        name = genes[0].written
        return said(
            read,
            f"{name} is a gene symbol and a word or abbreviation too: do you mean the human gene {name}?",
            f"{name} 既是基因名也是普通词或缩写：您指的是人类基因 {name} 吗？",
        )
    return ""


def class_of_variants(read: Read, route: RouteName) -> str:
    """Exon 19 deletions: which one?"""
    classes = read.of("variant_class")
    if route != "mutation" or not classes or read.of("variant", "dbsnp"):
        return ""
    gene = classes[0].facts.get("gene", "")
    where = f" of {gene}" if gene else ""
    return said(
        read,
        f"{classes[0].value}{where} is a class of variants: which one, in HGVS (such as p.Glu746_Ala750del)"
        f"{'' if gene else ', and in which gene'}?",
        f"{gene} {classes[0].value} 是一类变异：请用 HGVS 写出具体是哪一个（如 p.Glu746_Ala750del）。",
    )


def type_of_sequence(read: Read, route: RouteName) -> str:
    """Letters that can be two types, where what is asked does not tell which."""
    asked = frozenset(read.aspects("s"))
    if route != "sequence" or not PEPTIDIC.isdisjoint(asked):
        return ""
    for entity in read.of("sequence"):
        likely_protein = entity.facts.get("type") == "protein"
        if asked.isdisjoint(DIFFERS) and (not likely_protein or asked.isdisjoint(NUCLEIC)):
            continue
        kinds = entity.facts.get("candidates", [])
        if not entity.certain and len(kinds) > 1 and not entity.facts.get("declared"):
            names = " or ".join(KIND_NAMES.get(kind, kind) for kind in kinds)
            chinese = "、".join(KIND_NAMES_ZH.get(kind, kind) for kind in kinds)
            note = entity.notes[0] if entity.notes else ""
            return said(
                read,
                f"Is this {names}? {note[:1].upper()}{note[1:]}.",
                f"这是{chinese}中的哪一种？这些字母几种都可能。",
            )
    return ""


def nothing_given(read: Read, route: RouteName) -> str:
    """A sequence to work on, a protein to look up, that is not there."""
    if route == "sequence" and not read.of("sequence"):
        return said(
            read, "Which sequence? Please paste it (FASTA or letters).", "哪条序列？请粘贴（FASTA 或字母）。"
        )
    if route == "mutation" and not read.of("variant", "dbsnp", "variant_class", "sequence"):
        return said(read, "Which variant, of which gene or protein?", "哪个变异？属于哪个基因或蛋白？")
    if route == "literature" and not read.query.text and not read.of("pmid", "doi"):
        return said(
            read,
            "Papers on what? Please name a topic, gene or PubMed id.",
            "关于什么的文献？请给出主题、基因或 PubMed 编号。",
        )
    if route == "protein" and not read.of(*PROTEINS, "interpro", "pfam", "go", "refseq_genomic", "sequence"):
        return said(read, "Which protein or gene?", "哪个蛋白或基因？")
    return ""


DOUBTS: tuple[Callable[[Read, RouteName], str], ...] = (
    unclear_reference,
    variant_without_gene,
    several_organisms,
    word_alone,
    class_of_variants,
    type_of_sequence,
    nothing_given,
)


def doubts_of(read: Read, route: RouteName) -> str:
    """The first question that has to be asked back, or nothing."""
    return next(filter(None, (doubt(read, route) for doubt in DOUBTS)), "")
