"""Skills: the format, the checks of three tiers, freezing, and the library's folders.

``read`` knows the format, ``checks/`` holds one check a file, ``validate`` runs them, ``freeze`` keeps what
was validated. Public names are imported from the modules that define them.
"""
