"""Importing a user's own copy of a benchmark: in the family's format, from small data made here."""

import json
import shutil
from pathlib import Path

import pytest
import yaml

from labagent.cli import main
from labagent.errors import InputError
from labagent.inputs import load_inputs
from labagent.models.config import SandboxSettings
from labagent.models.family import Family
from labagent.scoring.importers import ImportOptions, import_family, known_importers
from labagent.scoring.importers.biomnibench_da import parse_rubric
from labagent.scoring.rubric.sheet import read_rubric
from labagent.scoring.scorers import load_scorer

ROOT = Path(__file__).resolve().parents[3]
FAMILIES = ("biomnibench_da", "finemapping", "genebench_pro")
RUBRIC = """RUBRIC: cells

Criterion 1: Filtering
Description: Which cells are kept.
Levels: A=60 B=25 C=0
[A]: Removes 37 cells with fewer
than 500 genes.
[B]: Removes cells by another rule.
[C]: Keeps all cells.

Criterion 2: Testing
[A] (40 points): Tests with DESeq2 and corrects by Benjamini-Hochberg.
[B] (15 points): Tests without correction.
[C] (0 points): No test.

Criterion 3: Sources
Levels: A=0 B=-5 C=-10
[A]: Nothing is invented.
[B]: One name is.
[C]: Much is.
"""


@pytest.fixture
def project(tmp_path):
    """A project with the shipped families and no targets of its own."""
    root = tmp_path / "project"
    for name in FAMILIES:
        shutil.copytree(ROOT / "benchmarks" / name, root / "benchmarks" / name)
    (root / "config").mkdir()
    (root / "config/config.yaml").write_text(
        "arms: {offline: {model: offline}}\nexplorers: {offline: {model: offline}}\n"
    )
    header = "target\tfamily\tskill\ttask\tdata\tanswer\tprotocol\tbudget\n"
    (root / "config/targets.tsv").write_text(header)
    (root / "config/references.tsv").write_text("target\tquantity\tmetric\tdirection\tvalue\tsource\n")
    (root / "config/labs.tsv").write_text("skill\tsource\trepository\n")
    return root


def family_of(root, name):
    text = yaml.safe_load((root / "benchmarks" / name / "family.yaml").read_text())
    return Family(name=name, folder=str(root / "benchmarks" / name), **text)


def loaded(root, name):
    """Inputs with one family selected, whose scorer finds no fault in any target."""
    inputs = load_inputs(root, {"selection": {"families": [name]}})
    family = inputs.families[name]
    for target in inputs.selected_targets:
        faults = load_scorer(family.scorer).check(
            family, target, inputs.references[target.target], inputs.labels.get(target.target)
        )
        assert faults == []
    return inputs


def faults_of(root, name, folder):
    with pytest.raises(InputError) as caught:
        import_family(family_of(root, name), folder, ImportOptions())
    assert not (root / "benchmarks" / name / "imported").exists()
    return "\n".join(map(str, caught.value.faults))


@pytest.fixture
def tasks(tmp_path):
    """Two tasks: one as the benchmark's own task folders are, one in the plain layout."""
    one, two = tmp_path / "copy/da-1-3", tmp_path / "copy/da-2-1"
    for folder in (one / "tests", one / "environment/data", two / "data", two / "tests"):
        folder.mkdir(parents=True)
    (one / "instruction.md").write_text(
        "Which cells are enriched? Write /app/answer.txt and /app/trace.md.\n"
    )
    (one / "task.toml").write_text('[metadata]\ntask_type = "cell-composition"\n')
    (one / "tests/rubric.txt").write_text(RUBRIC)
    (one / "environment/data/cells.csv").write_text("cell\na\n")
    (one / "environment/Dockerfile").write_text(
        "ENV THREADS=1\nRUN pip install scanpy==1.10.2 numpy==1.26.4\n"
    )
    (two / "README.md").write_text("# Survival\n\nTask type: Survival analysis\n\nCompare the arms.\n")
    (two / "tests/rubric.txt").write_text(RUBRIC)
    (two / "data.tsv").write_text(f"url\tsha256\nhttps://data.example/x.csv\t{'ab' * 32}\n")
    (two / "environment.yaml").write_text("dependencies: [python=3.11, lifelines=0.30]\n")
    (tmp_path / "copy/notes").mkdir()
    return tmp_path / "copy"


