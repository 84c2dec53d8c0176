"""Calls of a lab's API in Python code, resolved by its snapshot without running anything.

Names are followed through imports, aliases, constructors (``from x import Y; y = Y(); y.fit(a)`` calls
``x.Y.fit``) and annotated results. What cannot be followed is not guessed: such calls are left out.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Literal

from labagent.models.snapshot import Callable_, Parameter, Snapshot
from labagent.snapshot.query import exported_names, has_certain_signature, may_exist

Kind = Literal["name", "instance"]
Value = tuple[Kind, str]
ABSENCE = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})
Scopes = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True)
class CallSite:
    """A call, or a mere use, of a name of the lab. ``name`` is dotted; ``node`` is ``None`` for a use."""

    name: str
    line: int
    node: ast.Call | None
    through_instance: bool = False


@dataclass
class Resolver:
    """Walks code in order and keeps what each name stands for."""

    snapshot: Snapshot
    roots: frozenset[str]
    known: dict[str, Value] = field(default_factory=dict)
    sites: list[CallSite] = field(default_factory=list)
    classes: dict[str, str] = field(default_factory=dict)

    def walk(self, statements: list[ast.stmt]) -> None:
        """Follow statements one by one."""
        for statement in statements:
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        """One statement: its calls, then what it binds."""
        if isinstance(node, ast.Import | ast.ImportFrom):
            self._import(node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self._scope(node)
        elif hasattr(node, "body"):
            self._compound(node)
        else:
            self._calls(node)
            self._bind(node)

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        """Imported names; those of the lab that do not exist are sites, too."""
        for alias in node.names:
            if alias.name == "*":
                self._star(node)
                continue
            if isinstance(node, ast.Import):
                bound = alias.asname or alias.name.split(".")[0]
                full, wanted = (alias.name if alias.asname else bound), alias.name
            else:
                bound = alias.asname or alias.name
                full = wanted = f"{node.module}.{alias.name}" if not node.level else ""
            self.known.pop(bound, None)
            if wanted.split(".")[0] in self.roots:
                self.known[bound] = ("name", full)
                self.sites.append(CallSite(wanted, node.lineno, None))

    def _star(self, node: ast.Import | ast.ImportFrom) -> None:
        """What a star import of a module of the lab binds, as far as the snapshot lists it."""
        module = node.module if isinstance(node, ast.ImportFrom) and not node.level else None
        for name in exported_names(self.snapshot, module) if module else ():
            self.known[name] = ("name", f"{module}.{name}")

    def _scope(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        """A function or class: its parameters hide outer names; nothing it binds is seen outside."""
        outer = dict(self.known)
        self.known.pop(node.name, None)
        for inner in ast.walk(node):
            if isinstance(inner, ast.arg):
                self.known.pop(inner.arg, None)
        self.walk(node.body)
        self.known = outer
        self.known.pop(node.name, None)

    def _compound(self, node: ast.stmt) -> None:
        """A compound statement: what its blocks bind is not certain afterwards."""
        heads = [v for k, v in ast.iter_fields(node) if k not in {"body", "orelse", "finalbody", "handlers"}]
        for head in (h for value in heads for h in (value if isinstance(value, list) else [value])):
            if isinstance(head, ast.AST):
                self._calls(head)
                self._forget(head)
        before = dict(self.known)
        blocks = [getattr(node, name, []) for name in ("body", "orelse", "finalbody")]
        blocks += [handler.body for handler in getattr(node, "handlers", [])]
        for block in blocks:
            seen = len(self.sites)
            self.walk(block)
            if block is getattr(node, "body", None) and _expects_absence(node):
                self.sites[seen:] = [site for site in self.sites[seen:] if site.node is not None]
        self.known = {k: v for k, v in self.known.items() if before.get(k, v) == v}

    def _bind(self, node: ast.stmt) -> None:
        """Remember what an assignment binds; anything but one plain name is forgotten."""
        self._forget(node)
        value = getattr(node, "value", None)
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        found = self.value(value) if value is not None and not isinstance(node, ast.AugAssign) else None
        if found and len(targets) == 1 and isinstance(targets[0], ast.Name):
            self.known[targets[0].id] = found

    def _forget(self, node: ast.AST) -> None:
        """Names bound somewhere inside a node stand for nothing known any more."""
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load):
                self.known.pop(inner.id, None)

    def _calls(self, node: ast.AST) -> None:
        """The calls inside an expression or simple statement."""
        hidden = {
            a.arg
            for n in ast.walk(node)
            if isinstance(n, ast.Lambda)
            for a in ast.walk(n.args)
            if isinstance(a, ast.arg)
        }
        hidden |= {
            n.id
            for c in ast.walk(node)
            if isinstance(c, ast.comprehension)
            for n in ast.walk(c.target)
            if isinstance(n, ast.Name)
        }
        shadowed = {name: self.known.pop(name) for name in hidden if name in self.known}
        for inner in ast.walk(node):
            if isinstance(inner, ast.Call):
                found = self._callee(inner.func)
                if found:
                    self.sites.append(CallSite(found[1], inner.lineno, inner, found[0] == "instance"))
        self.known |= shadowed

    def _callee(self, node: ast.expr) -> Value | None:
        """What is called: a dotted name, or a method of an instance (``instance``)."""
        if isinstance(node, ast.Attribute):
            base = self.value(node.value)
            return (base[0], f"{base[1]}.{node.attr}") if base else None
        return self.value(node)

    def value(self, node: ast.expr) -> Value | None:
        """What an expression stands for: a dotted name of the lab, an instance, or unknown."""
        if isinstance(node, ast.Name):
            return self.known.get(node.id)
        if isinstance(node, ast.Attribute):
            base = self.value(node.value)
            return ("name", f"{base[1]}.{node.attr}") if base and base[0] == "name" else None
        if isinstance(node, ast.Call):
            found = self._callee(node.func)
            entry = self.snapshot.objects.get(found[1]) if found else None
            if found and entry and entry.kind == "class":
                return ("instance", found[1])
            return self._returned(found[1]) if found else None
        return None

    def _returned(self, name: str) -> Value | None:
        """What a function or method gives back, where the snapshot knows its class."""
        names = (name, defined_as(name, self.snapshot))
        entry = next((self.snapshot.objects[n] for n in names if n in self.snapshot.objects), None)
        if entry is None or not entry.returns:
            return None
        if not self.classes:
            listed = self.snapshot.objects.items()
            self.classes = {e.name: path for path, e in listed if e.kind == "class"}
        path = self.classes.get(entry.returns)
        return ("instance", path) if path else None


def _expects_absence(node: ast.AST) -> bool:
    """Whether a statement is a ``try`` that goes on where an import of its body fails."""
    handlers = node.handlers if isinstance(node, ast.Try) else []
    caught = [n for h in handlers for n in (ast.walk(h.type) if h.type else ())]
    names = {n.id for n in caught if isinstance(n, ast.Name)}
    return any(h.type is None for h in handlers) or bool(names & ABSENCE)


def lab_roots(snapshot: Snapshot) -> frozenset[str]:
    """Top-level import names of the lab."""
    return frozenset(name.split(".")[0] for name in (*snapshot.modules, *snapshot.objects))


def call_sites(tree: ast.Module, snapshot: Snapshot) -> list[CallSite]:
    """Calls and imports of the lab's names in code, in order."""
    resolver = Resolver(snapshot, lab_roots(snapshot))
    resolver.walk(tree.body)
    return resolver.sites


