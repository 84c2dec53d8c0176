"""``skills/index.json``: what is in the library, how it was found to be, and where it comes from."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from labagent.errors import SkillError
from labagent.files import to_json, write_text
from labagent.models.library import IndexEntry, LibraryIndex, Provenance, VerdictSummary
from labagent.models.skill import Skill, Verdict
from labagent.models.sources import ArtifactManifest
from labagent.skills.library import Entry, library

INDEX = "skills/index.json"


def write_index(root: Path, *, results: str = "results", verdicts: Iterable[Verdict] = ()) -> LibraryIndex:
    """Write ``skills/index.json`` anew; see :func:`make_index`."""
    index = make_index(root, results=results, verdicts=verdicts)
    write_text(root / INDEX, to_json(index.model_dump(mode="json")))
    return index


def make_index(root: Path, *, results: str = "results", verdicts: Iterable[Verdict] = ()) -> LibraryIndex:
    """The index of the skills in ``skills/``, by name.

    A verdict counts only for exactly the content that is there. It is taken from ``verdicts``, else from the
    frozen versions of ``results``, else from the index as it was; so is the provenance.

    Raises:
        SkillError: a skill cannot be read, or a verdict given is of no skill that is there.
    """
    every = library(root, results)
    given = list(verdicts)
    before = {entry.sha256: entry for entry in read_index(root).skills}
    own = [entry for entry in every if entry.origin == "library"]
    if broken := next((entry for entry in own if entry.skill is None), None):
        raise SkillError(f"skills/{broken.name}: {broken.fault}")
    hashes = {entry.skill.sha256 for entry in own if entry.skill}
    if stray := next((v for v in given if v.skill_sha256 not in hashes), None):
        raise SkillError(
            f"the verdict of {stray.skill} ({stray.skill_sha256[:12]}) is of no skill in skills/"
        )
    frozen = [entry for entry in every if entry.origin != "library"]
    skills = [_entry(e.skill, given, frozen, before, root / results) for e in own if e.skill]
    return LibraryIndex(skills=tuple(skills))


def read_index(root: Path) -> LibraryIndex:
    """The index as it stands; empty where there is none.

    Raises:
        SkillError: the file holds something else.
    """
    path = root / INDEX
    try:
        return LibraryIndex.read(path) if path.is_file() else LibraryIndex()
    except ValueError as error:
        raise SkillError(
            f"{path}: no index can be read here; remove it, then: labagent skills index"
        ) from error


def _entry(
    skill: Skill, given: list[Verdict], frozen: list[Entry], before: dict[str, IndexEntry], results: Path
) -> IndexEntry:
    """A skill's entry."""
    same = [entry for entry in frozen if entry.verdict and entry.verdict.skill_sha256 == skill.sha256]
    found = [*given, *(entry.verdict for entry in same if entry.verdict)]
    verdict = next((v for v in found if v.skill_sha256 == skill.sha256), None)
    known = before.get(skill.sha256)
    summary = _summary(verdict) if verdict else known.verdict if known else None
    return IndexEntry(
        name=skill.name,
        description=skill.description,
        licence=skill.licence,
        loci=tuple(locus.name for locus in skill.loci),
        evidence=len(skill.evidence),
        sha256=skill.sha256,
        verdict=summary,
        provenance=_provenance(skill, same, results) or (known.provenance if known else Provenance()),
    )


def _summary(verdict: Verdict) -> VerdictSummary:
    """A verdict in short."""
    tiers = {str(tier.tier): tier.status for tier in verdict.tiers}
    seconds = {str(tier.tier): round(tier.seconds, 1) for tier in verdict.tiers}
    return VerdictSummary(
        status=verdict.status, tiers=tiers, seconds=seconds, lock_sha256=verdict.lock_sha256
    )


def _provenance(skill: Skill, same: list[Entry], results: Path) -> Provenance | None:
    """Who made a skill, and from which sources; ``None`` where nothing says so here."""
    manifest = results / "artifacts" / skill.name / "manifest.json"
    staged = ArtifactManifest.read(manifest) if manifest.is_file() else None
    if not same and staged is None:
        return None
    maker = skill.metadata.get("explorer") or (same[0].origin if same else "curated")
    return Provenance(
        origin=maker,
        lab=skill.metadata.get("lab", ""),
        source=staged.origin if staged else skill.metadata.get("origin", ""),
        commit=staged.commit if staged else "",
    )
