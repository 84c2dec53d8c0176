"""Identifiers, genes, organisms and names of proteins of a question, as entities."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

from labagent.ask.routing.lexicon import FAMILIES, KNOWN_SMALL, WORDS, find_proteins
from labagent.ask.routing.unknown import find_unknown
from labagent.models.asking import Entity
from labagent.tools.naming.finding import find_names
from labagent.tools.naming.organisms import HUMAN
from labagent.tools.naming.records import Identifier
from labagent.tools.naming.symbols import KNOWN
from labagent.tools.sequences.words import reads_like_words

Span = tuple[int, int]
BODY = " \t\r\n.,;:?!。，？！、"
ABOUT = (
    r"genes?|proteins?|mutations?|mutants?|variants?|expression|inhibitors?|amplification|receptors?|kinase|"
    r"antibod\w+|knockout|"
    r"deletion|isoforms?|promoter|locus|signal(?:l)?ing|homologs?|orthologs?|transcripts?|function|"
    r"locali[sz]ation|location|sequence|"
    r"length|structure|oncogene|exon"
)
GENE_BEFORE = re.compile(
    rf"(?:(?:\b(?:{ABOUT}|role|symbol|mass|weight|interactions?|family|activity|partners)\s+(?:of|in|for|"
    rf"called|named)|\bgenes?|\bproteins?|\bsymbol)\s+|"
    r"\b(?:human|mouse|rat|yeast|murine|zebrafish)\s+|基因\s*|蛋白\s*|人类?\s*|小鼠\s*)(?:the\s+|human\s+|"
    r"mouse\s+)?$",
    re.IGNORECASE,
)
GENE_BEHIND = re.compile(
    rf"(?:'s)?[\s-]+(?:{ABOUT})\b|\s*的?\s*(?:基因|蛋白|突变|功能|表达|定位|抑制剂|受体|结构|扩增)",
    re.IGNORECASE,
)
LISTED_BEHIND = re.compile(r"\s?(?:,|and|or|vs\.?|/|、|和)\s?(?:and\s)?(?P<other>[A-Z][A-Z0-9]{1,8})\b")
LISTED_BEFORE = re.compile(r"\b(?P<other>[A-Z][A-Z0-9]{1,8})\s?(?:,|and|or|vs\.?|/|、|和)\s?(?:and\s)?$")
TITLED = re.compile(
    r"(?<![A-Za-z0-9_-])(?!(?:What|Which|This|That|The|These|Those|Human|Mouse|Rat|Yeast|Membrane|Find|Show|"
    r"Give|List|Describe|Explain|Is|Does|Do|How|"
    r"Tell|Where|Who|Why|Binding|Fusion|Target|Viral|Any|All|Some|Each|Its|Their|Full|Swiss|Heat|My|Our|"
    r"Your|Protein|Gene|Same|Other|Another)\b)"
    r"(?P<name>[A-Z][a-z]{2,14}(?:-?\d{1,3}[A-Za-z]?)?(?:\s[a-z]{4,12})?)\s(?:proteins?|genes?|receptor|"
    r"kinase)\b"
)
CAPITALS = re.compile(r"(?<![A-Za-z0-9_-])[A-Z]{3,7}(?![A-Za-z0-9_-])")
NO_CELLS = re.compile(r"(?:cell[- ]lines?|cells|strains?|细胞系|细胞株|菌株)[\s:：,]*$", re.IGNORECASE)
CELLS = re.compile(r"[\s-]*(?:cells?\b|cell[- ]lines?|strains?\b|mice\b|细胞|菌株)", re.IGNORECASE)
CHANGE_BEHIND = re.compile(
    r"[\s:\-]+(?:p\.|c\.|[A-Za-z]\d{1,5}(?:[A-Za-z*]|del|dup|ins|fs)\b|[A-Z][a-z]{2}\d+)"
)
SMALL = re.compile(
    r"(?<![A-Za-z0-9_.-])[a-z][a-z0-9]{2,7}(?![A-Za-z0-9_-])|"
    r"(?<![A-Za-z0-9_.-])[A-Z][a-z]{2,5}(?=[ :][A-Z]\d)"
)
HEAD = (
    r"(?:[a-z]*(?:synthase|synthetase|kinase|phosphatase|protease|peptidase|polymerase|ligase|lyase|"
    r"helicase|isomerase|"
    r"mutase|transferase|reductase|oxidase|oxygenase|dehydrogenase|hydrolase|hydroxylase|carboxylase|"
    r"esterase|lipase|"
    r"nuclease|integrase|recombinase|gyrase|topoisomerase|atpase|gtpase|cyclase|aldolase|enolase|amylase|"
    r"lactase|"
    r"globulin|globin|cadherin|catenin|integrin|fibronectin|laminin|elastin)|chaperonin|toxin)"
)
WORDY = re.compile(
    rf"(?<![A-Za-z0-9_-])(?P<name>(?:(?!(?:the|of|a|an|in|is|does|do|what|which|and|or|for|on|about|with|by|"
    rf"human|mouse|"
    rf"rat|yeast|me|tell|find|show|explain|describe|function|role|structure|"
    rf"sequence)\b)[a-z][a-z0-9/-]{{2,20}}\s){{0,3}}{HEAD}"
    rf"(?:\s(?:[IVX]{{1,4}}|[A-Z]|\d{{1,2}}|alpha|beta|gamma|subunit))?)(?![A-Za-z0-9_])",
)


def find_entities(text: str) -> list[Entity]:
    """Identifiers, genes, organisms and names in the order of the text, none inside another."""
    found = [f for f in find_names(text) if not _is_no_name(f, text)]
    joined = _joined(found, text)
    made = [_entity(f, text, found) for f in found if f not in joined]
    taken = [(e.start, e.start + len(e.written)) for e in made]
    for extra in (*_words(text), *_small(text, found), *_names(text, found), *_wordy(text, found)):
        span = (extra.start, extra.start + len(extra.written))
        clash = [e for e in made if _overlap(span, (e.start, e.start + len(e.written)))]
        if clash and not all(e.namespace in ("gene", "organism") and not e.certain for e in clash):
            continue
        made = [e for e in made if e not in clash] + [extra]
        taken.append(span)
    if not any(e.namespace != "organism" for e in made):
        made += find_unknown(text)
    return _with_organisms(sorted(made, key=lambda e: e.start), text)


def _overlap(a: Span, b: Span) -> bool:
    """Whether two places overlap."""
    return a[0] < b[1] and b[0] < a[1]


def _is_no_name(found: Identifier, text: str) -> bool:
    """Whether something that looks like a gene or an organism is neither here."""
    end = found.start + len(found.written)
    if found.namespace == "organism":
        return found.written == "人" and bool(
            re.search(r"[病个他成男女老工本]$", text[: found.start])
            or re.match(r"[们群工员口数]", text[end:])
        )
    if found.namespace == "pdb" and not found.certain:
        return bool(NO_CELLS.search(text[: found.start]) or CELLS.match(text, end))
    if found.namespace != "gene":
        return False
    if found.written.upper() in WORDS:
        alone = text.strip(BODY) == found.written
        sure = found.value in KNOWN and not _mostly_capitals(text)
        return not found.written.isupper() or not (alone or sure or _in_context(found.start, end, text))
    if found.certain or FAMILIES.fullmatch(found.value):
        return False
    if len(found.written) == 2 and found.written.isalpha() and text.strip(BODY) != found.written:
        return True
    if NO_CELLS.search(text[: found.start]) or CELLS.match(text, end):
        return True
    if not any(c.isdigit() for c in found.written) and _mostly_capitals(text):
        return reads_like_words(found.written) or len(found.written) < 3
    return False


def _in_context(start: int, end: int, text: str) -> bool:
    """Whether something right beside a word in capitals speaks for a gene."""
    if CHANGE_BEHIND.match(text, end):
        return True
    if _mostly_capitals(text):
        return False
    before = text[max(0, start - 40) : start]
    return bool(
        GENE_BEFORE.search(before)
        or GENE_BEHIND.match(text, end)
        or _is_gene(LISTED_BEHIND.match(text, end))
        or _is_gene(LISTED_BEFORE.search(before))
    )


def _is_gene(match: re.Match[str] | None) -> bool:
    """Whether what is listed beside a word is a gene without doubt."""
    return match is not None and (
        (match["other"] in KNOWN and match["other"] not in WORDS) or bool(FAMILIES.fullmatch(match["other"]))
    )


def _mostly_capitals(text: str) -> bool:
    """Whether a text is written in capitals, so that they say nothing."""
    words = re.findall(r"[A-Za-z]{2,}", text)
    return len(words) > 3 and 2 * sum(w.isupper() for w in words) > len(words)


def _joined(found: list[Identifier], text: str) -> list[Identifier]:
    """Entry names that stand beside their accession (``sp|P04637|P53_HUMAN``)."""
    again = []
    for first, second in itertools.pairwise(found):
        between = text[first.start + len(first.written) : second.start]
        if first.namespace == "uniprot" and second.namespace == "uniprot_entry" and between == "|":
            again.append(second)
    return again


def _entity(found: Identifier, text: str, all_found: list[Identifier]) -> Entity:
    """An identifier as an entity."""
    value, notes, certain = found.value, list(found.notes), found.certain
    if found.namespace == "gene":
        if found.written.islower() and value.upper().lower() == value and found.certain:
            value = value.upper()
        if found.written.upper() in WORDS:
            certain = value in KNOWN and text.strip(BODY) != found.written
            notes.insert(0, f"{found.written} is a word or an abbreviation too; read as the gene {value}")
        elif FAMILIES.fullmatch(value) and not certain:
            certain = True
            notes = [n for n in notes if "not among those known" not in n]
    if found.namespace == "uniprot" and len(found.written) >= 6 and found.version:
        notes.append(f"the version is kept: sequence version {found.version} is asked for")
    facts: dict[str, Any] = {
        name: stated
        for name, stated in (
            ("organism", found.organism),
            ("taxon", found.taxon),
            ("organism_basis", found.organism_basis),
            ("version", found.version),
            ("isoform", found.isoform),
        )
        if stated
    }
    if found.namespace == "organism" and found.taxon:
        facts["taxon"] = found.taxon
    return Entity(
        namespace=found.namespace,
        value=value,
        written=found.written,
        start=found.start,
        certain=certain,
        notes=tuple(dict.fromkeys(notes)),
        facts=facts,
    )


def _small(text: str, found: list[Identifier]) -> Iterator[Entity]:
    """Well-known symbols in small letters (``kras g12d``, ``egfr inhibitors``)."""
    spans = [(f.start, f.start + len(f.written)) for f in found]
    for match in SMALL.finditer(text):
        if match[0].lower() in KNOWN_SMALL and not any(_overlap(match.span(), s) for s in spans):
            yield _gene(match[0].upper(), match[0], match.start(), "written in small letters")


def _words(text: str) -> Iterator[Entity]:
    """Symbols that are words too, where something right beside them speaks for a gene."""
    for match in CAPITALS.finditer(text):
        if match[0] in WORDS and _in_context(*match.span(), text):
            note = f"{match[0]} is a word or an abbreviation too; read as the gene {match[0]}"
            yield _gene(match[0], match[0], match.start(), note).model_copy(update={"certain": False})


def _gene(symbol: str, written: str, start: int, note: str) -> Entity:
    """A gene whose organism is not said yet."""
    return Entity(
        namespace="gene",
        value=symbol,
        written=written,
        start=start,
        notes=(note, "human, since no organism is named"),
        facts={"organism": HUMAN.name, "taxon": HUMAN.taxon, "organism_basis": "default"},
    )


def _names(text: str, found: list[Identifier]) -> Iterator[Entity]:
    """Names of proteins that are known here."""
    for match, row in find_proteins(text):
        facts = {"gene": row.gene} if row.gene else {}
        yield Entity(
            namespace="name", value=row.name, written=match[0], start=match.start(), facts=dict(facts)
        )


def _wordy(text: str, found: list[Identifier]) -> Iterator[Entity]:
    """Names made of words that end like an enzyme's or a protein's."""
    for match in (*WORDY.finditer(text), *TITLED.finditer(text)):
        yield Entity(
            namespace="name",
            value=" ".join(match["name"].split()),
            written=match["name"],
            start=match.start("name"),
            certain=False,
            notes=("read as a protein's name by the words beside it",),
        )


def _with_organisms(entities: list[Entity], text: str) -> list[Entity]:
    """Each gene and name with the organisms that are stated; where several are, one of each is asked
    about."""
    stated = {e.value: e for e in entities if e.namespace == "organism"}
    made = []
    for entity in entities:
        if entity.namespace == "name" or (
            entity.namespace == "gene" and "small letters" in "".join(entity.notes)
        ):
            entity = _placed(entity, list(stated.values()))
        made.append(entity)
    return made


def _placed(entity: Entity, stated: list[Entity]) -> Entity:
    """A name with its organism: the one stated, else human."""
    notes = tuple(n for n in entity.notes if "no organism" not in n and "more than one organism" not in n)
    if len(stated) == 1:
        facts = {"organism": stated[0].value, "organism_basis": "stated"}
        taxon = stated[0].facts.get("taxon")
        more = {"taxon": taxon} if taxon else {}
    elif not stated:
        if entity.namespace == "name" and not entity.facts.get("gene"):
            return entity
        facts, more = {"organism": HUMAN.name, "organism_basis": "default"}, {"taxon": HUMAN.taxon}
        notes = (*notes, "human, since no organism is named")
    else:
        facts, more = {}, {}
        notes = (*notes, "more than one organism is named: " + ", ".join(o.value for o in stated))
    kept = {k: v for k, v in entity.facts.items() if k not in ("organism", "taxon", "organism_basis")}
    return entity.model_copy(update={"facts": kept | facts | more, "notes": notes})


COMPARED = re.compile(
    r"\b(?:compar\w+|vs\.?|versus|differ\w*|both|between|orthologs?|homologs?)\b|比较|对比|区别|差异",
    re.IGNORECASE,
)
JOINED = re.compile(r"\s*(?:,|/|and|&|or|vs\.?|versus|to|with|和|与|、)\s*(?:the\s+)?", re.IGNORECASE)


def one_of_each(entities: list[Entity], text: str) -> list[Entity]:
    """Where organisms are compared, or listed with "and", each gene or name once for each of them."""
    organisms = list({e.value: e for e in entities if e.namespace == "organism"}.values())
    if len(organisms) < 2:
        return entities
    owners = [e for e in entities if e.namespace in ("gene", "name")]
    first, second = organisms[0], organisms[1]
    between = text[first.start + len(first.written) : second.start]
    if not COMPARED.search(text) and not JOINED.fullmatch(between):
        return entities
    if len(owners) > 1 and all(e.facts.get("organism_basis") == "stated" for e in owners):
        return entities
    made = []
    for entity in entities:
        if entity.namespace in ("gene", "name"):
            made += [_placed(entity, [o]) for o in organisms]
        else:
            made.append(entity)
    return made
