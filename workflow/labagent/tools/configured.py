"""Callers as ``ask:`` in ``config/config.yaml`` describes them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from labagent.models.ask_settings import Ask
from labagent.models.asking import StoreMode
from labagent.models.tools import Safety
from labagent.tools.backends import Settings
from labagent.tools.calling import Caller
from labagent.tools.registry import EVERY_SAFETY
from labagent.tools.store import CallStore


def settings_of(ask: Ask, root: Path) -> Settings:
    """What backends are opened with: files of mirrors, below ``root``, and the e-mail for NCBI."""
    return Settings(files={name: root / path for name, path in ask.mirrors.items()}, email=ask.email)


def make_caller(
    ask: Ask,
    root: Path,
    *,
    backends: Sequence[str] = (),
    mode: StoreMode | None = None,
    folder: Path | None = None,
    safety: Collection[Safety] = EVERY_SAFETY,
) -> Caller:
    """A new caller; what is given here goes before what is configured.

    Args:
        ask: the section of the configuration.
        root: the workflow's folder, where its paths begin.
        backends: names, in order.
        mode: of the store.
        folder: of the store.
        safety: levels of tools that may run.
    """
    store = CallStore(folder or root / ask.calls, mode or ask.store)
    return Caller(store, tuple(backends) or ask.backends, safety, settings_of(ask, root))
