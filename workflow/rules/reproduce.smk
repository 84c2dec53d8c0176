"""Attempt a target with an arm, in its environment, under its budget. Costs money with a model.

requires: results/select, results/environments, results/data of the target
makes: results/runs/<arm>/<target>/<attempt>/ (run.json written last; tries stay)
"""


def run_sources(wildcards):
    """What an attempt reads."""
    names = {"arm": wildcards.arm, "target": wildcards.target}
    return [
        pattern.format(**names)
        for pattern in (PATHS.select, PATHS.environment, PATHS.data)
    ]


rule reproduce:
    input:
        needs(
            "reproduce",
            PATHS.run,
            lambda w: KEYS.reproduce(w.arm, target_of(w)),
            run_sources,
        ),
    output:
        PATHS.run,
    log:
        f"{PATHS.logs}/reproduce/{{arm}}/{{target}}/{{attempt}}.log",
    threads: lambda w: budget_of(w).cores
    resources:
        mem_mb=lambda w: budget_of(w).mem_mb,
        runtime=lambda w: int(budget_of(w).wall_seconds / 60) + 10,
    params:
        key=lambda w: KEYS.reproduce(w.arm, target_of(w)),
    shell:
        "labagent reproduce {wildcards.target:q} --arm {wildcards.arm:q} --attempt {wildcards.attempt}"
        " --key {params.key} > {log} 2>&1"
