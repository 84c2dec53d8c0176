"""Which files of a repository are data."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from labagent.snapshot.walk import DOCS, Tree, folder_names

DATA = re.compile(
    r"\.(csv|tsv|tab|txt|dat|data|h5|hdf5|h5ad|loom|json|jsonl|xml|sbml|ya?ml|fa|fasta|fna|faa|fastq|fq"
    r"|a2m|a3m|sto|aln|phy|nwk|newick|nex|gb|gbk|gff3?|gtf|bed|vcf|sam|bam|pdb|cif|mol2?|sdf|smi|rds|rda|rdata"
    r"|mat|np[yz]|pkl|pickle|parquet|feather|arff|xlsx?|ods|zip|gz|bz2|xz|mtx|sumstats|ped|fam|bim|sqlite|db)$",
    re.IGNORECASE,
)
CONFIG = (".yaml", ".yml", ".json", ".txt")  # data in a data folder, elsewhere only by name
NOT_DATA = re.compile(
    r"^(package(-lock)?|meta|codemeta|cmakelists|manifest|licen[cs]e|copying|readme|change(log|s)|news|authors"
    r"|contributors|todo|index|codecov|mkdocs|tox|robots|version|install|.*requirements.*|.*environment.*)$"
)
DATA_FOLDERS = frozenset({"data", "dataset", "datasets", "extdata", "example_data", "testdata"})
MAX_FILES = 2000


def data_files(tree: Tree) -> tuple[str, ...]:
    """Paths of data-like files, at most ``MAX_FILES``; those in data folders first, then by path."""
    found = [p for p in tree.files if _is_data(p)]
    found.sort(key=lambda p: (not folder_names(p) & DATA_FOLDERS, p.as_posix()))
    return tuple(p.as_posix() for p in found[:MAX_FILES])


def _is_data(path: PurePosixPath) -> bool:
    """Whether name and place speak for data, not for configuration or prose."""
    suffix = path.suffix.lower()
    folders = folder_names(path)
    if not DATA.search(path.name) or path.name.startswith("."):
        return False
    if any(f.startswith(".") or f.endswith(".egg-info") for f in folders):
        return False
    if suffix not in CONFIG or folders & DATA_FOLDERS:
        return True
    at_top = len(path.parts) == 1 and suffix in (".yaml", ".yml")
    return not (at_top or folders & DOCS or NOT_DATA.match(path.name.lower().split(".")[0]))
