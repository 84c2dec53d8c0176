"""Literature: what ``pubmed.*`` takes and gives, and queries in PubMed's syntax."""
