"""Which distribution gives an imported package."""

from __future__ import annotations

import re
from collections.abc import Iterable

from labagent.memory.distributions import distribution_for

SAME_NAME = frozenset(
    {"anndata", "catboost", "cobra", "formulaic", "h5py", "jax", "joblib", "lifelines", "lightgbm", "lxml"}
    | {"matplotlib", "networkx", "numba", "numpy", "openpyxl", "pandas", "patsy", "polars", "pyarrow"}
    | {"pydeseq2", "rdkit", "scanpy", "scipy", "seaborn", "statsmodels", "sympy", "tensorflow", "torch"}
    | {"tqdm", "xarray", "xgboost"}
)


def normal(name: str) -> str:
    """A distribution's name in its normal form."""
    return re.sub(r"[-_.]+", "-", name).lower()


def distribution_of(module: str) -> str:
    """The distribution that an import comes from, in normal form, as far as is known."""
    return normal(distribution_for(module))


def known_import(module: str) -> bool:
    """Whether an import's distribution is known for certain."""
    return module in SAME_NAME or distribution_for(module) != module.split(".")[0]


def declares(module: str, distributions: Iterable[str]) -> bool:
    """Whether one of the distributions gives the import, by its usual name or a variant of it."""
    names = {normal(name) for name in distributions}
    wanted = distribution_of(module).removesuffix("-headless").removesuffix("-binary").removesuffix("-cpu")
    variants = {wanted, *(f"{wanted}{suffix}" for suffix in ("-binary", "-headless", "-cpu", "-base"))}
    return bool(names & (variants | {normal(module.split(".")[0])}))
