"""Build the environment of one target in one arm."""

from pathlib import Path

from labagent.workflow import jobs
from labagent.workflow.session import logged

with logged(snakemake.log[0]):
    jobs.environment(Path.cwd(), Path(snakemake.input.select), Path(snakemake.output[0]))
