"""Lessons for a failure: ranking, scopes, environments, fixes for other names and machines."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labagent.errors import MemoryStoreError
from labagent.memory import (
    at_start,
    classify,
    distribution_for,
    environment_fingerprint,
    fold,
    lesson_event,
    match,
    normalize_fix,
    outcome_event,
    render_fix,
)
from labagent.models.memory import Lesson, LessonEvent, Match, Provenance

NUMPY_INT = "AttributeError: module 'numpy' has no attribute 'int'.\n`np.int` was a deprecated alias."
NUMPY_BOOL = "AttributeError: module 'numpy' has no attribute 'bool'."
MISSING = "ModuleNotFoundError: No module named '{}'"


def learned(output: str, fix: str, *, run: str = "a/t/1", runs: int = 1, **more) -> list:
    skill = more.pop("skill", "")
    where = [Provenance(run=f"{run}{n}", turn=1, skill=skill) for n in range(runs)]
    return [lesson_event(classify(output), fix, provenance=p, time=1.0, **more) for p in where]


def fixes(lessons: tuple[Lesson, ...]) -> list[str]:
    return [lesson.fix for lesson in lessons]


def test_the_same_failure_elsewhere_finds_its_lesson() -> None:
    known = fold([], learned("/a/b.py:3: " + NUMPY_INT, "pip install 'numpy<1.24'"))
    other = 'File "/home/u/x.py", line 99, in f\n' + NUMPY_INT
    found = match(other, known)
    assert fixes(found.lessons) == ["pip install 'numpy<1.24'"]
    assert found.failure_class == "api_removed" and found.groups["attribute"] == "int"
    assert match(MISSING.format("numpy"), known).lessons == ()


def test_exact_comes_before_same_names_before_general_and_promoted_before_candidates() -> None:
    events = [
        *learned(MISSING.format("foo"), "pip install {distribution}"),
        *learned(MISSING.format("bar"), "pip install 'bar<2'"),
        *learned(MISSING.format("bar"), "pip install 'bar<3'", runs=2),
        *learned("ImportError: No module named bar", "pip install 'bar<4'"),
        *learned(MISSING.format("baz"), "pip install baz-special"),
    ]
    found = match(MISSING.format("bar"), fold([], events), limit=9)
    assert fixes(found.lessons) == [
        "pip install 'bar<3'", "pip install 'bar<2'", "pip install 'bar<4'", "pip install {distribution}",
    ]  # fmt: skip
    assert fixes(match(MISSING.format("bar"), fold([], events), limit=1).lessons) == ["pip install 'bar<3'"]


def test_quarantined_lessons_recipes_of_others_and_other_platforms_are_left_out() -> None:
    bad = learned(NUMPY_BOOL, "bad")
    events = [
        *bad,
        *(outcome_event(bad[0].id, False, provenance=Provenance(run=f"x{n}")) for n in range(2)),
        *learned(NUMPY_BOOL, "recipe", scope="recipe", skill="cox"),
        *learned(NUMPY_BOOL, "mac", environment={"platform": "darwin"}),
        *learned(NUMPY_BOOL, "judged", scope="judgment", skill="cox"),
        *learned(NUMPY_BOOL, "old python", environment={"python": "3.6"}),
        *learned(NUMPY_BOOL, "good", environment={"python": "3.11", "platform": "linux"}),
    ]
    here = environment_fingerprint(python="3.11.4", platform="linux")
    lessons = fold([], events)
    assert fixes(match(NUMPY_BOOL, lessons, environment=here, limit=9).lessons) == ["good", "old python"]
    of_cox = match(NUMPY_BOOL, lessons, environment=here, skill="cox", limit=9)
    assert set(fixes(of_cox.lessons)) == {"good", "old python", "recipe"}


def test_a_general_fix_is_rendered_for_the_name_at_hand() -> None:
    groups = classify(MISSING.format("cv2")).groups
    fix = normalize_fix("/env/bin/pip install opencv-python-headless", paths={"env": "/env"}, groups=groups)
    assert fix == "{env}/bin/pip install {distribution}"
    found = match(MISSING.format("yaml"), fold([], learned(MISSING.format("cv2"), fix)))
    command = render_fix(found.lessons[0].fix, found.groups, {"env": "/other/env"})
    assert command == "/other/env/bin/pip install PyYAML"


def test_a_path_in_a_fix_is_the_path_of_the_failure_at_hand() -> None:
    lost = "FileNotFoundError: [Errno 2] No such file or directory: '{}'"
    fix = normalize_fix("mkdir -p out/a", paths={}, groups=classify(lost.format("out/a/x.csv")).groups)
    assert fix == "mkdir -p {folder}"
    found = match(lost.format("tables/y.csv"), fold([], learned(lost.format("out/a/x.csv"), fix)))
    assert render_fix(found.lessons[0].fix, found.groups, {}) == "mkdir -p tables"


@pytest.mark.parametrize("name", ["x; rm -rf ~", "$(id)", "`id`", "a b", "-rf", "x'y", "x\ny", ""])
def test_nothing_the_shell_would_read_is_put_into_a_fix(name: str) -> None:
    with pytest.raises(MemoryStoreError, match=r"no safe value for \{module\}"):
        render_fix("pip install {module}", {"module": name}, {})


def test_a_requirement_goes_between_quotes_only() -> None:
    output = "numba 0.60.0 has requirement numpy<2.1,>=1.22, but you have numpy 2.1.3."
    known = fold([], learned(output, "python -m pip install '{requirement}'"))
    other = "a 1.0 requires b[x]!=3.*,<4; python_version < '3.11', but you have b 4.0 which is incompatible."
    found = match(other, known)
    assert render_fix(found.lessons[0].fix, found.groups, {}) == "python -m pip install 'b[x]!=3.*,<4'"
    bare = fold([], learned(output, "python -m pip install {requirement}"))
    assert match(other, bare).lessons == ()
    evil = "a 1.0 requires b' ; touch pwned; ', but you have b 4.0 which is incompatible."
    assert match(evil, known).lessons == ()


def test_an_output_cannot_make_a_general_fix_dangerous() -> None:
    known = fold(
        [], learned("FileNotFoundError: [Errno 2] No such file or directory: 'a'", "mkdir -p {folder}")
    )
    evil = "FileNotFoundError: [Errno 2] No such file or directory: '$(touch pwned)/x'"
    assert match(evil, known).lessons == ()


def test_machine_paths_go_the_longest_first_and_only_whole() -> None:
    paths = {"env": "/w/env", "run": "/w/run", "home": "/w"}
    fix = normalize_fix("cd /w/run && /w/env/bin/pip install ./x /w/env2 /w/other", paths=paths)
    assert fix == "cd {run} && {env}/bin/pip install ./x {home}/env2 {home}/other"
    assert render_fix(fix, {}, paths) == "cd /w/run && /w/env/bin/pip install ./x /w/env2 /w/other"


@given(
    words=st.lists(
        st.sampled_from(
            ["/a/env", "/a/env/bin/pip", "/a/run", "x", "${env}", "'{run'", "{}", "awk '{print $1}'"]
        ),
        max_size=6,
    )
)
@settings(max_examples=100, deadline=None)
def test_normalizing_and_rendering_on_the_same_machine_changes_nothing(words: list[str]) -> None:
    paths = {"env": "/a/env", "run": "/a/run"}
    command = " ".join(words)
    assert render_fix(normalize_fix(command, paths=paths), {}, paths) == command.strip()


def test_secrets_in_a_fix_are_redacted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDEX_PASSWORD", "tr0ub4dor&3")
    assert normalize_fix("pip install --index-url https://u:tr0ub4dor&3@h/s x", paths={}).count("tr0ub") == 0


def test_at_start_shows_the_skills_own_first_and_only_what_is_proven() -> None:
    library = [
        *learned(NUMPY_BOOL, "general"),
        *learned(NUMPY_INT, "cox recipe", scope="recipe", skill="cox"),
    ]
    live = [
        *learned(MISSING.format("a"), "unproven"),
        *learned(MISSING.format("b"), "own candidate", scope="recipe", skill="cox"),
        *learned(MISSING.format("c"), "of another", scope="recipe", skill="other", runs=2),
    ]
    lessons = fold(library, live)
    assert fixes(at_start(lessons, skill="cox", limit=9)) == ["cox recipe", "own candidate", "general"]
    assert fixes(at_start(lessons, skill="", limit=9)) == ["general"]
    assert fixes(at_start(lessons, skill="cox", limit=1)) == ["cox recipe"]


@pytest.mark.parametrize(
    ("module", "distribution"),
    [("sklearn.svm", "scikit-learn"), ("google.protobuf.message", "protobuf"), ("numpy.linalg", "numpy"),
     ("pkg_resources", "setuptools"), ("Bio.PDB", "biopython"), ("never_heard_of", "never_heard_of")],
)  # fmt: skip
def test_import_names_lead_to_distributions(module: str, distribution: str) -> None:
    assert distribution_for(module) == distribution


def test_a_megabyte_against_ten_thousand_lessons() -> None:
    found = classify(MISSING.format("mod0"))
    lessons = fold([], [lesson_about(found, f"mod{number}") for number in range(10_000)])
    output = ("2024-01-01 10:00:00 INFO step {} done in 3.2 s\n" * 21_000)[:1_000_000] + MISSING.format(
        "mod77"
    )
    match("warm up", lessons)
    best = min(processor_seconds(lambda: match(output, lessons)) for _ in range(3))
    assert fixes(match(output, lessons).lessons) == ["pip install mod77"]
    assert best < 0.15


def lesson_about(found: Match, name: str) -> LessonEvent:
    found = found.model_copy(
        update={
            "signature": found.signature.replace("mod0", name),
            "groups": {"module": name, "distribution": name},
        }
    )
    return lesson_event(found, f"pip install {name}", provenance=Provenance(run="r"), time=1.0)


def processor_seconds(call) -> float:
    started = time.process_time()
    call()
    return time.process_time() - started
