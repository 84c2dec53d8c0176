"""Presets of arms: what a part contributes shows when it is left out. Rows are in ``arm_presets.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

UNEXPLORED = "-no-explore"
"""Ending of the name of an explorer that does not search, made from the one it is named after."""

OFF = frozenset({"false", "off", "no"})


@cache
def arm_presets() -> dict[str, dict[str, Any]]:
    """Settings by name of the preset."""
    import yaml

    rows = yaml.safe_load(Path(__file__).with_name("arm_presets.yaml").read_text(encoding="utf-8"))
    return {name: row["sets"] for name, row in rows.items()}


def apply_preset(arm: object) -> object:
    """An arm as written in the config, with the settings of its preset.

    Raises:
        ValueError: the preset is not known, or the arm sets what its preset fixes.
    """
    if not isinstance(arm, Mapping) or arm.get("preset") is None:
        return arm
    name = str(arm["preset"])
    if name not in arm_presets():
        raise ValueError(f'preset "{name}" is not known; allowed: {", ".join(arm_presets())}')
    for key, value in arm_presets()[name].items():
        if key in arm and arm[key] != value and not (value is False and _is_off(arm[key])):
            raise ValueError(
                f'preset "{name}" sets {key}: {_written(value)}, the arm {_written(arm[key])}; leave out one '
                "of the two"
            )
    return {**arm, **arm_presets()[name]}


def with_unexplored(config: object) -> object:
    """A config as written, with the explorers of arms with ``explore: false``: the same without a search."""
    if not isinstance(config, Mapping):
        return config
    arms, explorers = config.get("arms"), config.get("explorers")
    if not isinstance(arms, Mapping) or not isinstance(explorers, Mapping) or not explorers:
        return config
    made = {}
    for arm in arms.values():
        name = _searches(arm, next(iter(explorers)))
        if name in explorers and f"{name}{UNEXPLORED}" not in explorers:
            made[f"{name}{UNEXPLORED}"] = _without_search(explorers[name])
    return {**config, "explorers": {**explorers, **made}} if made else config


def _searches(arm: object, default: str) -> str | None:
    """The explorer whose search an arm leaves out; ``None`` where it leaves none out."""
    if not isinstance(arm, Mapping):
        settings: dict[str, Any] = {key: getattr(arm, key, None) for key in ("explore", "skills")}
    else:
        settings = {**arm, **arm_presets().get(str(arm.get("preset")), {})}
    if not _is_off(settings.get("explore")):
        return None
    return str(settings.get("skills") or "").partition(":")[2] or default


def _without_search(explorer: Any) -> Any:
    """An explorer that drafts from the briefing alone."""
    if isinstance(explorer, Mapping):
        return {**explorer, "rounds": 0}
    return explorer.model_copy(update={"rounds": 0}) if hasattr(explorer, "model_copy") else explorer


def _is_off(value: object) -> bool:
    """Whether a switch is off, as YAML or the command line may write it."""
    return str(value).lower() in OFF


def _written(value: object) -> str:
    """A value as it stands in the config."""
    return str(value).lower() if isinstance(value, bool) else str(value)
