"""Identifiers of databases, gene symbols and organisms in a text."""
