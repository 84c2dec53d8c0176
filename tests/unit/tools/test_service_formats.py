"""Answers of services of any shape: read as data, or refused with a reason; never anything else."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labagent.tools.backends._entrez import _warnings
from labagent.tools.backends._pubmed_xml import EntrezFault, hit_of, papers_of, read_entrez
from labagent.tools.backends._uniprot_json import hit_of as protein_hit
from labagent.tools.backends._uniprot_json import inactive, record_of
from labagent.tools.registry import checked
from support.bio_services import PAPERS, article_xml, entry, search_xml, summary_xml

ODD: list[Any] = [
    None,
    True,
    -1,
    10**30,
    1.5,
    "",
    " ",
    "x",
    "\x00\u202e",
    [],
    [[]],
    [None],
    {},
    {"value": []},
]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where the parts of JSON values are."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(p for key, inner in items for p in places(inner, (*path, key)))]


WHOLE = entry()
PLACES = [p for p in places(WHOLE) if p]


@given(st.lists(st.tuples(st.sampled_from(PLACES), st.sampled_from(ODD)), min_size=1, max_size=4))
def test_an_entry_with_anything_anywhere_is_a_record_or_refused(changes):
    made = copy.deepcopy(WHOLE)
    for path, odd in changes:
        inside: Any = made
        try:
            for key in path[:-1]:
                inside = inside[key]
            inside[path[-1]] = odd
        except (KeyError, IndexError, TypeError):
            continue
    inactive(made)
    protein_hit(made)
    try:
        record = record_of(made, "Q0TST1", source="live", retrieved="now")
    except ValueError:
        return
    checked(type(record), record.model_dump(mode="json"))


BODIES = {
    "search": search_xml(["90000001", "7"], 2, "<WarningList><OutputMessage>x</OutputMessage></WarningList>"),
    "summary": summary_xml(list(PAPERS)),
    "articles": article_xml(list(PAPERS)),
}


def use(found: Any) -> None:
    """What the client does with an answer that could be read."""
    for paper in papers_of(found, source="live", retrieved="now"):
        checked(type(paper), paper.model_dump(mode="json"))
    if isinstance(found, list):
        for summary in found:
            hit_of(summary)
    elif isinstance(found, dict):
        _warnings(found)


@settings(max_examples=40)
@given(
    st.sampled_from(sorted(BODIES)),
    st.lists(st.tuples(st.integers(0, 3000), st.binary(max_size=3), st.integers(0, 12)), max_size=4),
)
def test_an_answer_with_damage_anywhere_is_read_or_refused(kind, damage):
    body = bytearray(BODIES[kind].encode())
    for place, put, gone in damage:
        body[place : place + gone] = put
    try:
        found = read_entrez(bytes(body))
    except (ValueError, EntrezFault):
        return
    use(found)


@pytest.mark.parametrize("kind", sorted(BODIES))
def test_an_answer_that_is_cut_anywhere_is_never_taken_for_whole(kind):
    body = BODIES[kind].encode()
    for end in [*range(0, len(body) - 1, 211), len(body) - 2]:
        with pytest.raises(ValueError):
            read_entrez(body[:end])


def test_elements_in_any_order_and_number_are_read():
    body = article_xml(["90000001"])
    for gone in ("<Language>eng</Language>", "<Title>Journal of tests</Title>", "<Year>2021</Year>"):
        assert gone in body
        (paper,) = papers_of(read_entrez(body.replace(gone, "").encode()))
        assert paper.pmid == "90000001"
    season = body.replace("<Year>2021</Year>", "<MedlineDate>2020 Winter-2021</MedlineDate>")
    assert papers_of(read_entrez(season.encode()))[0].year == 2020
    assert papers_of(read_entrez(body.replace("90000001</PMID>", "../x</PMID>").encode())) == []
