"""Nucleotide and protein sequences: reading, type, statistics, strands, frames, alignment."""
