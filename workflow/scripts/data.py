"""Stage one target's data."""

from pathlib import Path

from labagent.workflow import jobs
from labagent.workflow.session import logged

with logged(snakemake.log[0]):
    jobs.data(Path.cwd(), snakemake.wildcards.target, Path(snakemake.output[0]))
