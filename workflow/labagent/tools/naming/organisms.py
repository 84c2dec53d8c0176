"""Organisms by the names people use, English and Chinese, with NCBI taxon numbers and UniProt mnemonics."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Organism:
    """An organism; ``mnemonic`` ends UniProt entry names."""

    name: str
    taxon: int
    mnemonic: str
    words: tuple[str, ...]


HUMAN = Organism("Homo sapiens", 9606, "HUMAN", ("human", "humans", "人", "人类"))
ORGANISMS: tuple[Organism, ...] = (
    HUMAN,
    Organism("Mus musculus", 10090, "MOUSE", ("mouse", "mice", "murine", "小鼠", "鼠")),
    Organism("Rattus norvegicus", 10116, "RAT", ("rat", "rats", "大鼠")),
    Organism("Bos taurus", 9913, "BOVIN", ("cow", "cattle", "bovine", "牛")),
    Organism("Sus scrofa", 9823, "PIG", ("pig", "porcine", "猪")),
    Organism("Canis lupus familiaris", 9615, "CANLF", ("dog", "canine", "狗", "犬")),
    Organism("Oryctolagus cuniculus", 9986, "RABIT", ("rabbit", "兔")),
    Organism("Gallus gallus", 9031, "CHICK", ("chicken", "鸡")),
    Organism("Xenopus laevis", 8355, "XENLA", ("xenopus", "爪蟾")),
    Organism("Danio rerio", 7955, "DANRE", ("zebrafish", "斑马鱼")),
    Organism("Drosophila melanogaster", 7227, "DROME", ("drosophila", "fruit fly", "果蝇")),
    Organism("Caenorhabditis elegans", 6239, "CAEEL", ("c. elegans", "worm", "线虫")),
    Organism(
        "Saccharomyces cerevisiae",
        559292,
        "YEAST",
        ("yeast", "budding yeast", "baker's yeast", "s. cerevisiae", "酵母", "酿酒酵母"),
    ),
    Organism("Schizosaccharomyces pombe", 284812, "SCHPO", ("fission yeast", "s. pombe", "裂殖酵母")),
    Organism("Arabidopsis thaliana", 3702, "ARATH", ("arabidopsis", "拟南芥")),
    Organism("Oryza sativa", 39947, "ORYSJ", ("rice", "水稻")),
    Organism("Escherichia coli", 83333, "ECOLI", ("e. coli", "e.coli", "大肠杆菌")),
    Organism("Bacillus subtilis", 224308, "BACSU", ("b. subtilis", "枯草杆菌", "枯草芽孢杆菌")),
    Organism("Mycobacterium tuberculosis", 83332, "MYCTU", ("m. tuberculosis", "结核分枝杆菌")),
    Organism("Plasmodium falciparum", 36329, "PLAF7", ("p. falciparum", "疟原虫")),
    Organism("Severe acute respiratory syndrome coronavirus 2", 2697049, "SARS2", ("sars-cov-2", "新冠病毒")),
    Organism("Human immunodeficiency virus 1", 11676, "HV1", ("hiv-1",)),
    Organism("Aequorea victoria", 6100, "AEQVI", ("jellyfish", "水母")),
)
MORE_MNEMONICS = frozenset(
    """
    SHEEP HORSE FELCA MACMU PANTR PONAB CAVPO MESAU CRIGR XENTR TETNG ORYLA SALSA BOMMO APIME ANOGA
    NEUCR CANAL ASPFU DICDI MAIZE WHEAT TOBAC SOYBN PEA SOLTU SOLLC TOXGO TRYBB LEIMA THET8 PSEAE
    HAEIN HELPY STAAU STRPN SALTY VIBCH YERPE CLOBO METJA SYNY3 HALSA BPT4 LAMBD EBVB9 VACCW HCMVA
    HPV16 HPV18 I34A1 CVHSA SV40 ADE05
    """.split()
)
MNEMONICS = frozenset(o.mnemonic for o in ORGANISMS) | MORE_MNEMONICS
