"""Write the report of the whole run."""

from pathlib import Path

from labagent.workflow import jobs
from labagent.workflow.session import logged

with logged(snakemake.log[0]):
    jobs.report(Path.cwd())
