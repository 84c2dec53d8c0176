"""Environment variables of a command: an allow-list of the host's, and fixed ones that keep tools quiet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

QUIET: Mapping[str, str] = {
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "TERM": "dumb",
    "NO_COLOR": "1",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "MANPAGER": "cat",
    "EDITOR": "true",
    "VISUAL": "true",
    "GIT_EDITOR": "true",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "true",
    "SSH_ASKPASS": "true",
    "DEBIAN_FRONTEND": "noninteractive",
    "PIP_NO_INPUT": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PIP_NO_COLOR": "1",
    "PIP_PROGRESS_BAR": "off",
    "PIP_ROOT_USER_ACTION": "ignore",
    "UV_NO_PROGRESS": "1",
    "CONDA_ALWAYS_YES": "true",
    "MAMBA_NO_BANNER": "1",
    "R_DEFAULT_DEVICE": "pdf",
    "R_PROFILE_USER": "/dev/null",
    "R_ENVIRON_USER": "/dev/null",
    "PYTHONUNBUFFERED": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONNOUSERSITE": "1",
    "MPLBACKEND": "Agg",
    "TQDM_MININTERVAL": "5",
}

_THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_MAX_THREADS",
    "NUMEXPR_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "RCPP_PARALLEL_NUM_THREADS",
    "LOKY_MAX_CPU_COUNT",
)

_ALLOWED = re.compile(
    r"""PIP_\w+ | UV_\w+ | SSL_CERT_(FILE|DIR) | REQUESTS_CA_BUNDLE | CURL_CA_BUNDLE | GIT_SSL_CAINFO
    | (HTTPS?|FTP|ALL|NO)_PROXY | (https?|ftp|all|no)_proxy | CUDA_VISIBLE_DEVICES
    | OPENBLAS_CORETYPE | OPENBLAS_L2_SIZE""",
    re.VERBOSE,
)
# Folders and files of the host's own account, and what would move an installation elsewhere.
_HOST_ONLY = re.compile(
    r"_DIR$|_PATH$|_TARGET$|_PREFIX$|_ROOT$|_LOG$|_USER$|_PYTHON$|_SRC$|_REPORT$|CONFIG_FILE$|_ENVIRONMENT$|_PROJECT$"
    r"|_OVERRIDE$|_EXCLUDE$|_ENV_FILE$|_REQUIRE_VIRTUALENV$"
)
_SECRET_NAME = re.compile(
    r"TOKEN|PASSWORD|PASSWD|SECRET|CREDENTIAL|USERNAME|KEYRING|API_?KEY|AUTH", re.IGNORECASE
)
# user:password@host, token@host, and keys in a query.
_SECRET_VALUE = re.compile(r"//[^/\s@]+@|[?&](token|key|sig|signature|password|auth)=", re.IGNORECASE)


def carries_credentials(text: str) -> bool:
    """Whether ``text`` holds an address with a login or a key in it."""
    return bool(_SECRET_VALUE.search(text))


def allowed_variables(environ: Mapping[str, str]) -> dict[str, str]:
    """The host's variables a command may see: package index, certificates, proxies; never a secret.

    Args:
        environ: the host's variables.

    Returns:
        Those of the allow-list whose value carries no credentials and names no folder of an account.
    """
    return {
        name: value
        for name, value in environ.items()
        if _ALLOWED.fullmatch(name)
        and (name in {"SSL_CERT_DIR"} or not _HOST_ONLY.search(name))
        and not _SECRET_NAME.search(name)
        and not carries_credentials(value)
    }


def standard_variables(cores: int) -> dict[str, str]:
    """What every command gets: quiet tools, fixed locale and seed, ``cores`` threads in libraries."""
    return {**QUIET, **dict.fromkeys(_THREADS, str(cores))}


def named_folders(variables: Mapping[str, str]) -> list[Path]:
    """Existing files and folders of the host that index and certificate variables point to."""
    found: dict[Path, None] = {}
    for value in _words(variables.values()):
        path = Path(value.removeprefix("file://"))
        if path.is_absolute() and path.exists():
            found[path] = None
    return list(found)


def _words(values: Iterable[str]) -> Iterable[str]:
    """Index variables hold several places, separated by blanks."""
    return (word for value in values for word in value.split())
