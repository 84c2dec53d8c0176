"""Mirrors: SQLite files with an index and full text, of UniProtKB flat files, PubMed XML or MEDLINE.

``streams``, ``flat``, ``pubmed_xml`` and ``medline`` read; ``proteins`` and ``papers`` are the two kinds of
file; ``building`` fills one. The bundled facts are looked up and searched by the same code, in memory.
"""