def test_every_opt_in_family_here_has_an_importer():
    assert set(FAMILIES) <= set(known_importers())


def test_shipped_families_run_only_where_they_are_named(project):
    assert [t.target for t in load_inputs(project).selected_targets] == []
    assert len(loaded(project, "genebench_pro").selected_targets) == 2


def test_biomnibench_tasks_become_targets_with_sealed_rubrics(project, tasks):
    targets = import_family(family_of(project, "biomnibench_da"), tasks, ImportOptions())
    assert [t.target for t in targets] == ["da-1-3", "da-2-1"]
    inputs = loaded(project, "biomnibench_da")
    first, second = inputs.selected_targets
    assert first.data == (str(tasks / "da-1-3/environment/data"),)
    assert second.data == (str(tasks / "da-2-1/data"), f"https://data.example/x.csv#sha256={'ab' * 32}")
    text = Path(first.task).read_text()
    assert "Write answer.txt and trace.md" in text and "Both are required" in text and "500 genes" not in text
    assert {q.name: q.file for q in first.answer} == {"points": "answer.txt", "trace": "trace.md"}
    points = inputs.references["da-1-3"]["points"]
    assert (points.value, points.tolerance, points.tolerance_kind) == (1.0, 0.3, "abs")
    rubric = read_rubric(inputs.labels["da-1-3"])
    assert (rubric.type, rubric.most) == ("cell-composition", 100)
    assert read_rubric(inputs.labels["da-2-1"]).type == "survival-analysis"
    assert yaml.safe_load(Path(first.protocol).read_text()) == {
        "versions": {"numpy": "1.26.4", "scanpy": "1.10.2"}
    }
    assert yaml.safe_load(Path(second.protocol).read_text()) == {
        "versions": {"lifelines": "0.30", "python": "3.11"}
    }


def test_both_ways_of_writing_a_rubric_are_read():
    one, two, three = parse_rubric(RUBRIC)
    assert (one["id"], one["title"]) == ("1", "Filtering")
    assert one["levels"]["A"] == {"points": 60, "text": "Removes 37 cells with fewer than 500 genes."}
    assert [level["points"] for level in two["levels"].values()] == [40, 15, 0]
    assert [level["points"] for level in three["levels"].values()] == [0, -5, -10]
    assert parse_rubric("no criterion") == []


def test_all_faults_of_a_copy_are_named_and_nothing_is_written(project, tasks):
    (tasks / "da-1-3/instruction.md").unlink()
    (tasks / "da-1-3/tests/rubric.txt").write_text(
        RUBRIC.replace("Levels: A=60 B=25 C=0", "Levels: A=20 B=25 C=0")
    )
    (tasks / "da-2-1/data.tsv").write_text("http://data.example/x.csv\tabc\n")
    shutil.copytree(tasks / "da-2-1", tasks / "da-2-2")
    (tasks / "da-2-2/tests/rubric.txt").write_bytes(b"\xff")
    said = faults_of(project, "biomnibench_da", tasks)
    for part in ("has no task text", "a lower level earns more points", "must read https://", "not UTF-8"):
        assert part in said
    assert "da-X-Y" in faults_of(project, "biomnibench_da", tasks / "notes")
    assert "no such folder" in faults_of(project, "biomnibench_da", tasks / "absent")


def test_an_import_replaces_the_earlier_one(project, tasks):
    family = family_of(project, "biomnibench_da")
    import_family(family, tasks, ImportOptions())
    shutil.rmtree(tasks / "da-2-1")
    import_family(family, tasks, ImportOptions())
    assert [t.target for t in loaded(project, "biomnibench_da").selected_targets] == ["da-1-3"]
    assert not list((project / "benchmarks/biomnibench_da").glob(".imported*"))


def test_a_rubric_among_the_data_is_refused(project, tasks):
    import_family(family_of(project, "biomnibench_da"), tasks, ImportOptions())
    table = project / "benchmarks/biomnibench_da/imported/targets.tsv"
    table.write_text(table.read_text().replace(str(tasks / "da-1-3/environment/data"), "rubrics"))
    with pytest.raises(InputError, match="holds a rubric"):
        load_inputs(project)


