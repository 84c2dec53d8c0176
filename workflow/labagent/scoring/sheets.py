"""A withheld sheet (a rubric, claims, exact fields): one YAML file, one model, one way to say a fault."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import ValidationError

from labagent.errors import InfrastructureError
from labagent.inputs.yaml_file import Loader, yaml_fault
from labagent.models.base import Record

S = TypeVar("S", bound=Record)
MAX_SAID = 3


def read_sheet(path: Path, model: type[S], what: str) -> S:
    """The file as a record; an empty file is an empty mapping.

    Args:
        path: a YAML file, ``rubrics/<target>.yaml``.
        model: what it holds.
        what: what it is called in messages, for example ``rubric``.

    Raises:
        InfrastructureError: the file cannot be used. The text names the places of at most three faults and
            never what stands there, since sheets hold answers.
    """
    try:
        value = yaml.load(path.read_text(encoding="utf-8-sig"), Loader=Loader)
        return model.model_validate({} if value is None else value)
    except ValidationError as error:
        said = "; ".join(_said(e["loc"], e["type"], e["msg"]) for e in told(error))
        raise InfrastructureError(f"{path}: is no {what}: {said}") from error
    except yaml.YAMLError as error:
        raise InfrastructureError(str(yaml_fault(str(path), error))) from error
    except (OSError, UnicodeDecodeError) as error:
        raise InfrastructureError(f"{path}: cannot be read: {error}") from error


def told(error: ValidationError) -> list[dict[str, Any]]:
    """Its first faults, without that of a list which is too short only since its items are wrong."""
    found: list[dict[str, Any]] = [dict(e) for e in error.errors()]
    inside = {e["loc"][:n] for e in found for n in range(1, len(e["loc"]))}
    return [e for e in found if not (e["type"] == "too_short" and e["loc"] in inside)][:MAX_SAID]


def _said(place: tuple[int | str, ...], kind: str, message: str) -> str:
    """One fault on one line."""
    known = {"extra_forbidden": "is not a known key", "missing": "is missing"}
    if not place and kind in ("model_type", "dict_type"):
        return "must hold a mapping (key: value)"
    text = known.get(kind, message.removeprefix("Value error, "))
    return f'"{".".join(map(str, place))}": {text}' if place else text
