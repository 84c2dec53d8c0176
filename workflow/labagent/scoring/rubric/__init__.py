"""Deterministic overlap of an answer with a rubric's fully correct wording."""
