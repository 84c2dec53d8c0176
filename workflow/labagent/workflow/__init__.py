"""What the rules use: where files lie, what a job depends on, and the glue from a job to the package.

Everything that decides *whether* a job runs is here (``keys``), so that it can be tested without Snakemake.
"""
