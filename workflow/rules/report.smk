"""Count: entries within the published SD, ranks, costs, failures; tables, figures and one page.

requires: all scores; verdicts of all labs' skills
makes: results/report/
"""

from labagent.report import figure_files, table_names

REPORT = PATHS.report
TABLES = table_names()
FIGURES = [
    (family, file) for family, files in figure_files(INPUTS).items() for file in files
]
REPORT_FILES = [
    *(f"{REPORT}/{table}.tsv" for table in TABLES),
    *(f"{REPORT}/figures/{file}" for _, file in FIGURES),
    f"{REPORT}/report.md",
    f"{REPORT}/report.html",
]
SCORES = [
    PATHS.score.format(arm=arm, target=target, attempt=attempt)
    for arm, target, attempt in INPUTS.entries()
]


def verdicts_of_labs():
    """The verdict of each lab's skill: curated where it has one, else of the first explorer."""
    explorer = INPUTS.config.default_explorer
    wanted = INPUTS.config.selection.skills
    origins = {
        skill: "curated" if lab.source == "curated" else explorer
        for skill, lab in INPUTS.labs.items()
        if not wanted or skill in wanted
    }
    return [
        PATHS.verdict.format(origin=origin, skill=skill)
        for skill, origin in origins.items()
    ]


rule report:
    input:
        scores=SCORES,
        verdicts=verdicts_of_labs(),
    output:
        tables=[
            report(
                f"{REPORT}/{table}.tsv",
                caption=f"../report/{table}.rst",
                category="Tables",
                labels={"table": table},
            )
            for table in TABLES
        ],
        figures=[
            report(
                f"{REPORT}/figures/{file}",
                caption="../report/figure.rst",
                category="Figures",
                labels={"family": family, "figure": file},
            )
            for family, file in FIGURES
        ],
        markdown=f"{REPORT}/report.md",
        html=report(
            f"{REPORT}/report.html",
            caption="../report/report.rst",
            category="Report",
            labels={"page": "report"},
        ),
    log:
        f"{PATHS.logs}/report.log",
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        arms={
            name: arm.model_dump(mode="json")
            for name, arm in INPUTS.selected_arms.items()
        },
        attempts=INPUTS.config.attempts,
        targets=short([t.target for t in INPUTS.selected_targets]),
        references=short(
            {
                target: {
                    name: row.model_dump(mode="json") for name, row in rows.items()
                }
                for target, rows in INPUTS.references.items()
            }
        ),
        code=fingerprint("labagent.report"),
    script:
        "../scripts/report.py"
