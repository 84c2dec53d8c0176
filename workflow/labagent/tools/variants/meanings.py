"""Words that look like a variant in one-letter form and usually are something else."""

from __future__ import annotations

MEANINGS = {
    "T47D": "a breast cancer cell line",
    "E2F": "a family of transcription factors",
    "C3H": "a mouse strain",
    "Y2H": "the yeast two-hybrid assay",
    "N2A": "a neuroblastoma cell line (Neuro-2a)",
    "A1C": "glycated haemoglobin",
    "S100A": "a family of calcium-binding proteins",
    "H2A": "a histone",
    "A2M": "the gene of alpha-2-macroglobulin",
    "F2R": "the gene of the thrombin receptor",
    "C1R": "a complement gene",
    "C1S": "a complement gene",
    "C4A": "a complement gene",
    "P2Y": "a family of receptors",
    "P2X": "a family of receptors",
    "D2R": "a dopamine receptor",
    "A2A": "an adenosine receptor",
    "V2R": "a vasopressin receptor",
    "G6P": "glucose 6-phosphate",
    "F6P": "fructose 6-phosphate",
    "L3T": "a cell surface marker",
    "R2A": "a growth medium",
    "M9T": "a growth medium",
}
