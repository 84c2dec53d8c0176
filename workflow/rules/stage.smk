"""Bring a lab's artifacts and a target's data, sealed files left out; read the API without running it.

requires: config/labs.tsv, the sources it names; data of targets
makes: results/artifacts/<skill>/, results/data/<target>/, results/explore/api/<skill>.json
"""


rule stage:
    output:
        PATHS.artifacts,
    log:
        f"{PATHS.logs}/stage/{{skill}}.log",
    threads: 1
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        source=lambda w: KEYS.labs[w.skill],
        code=fingerprint("labagent.stage"),
    script:
        "../scripts/stage.py"


def labs_of_data(wildcards):
    """Manifests of the labs whose files a target's data names."""
    items = (item.partition("/")[0] for item in target_of(wildcards).data)
    skills = {item.removeprefix("lab:") for item in items if item.startswith("lab:")}
    return [PATHS.artifacts.format(skill=skill) for skill in sorted(skills)]


rule data:
    input:
        labs_of_data,
    output:
        PATHS.data,
    log:
        f"{PATHS.logs}/data/{{target}}.log",
    threads: 1
    resources:
        mem_mb=500,
        runtime=30,
    params:
        source=lambda w: KEYS.data(target_of(w)),
        code=fingerprint("labagent.stage"),
    shell:
        "labagent data {wildcards.target:q} > {log} 2>&1"


rule snapshot:
    input:
        PATHS.artifacts,
    output:
        PATHS.snapshot,
    log:
        f"{PATHS.logs}/snapshot/{{skill}}.log",
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        code=fingerprint("labagent.snapshot"),
    script:
        "../scripts/snapshot.py"
