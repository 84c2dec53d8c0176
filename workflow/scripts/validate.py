"""Validate and freeze one skill."""

from pathlib import Path

from labagent.workflow import jobs
from labagent.workflow.session import logged

with logged(snakemake.log[0]):
    jobs.validate(
        Path.cwd(), snakemake.wildcards.origin, snakemake.wildcards.skill, Path(snakemake.output[0])
    )
