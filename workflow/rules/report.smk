"""Count: entries within the published SD, ranks, costs, failures; tables, figures and one page.

requires: all scores; verdicts of all labs' skills
makes: results/report/; its traces/ is a folder of pages, made anew each time
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
    f"{REPORT}/traces",
]


rule report:
    input:
        scores=EDGES.scores(),
        runs=EDGES.runs(),
        verdicts=EDGES.library(),
        biobench=BENCH.scores(),
        answers=QUESTIONS.answers(),
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
        traces=directory(f"{REPORT}/traces"),
        html=report(
            f"{REPORT}/report.html",
            caption="../report/report.rst",
            category="Report",
            labels={"page": "report"},
        ),
    log:
        f"{PATHS.logs}/report.log",
    localrule: "report" in INPUTS.config.cluster.local
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        inputs=EDGES.report(),
        code=fingerprint("labagent.report"),
    script:
        "../scripts/report.py"
