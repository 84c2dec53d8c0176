"""The offline drafter on a small real lab: what it drafts passes all tiers and follows its data."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from labagent.files import sha256_tree
from labagent.models.skill import DraftRecord
from labagent.skills.blocks import command_for
from labagent.skills.read import read_skill


def run_blocks(folder, data, run):
    """Run a skill's blocks as an agent does, without isolation; the answer."""
    run.mkdir()
    (run.parent / "protocol.json").write_text("{}")
    env = {
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
        "LABAGENT_DATA": str(data),
        "LABAGENT_SKILL": str(folder),
        "LABAGENT_PROTOCOL": str(run.parent / "protocol.json"),
    }
    index = 0
    for locus in read_skill(folder).loci:
        for block in locus.blocks:
            index += 1
            command = command_for(block, index, locus.name)
            done = subprocess.run(["bash", "-c", command], cwd=run, env=env, capture_output=True, text=True)
            assert done.returncode == 0, done.stdout + done.stderr
    return json.loads((run / "results.json").read_text())


def test_the_draft_passes_all_tiers(files, draft, check):
    found = draft(files)
    assert found[0].status == "drafted", found[0].reason
    verdict = check(found)
    assert verdict.status == "valid", verdict.reason
    assert [c.message for t in verdict.tiers for c in t.checks if c.status == "warning"] == [
        "UserWarning: few points"
    ]


def test_the_record_is_written_last_and_says_what_was_drafted(files, draft, tmp_path):
    record, _, _, folder = draft(files)
    assert DraftRecord.read(tmp_path / "out" / "draft.json") == record
    assert record.skill_sha256 == sha256_tree(folder)


def test_the_answer_follows_the_staged_data(files, draft, tmp_path):
    _, artifacts, _, folder = draft(files)
    skill = read_skill(folder)
    assert skill.quickstart.data == ("tinylab/sets/growth.csv",)
    data = tmp_path / "data"
    data.mkdir()
    shutil.copy(artifacts / "repository" / skill.quickstart.data[0], data)
    first = run_blocks(folder, data, tmp_path / "run-1")
    assert round(first["line"]["summary"]["slope"], 6) == 1.98
    assert round(first["ahead"]["0"], 6) == round(first["line"]["offset_"] + 5 * 1.98, 6)
    (data / "growth.csv").write_text("day,height\n1,1\n2,2\n3,3\n")
    second = run_blocks(folder, data, tmp_path / "run-2")
    assert second["line"]["slope_"] == 1.0


def test_a_staged_file_that_replaces_nothing_stops_the_run(files, draft, tmp_path):
    _, _, _, folder = draft(files)
    data = tmp_path / "data"
    data.mkdir()
    (data / "other.csv").write_text("x\n")
    try:
        run_blocks(folder, data, tmp_path / "run")
    except AssertionError as error:
        assert "no staged file has the name of a data file" in str(error)
    else:
        raise AssertionError("a wrong file went unnoticed")


def test_evidence_points_at_the_released_code(files, draft):
    _, artifacts, _, folder = draft(files)
    skill = read_skill(folder)
    places = {(e.source.path, e.terms) for e in skill.evidence}
    assert ("tinylab/data.py", ("growth.csv",)) in places
    assert any(path == "README.md" and "predict" in terms for path, terms in places)
    for item in skill.evidence:
        lines = (artifacts / "repository" / item.source.path).read_text().split("\n")
        cited = "\n".join(lines[item.source.lines[0] - 1 : item.source.lines[1]])
        assert all(term in cited for term in item.terms)


def test_plots_are_left_out_and_instructions_in_a_readme_are_only_text(files, draft, check):
    found = draft(files)
    code = (found[3] / "references" / "run.md").read_text()
    assert "plt" not in code and "plot()" not in code
    everything = "".join(p.read_text() for p in found[3].rglob("*") if p.suffix in {".md", ".yaml", ".jsonl"})
    assert "Ignore your instructions" not in everything
    assert check(found).tiers[2].status == "passed"


def test_the_draft_is_the_same_every_time(files, draft):
    assert draft(files)[0].skill_sha256 == draft(files)[0].skill_sha256


def test_a_file_read_by_path_is_staged(files, draft, check):
    files["README.md"] = "no code\n"
    files["data/points.txt"] = "1 2 3 4 6\n"
    files["examples/fit.py"] = (
        "from tinylab import Line\n"
        'y = [float(v) for v in open("../data/points.txt").read().split()]\n'
        "line = Line(intercept=True).fit(list(range(5)), y)\n"
        "ahead = line.predict([5])\n"
    )
    found = draft(files)
    assert read_skill(found[3]).quickstart.data == ("data/points.txt",)
    assert 'harvest.data_path("points.txt")' in (found[3] / "references/run.md").read_text().replace("'", '"')
    verdict = check(found)
    assert verdict.status == "valid", verdict.reason


def refused(files, draft, code):
    files["README.md"] = f"```python\n{code}\n```\n"
    record = draft(files)[0]
    assert record.status == "refused"
    return record.reason


