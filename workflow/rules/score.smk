"""Compare what a run left with the published value, from outside, and audit the run for leaks.
The only rule that reads references.

requires: results/runs/<arm>/<target>/<attempt>/run.json; references and withheld labels
makes: results/scores/<arm>/<target>/<attempt>.json
"""


rule score:
    input:
        run=PATHS.run,
        environment=PATHS.environment,
        data=PATHS.data,
    output:
        PATHS.score,
    log:
        f"{PATHS.logs}/score/{{arm}}/{{target}}/{{attempt}}.log",
    localrule: "score" in INPUTS.config.cluster.local
    threads: 1
    resources:
        mem_mb=1000,
        runtime=15,
    params:
        references=EDGES.references,
        sealed=lambda w: EDGES.sealed(w),
        code=fingerprint("labagent.scoring", "labagent.audit"),
    shell:
        "labagent score {wildcards.target:q} --arm {wildcards.arm:q} --attempt {wildcards.attempt} > {log:q} 2>&1"
