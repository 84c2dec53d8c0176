"""The committed tasks are what the generator makes; facts are what their schema says."""

import gzip
import importlib
import json
import re
import sys
from collections import Counter
from pathlib import Path

import pytest
from Bio.SeqUtils.CheckSum import crc64

from labagent.biobench.tasks import read_tasks
from labagent.models.facts import InactiveEntry, PaperFacts, ProteinFacts

ROOT = Path(__file__).resolve().parents[3]
BENCH = ROOT / "benchmarks/biobench"
FACTS = ROOT / "workflow/labagent/tools/facts"


def rows(name):
    with gzip.open(FACTS / name, "rt", encoding="utf-8") as stream:
        return list(stream)


@pytest.fixture(scope="module")
def proteins():
    return [ProteinFacts.model_validate_json(line) for line in rows("proteins.jsonl.gz")]


@pytest.fixture(scope="module")
def papers():
    return [PaperFacts.model_validate_json(line) for line in rows("literature.jsonl.gz")]


@pytest.fixture(scope="module")
def tasks():
    return read_tasks(BENCH / "tasks.jsonl")


def generator(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH / "make"))
    importlib.invalidate_caches()
    for name in ("tasks", "_task", "_sequence", "_protein", "_literature", "_mutation"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return importlib.import_module("tasks")


def test_each_gold_value_is_what_the_generator_computes(monkeypatch):
    module = generator(monkeypatch)
    made = {t["id"]: t for t in module.tasks()}
    kept = {t["id"]: t for t in map(json.loads, (BENCH / "tasks.jsonl").read_text("utf-8").splitlines())}
    assert made.keys() == kept.keys()
    for name, task in made.items():
        assert kept[name] == task, name
    assert module.text() == (BENCH / "tasks.jsonl").read_text(encoding="utf-8")


def test_the_generator_does_not_import_the_package():
    for path in (BENCH / "make").glob("*.py"):
        assert not re.search(r"^\s*(from|import)\s+labagent", path.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_set_is_as_large_and_as_mixed_as_promised(tasks):
    assert len(tasks) >= 80
    assert {t.category for t in tasks} == {"sequence", "protein", "literature", "mutation"}
    assert {t.split for t in tasks} == {"basic", "edge", "multistep"}
    share = sum(t.language == "zh" for t in tasks) / len(tasks)
    assert 0.18 < share < 0.3
    assert min(Counter(t.category for t in tasks).values()) >= 20
    assert {"answer", "ask", "refuse", "not_found"} <= {t.outcome for t in tasks}


def test_facts_that_tasks_name_are_in_the_store(tasks, proteins):
    assert {a for t in tasks for a in t.facts} <= {p.accession for p in proteins}


def test_each_sequence_has_the_stated_length_and_checksum(proteins):
    assert len(proteins) >= 40
    for protein in proteins:
        assert len(protein.sequence) == protein.length
        assert crc64(protein.sequence) == f"CRC-{protein.crc64}", protein.accession


def test_variants_and_sites_lie_in_their_sequence(proteins):
    for protein in proteins:
        for variant in protein.variants:
            assert protein.sequence[variant.first - 1 : variant.last] == variant.original, protein.accession
        assert all(1 <= s[1] <= s[2] <= protein.length for s in protein.sites), protein.accession


def test_papers_and_proteins_name_each_other(proteins, papers):
    cited = {(p.accession, pmid) for p in proteins for pmid in p.pmids}
    assert cited == {(accession, paper.pmid) for paper in papers for accession in paper.proteins}
    assert all(1900 < paper.year < 2027 and paper.title for paper in papers)


def test_inactive_accessions_say_where_they_went(proteins):
    gone = {e.accession: e for e in map(InactiveEntry.model_validate_json, rows("inactive.jsonl.gz"))}
    assert len(gone) >= 50
    assert not gone.keys() & {p.accession for p in proteins}
    assert all(len(e.successors) > 1 for e in gone.values() if e.reason == "demerged")
    assert gone["O00688"].successors == ("P00533", "Q92795") and gone["Q98UH1"].successors == ()


def test_no_prose_of_the_records_is_kept(proteins):
    longest = max(len(text) for p in proteins for s in p.sites for text in (s[3],))
    assert longest <= 80
    assert not any("PubMed:" in p.model_dump_json() for p in proteins)


def test_known_proteins_and_variants_are_there(proteins):
    by_accession = {p.accession: p for p in proteins}
    assert by_accession["P04637"].gene == "TP53" and by_accession["P04637"].length == 393
    sickle = [v for v in by_accession["P68871"].variants if v.first == 7 and v.changed == "V"]
    assert [v.dbsnp for v in sickle] == [("rs334",)]
    assert any(v.first == 508 and v.changed == "" for v in by_accession["P13569"].variants)


def test_files_are_small():
    assert sum(path.stat().st_size for path in FACTS.glob("*.gz")) < 1_500_000
