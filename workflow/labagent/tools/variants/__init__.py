"""Variants: HGVS notation, applying them to sequences, what differs between two sequences, exchange scores."""
