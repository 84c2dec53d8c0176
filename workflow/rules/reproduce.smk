"""Attempt a target with an arm, in its environment, under its budget. Costs money with a model.

requires: results/select, results/environments, results/data of the target
makes: results/runs/<arm>/<target>/<attempt>/ (run.json written last; tries stay)
"""

# What labagent itself needs beside a command that uses all of its budget: the command's limit has to bind first.
OVERHEAD_MB = 600


rule reproduce:
    input:
        needs(
            "reproduce",
            PATHS.run,
            lambda w: KEYS.reproduce(w.arm, EDGES.target(w)),
            EDGES.reproduce,
        ),
    output:
        PATHS.run,
    log:
        f"{PATHS.logs}/reproduce/{{arm}}/{{target}}/{{attempt}}.log",
    threads: lambda w: EDGES.budget(w).cores
    resources:
        mem_mb=lambda w: EDGES.budget(w).mem_mb + OVERHEAD_MB,
        runtime=lambda w: int(EDGES.budget(w).wall_seconds / 60) + 10,
        gpu=lambda w: EDGES.budget(w).gpus,
    params:
        key=lambda w: KEYS.reproduce(w.arm, EDGES.target(w)),
    shell:
        "labagent reproduce {wildcards.target:q} --arm {wildcards.arm:q} --attempt {wildcards.attempt}"
        " --key {params.key} > {log:q} 2>&1"