def faults(site: CallSite, snapshot: Snapshot) -> list[str]:
    """What is wrong with a site: the name does not exist, or not with such arguments.

    Private names are not in a snapshot and are not judged.
    """
    if any(part.startswith("_") for part in site.name.split(".")):
        return []
    names = [site.name, defined_as(site.name, snapshot)]
    known = next((name for name in names if name in snapshot.objects), None)
    if known is None:
        there = any(may_exist(snapshot, name) for name in names) or _exists_otherwise(site, snapshot)
        return [] if there else [_missing(site.name, snapshot)]
    if site.node is None or not has_certain_signature(snapshot, known):
        return []
    return _argument_faults(site.name, snapshot.objects[known], site.node)


def defined_as(name: str, snapshot: Snapshot) -> str:
    """The name under the path at which its class is defined: methods may be listed only there."""
    parent, _, last = name.rpartition(".")
    entry = snapshot.objects.get(parent)
    return f"{entry.name}.{last}" if entry else name


def _exists_otherwise(site: CallSite, snapshot: Snapshot) -> bool:
    """Whether a name exists without being a callable, or lies where the snapshot does not see."""
    parent = site.name.rpartition(".")[0]
    entry = snapshot.objects.get(parent)
    if entry is not None:
        return entry.kind != "class" or not _has_members(parent, snapshot)
    return parent not in snapshot.modules and site.node is not None


def _has_members(name: str, snapshot: Snapshot) -> bool:
    """Whether methods of a class are listed under its name or where it is defined."""
    heads = (f"{name}.", f"{snapshot.objects[name].name}.")
    return any(other.startswith(heads) for other in snapshot.objects)


def _missing(name: str, snapshot: Snapshot) -> str:
    """A message for a name that does not exist, with the nearest that does."""
    import difflib

    parent, _, last = name.rpartition(".")
    there = {
        n.rpartition(".")[2]
        for n in (*snapshot.objects, *snapshot.constants, *snapshot.modules)
        if n.rpartition(".")[0] == parent
    }
    near = difflib.get_close_matches(last, sorted(there), n=1)
    return f"{name} does not exist in the lab's API" + (f"; did you mean {near[0]}?" if near else "")


def _argument_faults(name: str, entry: Callable_, node: ast.Call) -> list[str]:
    """Wrong counts and names of arguments."""
    parameters = list(entry.parameters)
    kinds = {p.kind for p in parameters}
    positional = [p for p in parameters if p.kind in {"positional_only", "positional"}]
    starred = any(isinstance(a, ast.Starred) for a in node.args)
    found = []
    if len(node.args) > len(positional) and not starred and "var_positional" not in kinds:
        found.append(
            f"{name} takes at most {len(positional)} positional arguments, {len(node.args)} are given"
        )
    names = {p.name for p in parameters if p.kind in {"positional", "keyword_only"}}
    for keyword in node.keywords:
        if keyword.arg and keyword.arg not in names and "var_keyword" not in kinds:
            allowed = ", ".join(sorted(names)) or "none"
            found.append(f'{name} has no parameter "{keyword.arg}"; it has: {allowed}')
    if not starred and all(k.arg for k in node.keywords):
        found += _unfilled(name, parameters, positional, node)
    return found


def _unfilled(
    name: str, parameters: list[Parameter], positional: list[Parameter], node: ast.Call
) -> list[str]:
    """Required parameters that a call leaves out."""
    given = {p.name for p in positional[: len(node.args)]} | {k.arg for k in node.keywords}
    missing = [
        p.name
        for p in parameters
        if p.default is None and not p.kind.startswith("var_") and p.name not in given
    ]
    return [f"{name} needs {', '.join(missing)}"] if missing else []
