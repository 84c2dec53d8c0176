"""labagent keeps a lab's methods alive: explore, validate, reproduce, score, report.

One subpackage a stage, in the order of the flow; imports point one way only (checked by import-linter,
see ``pyproject.toml``). Nothing heavy is imported at package level.
"""

__version__ = "0.1.0"
