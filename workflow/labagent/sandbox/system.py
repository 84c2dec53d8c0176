"""Which parts of the host's system a sandbox shows, read-only. Everything else is absent."""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from labagent.sandbox.variables import carries_credentials

SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

UID = 1000
_PASSWD = f"agent:x:{UID}:{UID}::/home/agent:/bin/bash\nnobody:x:65534:65534::/:/usr/sbin/nologin\n"
_GROUP = f"agent:x:{UID}:\nnogroup:x:65534:\n"

_TOP = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_WHOLE = ("/usr", "/nix/store")
_OPEN = ("/opt",)
# Keys (ssl/private), accounts (shadow, sudoers) and the host's name are not among them.
_ETC = (
    "resolv.conf",
    "hosts",
    "host.conf",
    "gai.conf",
    "nsswitch.conf",
    "protocols",
    "services",
    "ssl/certs",
    "ssl/openssl.cnf",
    "ca-certificates",
    "ca-certificates.conf",
    "pki/tls/certs",
    "pki/ca-trust/extracted",
    "crypto-policies",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "alternatives",
    "localtime",
    "timezone",
    "os-release",
    "locale.alias",
    "locale.conf",
    "fonts",
    "mime.types",
    "magic",
    "papersize",
    "perl",
    "R",
    "OpenCL",
    "ImageMagick-6",
    "ImageMagick-7",
)
_ETC_PATTERNS = ("java-*", "python3*")
_INDEX_FILES = ("pip.conf", "xdg/pip", "xdg/uv", "uv")
_KERNEL = ("sys", "sysrq-trigger", "bus", "fs", "irq", "acpi", "scsi", "driver", "mtrr", "dynamic_debug")
_DEVICES = ("nvidia*", "kfd", "dri/renderD*")


@lru_cache(maxsize=1)
def system_binds() -> tuple[str, ...]:
    """Arguments of bubblewrap for the system's folders but ``/etc``, and for ``/proc`` and ``/dev``."""
    words: list[str] = []
    for folder in (*_WHOLE, *_open_folders()):
        if Path(folder).is_dir():
            words += ["--ro-bind", folder, folder]
    for name in _TOP:
        words += _as_on_host(Path(name))
    words += ["--proc", "/proc", *_kernel_binds(), "--dev", "/dev"]
    for pattern in _DEVICES:
        for device in sorted(Path("/dev").glob(pattern)):
            words += ["--dev-bind-try", str(device), str(device)]
    return tuple(words)


def _kernel_binds() -> list[str]:
    """Kernel settings and interfaces read-only: under a root workflow their owner is the user inside."""
    words: list[str] = []
    for name in _KERNEL:
        if Path("/proc", name).exists():
            words += ["--ro-bind", f"/proc/{name}", f"/proc/{name}"]
    return words


def _as_on_host(path: Path) -> list[str]:
    """A link stays a link, a folder is bound."""
    if path.is_symlink():
        return ["--symlink", str(path.readlink()), str(path)]
    return ["--ro-bind", str(path), str(path)] if path.is_dir() else []


def _open_folders() -> Iterator[str]:
    """``/opt`` whole, or, when an account or the project lives there, its other parts."""
    private = [Path.cwd().resolve(), Path.home().resolve()]
    for name in _OPEN:
        folder = Path(name)
        if not any(path.is_relative_to(folder) for path in private):
            yield name
        elif folder.is_dir():
            parts = (part for part in sorted(folder.iterdir()) if not part.is_symlink())
            yield from (str(part) for part in parts if not any(path.is_relative_to(part) for path in private))


def etc_folder() -> Path:
    """What a sandbox shows as ``/etc``, with one user of its own; copied once a process.

    One folder to bind, since bubblewrap reads the whole mount table anew for each bind.
    """
    return _etc_of_process(os.getpid())


@lru_cache(maxsize=1)
def _etc_of_process(pid: int) -> Path:
    """The copy of this process; a forked child makes its own and leaves its parent's alone."""
    folder = Path(tempfile.mkdtemp(prefix="labagent-etc-"))
    folder.chmod(0o755)
    atexit.register(lambda: shutil.rmtree(folder, ignore_errors=True) if os.getpid() == pid else None)
    for path in _etc():
        target = folder / path.relative_to("/etc")
        target.parent.mkdir(parents=True, exist_ok=True)
        # What this user cannot read a command could not read either.
        with contextlib.suppress(OSError, shutil.Error):
            if path.is_dir():
                shutil.copytree(path, target, symlinks=True)
            else:
                shutil.copyfile(path, target)
    (folder / "passwd").write_text(_PASSWD)
    (folder / "group").write_text(_GROUP)
    return folder


def _etc() -> Iterator[Path]:
    """The files of ``/etc`` that are shown; index settings only when no login stands in them."""
    etc = Path("/etc")
    for name in _ETC:
        if (etc / name).exists():
            yield etc / name
    for pattern in _ETC_PATTERNS:
        yield from sorted(etc.glob(pattern))
    for name in _INDEX_FILES:
        if (etc / name).exists() and not _has_login(etc / name):
            yield etc / name


def _has_login(path: Path) -> bool:
    """Whether a settings file, or one of a folder, carries credentials (or cannot be read to know)."""
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    try:
        return any(carries_credentials(file.read_text("utf-8", "replace")) for file in files)
    except OSError:
        return True
