"""Parts of a UniProtKB entry in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from labagent.ask.composing._voice import Voice
from labagent.ask.natural_variants import chosen_variants, is_variant, telling_variants, written
from labagent.models.asking import CallRecord, Statement

FEW, SOME, MANY = 5, 8, 12
LONG = 20
"""Residues of a change that are shown."""
PROSE = 700
"""Characters of a statement in prose that are shown."""
DATABASES = ("PDB", "RefSeq", "Ensembl", "HGNC", "MIM", "InterPro", "Pfam", "AlphaFoldDB")
PLAIN_KINDS = (
    "Chain",
    "Alternative sequence",
    "Sequence conflict",
    "Helix",
    "Beta strand",
    "Turn",
    "Mutagenesis",
)
"""Features that are not spoken of where nobody asks for them by name."""


def absent(voice: Voice, part: str, en: str, zh: str) -> Statement:
    """That an entry says nothing of a part, or that its source never holds it."""
    accession = voice.result["accession"]
    if part in voice.result["missing"]:
        return voice.remark(
            f"This source does not hold the {en} of any entry, so that of {accession} is not known here.",
            f"该数据来源不包含任何条目的{zh},因此这里不知道 {accession} 的{zh}。",
        )
    return voice.remark(f"The entry {accession} states no {en}.", f"条目 {accession} 没有给出{zh}。")


def listed(voice: Voice, items: Sequence[str], most: int, total: int = 0) -> str:
    """The first items, each once; where some are left out, that there are more (and how many in all)."""
    items = list(dict.fromkeys(items))
    shown = voice.several(items[:most])
    if len(items) <= most:
        return shown
    if voice.zh:
        return f"{shown} 等" + (f",共 {total} 项" if total else "")
    return f"{shown} and others" + (f", {total} in all" if total else "")


def names(voice: Voice) -> Iterator[Statement]:
    """Further names and gene synonyms."""
    r = voice.result
    if r["names"]:
        text = listed(voice, r["names"], SOME, len(r["names"]))
        yield voice.fact(f"Other names: {text}.", f"其他名称:{text}。")
    if r["gene_synonyms"]:
        text = listed(voice, r["gene_synonyms"], SOME)
        yield voice.fact(f"Synonyms of the gene: {text}.", f"基因别名:{text}。")
    if r["secondary"]:
        text = listed(voice, r["secondary"], FEW)
        yield voice.fact(f"Secondary accessions: {text}.", f"次级登录号:{text}。")


def function(voice: Voice) -> Iterator[Statement]:
    """What it does: prose where the source has it, else GO functions and processes, keywords, EC."""
    r = voice.result
    for text in r["function"][:3]:
        cut = text if len(text) <= PROSE else text[:PROSE].rsplit(" ", 1)[0] + " …"
        yield voice.fact(f"Function, as the entry says: {cut}", f"功能(条目原文):{cut}")
    molecular = _go_terms(r, "F")
    processes = _go_terms(r, "P")
    if molecular:
        text = listed(voice, molecular, SOME)
        yield voice.fact(f"Molecular function (GO): {text}.", f"分子功能(GO):{text}。")
    if processes:
        text = listed(voice, processes, SOME)
        yield voice.fact(f"Biological process (GO): {text}.", f"生物过程(GO):{text}。")
    if r["ec"]:
        yield from enzyme(voice)
    yield from keywords(voice, quiet=True)
    if not (r["function"] or molecular or processes or r["ec"]):
        yield absent(voice, "function", "function", "功能")


def _go_terms(r: dict[str, Any], aspect: str) -> list[str]:
    """Terms of one aspect, each once, with ids."""
    return list(dict.fromkeys(f"{g['term']} ({g['id']})" for g in r["go"] if g["aspect"] == aspect))


def enzyme(voice: Voice) -> Iterator[Statement]:
    """EC numbers."""
    numbers = voice.result["ec"]
    if not numbers:
        yield absent(voice, "ec", "EC number", "EC 编号")
        return
    text = voice.several([f"EC {number}" for number in numbers])
    yield voice.fact(f"Enzyme classification: {text}.", f"酶学分类:{text}。")


def keywords(voice: Voice, *, quiet: bool = False) -> Iterator[Statement]:
    """Keywords."""
    words = voice.result["keywords"]
    if words:
        text = listed(voice, words, MANY, len(words))
        yield voice.fact(f"Keywords: {text}.", f"关键词:{text}。")
    elif not quiet:
        yield absent(voice, "keywords", "keywords", "关键词")


def location(voice: Voice) -> Iterator[Statement]:
    """Where in the cell."""
    r = voice.result
    places = _go_terms(r, "C")
    if r["locations"]:
        text = listed(voice, r["locations"], MANY)
        yield voice.fact(f"Subcellular location: {text}.", f"亚细胞定位:{text}。")
    if places and (voice.asks("location", "go") or not r["locations"]):
        text = listed(voice, places, SOME)
        yield voice.fact(f"Cellular component (GO): {text}.", f"细胞组分(GO):{text}。")
    if not places and not r["locations"]:
        yield absent(voice, "locations", "subcellular location", "亚细胞定位")


def go(voice: Voice) -> Iterator[Statement]:
    """GO terms of all three aspects."""
    r = voice.result
    if not r["go"]:
        yield absent(voice, "go", "GO terms", "GO 注释")
        return
    said = voice.aspects & {"function", "location"}
    for aspect, en, zh in (
        ("F", "Molecular function", "分子功能"),
        ("P", "Biological process", "生物过程"),
        ("C", "Cellular component", "细胞组分"),
    ):
        terms = _go_terms(r, aspect)
        if (
            terms
            and not ("function" in said and aspect != "C")
            and not (said - {"function"} and aspect == "C")
        ):
            text = listed(voice, terms, MANY)
            yield voice.fact(f"{en} (GO): {text}.", f"{zh}(GO):{text}。")


def features(voice: Voice) -> Iterator[Statement]:
    """Domains and sites by kind, with positions."""
    found: dict[str, list[str]] = {}
    for feature in voice.result["features"]:
        if (
            feature["kind"] not in PLAIN_KINDS
            or feature["kind"].casefold().replace(" ", "_") in voice.aspects
        ):
            found.setdefault(feature["kind"], []).append(_place(feature))
    if not found:
        yield absent(voice, "features", "domains or sites", "结构域或位点")
    for kind, places in found.items():
        text = listed(voice, places, SOME)
        yield voice.fact(f"{kind} at residues: {text}.", f"{kind},残基位置:{text}。")


def _place(feature: dict[str, Any]) -> str:
    """Where a feature lies, and its note."""
    first, last = feature["first"], feature["last"]
    where = str(first if first is not None else "?") + (
        f"-{last if last is not None else '?'}" if first != last else ""
    )
    return f"{where} ({feature['note']})" if feature["note"] else where


def variants(voice: Voice) -> Iterator[Statement]:
    """How many natural variants there are, and the first of those with a disease or a dbSNP number."""
    found = voice.result["variants"]
    if not found:
        yield absent(voice, "variants", "natural variants", "天然变异")
        return
    yield voice.fact(
        f"The entry lists {len(found):,} natural variants.", f"该条目列出了 {len(found):,} 个天然变异。"
    )
    for variant in telling_variants(found):
        yield _variant(voice, variant)


def _variant(voice: Voice, variant: dict[str, Any]) -> Statement:
    """One natural variant: where, what becomes of it, dbSNP numbers, diseases, papers."""
    old, new, first, last = variant["original"], variant["changed"], variant["first"], variant["last"]
    notation = voice.focus.get("notation")
    name = written(variant)
    named = name if notation is not None and name and _holds(notation, name) else ""
    more = [*variant["dbsnp"], *variant["diseases"]]
    text = f" ({listed(voice, more, len(variant['dbsnp']) + FEW)})" if more else ""
    text += f", PMID: {', PMID: '.join(variant['pmids'][:FEW])}" if variant["pmids"] else ""
    text += (" 等" if voice.zh else " and others") if variant["pmids"][FEW:] else ""
    where = f"{first}" if first == last else f"{first}-{last}"
    en, zh = _becomes(old, new)
    return voice.fact(
        f"Natural variant {named + ' ' if named else ''}at residue {where}: {en}{text}.",
        f"天然变异 {named + ' ' if named else ''}位于残基位置 {where}:{zh}{text}。",
        notation if named else None,
    )


def _becomes(old: str, new: str) -> tuple[str, str]:
    """What becomes of residues; long runs are not spelled, for a part of one is another change."""
    if len(old) > LONG:
        if not new:
            return "all of these are missing", "全部缺失"
        return (
            (f"these become {new}", f"变为 {new}") if len(new) <= LONG else ("these are others", "均被替换")
        )
    if len(new) > LONG:
        return f"{old} becomes a longer run", f"{old} 变为更长的片段"
    return (f"{old} becomes {new}", f"{old} 变为 {new}") if new else (f"{old} is missing", f"缺失 {old}")


def _holds(notation: CallRecord, name: str) -> bool:
    """Whether a call of ``variant.parse`` read this variant."""
    return any(name in (v["short"], v["hgvs"]) for v in (notation.result or {}).get("variants", ()))


def known_variants(voice: Voice) -> Iterator[Statement]:
    """What the entry says of the variants asked for, by name or by dbSNP number, and of their diseases."""
    wanted = voice.focus.get("variants", ())
    found = voice.result["variants"]
    chain = voice.result["sequence"]
    used: set[str] = set()
    for variant in chosen_variants(found, voice.focus.get("dbsnp", ""), wanted, chain):
        used |= set(variant["diseases"])
        yield _variant(voice, variant)
    for hgvs in (name for name in wanted if not any(is_variant(v, name) for v in found)):
        same = [v for v in found if is_variant(v, hgvs, chain)]
        if same:
            place = ", ".join(str(v["first"]) for v in same)
            yield voice.remark(
                f"{hgvs} leaves the same protein as the natural variant at residue {place}.",
                f"{hgvs} 与残基位置 {place} 的天然变异产生相同的蛋白质。",
            )
            continue
        yield voice.remark(
            f"The entry {voice.result['accession']} does not list {hgvs} among its {len(found):,} natural "
            "variants.",
            f"条目 {voice.result['accession']} 的 {len(found):,} 个天然变异中没有 {hgvs}。",
        )
    for disease in voice.result["diseases"]:
        if disease["acronym"] in used:
            yield _disease(voice, disease)


def _disease(voice: Voice, disease: dict[str, Any]) -> Statement:
    """One disease."""
    acronym = f" ({disease['acronym']})" if disease["acronym"] else ""
    mim = f", MIM {disease['mim']}" if disease["mim"] else ""
    return voice.fact(
        f"Disease linked to the protein: {disease['name']}{acronym}{mim}.",
        f"与该蛋白质相关的疾病:{disease['name']}{acronym}{mim}。",
    )


def diseases(voice: Voice) -> Iterator[Statement]:
    """Diseases."""
    found = voice.result["diseases"]
    if not found:
        if voice.asks("diseases"):
            yield _of_variants(voice) or absent(voice, "diseases", "diseases", "疾病")
        return
    for disease in found[: MANY if voice.asks("diseases") else 3]:
        yield _disease(voice, disease)


def _of_variants(voice: Voice) -> Statement | None:
    """Diseases of a record that names them with its natural variants alone."""
    named = sorted({d for variant in voice.result["variants"] for d in variant["diseases"]})
    if not named:
        return None
    text = listed(voice, named, MANY)
    return voice.fact(
        f"Diseases named with natural variants of the protein: {text}; the record says no more of them.",
        f"与该蛋白质天然变异相关的疾病:{text};该记录没有更多说明。",
    )


def isoforms(voice: Voice) -> Iterator[Statement]:
    """Isoforms, the displayed one marked."""
    found = voice.result["isoforms"]
    if not found:
        if voice.asks("isoforms"):
            yield absent(voice, "isoforms", "isoforms", "异构体")
        return
    listing = [_isoform(voice, i) for i in found] if voice.asks("isoforms") else []
    text = f": {listed(voice, listing, 2 * MANY)}" if listing else ""
    yield voice.fact(f"The entry has {len(found)} isoforms{text}.", f"该条目有 {len(found)} 个异构体{text}。")


def asked_isoform(voice: Voice) -> Iterator[Statement]:
    """Which isoform an entry was asked for: its name, and whether it is the displayed one."""
    r = voice.result
    for isoform in (i for i in r["isoforms"] if r["isoform"] in i["ids"]):
        name = f" ({isoform['name']})" if isoform["name"] else ""
        shown = ("is", "即") if isoform["displayed"] else ("is not", "不是")
        yield voice.fact(
            f"{r['isoform']}{name} is an isoform of {r['accession']}; it {shown[0]} the displayed sequence.",
            f"{r['isoform']}{name} 是 {r['accession']} 的异构体,{shown[1]}展示序列。",
        )


def _isoform(voice: Voice, isoform: dict[str, Any]) -> str:
    """An isoform's first id and name."""
    name = (isoform["ids"] or ("?",))[0] + (f" ({isoform['name']})" if isoform["name"] else "")
    return name + ((" 展示序列" if voice.zh else " displayed") if isoform["displayed"] else "")


