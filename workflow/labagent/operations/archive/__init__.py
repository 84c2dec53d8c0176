"""Archives of run sets: one reproducible file with an RO-Crate description, its check, going on from it."""

from labagent.operations.archive.checking import verify
from labagent.operations.archive.importing import import_archive
from labagent.operations.archive.packing import pack

__all__ = ["import_archive", "pack", "verify"]
