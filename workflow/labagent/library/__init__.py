"""The lab's library of skills: what gets in, what it lists, how two versions differ, how it leaves.

``promote`` is the only way into ``skills/``. Public names are imported from the modules that define them.
"""
