"""Read the API of one lab's repository."""

from pathlib import Path

from labagent.workflow import jobs
from labagent.workflow.session import logged

with logged(snakemake.log[0]):
    jobs.snapshot(Path.cwd(), Path(snakemake.input[0]), snakemake.wildcards.skill, Path(snakemake.output[0]))
