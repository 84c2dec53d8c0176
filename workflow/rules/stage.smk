"""Bring a lab's artifacts and a target's data, sealed files left out; read the API without running it.

requires: config/labs.tsv, the sources it names; data of targets
makes: results/artifacts/<skill>/, results/data/<target>/, results/explore/api/<skill>.json
"""


rule stage:
    output:
        PATHS.artifacts,
    log:
        f"{PATHS.logs}/stage/{{skill}}.log",
    localrule: "stage" in INPUTS.config.cluster.local
    threads: 1
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        source=lambda w: KEYS.labs[w.skill],
        code=fingerprint("labagent.stage"),
    script:
        "../scripts/stage.py"


rule data:
    input:
        EDGES.data,
    output:
        PATHS.data,
    log:
        f"{PATHS.logs}/data/{{target}}.log",
    localrule: "data" in INPUTS.config.cluster.local
    threads: 1
    resources:
        mem_mb=500,
        runtime=30,
    params:
        source=lambda w: KEYS.data(EDGES.target(w)),
        code=fingerprint("labagent.stage"),
    shell:
        "labagent data {wildcards.target:q} > {log:q} 2>&1"


rule snapshot:
    input:
        PATHS.artifacts,
    output:
        PATHS.snapshot,
    log:
        f"{PATHS.logs}/snapshot/{{skill}}.log",
    localrule: "snapshot" in INPUTS.config.cluster.local
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        code=fingerprint("labagent.snapshot"),
    script:
        "../scripts/snapshot.py"
