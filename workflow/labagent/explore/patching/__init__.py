"""Patches: a skill whose own step failed in a run, with the fix that cleared it made part of it.

``steps`` finds in a trace which steps of the skill failed and what cleared them, ``edits`` makes a new
version of the skill from that, ``propose`` validates it and leaves it beside the skill, not in its place.
"""
