"""How far a snapshot agrees with what ``inspect`` sees of the same package at run time."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from labagent.models.snapshot import Snapshot
from labagent.snapshot.query import has_certain_signature, is_known, may_exist

KINDS = {
    "positional_only": "positional_only",
    "positional": "positional_or_keyword",
    "var_positional": "var_positional",
    "keyword_only": "keyword_only",
    "var_keyword": "var_keyword",
}


@dataclass
class Agreement:
    """Counts of names, and the names that do not agree with what was seen and listed."""

    package: str
    names: int = 0
    excused: int = 0
    compared: int = 0
    uncertain: int = 0
    missing: list[str] = field(default_factory=list)
    wrong: list[tuple[str, list[str], list[str]]] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)

    def row(self) -> str:
        """One line of the table."""
        missing = 100 * len(self.missing) / max(self.names, 1)
        wrong = 100 * len(self.wrong) / max(self.compared, 1)
        return (
            f"{self.package:12} names {self.names:6} missing {len(self.missing):4} ({missing:.2f} %) "
            f"made at run time {self.excused:6} compared {self.compared:6} "
            f"wrong {len(self.wrong):4} ({wrong:.2f} %) "
            f"not certain {self.uncertain:5}"
        )


def runtime(package: str, python: str = sys.executable) -> list[tuple[str, str, list[list[str]] | None]]:
    """What the interpreter's ``inspect`` sees; see ``runtime_api.py``."""
    script = Path(__file__).with_name("runtime_api.py")
    done = subprocess.run([python, str(script), package], capture_output=True, text=True, check=True)
    return [(path, kind, listed) for path, kind, listed in json.loads(done.stdout)]


def compare(snap: Snapshot, package: str, python: str = sys.executable) -> Agreement:
    """Hold a snapshot of a package's files against the running package."""
    found = Agreement(package)
    for path, kind, listed in runtime(package, python):
        found.names += 1
        if not is_known(snap, path):
            if may_exist(snap, path):
                found.excused += 1
            else:
                found.missing.append(path)
                found.reasons[f"missing: {kind}"] += 1
        elif path in snap.objects and listed is not None:
            _signature(snap, path, kind, listed, found)
    return found


def _signature(snap: Snapshot, path: str, kind: str, listed: list[list[str]], found: Agreement) -> None:
    """Compare names and kinds of the parameters of one callable."""
    if not has_certain_signature(snap, path):
        found.uncertain += 1
        return
    found.compared += 1
    ours = [[p.name, KINDS[p.kind]] for p in snap.objects[path].parameters]
    if ours != listed:
        found.wrong.append((path, [p[0] for p in ours], [p[0] for p in listed]))
        same = [p[0] for p in ours] == [p[0] for p in listed]
        found.reasons[f"wrong: {kind}, {'kinds' if same else 'names'} of parameters"] += 1
