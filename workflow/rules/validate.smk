"""Validate a skill in three tiers and freeze exactly what was validated.

requires: skills/<skill>/ or a draft; results/artifacts/<skill>/, results/explore/api/<skill>.json
makes: results/skills/<origin>/<skill>/ (verdict.json written last; refused skills have one, too)
"""


rule validate:
    input:
        EDGES.validate,
    output:
        PATHS.verdict,
    log:
        f"{PATHS.logs}/validate/{{origin}}/{{skill}}.log",
    threads: 1
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        skill=lambda w: KEYS.skill(w.origin, w.skill),
        environment=INPUTS.config.environment.model_dump(mode="json"),
        code=fingerprint("labagent.skills", "labagent.library.published"),
    script:
        "../scripts/validate.py"
