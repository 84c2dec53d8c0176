"""Validate a skill in three tiers and freeze exactly what was validated.

requires: skills/<skill>/ or a draft; results/artifacts/<skill>/, results/explore/api/<skill>.json
makes: results/skills/<origin>/<skill>/ (verdict.json written last; refused skills have one, too)
"""


def skill_sources(wildcards):
    """What a verdict is made from: artifacts and snapshot, and the draft of an explored skill."""
    shared = [
        PATHS.artifacts.format(skill=wildcards.skill),
        PATHS.snapshot.format(skill=wildcards.skill),
    ]
    if wildcards.origin == "curated":
        return shared
    return [
        *shared,
        PATHS.draft.format(explorer=wildcards.origin, skill=wildcards.skill),
    ]


rule validate:
    input:
        skill_sources,
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
        code=fingerprint("labagent.skills"),
    script:
        "../scripts/validate.py"
