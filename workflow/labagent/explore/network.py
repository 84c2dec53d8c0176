"""Whether code needs the network, by what it imports and calls (``network.yaml``)."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import lru_cache
from importlib import resources

import yaml

from labagent.models.base import Record


class NetworkTable(Record):
    """``network.yaml``."""

    imports: tuple[str, ...]
    call_starts: tuple[str, ...]
    calls: tuple[str, ...]


@lru_cache(maxsize=1)
def network_table() -> NetworkTable:
    """The table of modules and names that mean the network."""
    text = resources.files("labagent.explore").joinpath("network.yaml").read_text("utf-8")
    return NetworkTable.model_validate(yaml.safe_load(text))


def network_uses(tree: ast.AST, lab: Collection[str], own_calls: Collection[ast.Call]) -> Iterator[str]:
    """What of a tree needs the network: a module, a call's name, or an address.

    Args:
        tree: the code.
        lab: top-level modules of the lab, whose names may be those of the table.
        own_calls: calls that are known to be the lab's.
    """
    own = {id(call) for call in own_calls}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from (name for name in _imported(node) if name.split(".")[0] not in lab)
        elif isinstance(node, ast.Call):
            yield from _called(node, id(node) in own)


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """Modules of the table that a statement imports."""
    names = [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        names = [f"{node.module}.{name}" for name in names] if node.module and not node.level else []
    for module in network_table().imports:
        if any(name == module or name.startswith(f"{module}.") for name in names):
            yield module


def _called(node: ast.Call, is_own: bool) -> Iterator[str]:
    """The name of a call that is in the table, or an address among its arguments."""
    table = network_table()
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name.startswith(table.call_starts) or (name in table.calls and not is_own):
        yield name
    texts = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    if any(text.startswith(("http://", "https://", "ftp://")) for text in texts):
        yield "an address is read"
