"""What the ProteinGym family computes beside a score: its headline, its regions, a choice of its assays."""
