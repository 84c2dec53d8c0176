"""labagent: a lab's released artifacts go in, a counted report of its reproduced results comes out.

    snakemake --cores 2                                             everything in config/config.yaml
    snakemake -n                                                    what would run
    snakemake results/scores/offline/TARGET/1.json --cores 1        one target alone
    snakemake --cores 2 --config selection='{arms: [offline]}'      a part of it

Stages, in order, one file each in workflow/rules/: stage, snapshot, explore, validate, select, environment,
reproduce, score, report; biobench stands beside them. All logic is in the package workflow/labagent.
"""

from snakemake.utils import min_version

min_version("9.14")


include: "workflow/rules/common.smk"
include: "workflow/rules/stage.smk"
include: "workflow/rules/explore.smk"
include: "workflow/rules/validate.smk"
include: "workflow/rules/environment.smk"
include: "workflow/rules/reproduce.smk"
include: "workflow/rules/score.smk"
include: "workflow/rules/biobench.smk"
include: "workflow/rules/ask.smk"
include: "workflow/rules/report.smk"


write_memo()


rule all:
    default_target: True
    input:
        REPORT_FILES,
