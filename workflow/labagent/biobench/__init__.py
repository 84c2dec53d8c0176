"""BioBench: its task set, the published one, and how answers are scored."""
