"""Compare what a run left with the published value, from outside. The only rule that reads references.

requires: results/runs/<arm>/<target>/<attempt>/run.json; references and withheld labels
makes: results/scores/<arm>/<target>/<attempt>.json
"""


def references_of(wildcards):
    """The published values of a target and its withheld labels, as a hash."""
    rows = INPUTS.references[wildcards.target].values()
    labels = INPUTS.labels.get(wildcards.target)
    family = INPUTS.families[target_of(wildcards).family]
    return short(
        [row.model_dump(mode="json") for row in rows],
        [q.model_dump(mode="json") for q in target_of(wildcards).answer],
        family.settings,
        labels.read_text(encoding="utf-8") if labels else "",
    )


rule score:
    input:
        run=PATHS.run,
        environment=PATHS.environment,
    output:
        PATHS.score,
    log:
        f"{PATHS.logs}/score/{{arm}}/{{target}}/{{attempt}}.log",
    threads: 1
    resources:
        mem_mb=1000,
        runtime=15,
    params:
        references=references_of,
        code=fingerprint("labagent.scoring"),
    shell:
        "labagent score {wildcards.target:q} --arm {wildcards.arm:q} --attempt {wildcards.attempt} > {log} 2>&1"
