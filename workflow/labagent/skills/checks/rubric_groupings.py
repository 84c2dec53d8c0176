"""Groups made from data: the direction of each feature is checked, the outcome is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from labagent.models.skill import Block
from labagent.skills.checks._rubric import applies, bare, calls_in, each_block, tree_of, whole
from labagent.skills.finding import Context, Finding

ID, TIER, ORDER = "rubric-groupings", 1, 110
REASON = (
    "features that point opposite ways cancel, and a score with the outcome in it finds what it was given"
)
ADVICE = True
MAKERS = frozenset(
    "qcut KMeans MiniBatchKMeans GaussianMixture AgglomerativeClustering SpectralClustering DBSCAN fcluster "
    "kmeans hclust cutree Mclust ntile cut2".split()
)
R_MAKER = re.compile(r"\b(?:kmeans|cutree|Mclust|ntile|cut2|hclust)\(")
DIRECTION = re.compile(
    r"\b(?:direction|sign|orient\w*|loadings?|correlat\w*|corr|spearmanr|pearsonr)\b", re.I
)
OUTCOME = re.compile(
    r"\b(?:outcome|response|label|endpoint|target|survival|event|dependent)s?\b[^.]{0,60}\b(?:not|no|never|excluded?|"
    r"left out|without|drop\w*|apart)\b|\b(?:not|no|never|exclud\w*|without|leav\w+ out|drop\w*)\b[^.]{0,60}"
    r"\b(?:outcome|response|label|endpoint|target|survival|event|dependent)s?\b",
    re.I,
)


def check(context: Context) -> Iterator[Finding]:
    """Where code makes groups, the locus speaks of the features' direction and leaves the outcome out."""
    made = [(locus, block.line + line - 1) for locus, block in each_block(context) for line in _makers(block)]
    applies(bool(made), "no groups are made from data")
    for locus, line in made:
        for wanted, what in (
            (DIRECTION, "checks the direction of the features"),
            (OUTCOME, "leaves the outcome out"),
        ):
            if not wanted.search(whole(locus)):
                yield Finding(
                    f"groups are made, and nothing here {what}: {REASON}", locus.path, line, warning=True
                )


def _makers(block: Block) -> list[int]:
    """Lines of a block (from 1) at which groups are made."""
    if block.language == "r":
        return [n for n, row in enumerate(bare(block.code).split("\n"), 1) if R_MAKER.search(row)]
    return [call.lineno for name, call in calls_in(tree_of(block)) if name in MAKERS]
