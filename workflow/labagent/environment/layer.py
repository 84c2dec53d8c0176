"""A run's own writable layer over a shared, read-only environment.

A virtual environment whose packages come first and which sees the base's through a ``.pth`` file; what pip
installs goes into the layer and shadows the base.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from labagent.errors import InfrastructureError
from labagent.models.run import EnvironmentRecord
from labagent.sandbox import Mount

_INSIDE = "/env/run"
_BASE = "/env/base"
_PIP = '#!/bin/sh\nexec "$(dirname "$0")/python" -m pip "$@"\n'
# Programs of the base run its Python, not the layer's: this lets them see the layer's packages, first.
_BASE_HOOK = (
    "import os, sys; p = os.environ.get('LABAGENT_LAYER_PACKAGES', ''); "
    "p and os.path.isdir(p) and p not in sys.path "
    "and os.path.basename(os.path.dirname(p)) == 'python%d.%d' % sys.version_info[:2] "
    "and sys.path.insert(1, p)\n"
)


@dataclass(frozen=True)
class Layer:
    """A layer and how commands reach it; places are inside places, which ``open_sandbox`` translates.

    ``variables`` has ``PATH`` as the entries that go in front of the system's.
    """

    folder: Path
    mounts: tuple[Mount, ...]
    variables: dict[str, str]
    packages: Path

    def freeze(self) -> tuple[str, ...]:
        """What was installed on top of the base: ``name==version``, R packages as ``r:name==version``."""
        return (*sorted(set(_python_packages(self.packages))), *sorted(_r_packages(self.folder / "R")))

    def delete(self) -> None:
        """Remove the layer from disk."""
        shutil.rmtree(self.folder, ignore_errors=True)


def create_layer(record: EnvironmentRecord, folder: Path) -> Layer:
    """Make an empty layer over a ready environment.

    Args:
        record: the base.
        folder: where the layer goes; it must not exist.

    Raises:
        InfrastructureError: the base is not on this machine (any more).
    """
    base = Path(record.prefix)
    program = base / "bin" / "python"
    if record.status != "ready" or not program.exists():
        raise InfrastructureError(f"{base}: no environment; build it first (its record says {record.status})")
    real = program.resolve()
    name = f"python{'.'.join(record.python.split('.')[:2])}"
    packages = folder / "lib" / name / "site-packages"
    for part in (folder / "bin", packages, folder / "R"):
        part.mkdir(parents=True)
    (folder / "pyvenv.cfg").write_text(
        f"home = {real.parent}\ninclude-system-site-packages = false\nversion = {record.python}\n"
    )
    for link in dict.fromkeys(("python", "python3", name)):
        (folder / "bin" / link).symlink_to(real)
    for link in ("pip", "pip3"):
        (folder / "bin" / link).write_text(_PIP)
        (folder / "bin" / link).chmod(0o755)
    shown = base / "lib" / name / "site-packages"
    (packages / "_labagent_base.pth").write_text(f"import site; site.addsitedir({str(shown)!r})\n")
    return Layer(
        folder=folder,
        mounts=tuple(_mounts(folder, base, real)),
        variables=_variables(record, name),
        packages=packages,
    )


def write_base_hook(prefix: Path) -> None:
    """Let programs of a base see the packages of the layer that is in use."""
    for packages in (prefix / "lib").glob("python3*/site-packages"):
        (packages / "_labagent_layer.pth").write_text(_BASE_HOOK)


def _mounts(folder: Path, base: Path, program: Path) -> Iterator[Mount]:
    """The layer, the base at its place and at its own path (scripts name it), and its interpreter."""
    yield Mount(folder, _INSIDE, writable=True)
    yield Mount(base, _BASE)
    yield Mount(base, str(base))
    interpreter = program.parent.parent
    if not interpreter.is_relative_to("/usr") and not interpreter.is_relative_to(base):
        yield Mount(interpreter, str(interpreter))


def _variables(record: EnvironmentRecord, name: str) -> dict[str, str]:
    """Variables that make the layer the environment in use."""
    found = {
        "PATH": f"{_INSIDE}/bin:{_BASE}/bin",
        "VIRTUAL_ENV": _INSIDE,
        "R_LIBS_USER": f"{_INSIDE}/R",
        "LABAGENT_LAYER_PACKAGES": f"{_INSIDE}/lib/{name}/site-packages",
    }
    if record.builder == "conda":
        found["CONDA_PREFIX"] = record.prefix
    return found


def _python_packages(folder: Path) -> Iterator[str]:
    """Distributions in a folder of packages."""
    for found in metadata.distributions(path=[str(folder)]):
        if found.metadata and found.metadata["Name"]:
            yield f"{found.metadata['Name']}=={found.version}"


def _r_packages(folder: Path) -> Iterator[str]:
    """Packages in an R library."""
    for file in sorted(folder.glob("*/DESCRIPTION")):
        lines = file.read_text("utf-8", "replace").splitlines()
        fields = dict(line.split(": ", 1) for line in lines if ": " in line)
        if "Version" in fields:
            yield f"r:{file.parent.name}=={fields['Version'].strip()}"
