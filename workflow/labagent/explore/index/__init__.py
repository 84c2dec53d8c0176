"""Full-text search over all that was staged of a lab; every hit is a place that evidence can cite.

``open_index(artifacts).search("floor of Mean")`` gives the best passages (BM25), each with its address.
``chunks`` cuts sources into passages, ``terms`` into words and identifiers, ``store`` keeps and asks them.
"""

from __future__ import annotations

from labagent.explore.index.store import Hit, Index, open_index

__all__ = ["Hit", "Index", "open_index"]
