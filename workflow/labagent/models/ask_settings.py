"""The section ``ask`` of ``config/config.yaml``: how questions are answered."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints, field_validator, model_validator

from labagent.models.asking import StoreMode
from labagent.models.base import Record

FileName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=64)]
Backend = Annotated[str, StringConstraints(pattern=r"^[a-z]+(:[A-Za-z0-9][A-Za-z0-9._-]*)?$")]


class Ask(Record):
    """How ``labagent ask`` and the workflow answer questions.

    ``backends`` are asked in order (``facts``, ``mirror:NAME``, ``recorded:NAME``, ``live``; the network is
    used by ``live`` alone); ``mirrors`` are the files that the names stand for. ``store`` is the mode of the
    store of calls and ``calls`` its folder. ``model``: ``offline`` or a name under ``models``. ``email`` is
    told to NCBI with every request. ``max_steps`` bounds the steps of one answer.
    """

    backends: Annotated[tuple[Backend, ...], Field(min_length=1)] = ("facts",)
    mirrors: dict[FileName, str] = Field(default_factory=dict)
    store: StoreMode = "auto"
    calls: str = ".labagent/calls"
    model: FileName = "offline"
    email: Annotated[str, StringConstraints(pattern=r"^$|^[^\s@<>]+@[^\s@<>]+$", max_length=254)] = ""
    max_steps: Annotated[int, Field(ge=1, le=20)] = 5

    @field_validator("calls")
    @classmethod
    def _calls_stay_inside(cls, calls: str) -> str:
        parts = calls.split("/")
        if not all(parts) or {".", ".."} & set(parts):
            raise ValueError("must be a folder below the workflow's, without . or ..")
        return calls

    @model_validator(mode="after")
    def _files_resolve(self) -> Ask:
        for backend in self.backends:
            name = backend.partition(":")[2]
            if name and name not in self.mirrors:
                known = ", ".join(sorted(self.mirrors)) or "none"
                raise ValueError(f'backends: "{backend}" names no file of mirrors; there are: {known}')
        return self
