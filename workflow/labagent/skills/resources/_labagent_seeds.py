"""Random numbers that are the same in every run of a quick start, where its code sets no seed itself.

So a run on changed data differs from a run on the data as they are by what the data do. Generators are seeded
when their module has been imported; what code seeds later stays its own. ``LABAGENT_SEED`` is the seed.
"""

from __future__ import annotations

import functools
import itertools
import os
import sys
from typing import Any, Callable  # noqa: UP035 (old Pythons run this, too)


def _random(module: Any, seed: int) -> None:
    """The generator of the standard library."""
    module.seed(seed)


def _numpy(module: Any, seed: int) -> None:
    """The global generator, and each new one that is asked for without a seed."""
    module.seed(seed)
    made, seeds = getattr(module, "default_rng", None), itertools.count(seed)
    if made is not None:

        @functools.wraps(made)
        def default_rng(seed: Any = None) -> Any:
            return made(next(seeds) if seed is None else seed)

        module.default_rng = default_rng


def _torch(module: Any, seed: int) -> None:
    """PyTorch's generators."""
    module.manual_seed(seed)


def _tensorflow(module: Any, seed: int) -> None:
    """TensorFlow's generators."""
    module.random.set_seed(seed)


SEEDED = {"random": _random, "numpy.random": _numpy, "torch": _torch, "tensorflow": _tensorflow}


class Seeding:
    """A finder of modules that lets the others find them and seeds what they hold."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """The module's spec, where it holds a generator; ``None`` for all others."""
        seeded = SEEDED.get(name)
        if seeded is None:
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = find(name, path, target) if finder is not self and find else None
            if spec is not None:
                self._after(spec.loader, seeded)
                return spec
        return None

    def _after(self, loader: Any, seeded: Callable[[Any, int], None]) -> None:
        """Seed when the module has run; a module that is not as expected is left as it is."""
        run = getattr(loader, "exec_module", None)
        if run is None:
            return

        def exec_module(module: Any) -> None:
            run(module)
            try:
                seeded(module, self.seed)
            except Exception:
                return

        try:
            loader.exec_module = exec_module
        except AttributeError:
            return


def begin() -> None:
    """Seed generators from now on, where a seed is set."""
    seed = os.environ.get("LABAGENT_SEED", "")
    if seed.isdecimal():
        sys.meta_path.insert(0, Seeding(int(seed)))
