"""A rebuilt figure: its table of values, and claims about it, each with a fixed test."""
