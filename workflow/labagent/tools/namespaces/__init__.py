"""One module a namespace of tools; each function marked with ``@tool`` is ``<module>.<function>``."""