def sequence(voice: Voice) -> Iterator[Statement]:
    """The sequence, whole."""
    letters = voice.result["sequence"]
    if not letters:
        yield absent(voice, "sequence", "sequence", "序列")
        return
    shown = voice.sequence(letters, whole=True)
    form = voice.result["isoform"] or voice.result["accession"]
    yield voice.fact(f"Sequence of {form}: {shown}.", f"{form} 的序列:{shown}。")


def references(voice: Voice) -> Iterator[Statement]:
    """Cross-references by database: those that people ask for."""
    found: dict[str, list[str]] = {}
    for reference in voice.result["references"]:
        found.setdefault(reference["database"], []).append(reference["id"])
    wanted = ("PDB",) if voice.asks("pdb") and not voice.asks("cross_references") else DATABASES
    if not any(name in found for name in wanted):
        yield absent(voice, "references", "such cross-references", "此类交叉引用")
    for name in (n for n in wanted if n in found):
        ids = list(dict.fromkeys(found[name]))
        text = listed(voice, ids, MANY)
        yield voice.fact(f"{name}: {text}.", f"{name}:{text}。")


def papers(voice: Voice) -> Iterator[Statement]:
    """Papers the entry cites."""
    found = voice.result["pmids"]
    if not found:
        yield absent(voice, "papers", "papers", "文献")
        return
    text = voice.several([f"PMID: {pmid}" for pmid in found[:FEW]])
    yield voice.fact(
        f"The entry cites {len(found):,} papers, among them {text}.",
        f"该条目引用了 {len(found):,} 篇文献,例如 {text}。",
    )
