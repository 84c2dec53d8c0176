"""Answer the tasks of BioBench in a condition, with a model and a seed, and score the answers. Costs money
with a model. Each run is a process of its own; they are made where biobench.run is true, or asked for by name.

requires: the task file of the set
makes: results/biobench/<set>/<condition>/<model>/<seed>/ (answers.jsonl grows and goes on after a kill;
    run.json written last; scores.json)
"""

from labagent.workflow.benching import Bench

BENCH = Bench(INPUTS)


wildcard_constraints:
    bench=r"[A-Za-z0-9._-]+",
    condition=r"[a-z0-9_]+",
    model=r"[A-Za-z0-9._-]+",
    seed=r"\d+",


rule biobench:
    input:
        needs("biobench", PATHS.biobench, BENCH.key_of, BENCH.tasks),
    output:
        PATHS.biobench,
    log:
        f"{PATHS.logs}/biobench/{{bench}}/{{condition}}/{{model}}/{{seed}}.log",
    threads: 1
    resources:
        mem_mb=2000,
        runtime=int(INPUTS.config.biobench.wall_seconds / 60) + 10,
    params:
        key=lambda w: BENCH.key_of(w),
    shell:
        "labagent biobench run --set {wildcards.bench:q} --condition {wildcards.condition:q}"
        " --model {wildcards.model:q} --seed {wildcards.seed} > {log:q} 2>&1"


rule biobench_score:
    input:
        run=PATHS.biobench,
        tasks=BENCH.tasks,
    output:
        PATHS.biobench_scores,
    log:
        f"{PATHS.logs}/biobench/{{bench}}/{{condition}}/{{model}}/{{seed}}.score.log",
    threads: 1
    resources:
        mem_mb=1000,
        runtime=15,
    params:
        code=fingerprint("labagent.biobench.scored"),
    shell:
        "labagent biobench score --set {wildcards.bench:q} --condition {wildcards.condition:q}"
        " --model {wildcards.model:q} --seed {wildcards.seed} > {log:q} 2>&1"
