"""Tools on nucleotide and protein sequences."""

from __future__ import annotations

from labagent.errors import ToolError
from labagent.tools.registry import example, tool
from labagent.tools.sequences import records
from labagent.tools.sequences.parsing import parse_text


@tool(
    version="1.0",
    examples=[
        example(
            {"sequence": ">sp|P01308|INS_HUMAN Insulin OS=Homo sapiens\nMALWMRLLPL\nLALL*\n"},
            {
                "total": 1,
                "records.0.type": "protein",
                "records.0.length": 14,
                "records.0.terminal_stop": True,
            },
        ),
        example(
            {"sequence": "GATTACA"}, {"records.0.certain": False, "records.0.candidates": ["dna", "protein"]}
        ),
    ],
)
def parse(arguments: records.SequenceArguments) -> records.ParseResult:
    """Read sequences in any usual format: records, type and how sure it is, length, gaps, stops."""
    found = parse_text(arguments.sequence, arguments.type)
    return records.ParseResult(records=tuple(found), total=len(found))


@tool(
    version="1.0",
    examples=[
        example(
            {"sequence": "MKTAYIAKQR*", "type": "protein"},
            {"records.0.length": 10, "records.0.mass.da": 1209.4613, "records.0.gravy": -0.78},
        ),
        example(
            {"sequence": "GGSSAATTNN", "type": "dna"},
            {"records.0.gc_percent": 50.0, "records.0.gc_counted": 8, "records.0.mass.da": None},
        ),
    ],
)
def stats(arguments: records.SequenceArguments) -> records.StatsResult:
    """Length, composition, GC share, mass, pI, GRAVY and extinction coefficients of each record."""
    from labagent.tools.sequences.statistics import stats_of

    found = parse_text(arguments.sequence, arguments.type)
    return records.StatsResult(records=tuple(stats_of(record) for record in found))


@tool(
    version="1.0",
    examples=[
        example(
            {"sequence": "AUGGCCAAAUUAA"},
            {"records.0.reverse_complement": "UUAAUUUGGCCAU", "records.0.type": "rna"},
        ),
        example({"sequence": "MKTAYIAKQRQISFVK"}, error="input"),
    ],
)
def reverse_complement(arguments: records.SequenceArguments) -> records.ReverseComplementResult:
    """The other strand of DNA (in DNA letters) or RNA (in RNA letters); gaps are left out."""
    from labagent.tools.sequences import translation

    made = []
    for parsed in parse_text(arguments.sequence, arguments.type):
        kind = translation.nucleotide_kind(parsed)
        made.append(
            records.ReverseComplement(
                name=parsed.name,
                type=kind,
                certain=parsed.certain,
                type_note=parsed.type_note,
                length=parsed.length,
                reverse_complement=translation.reverse_complement(parsed.sequence, kind),
            )
        )
    return records.ReverseComplementResult(records=tuple(made))


@tool(
    version="1.0",
    examples=[
        example(
            {"sequence": "ATGGCCAAATTATAA", "frames": [1]},
            {"table_name": "Standard", "records.0.frames.0.protein": "MAKL*"},
        ),
        example(
            {"sequence": "ATGGCCAGATTATGA", "frames": [1], "table": 2},
            {"records.0.frames.0.protein": "MA*LW", "records.0.frames.0.to_first_stop": "MA"},
        ),
    ],
)
def translate(arguments: records.TranslateArguments) -> records.TranslateResult:
    """Translate up to six frames with any of NCBI's genetic codes, through stops and up to the first."""
    from labagent.tools.sequences import translation

    table = translation.table_of(arguments.table)
    made = []
    for parsed in parse_text(arguments.sequence, arguments.type):
        kind = translation.nucleotide_kind(parsed)
        frames = [
            translation.translate_frame(parsed.sequence, kind, frame, arguments.table)
            for frame in dict.fromkeys(arguments.frames)
        ]
        made.append(
            records.Translation(
                name=parsed.name,
                type=kind,
                certain=parsed.certain,
                type_note=parsed.type_note,
                length=parsed.length,
                frames=tuple(frames),
            )
        )
    return records.TranslateResult(
        table=arguments.table,
        table_name=table.names[0],
        records=tuple(made),
        notes=translation.table_notes(arguments.table),
    )


@tool(
    version="1.0",
    examples=[
        example(
            {"sequence": "CCATGGCCAAATTATAAGG", "type": "dna", "min_length": 3},
            {"total": 1, "orfs.0.frame": 3, "orfs.0.start": 3, "orfs.0.end": 17, "orfs.0.protein": "MAKL"},
        ),
    ],
)
def orfs(arguments: records.OrfArguments) -> records.OrfResult:
    """Open reading frames of both strands, the longest first."""
    from labagent.tools.sequences import translation

    table = translation.table_of(arguments.table)
    found: list[records.Orf] = []
    for parsed in parse_text(arguments.sequence, arguments.type):
        found += translation.find_orfs(
            parsed, arguments.table, arguments.min_length, arguments.start, arguments.partial
        )
        if len(found) > translation.MAX_ORFS:
            message = f"more than {translation.MAX_ORFS} open reading frames"
            raise ToolError("limit", message, field="min_length", allowed="a larger minimum")
    found.sort(key=lambda orf: -orf.length)
    return records.OrfResult(
        table=arguments.table,
        table_name=table.names[0],
        orfs=tuple(found),
        total=len(found),
        notes=translation.table_notes(arguments.table),
    )


@tool(
    version="1.0",
    safety="compute",
    examples=[
        example(
            {"a": "MKTAYIAKQRQISFVK", "b": "MKTAYIQRQISFVK"},
            {"identity_percent": 87.5, "columns": 16, "identical": 14, "gaps": 2, "b": "MKTAYI--QRQISFVK"},
        ),
    ],
)
def align(arguments: records.AlignArguments) -> records.AlignResult:
    """Align two sequences: identity over the whole alignment, gaps, score, the printed blocks."""
    from labagent.tools.sequences.comparing import align_records

    return align_records(arguments)