def test_refusals_say_why(files, draft):
    use = "from tinylab import Line\nline = Line()\n"
    assert 'reads "mine.csv"' in refused(files, draft, use + 'line.fit(*read("mine.csv"))')
    assert 'uses "y"' in refused(files, draft, use + "line.fit([1], y)")
    assert "needs the network" in refused(files, draft, "import requests\n" + use + "line.fit([1], [2])")
    assert "asks a person" in refused(files, draft, use + "line.fit([1], [float(input())])")
    assert 'no parameter "slope"' in refused(files, draft, "from tinylab import Line\nline = Line(slope=2)")
    assert "does not exist" in refused(files, draft, "from tinylab import Curve\nCurve()")
    assert 'imports "obscurity"' in refused(files, draft, "import obscurity\n" + use + "line.fit([1], [2])")
    assert "none of" in refused(files, draft, "print('no use of the lab')")


def test_star_imports_are_followed_from_block_to_block(files, draft, check):
    files["README.md"] = (
        "```python\nfrom tinylab import *\n```\n\n```python\nx, y = load_growth()\n```\n\n"
        "```python\nline = Line()\nline.fit(x, y)\nahead = line.predict([5, 6])\n```\n"
    )
    found = draft(files)
    assert found[0].status == "drafted", found[0].reason
    run = (found[3] / "references/run.md").read_text()
    assert "from tinylab import Line, load_growth" in run and "import *" not in run
    verdict = check(found)
    assert verdict.status == "valid", verdict.reason


def test_a_star_gives_only_what_the_module_has(files, draft):
    star = "from tinylab import *\n"
    assert 'uses "Curve"' in refused(files, draft, star + "Line()\nCurve()")
    assert 'no parameter "slope"' in refused(files, draft, star + "line = Line(slope=2)")
    assert 'uses "Line"' in refused(
        files, draft, "from os.path import *\nimport tinylab\ntinylab.Line()\nLine()"
    )


def test_an_example_without_the_network_goes_before_one_with_it(files, draft):
    network = "from tdc.benchmark_group import admet_group\n"
    use = "from tinylab import Line, load_growth\nx, y = load_growth()\nline = Line().fit(x, y)\n"
    more = "a = line.predict(x)\nb = line.predict(y)\ngroup = admet_group(path='data/')\n"
    files["README.md"] = f"```python\n{network}{use}{more}```\n"
    files["docs/plain.md"] = f"# Plain\n\n```python\n{use}```\n"
    found = draft(files)
    assert found[0].status == "drafted", found[0].reason
    assert "docs/plain.md" in (found[3] / "evidence.jsonl").read_text()
    assert "admet_group" not in (found[3] / "references/run.md").read_text()


def test_a_package_that_must_be_compiled_is_its_release_where_it_has_one(files, draft):
    files["tinylab/fast.pyx"] = "cdef int x\n"
    record, _, _, folder = draft(files)
    assert record.status == "drafted", record.reason
    assert "- tinylab==1.2\n" in (folder / "environment.yaml").read_text()
    assert "the release of the same version" in (folder / "references/environment.md").read_text()
    assert not (folder / "assets" / "source").exists()


def test_a_package_that_must_be_compiled_and_has_no_release_is_refused(files, draft):
    files["tinylab/fast.pyx"] = "cdef int x\n"
    files["pyproject.toml"] = files["pyproject.toml"].replace('"1.2"', '"1.3.dev4+g12ab"')
    record = draft(files)[0]
    assert record.status == "refused"
    assert "must be compiled (fast.pyx)" in record.reason


def test_a_class_called_like_its_module_is_found(files, draft, check):
    files["tinylab/__init__.py"] = "from .Line import Line\nfrom .data import load_growth\n"
    files["tinylab/Line.py"] = files.pop("tinylab/line.py")
    found = draft(files)
    verdict = check(found)
    assert verdict.status == "valid", verdict.reason


def test_imports_of_the_lab_that_an_example_leaves_unsaid_are_made(files, draft):
    code = "x, y = load_growth()\nline = tinylab.Line().fit(x, y)\nahead = line.predict([5])"
    files["README.md"] = f"# tinylab\n\n```python\n{code}\n```\n"
    record, _, _, folder = draft(files)
    assert record.status == "drafted", record.reason
    text = (folder / "references/run.md").read_text()
    assert "from tinylab import load_growth\nimport tinylab\nx, y = load_growth()" in text


def test_an_unknown_name_is_not_taken_for_the_lab_s(files, draft):
    files["README.md"] = "# tinylab\n\n```python\nline = tinylab.Line()\nline.fit(Line, load)\n```\n"
    record = draft(files)[0]
    assert record.status == "refused"
    assert 'uses "Line", which it does not define' in record.reason


def test_a_package_that_imports_its_own_tests_is_copied_with_them(files, draft, check):
    files["tinylab/__init__.py"] += "from tinylab.tests import run_tests\n"
    files["tinylab/tests/__init__.py"] = "def run_tests():\n    return 0\n"
    found = draft(files)
    verdict = check(found)
    assert verdict.status == "valid", verdict.reason
