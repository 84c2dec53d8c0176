"""A plain yes or no to a question that wants one, from what an entry says and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from labagent.ask.composing._voice import Voice, plural
from labagent.models.asking import Statement

YES_NO = re.compile(
    r"(?:^|[.;,:?!]\s+|\bplease tell me (?:if|whether)\s+|\bwhether\s+)(?:so\s+)?"
    r"(?:is|are|was|does|do|has|have|can)\s+\S|[吗嘛]\s*[?？]?\s*$|是否|有没有|是不是",
    re.IGNORECASE,
)
KIND = re.compile(
    r"\b(?:is|are|was|if|whether)\b[^?]*?\ban?\s+(?P<kind>[A-Za-z][A-Za-z /-]{2,40}?)"
    r"(?:\s+(?:protein|gene|molecule))?\s*(?:[?.,;]|$|\b(?:and|or|in|of|that|which)\b)",
    re.IGNORECASE,
)
KINDS_ZH = {
    "激酶": "kinase", "磷酸酶": "phosphatase", "蛋白酶": "protease", "转录因子": "transcription factor",
    "受体": "receptor", "激素": "hormone", "离子通道": "ion channel", "泛素连接酶": "ligase",
    "抑癌基因": "tumor suppressor", "肿瘤抑制": "tumor suppressor", "原癌基因": "proto-oncogene",
    "酶": "enzyme",
}  # fmt: skip
PLACES = {
    r"nucle(?:us|ar|oplasm)|细胞核|核内": r"nucle(?:us|ar|oplasm)",
    r"cytoplasm\w*|细胞质|胞质": "cytoplasm|cytosol",
    r"cytosol\w*|胞质溶胶": "cytosol",
    r"mitochondri\w*|线粒体": r"mitochondri\w*",
    r"membranes?|细胞膜|质膜": "membrane",
    r"secreted|extracellular|分泌|胞外": "secreted|extracellular",
    r"endoplasmic reticulum|内质网": "endoplasmic reticulum",
    r"golgi|高尔基": "golgi",
    r"lysosom\w*|溶酶体": r"lysosom\w*",
    r"peroxisom\w*|过氧化物酶体": r"peroxisom\w*",
    r"endosom\w*|内体": r"endosom\w*",
    r"chromosomes?|染色体": "chromosome",
    r"cytoskeleton|细胞骨架": "cytoskeleton",
    r"nucleol\w*|核仁": r"nucleol\w*",
}
"""How places in the cell are asked for, and how entries name them."""
HAS = (
    ("isoforms", r"isoforms?|异构体|alternative(?:ly)? splic\w+|可变剪接", "isoform", "个异构体"),
    ("variants", r"natural variants?|known variants?|天然变异", "natural variant", "个天然变异"),
    ("diseases", r"diseases?|疾病", "disease", "种疾病"),
)
FEATURES = {
    r"signal (?:peptide|sequence)|信号肽": ("signal peptide", "signal"),
    r"transit peptide|转运肽": ("transit peptide",),
    r"propeptide|前肽": ("propeptide",),
    r"transmembrane|跨膜": ("transmembrane region", "transmembrane"),
    r"disulfide|二硫键": ("disulfide bond",),
    r"zinc finger|锌指": ("zinc finger",),
    r"active site|活性位点": ("active site",),
    r"glycosylat\w*|糖基化": ("glycosylation site", "glycosylation"),
    r"coiled[- ]coil|卷曲螺旋": ("coiled coil",),
}
"""Features as questions name them: what entries call them, in small letters."""
NOT_KINDS = frozenset(
    "isoform variant disease structure domain signal human mouse rat known protein gene".split()
)


def asked_kind(question: str) -> str:
    """What kind of protein a question asks about (``kinase``), in small letters; empty where it does not."""
    if not YES_NO.search(question):
        return ""
    if any("\u4e00" <= c <= "\u9fff" for c in question):
        return next((en for zh, en in KINDS_ZH.items() if zh in question), "")
    match = KIND.search(question)
    kind = match["kind"].casefold().strip() if match else ""
    return "" if not kind or NOT_KINDS & set(re.split(r"[ -]", kind)[-1:]) else kind


def verdict(voice: Voice) -> Iterator[Statement]:
    """Yes, no, or that it is not known, with what the entry says; nothing where no yes or no is asked."""
    if not YES_NO.search(voice.question) or "variants" in voice.focus or "dbsnp" in voice.focus:
        return
    for answer in (_reviewed, _go_term, _feature, _place, _has, _kind):
        found = answer(voice)
        if found is not None:
            yield found
            return


def _reviewed(voice: Voice) -> Statement | None:
    """Whether it is reviewed."""
    r, accession = voice.result, voice.result["accession"]
    if not re.search(r"\b(?:un)?reviewed\b|swiss-?prot|trembl|审阅|审核", voice.question, re.IGNORECASE):
        return None
    if r["reviewed"] is None:
        return _unknown(voice)
    asked = not re.search(r"\bunreviewed\b|\bnot reviewed\b|trembl|未审", voice.question, re.IGNORECASE)
    en = "reviewed (Swiss-Prot)" if r["reviewed"] else "not reviewed (TrEMBL)"
    zh = "已审阅(Swiss-Prot)" if r["reviewed"] else "未审阅(TrEMBL)"
    return _said(voice, r["reviewed"] == asked, f"{accession} is {en}", f"{accession} {zh}")


def _go_term(voice: Voice) -> Statement | None:
    """Whether it is annotated with a GO term that the question names."""
    r, match = voice.result, re.search(r"\bGO:\d{7}\b", voice.question, re.IGNORECASE)
    if match is None or "go" not in r["fields"]:
        return None
    if "go" in r["missing"]:
        return _unknown(voice)
    wanted, accession = match[0].upper(), r["accession"]
    term = next((g["term"] for g in r["go"] if g["id"] == wanted), "")
    if term:
        return _said(
            voice,
            True,
            f"{accession} is annotated with {term} ({wanted})",
            f"{accession} 注释有 {term}({wanted})",
        )
    return _said(
        voice,
        False,
        f"that GO term is not among those of the entry {accession}",
        f"条目 {accession} 的 GO 注释中没有该术语",
    )


def _feature(voice: Voice) -> Statement | None:
    """Whether the entry has a kind of feature that the question names."""
    r, accession = voice.result, voice.result["accession"]
    kinds = next(
        (k for asked, k in FEATURES.items() if re.search(asked, voice.question, re.IGNORECASE)), None
    )
    if kinds is None or "features" not in r["fields"]:
        return None
    if "features" in r["missing"]:
        return _unknown(voice)
    found = [f for f in r["features"] if f["kind"].casefold() in kinds]
    name = kinds[0]
    if not found:
        return _said(
            voice, False, f"the entry {accession} lists no {name}", f"条目 {accession} 没有列出 {name}"
        )
    first = found[0]
    place = f"{first['first']}-{first['last']}"
    return _said(
        voice,
        True,
        f"the entry {accession} lists a {name} at residues {place}",
        f"条目 {accession} 列出了 {first['kind']}(残基 {place})",
    )


def _place(voice: Voice) -> Statement | None:
    """Whether it is in a part of the cell."""
    r = voice.result
    text = voice.question.casefold()
    wanted = next((p for asked, p in PLACES.items() if re.search(rf"(?<![a-z])(?:{asked})", text)), "")
    if not wanted or not (
        voice.asks("location") or re.search(r"\b(?:in|secreted|extracellular)\b|在|位于|分泌", text)
    ):
        return None
    terms = [g["term"] for g in r["go"] if g["aspect"] == "C"]
    places = [*r["locations"], *terms]
    if not places:
        return _unknown(voice)
    pattern = re.compile(rf"\b(?:{wanted})\b", re.IGNORECASE)
    held = [place for place in places if pattern.search(place)]
    shown = voice.several(list(dict.fromkeys(held or r["locations"] or terms))[:4])
    if held:
        return _said(
            voice,
            True,
            f"the entry {r['accession']} places it in {shown}",
            f"条目 {r['accession']} 给出的定位:{shown}",
        )
    return _said(
        voice,
        False,
        f"that is not among the places that the entry {r['accession']} gives, such as {shown}",
        f"条目 {r['accession']} 给出的定位(如 {shown})中没有",
    )


def _has(voice: Voice) -> Statement | None:
    """Whether the entry lists any of a part."""
    r = voice.result
    for part, asked, noun, noun_zh in HAS:
        if re.search(asked, voice.question, re.IGNORECASE) and voice.asks(part):
            count = len(r[part])
            if part in r["missing"]:
                return _unknown(voice)
            if not count:
                return _said(
                    voice, False, f"the entry {r['accession']} lists none", f"条目 {r['accession']} 没有列出"
                )
            return _said(
                voice,
                True,
                f"the entry {r['accession']} lists {plural(count, noun)}",
                f"条目 {r['accession']} 列出了 {count:,} {noun_zh}",
            )
    return None


def _kind(voice: Voice) -> Statement | None:
    """Whether it is of a kind, by name, keywords, GO functions, EC number."""
    r, kind = voice.result, asked_kind(voice.question)
    if not kind:
        return None
    found = next(filter(None, (by(r, kind) for by in BY)), "")
    if found:
        return _said(
            voice, True, f"the entry {r['accession']} says {found}", f"条目 {r['accession']} 写明:{found}"
        )
    if not (r["keywords"] or r["ec"] or any(g["aspect"] == "F" for g in r["go"])):
        return _unknown(voice)
    return _said(
        voice,
        False,
        f"neither name, keywords, EC number nor GO functions of the entry {r['accession']} say so",
        f"条目 {r['accession']} 的名称、关键词、EC 编号和 GO 功能均未写明",
    )


def _by_keyword(r: dict[str, Any], kind: str) -> str:
    """A keyword that ends with the kind."""
    return next((f"{k} (keyword)" for k in r["keywords"] if _ends(k, kind)), "")


def _by_function(r: dict[str, Any], kind: str) -> str:
    """A GO function that is the kind's activity."""
    terms = [g for g in r["go"] if g["aspect"] == "F" and _ends(g["term"].removesuffix(" activity"), kind)]
    return next((f"{g['term']} ({g['id']})" for g in terms if g["term"].endswith(" activity")), "")


def _by_name(r: dict[str, Any], kind: str) -> str:
    """A name that ends with the kind."""
    return next((str(n) for n in (r["name"], *r["names"]) if n and _ends(n, kind)), "")


def _by_number(r: dict[str, Any], kind: str) -> str:
    """An EC number, of an enzyme."""
    return f"EC {r['ec'][0]}" if kind == "enzyme" and r["ec"] else ""


BY: tuple[Callable[[dict[str, Any], str], str], ...] = (_by_keyword, _by_function, _by_name, _by_number)


def _ends(text: str, kind: str) -> bool:
    """Whether a text ends with a kind, as words."""
    return re.search(rf"(?<![a-z]){re.escape(kind.removesuffix('s'))}s?$", text.casefold()) is not None


def _said(voice: Voice, yes: bool, en: str, zh: str) -> Statement:
    """Yes or no, with why."""
    return voice.fact(f"{'Yes' if yes else 'No'}: {en}.", f"{'是' if yes else '否'}:{zh}。")


def _unknown(voice: Voice) -> Statement:
    """That the source does not say."""
    accession = voice.result["accession"]
    return voice.fact(
        f"Not known from this source: the entry {accession} does not say.",
        f"该来源无法得知:条目 {accession} 没有说明。",
    )
