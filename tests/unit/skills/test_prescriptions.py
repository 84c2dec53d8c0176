"""Prescriptions by sentence: many ways of stating a threshold, and numbers that prescribe nothing."""

from __future__ import annotations

import json

import pytest

from labagent.skills.figures import figures, says
from labagent.skills.prescribed import prescriptions_of
from labagent.skills.sentences import sentences
from support.skills import failures, found, raised, replace

UNEVIDENCED = """\
Fit the model with a penalizer of 0.35.
Use alpha = 0.1 for the test.
Set n_perm to 10,000.
Apply a cut-off of 0.2 to the loadings.
Cluster with k=15.
Genes with padj < 0.05 are significant.
Keep genes with at least 10 counts.
Take 0.05 as the threshold.
The penalizer should be 0.35.
A penalizer of 0.35 works well.
The default penalty is 0.1.
Call it with `--window 50`.
Run 1,000 permutations.
Discard cells with fewer than 200 genes.
Use a 5 % FDR.
Filter at 10 reads.
Use the top 2000 variable genes.
Control the false discovery rate at 5%.
Genome-wide significance is 5 × 10⁻⁸.
Use p ≤ 5e-8.
Repeat with 5-fold cross-validation.
Choose 15 nearest neighbours.
`min_total_count` is 10.
`k` must be 15.
|log2FC| > 1.5 is required.
Values above 2.5 are outliers.
Between 0.2 and 0.5 the effect is moderate.
The learning rate was 0.01.
A minimum of three replicates is needed.
Drop samples with more than ten missing values.
15 is a good value for k.
Stop after 500 iterations.
Set the bandwidth to .25.
Trim 10% from each end.
Pick resolution 0.8.
Pass penalizer=0.35 to the fitter.
- penalizer: 0.35
Use 30 principal components.
The mitochondrial fraction must not exceed 5 %.
We recommend 500.
Draw 2,000 samples after a burn-in of 500.
Weights under 0.3 are ignored.
Exclude SNPs with MAF below 1%.
An r2 of 0.8 or more counts as linked.
Subsample to 20,000 reads.
Install version 1.4 of it.
Pin scanpy==1.9.
It requires scanpy 1.9.3.
Python 3.7 is needed.
First pip install scanpy.
Use the Benjamini-Hochberg correction.
A p value of 0.001 is enough.
Tolerate up to 20 % missing values.
Set λ = 0.5.
Anything over 3 standard deviations goes.
Call `fit(penalizer=0.35)`.
Clip at the 99th percentile.
Print the counts and take 0.25 as threshold.
The protocol gives a threshold of 0.25.
Penalise with 0.35.
Penalizer: 0.35.
n_perm: 10000
Permute 10,000 times.
Only loadings of 0.2 and more count.
A loading counts when it is 0.2 or larger.
Significant at the 5% level.
Cut at 0.2.
A 10kb window is used.
Leave 10% for validation.
Assume a mutation rate of 1e-8.
Batch size 64.
Train/test split of 80/20.
Use L = 10 effects.
E-value 1e-5.
Score 7 is the cut.
Correct by Bonferroni.
Keep 95 % of the variance.
Decision rule: a cut-off of 0.25.""".split("\n")
HARMLESS = """\
Figures are of 2019-03-04 and 4 May 2020.
See Fox (2002) and doi:10.1038/s41586-020-2649-2.
The root leads to four to seven loci.
Step 3 reads table 2, lines 5-8.
The skill has 5 loci and 120 lines.
`values_10.csv` and `run2.py` lie in it.
Use it before late 2019.
The event column is 1 for an observed event and 0 for censoring.
A column coded 1, 2, 3 must be made text.
Values lie in `log2` scale.
Report the 95 % confidence interval.
It needs less than 2 GB and 4 cores.
Set the seed to 42 so that runs agree.
The data have 432 subjects and 114 events.
There are two groups.
There are 3 groups of 10 patients.
The study ran from 2004 to 2012.
The function takes 3 arguments.
Samples 1 to 4 are controls.
COVID-19 patients are coded 1.
Use the first 3 columns.
An uptake limit of 5 is a lower bound of −5.
Fold changes are in log2 and natural log.
A subject has at most one event.
The file of 2018 has 72 samples.
It exits with 0.
The file `tiny-mean` of metadata version 1.0 is the skill's own.""".split("\n")
RUN = "references/run.md"


