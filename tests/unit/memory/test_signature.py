"""Signatures do not depend on the machine, and keep the names that matter."""

from __future__ import annotations

import re
import string
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from labagent.memory import classify, normalize

BLOCKS = re.split(r"^### ", (Path(__file__).parent / "failures.txt").read_text(), flags=re.MULTILINE)[1:]
TRACEBACKS = [block.partition("\n")[2] for block in BLOCKS if 'File "' in block or "/e/" in block]

WORD = st.text(alphabet=string.ascii_lowercase + string.digits + "_", min_size=3, max_size=10).filter(
    lambda s: s[0].isalpha()
)
HOSTILE = st.sampled_from(
    [
        "oom_kill", "timeout", "permission denied", "No space left on device", "CUDA out of memory", "Killed",
        "core dumped", "git-lfs.github.com", "subprocess.py", "externally-managed", "command not found",
        "ModuleNotFoundError", "did not converge", "SIGKILL", "rate limit", "Segmentation fault", "libcuda",
        "size changed", "ResolutionImpossible", "_ARRAY_API not found", "xlib-config not found",
        "fatal error", "is defunct", "GLIBC_2.34 not found", "SSLError", "R_HOME", "longintrepr.h",
    ]
)  # fmt: skip
FOLDER = st.lists(st.one_of(WORD, WORD, HOSTILE), min_size=1, max_size=4).map(lambda p: "/" + "/".join(p))
VERSION = st.tuples(st.integers(0, 99), st.integers(0, 99), st.integers(0, 99)).map(
    lambda v: ".".join(map(str, v))
)


@given(output=st.sampled_from(TRACEBACKS), one=FOLDER, two=FOLDER, line=st.integers(1, 99999))
@settings(max_examples=max(800, settings.default.max_examples))
def test_other_folders_and_line_numbers_give_the_same_signature(output: str, one, two, line) -> None:
    def moved(folder: str, number: int) -> str:
        text = re.sub(r"(?<![\w.])/(?:e|env|opt/envs/a|home/\w+|w|data|usr/lib)/", folder + "/", output)
        return re.sub(r"line \d+", f"line {number}", text)

    assert classify(moved(one, 1)).signature == classify(moved(two, line)).signature


@given(folder=FOLDER, name=HOSTILE)
def test_names_in_paths_and_addresses_name_no_failure(folder: str, name: str) -> None:
    for output, expected in [
        (f'  File "{folder}/subprocess.py", line 9, in _execute_child\n    raise child_exception_type(e)\n'
         "FileNotFoundError: [Errno 2] No such file or directory: 'mmseqs'", "missing_command"),
        (f'  File "{folder}/{name}.py", line 3, in <module>\nKeyError: \'a\'', "data_format"),
        (f"FileNotFoundError: [Errno 2] No such file or directory: '{folder}/{name}.csv'", "file_not_found"),
        (f"{folder}/bin/ld: cannot find -lz: No such file or directory", "missing_system_library"),
        (f"{folder}/bin/python: No module named pytest", "missing_module"),
        ("requests.exceptions.HTTPError: 404 Client Error: Not Found for url: "
         f"https://a.b{folder.replace(' ', '-')}/", "network"),
    ]:  # fmt: skip
        assert classify(output).failure_class == expected, output


TEMPLATES = [
    "ERROR: No matching distribution found for tensorflow=={version}",
    "ImportError: cannot import name 'read' from 'anndata' ({folder}/lib/anndata/__init__.py)",
    "ModuleNotFoundError: No module named 'pkg_resources'",
    "FileNotFoundError: [Errno 2] No such file or directory: '{folder}/out.csv'",
    "FileNotFoundError: [Errno 2] No such file or directory: '{user}/results/table one.csv'",
    "RuntimeError: Parent directory {user}/logs/x does not exist.",
    "PermissionError: [Errno 13] Permission denied: '/home/{user}/.cache'",
    "bash: line {line}: conda: command not found",
    "python: can't open file '{folder}/run.py': [Errno 2] No such file or directory",
    "ERROR: Package 'scanpy' requires a different Python: {version} not in '>=3.10'",
    "tensorflow {version} requires protobuf<3.20, but you have protobuf {version} which is incompatible.",
    "ERROR: Cannot install a=={version}+cpu because these package versions have conflicting dependencies.",
    "A module that was compiled using NumPy 1.x cannot be run in\nNumPy {version} as it may crash.",
    "ImportError: Numba needs NumPy {version} or less. Got NumPy {version}.",
    "json.decoder.JSONDecodeError: Expecting value: line {line} column 1 (char {line})",
    "OSError: [Errno 28] No space left on device: '{folder}/x'",
    "TypeError: CoxPHFitter.fit() got an unexpected keyword argument 'include_likelihood'",
    "ImportError: lib{user}.so.1: cannot open shared object file: No such file or directory",
    "Error in library(DESeq2) : there is no package called ‘DESeq2’",
    "<object at 0x{line}f3a2> RuntimeError: boom in {folder}/run after {line}.5s",
]


@given(
    template=st.sampled_from(TEMPLATES),
    a=st.tuples(FOLDER, VERSION, st.integers(1, 9999)),
    b=st.tuples(FOLDER, VERSION, st.integers(1, 9999)),
    user=WORD,
    other=WORD,
)
@settings(max_examples=max(400, settings.default.max_examples))
def test_paths_versions_lines_and_users_are_neutral(template: str, a, b, user, other) -> None:
    if template.startswith("ImportError: lib"):
        other = user
    first = template.format(folder=a[0], version=a[1], line=a[2], user=user)
    second = template.format(folder=b[0], version=b[1], line=b[2], user=other)
    assert classify(first).signature == classify(second).signature


@given(one=WORD, two=WORD)
@settings(max_examples=100)
def test_another_module_is_another_signature(one: str, two: str) -> None:
    text = "ModuleNotFoundError: No module named '{}'"
    same = classify(text.format(one)).signature == classify(text.format(two)).signature
    assert same == (one == two)


def test_names_stay_and_python_versions_write_functions_alike() -> None:
    assert normalize("ImportError: cannot import name 'read' from 'anndata' (/a/b.py)") == (
        "ImportError: cannot import name 'read' from 'anndata'"
    )
    assert normalize("TypeError: CoxPHFitter.fit() got 'x'") == normalize("TypeError: fit() got 'x'")
    assert normalize("module 'numpy' has no attribute 'int'. Did you mean: 'inf'?") == (
        "module 'numpy' has no attribute 'int'"
    )


@given(st.text(max_size=400))
@settings(max_examples=200)
def test_any_line_gives_a_short_signature_of_one_line(line: str) -> None:
    signature = normalize(line)
    assert len(signature) <= 240 and "\n" not in signature