@pytest.fixture
def problems(tmp_path):
    """The shipped problem as a user's copy."""
    return Path(shutil.copytree(ROOT / "benchmarks/genebench_pro/problems", tmp_path / "problems"))


def test_the_shipped_problem_is_what_its_import_gives(project, problems):
    family = family_of(project, "genebench_pro")
    before = loaded(project, "genebench_pro")
    (project / "benchmarks/genebench_pro/targets.tsv").unlink()
    (project / "benchmarks/genebench_pro/references.tsv").unlink()
    notes = [note for t in import_family(family, problems, ImportOptions(trust=True)) for note in t.notes]
    assert notes == [
        "donor-effect: alternatives/from_genotypes.py passes",
        "donor-effect: alternatives/unweighted.py passes",
        "donor-effect: ablations/donor_means.py fails effect, direction, opposite",
        "donor-effect: ablations/one_donor.py fails effect, persons",
        "donor-effect: ablations/pooled.py fails effect, direction, opposite",
    ]
    after = loaded(project, "genebench_pro")
    for target in before.selected_targets:
        name = target.target
        twin = after.targets[name]
        assert Path(twin.task).read_text() == Path(target.task).read_text()
        assert twin.answer == target.answer
        assert yaml.safe_load(after.labels[name].read_text()) == yaml.safe_load(
            before.labels[name].read_text()
        )
        for quantity, reference in before.references[name].items():
            other = after.references[name][quantity]
            assert other.model_copy(update={"source": ""}) == reference.model_copy(update={"source": ""})
    assert after.targets["donor-effect-no-donor"].data[0].endswith("data/donor-effect/cells.csv#drop=donor")


def change(problems, name, old, new):
    path = problems / "donor-effect" / name
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("ablations/pooled.py", "pooled(rows), rows", "0.64, rows", "passes every field; ablations must"),
        ("alternatives/unweighted.py", "mean([pooled(group) for group in groups.values()])", "-1.0",
         "misses effect, direction, opposite; alternatives must pass"),
        ("generate.py", "EFFECT, SPREAD", "SPREAD, EFFECT", "is not what generate.py gives with seed 20260"),
        ("meta.yaml", "{absolute: 0.05, unit: log2}", "{absolute: 0.05, exact: true}", "give one of exact"),
        ("meta.yaml", "[donor]", "[batch]", 'has no column "batch" to withhold'),
        ("prompt-no-donor.md", "Which cell is whose", "The donor", 'names "donor", which is withheld'),
        ("solution.py", "len(groups)", "[]", "persons is exact"),
        ("solution.py", "import sys", "import sys; sys.exit(3)", "ended with status 3"),
    ],
)  # fmt: skip
def test_a_problem_that_does_not_hold_is_not_imported(project, problems, name, old, new, said):
    if name == "generate.py":
        change(problems, name, "share * CELLS", "share * (CELLS - 9)")
    else:
        change(problems, name, old, new)
    with pytest.raises(InputError) as caught:
        import_family(family_of(project, "genebench_pro"), problems, ImportOptions(trust=True))
    assert said in str(caught.value)


def test_ablations_are_required(project, problems):
    shutil.rmtree(problems / "donor-effect/ablations")
    assert "has no ablations" in faults_of(project, "genebench_pro", problems)


def test_scripts_do_not_run_without_a_sandbox_unasked(project, problems, tmp_path):
    change(problems, "generate.py", "import random", f"import random; open({str(tmp_path / 'ran')!r}, 'w')")
    options = ImportOptions(sandbox=SandboxSettings(kind="none"))
    with pytest.raises(InputError, match="would run without a sandbox"):
        import_family(family_of(project, "genebench_pro"), problems, options)
    assert not (tmp_path / "ran").exists()


