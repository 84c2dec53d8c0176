"""The explore agent: a model that researches a lab's sources before it writes, and is checked at each step.

Six steps, one module each: ``brief`` (what must be known), ``scouts`` (parallel searches, each from a
perspective), ``supervisor`` (go on or stop), ``drafting`` (the files), ``reflection`` (what is prescribed
without support), ``critique`` (against the rubric, then the rewrite). ``agent`` runs them in that order.

A model only ever says things here: what it says is parsed strictly, looked up in the staged sources, and
held to the checks of skills. Nothing it writes runs but in the sandbox of a trial.
"""
