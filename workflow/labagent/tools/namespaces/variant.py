"""Tools on variants."""

from __future__ import annotations

from labagent.errors import ToolError
from labagent.tools.registry import example, tool
from labagent.tools.variants import records


@tool(
    version="1.2",
    examples=[
        example({"text": "BRAF V600E/K"}, {"variants.1.hgvs": "p.Val600Lys", "variants.1.gene": "BRAF"}),
        example(
            {"text": "HBB E6V in sickle cell disease"},
            {"variants.0.hgvs": "p.Glu6Val", "variants.0.gene": "HBB", "legacy.0.hgvs": "p.Glu7Val"},
        ),
        example({"text": "NM_004985.5(KRAS):c.35G>A"}, {"variants.0.hgvs": "NM_004985.5:c.35G>A"}),
    ],
)
def parse(arguments: records.VariantText) -> records.ParseVariants:
    """Variants in a text: HGVS and short forms, the gene stated with them, hints on older numbering."""
    from labagent.tools.naming.finding import find_names
    from labagent.tools.sequences.parsing import one_record
    from labagent.tools.variants.finding import find_variants, spanned
    from labagent.tools.variants.legacy import legacy_hint

    names = [n.value for n in find_names(arguments.text) if n.namespace == "gene"]
    genes = list(dict.fromkeys(names))
    gene = arguments.gene or (genes[0] if len(genes) == 1 else "")
    notes = []
    if len(genes) > 1 and not arguments.gene:
        notes.append("more than one gene is named: " + ", ".join(genes))
    chain = one_record(arguments.sequence, "protein", "sequence").sequence if arguments.sequence else ""
    found = find_variants(arguments.text)
    stated = {f.gene for f in found if f.gene}
    if len(stated) == 1 and not arguments.gene:
        gene, notes = stated.pop(), []
    made = [f.model_copy(update={"gene": f.gene or gene, "spans": spanned(f.variant)}) for f in found]
    hints = [legacy_hint(f, f.gene, chain) for f in made]
    return records.ParseVariants(
        variants=tuple(made), legacy=tuple(hint for hint in hints if hint), notes=tuple(notes)
    )


@tool(
    version="1.1",
    examples=[
        example(
            {"sequence": "MKTAAAYI", "variant": "A4del"},
            {"hgvs": "p.Ala6del", "sequence": "MKTAAYI", "shifted": 2},
        ),
        example({"sequence": "MTEYKLVVVGAGGVGKSALT", "variant": "A12D"}, error="mismatch"),
    ],
)
def apply(arguments: records.ApplyArguments) -> records.ApplyResult:
    """Apply a variant to a sequence, after checking the residues it states; normalized by the 3' rule."""
    from labagent.tools.sequences.parsing import one_record
    from labagent.tools.variants import applying
    from labagent.tools.variants.reading import read_variant
    from labagent.tools.variants.writing import hgvs

    variant = read_variant(arguments.variant)
    declared = "protein" if variant.level == "p" and arguments.type == "auto" else arguments.type
    parsed = one_record(arguments.sequence, declared, "sequence")
    if (variant.level == "p") != (parsed.type == "protein"):
        message = f"{hgvs(variant)} cannot be applied to a sequence that is {parsed.type}"
        raise ToolError(
            "input", message, field="type", value=parsed.type, allowed="p.: protein; c., g., n.: DNA, RNA"
        )
    before = arguments.cds_start - 1 if variant.level == "c" else 0
    if parsed.type == "rna":
        variant = variant.model_copy(update={"inserted": variant.inserted.replace("T", "U")})
    edit = applying.edit_of(variant, parsed.sequence, before)
    named, shift = variant, 0
    least = applying.trimmed(parsed.sequence, edit)
    if edit.complete and variant.kind in ("deletion", "insertion", "duplication", "delins"):
        moved = applying.most_3prime(parsed.sequence, least)
        shift = moved.start - least.start
        if "*" not in variant.inserted:
            named = applying.variant_of(parsed.sequence, moved, variant, before)
    mutated = applying.apply_edit(parsed.sequence, edit)
    notes = [] if edit.complete else ["how the sequence goes on behind the change cannot be known from it"]
    return records.ApplyResult(
        variant=named,
        hgvs=hgvs(named),
        shifted=shift,
        kind=named.kind,
        sequence=mutated,
        length_before=len(parsed.sequence),
        length_after=len(mutated),
        removed=least.removed(parsed.sequence) if edit.complete else "",
        added=least.inserted if edit.complete else "",
        complete=edit.complete,
        notes=tuple(notes),
    )


@tool(
    version="1.0",
    safety="compute",
    examples=[
        example(
            {"wild_type": "MKTAYIAKQR", "mutant": "MKATAYIAKQR"},
            {"n_differences": 1, "hgvs": "p.Lys2_Thr3insAla"},
        ),
        example(
            {"wild_type": "ATGGCCAAATTATAA", "mutant": "ATGGACAAATTATAA"},
            {"hgvs": "c.5C>A", "protein_hgvs": "p.(Ala2Asp)", "codons.0.effect": "missense"},
        ),
    ],
)
def compare(arguments: records.CompareArguments) -> records.CompareResult:
    """Wild type against mutant by alignment: differences as HGVS; DNA by codon with its consequence."""
    from labagent.tools.variants.comparing import compare_pair

    return compare_pair(arguments)


@tool(
    version="1.1",
    examples=[
        example(
            {"variant": "V600E"},
            {"hgvs": "p.Val600Glu", "evidence.0.value": -2.0, "evidence.1.value": 121.0},
        ),
    ],
)
def effect(arguments: records.EffectArguments) -> records.EffectResult:
    """Heuristic figures on an exchange: BLOSUM62, Grantham, hydropathy, charge, volume. No pathogenicity."""
    from labagent.tools.sequences.parsing import one_record
    from labagent.tools.variants import applying, effects
    from labagent.tools.variants.reading import read_variant
    from labagent.tools.variants.writing import hgvs

    variant = read_variant(arguments.variant)
    if variant.level != "p":
        message = f"{hgvs(variant)} is no protein variant; translate it first"
        raise ToolError(
            "input", message, field="variant", value=arguments.variant[:60], allowed="p.Gly12Asp, G12D"
        )
    length = 0
    if arguments.sequence:
        parsed = one_record(arguments.sequence, "protein", "sequence")
        applying.edit_of(variant, parsed.sequence)
        length = parsed.length
    exchange = variant.kind == "substitution" and variant.start is not None
    figures = (
        effects.evidence_of(variant.start.residue, variant.inserted) if exchange and variant.start else ()
    )
    notes = [] if figures else [f"no figures on exchanges for a {variant.kind} of these residues"]
    if not arguments.sequence:
        notes.append("the residue was not checked against a sequence")
    return records.EffectResult(
        hgvs=hgvs(variant),
        kind=variant.kind,
        evidence=figures,
        flags=tuple(effects.flags_of(variant, length)),
        label=effects.LABEL,
        notes=tuple(notes),
    )
