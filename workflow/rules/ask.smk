"""Answer the questions of a table with the tools, every fact with its source. Costs money with a model.

requires: config/questions.tsv (may be absent); what ask.backends names
makes: results/answers/<question>/ (answer.md, trace.jsonl; answer.json written last)
"""

from labagent.workflow.questions import Questions

QUESTIONS = Questions(INPUTS)


wildcard_constraints:
    question=r"[A-Za-z0-9._-]+",


rule answer:
    output:
        PATHS.answer,
    log:
        f"{PATHS.logs}/answers/{{question}}.log",
    threads: 1
    resources:
        mem_mb=1000,
        runtime=15,
    params:
        key=lambda w: QUESTIONS.key_of(w),
        code=lambda w: (
            "" if QUESTIONS.costs(w) else fingerprint("labagent.ask", "labagent.tools")
        ),
    shell:
        "labagent answer {wildcards.question:q} > {log:q} 2>&1"
