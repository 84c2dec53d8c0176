"""Words that tell which field of a result a number is, and units. Data of the check, in both languages.

A word that begins with ``>`` counts right of the number alone, one that begins with ``<`` left of it. A field
is looked up by the longest end of its path that stands here (``variants.first`` before ``first``); one that
does not stand here goes by the words of its own name.
"""

from __future__ import annotations

AA = (">aa", ">amino acid", ">amino-acid", ">residues", ">氨基酸", ">残基", ">个氨基酸", ">个残基")
NT = (">nt", ">bp", ">base", ">nucleotide", ">碱基", ">核苷酸", ">letters")
LONG = ("length", "long", "长度", "长")
PLACE = (
    "<residue",
    "<residues",
    "<position",
    "<positions",
    "<at",
    "<codon",
    "<site",
    "<位置",
    "<第",
    "<残基",
    "<between",
    "<from",
)
MASS = ("mass", "weight", "da", "kda", "质量", "分子量", "道尔顿")
VARIANT = ("variant", "mutation", "polymorphism", "substitution", "变异", "突变")
DIFFERENCE = ("differ", "difference", "change", "identical", "差异", "不同")
GAP = ("gap", "空位", "缺口")
IDENTICAL = ("identical", "identity", "identit", "一致", "相同")
VERSION = ("version", "版本")
STOP = ("stop", "终止")

