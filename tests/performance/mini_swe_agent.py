"""The baseline's side of test_loop.py; runs in an environment of its own that has mini-swe-agent.

``python mini_swe_agent.py COMMANDS.json TRAJECTORY FOLDER`` runs the commands of a JSON list in its loop
with its deterministic model and local environment, the trajectory saved after every step as the loop
does, and prints the seconds.
"""

import json
import logging
import os
import sys
import time
from pathlib import Path

os.environ["MSWEA_SILENT_STARTUP"] = "1"

from minisweagent.agents.default import DefaultAgent
from minisweagent.environments.local import LocalEnvironment
from minisweagent.models.test_models import DeterministicModel, make_output

FINISH = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"


def main() -> None:
    """One run."""
    logging.disable(logging.CRITICAL)
    commands = json.loads(Path(sys.argv[1]).read_text())
    outputs = [make_output("I go on.", [{"command": c}], cost=0.0) for c in [*commands, FINISH]]
    agent = DefaultAgent(
        DeterministicModel(outputs=outputs, cost_per_call=0.0),
        LocalEnvironment(cwd=sys.argv[3]),
        system_template="You run commands.",
        instance_template="{{task}}",
        cost_limit=0.0,
        output_path=Path(sys.argv[2]),
    )
    start = time.perf_counter()
    ended = agent.run("Count.")
    seconds = time.perf_counter() - start
    assert ended["exit_status"] == "Submitted", ended
    assert agent.n_calls == len(commands) + 1
    print(seconds)


main()
