"""Tools that answer biological questions: pure functions with typed arguments and results, one registry.

``registry()`` finds them all, ``call`` checks the arguments, runs one and checks what it gives back. A
namespace (``sequence``, ``variant`` …) is a module of ``labagent.tools.namespaces``; adding one is adding a
file.
"""

from labagent.tools.registry import Tool, call, find_tool, registry, tool

__all__ = ["Tool", "call", "find_tool", "registry", "tool"]
