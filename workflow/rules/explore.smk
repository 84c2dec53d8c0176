"""Draft a skill from a lab's artifacts. Costs money with a model.

requires: results/artifacts/<skill>/, results/explore/api/<skill>.json
makes: results/explore/<explorer>/<skill>/ (draft.json written last)
"""


rule explore:
    input:
        needs(
            "explore",
            PATHS.draft,
            lambda w: KEYS.explore(w.explorer, w.skill),
            EDGES.explore,
        ),
    output:
        PATHS.draft,
    log:
        f"{PATHS.logs}/explore/{{explorer}}/{{skill}}.log",
    threads: 1
    resources:
        mem_mb=2000,
        runtime=120,
    params:
        key=lambda w: KEYS.explore(w.explorer, w.skill),
    shell:
        "labagent explore {wildcards.skill} --explorer {wildcards.explorer} --key {params.key} > {log:q} 2>&1"