def state(skill, lines, between="\n\n"):
    """Put sentences into a locus, each alone; their lines in the file."""
    (skill / RUN).write_text(f"# Run\n\n{between.join(lines)}\n\n" + (skill / RUN).read_text()[7:])
    return {(RUN, 3 + n * between.count("\n")): line for n, line in enumerate(lines)}


@pytest.mark.parametrize("part", [slice(0, 30), slice(30, 60), slice(60, None)])
@pytest.mark.parametrize("ending", ["", " [E2]", " Means are printed where the protocol asks for them [E2]."])
def test_each_prescription_without_evidence_is_refused_at_its_line(skill, check, ending, part):
    assert len(UNEVIDENCED) == 78
    expected = state(skill, [line + ending for line in UNEVIDENCED[part]])
    verdict = check(skill, 1)
    missed = [line for place, line in expected.items() if place not in raised(verdict, "prescriptions")]
    assert missed == []
    assert {c.id for c in failures(verdict)} == {"prescriptions"}
    assert verdict.status == "refused"


def test_numbers_that_prescribe_nothing_raise_nothing(skill, check):
    replace(skill / "SKILL.md", "lab: tinylab", "lab: tinylab\n  version: '1.0'")
    state(skill, HARMLESS)
    assert [(c.id, c.line, c.message) for c in failures(check(skill, 1))] == []


def test_one_cited_sentence_does_not_answer_for_the_next(skill, check):
    state(
        skill,
        ["The class is `Mean` [E2]. Keep values\nwith a weight of at least 10. The floor is left [E1]."],
    )
    assert raised(check(skill, 1), "prescriptions") == [(RUN, 4)]


def cite(skill, passage, sentence):
    """A sentence that cites a released line which says something."""
    readme = skill.parent / "artifacts" / "repository" / "NOTES.md"
    readme.parent.mkdir(parents=True)
    readme.write_text(passage + "\n")
    source = {"kind": "repository", "path": "NOTES.md", "lines": [1, 1]}
    item = {"id": "E1", "statement": "0.05 says only this", "source": source, "terms": [passage[:3]]}
    (skill / "evidence.jsonl").write_text(json.dumps(item) + "\n")
    replace(skill / "SKILL.md", " [E1]", "")
    replace(skill / RUN, "The class is `Mean` [E2].", sentence)


HELD = {
    "as it is": ("alpha is 0.05 here", "Use alpha = 0.05 [E1]."),
    "behind the stop": ("alpha is 0.05 here", "Use alpha = 0.05. [E1]"),
    "rounded": ("cut at 0.3527 here", "Use a cut-off of 0.353 [E1]."),
    "in hundredths": ("fdr=0.05", "Control the FDR at 5 % [E1]."),
    "per cent": ("at 5% FDR", "Use an FDR below 0.05 [E1]."),
    "scientific": ("tol = 1E-07", "The tolerance is 1e-7 [E1]."),
    "powers": ("p < 5e-8", "Take p below 5 × 10⁻⁸ [E1]."),
    "separators": ("n_perm=10_000", "Set n_perm to 10,000 [E1]."),
    "words": ("needs ten counts", "Keep genes with at least 10 counts [E1]."),
    "a version": ("follows v1.34.0 of it", "It follows DESeq2 1.34.0 [E1]."),
    "a package": ("uses scanpy below", "First pip install scanpy [E1]."),
    "a method": ("corrects by BH", "Use the Benjamini-Hochberg correction [E1]."),
}
NOT_HELD = {
    "another": ("alpha is 0.05 here", "Use alpha = 0.1 [E1]."),
    "the statement": ("alpha is low here", "Use alpha = 0.05 [E1]."),
    "rounded too far": ("cut at 0.3527 here", "Use a cut-off of 0.4 [E1]."),
    "whole numbers": ("mean of 10.4 counts", "Keep genes with at least 10 counts [E1]."),
    "part of a number": ("n is 1050", "Keep genes with at least 10 counts [E1]."),
    "another version": ("follows v1.34.1 of it", "It follows DESeq2 1.34.0 [E1]."),
    "a column of a table": ("alpha is low", "| parameter | value |\n|---|---|\n| penalizer [E1] | 0.35 |"),
}


