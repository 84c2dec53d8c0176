import pytest

from labagent.environment import failure_class
from labagent.environment.outcome import failed
from labagent.errors import InfrastructureError

# What uv, pip and conda print.
SAID = [
    (
        "Because there is no version of six==99 and you require six==99, we can conclude",
        "missing_distribution",
    ),
    ("Because zzz was not found in the package registry and you require zzz", "missing_distribution"),
    ("ERROR: No matching distribution found for tensorflow==1.15.0", "missing_distribution"),
    (
        "PackagesNotFoundError: The following packages are not available from current channels",
        "missing_distribution",
    ),
    ("tensorflow==1.15.0 has no wheels with a matching Python ABI tag (e.g.)", "missing_distribution"),
    ("hint: Packages were unavailable because the network was disabled.", "network"),
    ("the current Python version (3.11.7) does not satisfy Python>=3.12", "python_version"),
    (
        "No solution found when resolving dependencies: pandas>=2.2.0 depends on numpy>=1.23",
        "resolver_conflict",
    ),
    ("x Failed to build `PyVCF==0.6.8`", "build_failure"),
    (
        "Failed to build `h5py`  error: hdf5.h: fatal error: hdf5.h: No such file or directory",
        "missing_system_library",
    ),
    ("error sending request for url: tcp connect error: Connection refused (os error 111)", "network"),
    ("failed to write: No space left on device (os error 28)", "disk_full"),
    ("something else", "unknown"),
]


@pytest.mark.parametrize(("text", "expected"), SAID)
def test_the_class_of_a_failed_build(text: str, expected: str) -> None:
    assert failure_class(text) == expected


def test_faults_of_the_machinery_are_no_outcome() -> None:
    for text in ("dns error: failed to lookup address", "No space left on device"):
        with pytest.raises(InfrastructureError, match="resolving"):
            failed("resolving", text)
    gone = "urllib.error.HTTPError: HTTP Error 404: Not Found"
    assert failed("resolving", gone).failure == "network"
    assert failed("resolving", "error: x\ncause: there is no version of y").failure == "missing_distribution"
