"""Variants: HGVS notation, applying them, what differs between two sequences, exchange scores."""
