"""Choose one skill for a target, and build the environment it asks for.

requires: verdicts of the skills an arm may choose from
makes: results/select/<arm>/<target>.json, results/environments/<arm>/<target>.json
"""


rule select:
    input:
        needs(
            "select",
            PATHS.select,
            lambda w: KEYS.select(w.arm, EDGES.target(w)),
            EDGES.select,
        ),
    output:
        PATHS.select,
    log:
        f"{PATHS.logs}/select/{{arm}}/{{target}}.log",
    localrule: "select" in INPUTS.config.cluster.local
    threads: 1
    resources:
        mem_mb=500,
        runtime=15,
    params:
        key=lambda w: KEYS.select(w.arm, EDGES.target(w)),
    shell:
        "labagent select {wildcards.target:q} --arm {wildcards.arm:q} --key {params.key} > {log:q} 2>&1"


rule environment:
    input:
        select=PATHS.select,
        verdicts=EDGES.verdicts,
    output:
        PATHS.environment,
    log:
        f"{PATHS.logs}/environment/{{arm}}/{{target}}.log",
    threads: 1
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        settings=INPUTS.config.environment.model_dump(mode="json"),
        code=fingerprint("labagent.environment"),
    shell:
        "labagent environment {wildcards.target:q} --arm {wildcards.arm:q} > {log:q} 2>&1"
