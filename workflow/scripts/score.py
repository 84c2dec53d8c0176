"""Score one attempt."""

from pathlib import Path

from labagent.workflow import jobs
from labagent.workflow.session import logged

with logged(snakemake.log[0]):
    jobs.score(
        Path.cwd(),
        snakemake.wildcards.target,
        Path(snakemake.input.run),
        Path(snakemake.input.environment),
        Path(snakemake.output[0]),
    )
