"""Stage one lab's artifacts."""

from pathlib import Path

from labagent.workflow import jobs
from labagent.workflow.session import logged

with logged(snakemake.log[0]):
    jobs.stage(Path.cwd(), snakemake.wildcards.skill, Path(snakemake.output[0]))