@pytest.mark.parametrize("name", [*HELD, *NOT_HELD])
def test_cited_evidence_holds_the_very_value(name, skill, project, tmp_path):
    from labagent.skills.validate import validate_skill

    cite(skill, *{**HELD, **NOT_HELD}[name])
    verdict = validate_skill(
        skill,
        origin="curated",
        snapshot=None,
        artifacts=skill.parent / "artifacts",
        root=project,
        log=tmp_path / "log.txt",
        tier=1,
    )
    assert bool(found(verdict, "prescriptions")) == (name in NOT_HELD)


DECIDED = "Means are printed: where a mean is below 0.25, look at the plot before going on."


@pytest.mark.parametrize(
    ("said", "refused"),
    [
        (DECIDED, False),
        (DECIDED.replace("are printed", "are taken"), True),  # nothing is printed
        (DECIDED.replace("Means", "Weights").replace("a mean", "one"), True),  # the code prints no weights
        ("Means are printed, those of 0.25 too.", False),  # no bound
        ("A mean is printed, take 0.25.", True),  # nothing is decided
        ("A mean is printed; fewer than about ten values make it unstable.", False),
        ("Keep those above 0.25: a mean is printed where it is asked for.", True),  # by something else
        ("Means are printed and decide. Keep those above 0.25.", True),  # by another sentence
        ("Install tinylab version 9.9.", True),
    ],
)
def test_a_check_prints_the_quantity_and_decides_by_it(said, refused, skill, check):
    state(skill, [said])
    replace(skill / RUN, 'print("mean:", model.mean)', 'print("mean:", model.mean)')
    assert bool(found(check(skill, 1), "prescriptions")) == refused


def test_a_version_that_the_environment_declares_is_no_prescription(skill, check):
    replace(skill / "environment.yaml", "- pip\n", "- pip\n  - scanpy=1.9.3\n")
    state(skill, ["It needs scanpy 1.9.3.", "It needs scanpy 1.9.4.", "Python 3.11 is meant."])
    assert raised(check(skill, 1), "prescriptions") == [(RUN, 5)]


def test_parameters_in_code_are_defaults_or_released_or_said(skill, check):
    # 0.5 is what the README gives, 1.0 the default; nothing in the lab says 0.35 or 2.5.
    for given, refused in (("floor=0.5", 0), ("power=1.0", 0), ("floor=0.35", 1), ("2.0, floor=2.5", 1)):
        text = (skill / RUN).read_text()
        replace(skill / RUN, "model = Mean(floor=floor)", f"model = Mean({given})")
        assert raised(check(skill, 1), "parameters") == [(RUN, 11)] * refused
        (skill / RUN).write_text(text)


def test_a_mask_needs_its_own_evidence_not_that_of_the_locus(skill, check):
    replace(
        skill / RUN, 'print("mean:", model.mean)', 'many = values[values > 7.5]\nprint("mean:", model.mean)'
    )
    assert raised(check(skill, 1), "rubric-cutoffs") == [(RUN, 14)]


def test_sentences_have_their_lines():
    text = "---\nname: a\n---\n# T\n\nOne e.g. two. Three\nof E. coli [E1]. [E2] Four.\n\n- five. Six\n"
    text += "| a |\n| b |\n"
    assert [(s.text, s.lines, s.column) for s in sentences(text)] == [
        ("# T", (4,), 0),
        ("One e.g. two.", (6,), 0),
        ("Three\nof E. coli [E1]. [E2]", (6, 7), 14),
        ("Four.", (7,), 22),
        ("- five.", (9,), 0),
        ("Six", (9,), 8),
        ("| a |", (10,), 0),
        ("| b |", (11,), 0),
    ]


def test_figures_are_read_as_they_are_written():
    text = "10,000 .05 5 % 1E-07 5 × 10⁻⁸ 10^-3 five hundred 10_000 v2 1.34.0 x_3 −5"
    assert [f.value for f in figures(text)] == [1e4, 0.05, 5, 1e-7, 5e-8, 1e-3, 500, 1e4, 5]
    assert says("rate=.0500", next(figures("5%")))
    assert not says("rate=0.5", next(figures("5%")))


def test_what_is_looked_at_does_not_grow_with_the_line():
    # The words that make a figure a prescription stand near it; a far "use" says nothing of it.
    assert [
        item.line for item in prescriptions_of("use " + "seven words of text stand here " * 9 + "7")
    ] == []
    assert [item.line for item in prescriptions_of("x" * 10000 + ".\nUse 7.")] == [2]