FIELDS: dict[str, tuple[str, ...]] = {
    "length": (*LONG, *AA, *NT),
    "length_before": (*LONG, *AA, *NT),
    "length_after": (*LONG, *AA, *NT),
    "wild_type_length": ("wild", "野生", *LONG),
    "mutant_length": ("mutant", "突变型", *LONG),
    "mass": MASS,
    "da": MASS,
    "gaps": GAP,
    "gap_openings": ("opening", "开口"),
    "stops": STOP,
    "gc_percent": ("gc",),
    "gc_counted": (*NT, "counted", "计入"),
    "isoelectric_point": ("pi", "isoelectric", "等电点"),
    "gravy": ("gravy", "hydropath", "疏水"),
    "extinction_reduced": ("reduced", "extinction", "还原", "消光"),
    "extinction_cystines": ("cystine", "extinction", "胱氨酸", "消光"),
    "table": ("code", "table", "遗传密码"),
    "frame": ("<frame", "<阅读框", "<reading frame"),
    "left_over": ("left", "over", "剩余"),
    "orfs.start": ("<position", "<位置", "<from", "<at", "<start"),
    "orfs.end": ("<position", "<位置", "<to", "<end"),
    "total": (
        ">open reading",
        ">orf",
        ">paper",
        ">article",
        ">entries",
        ">entry",
        ">hit",
        ">record",
        ">result",
        ">个",
        ">篇",
        ">条",
        "共",
        "found",
    ),
    "columns": (">column", "列"),
    "identical": IDENTICAL,
    "identity_percent": IDENTICAL,
    "identity_of_pairs_percent": IDENTICAL,
    "positive": ("positive", "similar"),
    "score": ("score", "得分"),
    "n_differences": DIFFERENCE,
    "spans": (">residue", ">base", ">残基", ">个残基", ">个碱基", "deleted", "duplicated", "缺失", "重复"),
    "changed_residues": (">residue", ">残基", ">个残基", "change"),
    "codon": ("<codon", "密码子", "<第"),
    "shifted": (">place", "further", "位"),
    "offset": (">residue", ">place", "offset", "后移", "further", "shift"),
    "count": ("stop", "ter", "终止"),
    "base": PLACE,
    "first": PLACE,
    "last": (*PLACE, "<to", "<and", "<与"),
    "start": PLACE,
    "end": (*PLACE, "<to"),
    "entry_version": ("entry version", "条目版本", "version"),
    "sequence_version": ("sequence version", "序列版本"),
    "taxon": ("taxon", "taxid", "分类"),
    "existence": ("existence", "evidence"),
    "year": (),
    "author_count": ("author", "作者"),
    "variants.#": (">natural variant", ">variant", ">mutation", ">个天然变异", ">个变异", ">天然变异"),
    "isoforms.#": (">isoform", ">个异构体", ">异构体"),
    "pmids.#": (">paper", ">article", ">publication", ">reference", ">篇"),
    "papers.#": (">paper", ">article", ">publication", ">篇"),
    "hits.#": (">paper", ">article", ">entr", ">hit", ">result", "shown", ">篇", ">条", "列出"),
    "wild_type.#": (">deleted", ">删去"),
    "mutant.#": (">inserted", ">插入"),
    "removed.#": (">deleted", ">删去"),
    "added.#": (">inserted", ">插入"),
    "sequences.#": (">sequence", ">protein sequence", ">dna sequence", ">rna sequence", ">条"),
    "records.#": (">record", ">sequence", ">条"),
    "orfs.#": (">open reading", ">orf", ">个开放"),
    "differences.#": DIFFERENCE,
    "diseases.#": (">disease", ">种疾病", ">个疾病"),
    "go.#": (">go",),
    "names.#": (">name", ">in all", ">项"),
    "gene_synonyms.#": (">synonym", ">in all", ">项"),
    "secondary.#": (">secondary", ">in all", ">项"),
    "keywords.#": (">keyword", ">in all", ">项"),
    "locations.#": (">location", ">in all", ">项"),
    "features.#": (">feature",),
    "references.#": (">cross",),
    "codons.#": (">codon",),
    "frames.#": (">frame",),
    "authors.#": (">author", ">位作者"),
}
NEEDS: dict[str, tuple[str, ...]] = {"variants.first": VARIANT, "variants.last": VARIANT}
"""Words of which one has to stand in the sentence, wherever."""
UNITS: dict[str, tuple[str, float]] = {
    "%": ("%", 1.0), "percent": ("%", 1.0), "per cent": ("%", 1.0), "百分": ("%", 1.0),
    "kda": ("da", 1000.0), "da": ("da", 1.0), "daltons": ("da", 1.0), "dalton": ("da", 1.0),
    "kilodaltons": ("da", 1000.0),
    "kilodalton": ("da", 1000.0), "mda": ("da", 1e6), "g/mol": ("da", 1.0), "kg/mol": ("da", 1000.0),
    "道尔顿": ("da", 1.0),
    "aa": ("aa", 1.0), "amino acids": ("aa", 1.0), "amino acid": ("aa", 1.0), "amino-acid": ("aa", 1.0),
    "residues": ("aa", 1.0), "个氨基酸": ("aa", 1.0), "氨基酸": ("aa", 1.0), "个残基": ("aa", 1.0),
    "残基": ("aa", 1.0),
    "nt": ("nt", 1.0), "bp": ("nt", 1.0), "bases": ("nt", 1.0), "base pairs": ("nt", 1.0),
    "nucleotides": ("nt", 1.0),
    "kb": ("nt", 1000.0), "kbp": ("nt", 1000.0), "mb": ("nt", 1e6), "个碱基": ("nt", 1.0),
    "碱基": ("nt", 1.0),
    "m⁻¹": ("m-1 cm-1", 1.0), "m-1": ("m-1 cm-1", 1.0), "nm": ("nm", 1.0), "å³": ("å³", 1.0),
    "å": ("å", 1.0),
    "half bits": ("half bits", 1.0), "mm": ("mm", 1.0), "µm": ("µm", 1.0), "mg": ("mg", 1.0),
    "°c": ("°c", 1.0),
}  # fmt: skip
"""A unit as it is written → its base unit and how many of these it is."""
UNIT_OF: dict[str, tuple[str, ...]] = {
    "length": ("aa", "nt"), "length_before": ("aa", "nt"), "length_after": ("aa", "nt"),
    "wild_type_length": ("aa", "nt"),
    "mutant_length": ("aa", "nt"), "mass": ("da",), "da": ("da",), "gc_percent": ("%",),
    "gc_counted": ("nt",),
    "identity_percent": ("%",), "identity_of_pairs_percent": ("%",), "extinction_reduced": ("m-1 cm-1",),
    "extinction_cystines": ("m-1 cm-1",), "left_over": ("nt",), "changed_residues": ("aa", "nt"),
    "spans": ("aa", "nt"),
    "offset": ("aa",),
}  # fmt: skip
"""Units that a field may be said in; another one is wrong, and a field that has none is said without."""
SPELLED = {
    "zero": 0, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17,
    "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
    "seventy": 70,
    "eighty": 80, "ninety": 90, "one": 1, "a single": 1, "dozen": 12,
}  # fmt: skip
TIMES = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "百": 100, "千": 1000, "万": 10_000}
CHINESE = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"两": 2, "十": 10}
ABOUT = (
    "about",
    "approximately",
    "approx",
    "roughly",
    "around",
    "circa",
    "nearly",
    "almost",
    "~",
    "≈",
    "约",
    "大约",
    "近",
)
LESS = (
    "decrease",
    "decreas",
    "lower",
    "loss",
    "lost",
    "less",
    "reduc",
    "drop",
    "fall",
    "smaller",
    "减少",
    "降低",
    "下降",
    "减小",
)
MONTHS = {
    name: number
    for number, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
         "september sep sept", "october oct", "november nov", "december dec"), start=1)
    for name in names.split()
}  # fmt: skip