@pytest.fixture
def figure(tmp_path):
    """A published figure as a user reads it off."""
    folder = tmp_path / "figure"
    folder.mkdir()
    methods = {"New": "new 1.0", "SuSiE": "susieR", "FINEMAP": "finemap", "ABF": "own", "CAVIAR": "caviar"}
    described = {
        "target": "power-figure", "source": "a paper, figure 2", "introduced": "New", "methods": methods,
        "architectures": ["sparse", "polygenic"], "heritabilities": [0.05, 0.1, 0.2, 0.3, 0.4],
        "metrics": ["power"], "replicates": 100, "enumeration": 5,
    }  # fmt: skip
    (folder / "figure.yaml").write_text(json.dumps(described))
    rows = [
        f"{m},{a},{h},power,{0.3123 + 0.8 * h - 0.05 * i - 0.1 * j:.4f}"
        for i, m in enumerate(methods) for j, a in enumerate(described["architectures"])
        for h in described["heritabilities"]
    ]  # fmt: skip
    (folder / "figure.csv").write_text("\n".join(["method,architecture,heritability,metric,value", *rows]))
    return folder


def test_a_published_figure_becomes_eight_claims(project, figure):
    import_family(family_of(project, "finemapping"), figure, ImportOptions())
    inputs = loaded(project, "finemapping")
    (target,) = inputs.selected_targets
    sheet = yaml.safe_load(inputs.labels["power-figure"].read_text())
    assert [(c["architecture"], c["tolerance"]) for c in sheet["claims"] if c["kind"] == "value"] == [
        ("sparse", 0.05), ("polygenic", 0.05),
    ]  # fmt: skip
    assert sum(c["points"] for c in sheet["claims"]) == 100 and len(sheet["claims"]) == 8
    task = Path(target.task).read_text() + Path(target.protocol).read_text()
    assert "`SuSiE`: susieR" in task and "0.35" not in task and "3123" not in task
    reference = inputs.references["power-figure"]["points"]
    assert (reference.value, reference.tolerance, reference.source) == (100, 30, "a paper, figure 2")


def test_claims_that_the_published_figure_does_not_meet_are_refused(project, figure):
    text = (figure / "figure.csv").read_text()
    (figure / "figure.csv").write_text(text.replace("SuSiE,sparse,0.4,power,0.", "SuSiE,sparse,0.4,power,1."))
    assert 'claim "leads-first" does not hold of the published figure' in faults_of(
        project, "finemapping", figure
    )
    (figure / "figure.csv").write_text(text.rpartition("\n")[0])
    assert "CAVIAR/polygenic/0.4/power: has no row" in faults_of(project, "finemapping", figure)
    (figure / "figure.csv").write_text(text)
    (figure / "claims.yaml").write_text(
        "claims: [{id: a, group: relation, kind: leads, metric: power, points: 100}]"
    )
    assert "there are 1 claims, the family has 8" in faults_of(project, "finemapping", figure)
    (figure / "claims.yaml").write_text(
        "claims: [{id: a, group: relation, kind: bogus, metric: power, points: 100}]"
    )
    said = faults_of(project, "finemapping", figure)
    assert 'claims.yaml, "claims.0.kind": ' in said and "(value: 'bogus')" in said and "\n" not in said
    (figure / "figure.csv").write_text(text.rpartition(",")[0] + ",nan\nOther,sparse,0.1,power,0.5")
    said = faults_of(project, "finemapping", figure)
    assert "CAVIAR/polygenic/0.4/power: its value is no finite number" in said
    assert "/sparse/0.1/power: is no cell of the figure" in said


def test_the_command_imports_and_shares_loci(project, tasks, capsys):
    assert main(["benchmarks", "--root", str(project), "import", "biomnibench_da", str(tasks)]) == 0
    assert "2 targets written" in capsys.readouterr().out
    assert main(["benchmarks", "--root", str(project), "import", "nope", str(tasks)]) == 2
    loci, skill = project / "benchmarks/genebench_pro/loci", project / "skills/donors"
    loci.mkdir()
    (skill / "references").mkdir(parents=True)
    (loci / "read-cells.md").write_text("# Read\n")
    (loci / "unused.md").write_text("# Unused\n")
    (skill / "SKILL.md").write_text("[read](references/read-cells.md) [fit](references/fit.md)\n")
    (skill / "references/fit.md").write_text("# Fit\n")
    command = ["benchmarks", "--root", str(project), "loci", "genebench_pro", "donors"]
    assert main([*command, "--check"]) == 1
    assert main(command) == 0
    assert (skill / "references/read-cells.md").read_text() == "# Read\n"
    assert main([*command, "--check"]) == 0
    assert sorted(p.name for p in (skill / "references").iterdir()) == ["fit.md", "read-cells.md"]
