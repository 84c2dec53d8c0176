"""Proteins: what ``uniprot.*`` takes and gives, and what is worked out from an entry."""
