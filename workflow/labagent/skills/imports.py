"""Which distribution gives an imported package, where the two are not called the same."""

from __future__ import annotations

import re
from collections.abc import Iterable

DISTRIBUTIONS = {
    "Bio": "biopython",
    "OpenSSL": "pyopenssl",
    "PIL": "pillow",
    "attr": "attrs",
    "bs4": "beautifulsoup4",
    "cv2": "opencv-python-headless",
    "dateutil": "python-dateutil",
    "git": "gitpython",
    "google": "protobuf",
    "igraph": "python-igraph",
    "libsbml": "python-libsbml",
    "mpl_toolkits": "matplotlib",
    "pkg_resources": "setuptools",
    "pylab": "matplotlib",
    "skbio": "scikit-bio",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "sksurv": "scikit-survival",
    "umap": "umap-learn",
    "yaml": "pyyaml",
}
SAME_NAME = frozenset(
    "numpy scipy pandas matplotlib seaborn statsmodels networkx sympy joblib numba h5py anndata scanpy xarray"
    " pyarrow polars patsy formulaic lifelines cobra pydeseq2 torch tensorflow jax xgboost lightgbm catboost"
    " rdkit openpyxl requests tqdm rich click requests lxml".split()
)


def normal(name: str) -> str:
    """A distribution's name in its normal form."""
    return re.sub(r"[-_.]+", "-", name).lower()


def distribution_of(root: str) -> str:
    """The distribution that an import's top-level name comes from, as far as is known."""
    return DISTRIBUTIONS.get(root, normal(root))


def known_import(root: str) -> bool:
    """Whether an import's distribution is known without asking anyone."""
    return root in DISTRIBUTIONS or root in SAME_NAME


def declares(root: str, distributions: Iterable[str]) -> bool:
    """Whether one of the distributions gives the import."""
    names = {normal(name) for name in distributions}
    wanted = distribution_of(root)
    return wanted in names or f"{wanted}-binary" in names or f"{wanted}-headless" in names
