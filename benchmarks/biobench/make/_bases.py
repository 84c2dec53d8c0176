"""Sequences that several tasks use, and their GC content."""

from __future__ import annotations

from Bio.SeqUtils import gc_fraction

DNA = "ATGAGCGGATTCCTTGACCAGTACGGTCATTGGAACTAA"
GENE = "ATGGTTCGTACCGGCGATCTGAAATAG"
RNA = "AUGCUAGGCUUUCCAGAUCGAUAA"
PEPTIDE = "MSTWKLDEFGHRYCVNQPIA"


def gc(text: str) -> float:
    """GC content in percent of the letters A, C, G and T."""
    return round(100 * gc_fraction(text, ambiguous="remove"), 2)
