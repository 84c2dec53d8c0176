"""Inputs and path helpers of all rules.

requires: config/config.yaml, the tables it names, benchmarks/*/family.yaml
makes: INPUTS (validated), PATHS (where files lie), KEYS (what costly results depend on),
    EDGES (which files a job reads)
"""

import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

from labagent.errors import LabagentError
from labagent.fingerprint import fingerprint, remember_in, write_memo
from labagent.workflow import leftovers
from labagent.workflow.edges import Edges
from labagent.workflow.keys import Keys
from labagent.workflow.paths import Paths
from labagent.workflow.session import is_main, open_session
from labagent.workflow.summary import money, summary
from labagent.workflow.warm import start_server

MAIN = is_main()

try:
    INPUTS = open_session(Path.cwd(), config)
except LabagentError as error:
    raise WorkflowError(str(error)) from None

PATHS = Paths(INPUTS.config.results)
KEYS = Keys(INPUTS)
EDGES = Edges(INPUTS, KEYS)
remember_in(Path.cwd() / ".labagent" / "code.json")


if MAIN and not leftovers.only_looks(sys.argv):
    try:
        for line in leftovers.clear(INPUTS.root, unlock="--unlock" in sys.argv):
            print(line, file=sys.stderr)
    except LabagentError as error:
        raise WorkflowError(str(error)) from None


onstart:
    leftovers.begin(INPUTS.root)
    print(money(INPUTS.root, INPUTS.config), end="", file=sys.stderr)
    start_server()


onsuccess:
    leftovers.end(INPUTS.root)
    print(summary(INPUTS.root, INPUTS.config.results))


onerror:
    leftovers.end(INPUTS.root)
    print(money(INPUTS.root, INPUTS.config), end="", file=sys.stderr)


wildcard_constraints:
    skill=r"[a-z0-9-]+",
    explorer=r"[A-Za-z0-9._-]+",
    origin=r"[A-Za-z0-9._-]+",
    arm=r"[A-Za-z0-9._-]+",
    target=r"[A-Za-z0-9._-]+",
    attempt=r"\d+",


def needs(rule, record, key, files):
    """Inputs of a costly job: ancient unless what the job depends on has changed, or it is forced.

    Snakemake does not look for reasons of its own in jobs below one that reruns, so a changed key and
    --forcerun have to show in the edge (docs/design/reruns.md).
    """

    def inputs(wildcards):
        paths = files(wildcards)
        forced = rule in workflow.dag_settings.forcerun
        current = not forced and KEYS.is_current(
            record.format(**wildcards), key(wildcards)
        )
        return ancient(paths) if current else paths

    return inputs
