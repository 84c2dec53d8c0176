"""The RO-Crate 1.1 description of an archive (https://www.researchobject.org/ro-crate/specification/1.1/)."""

from __future__ import annotations

import time
from typing import Any

from labagent.models.archive import ArchiveManifest

CRATE = "ro-crate-metadata.json"
CONTEXT = "https://w3id.org/ro/crate/1.1/context"
PROFILE = "https://w3id.org/ro/crate/1.1"
FOLDERS = {
    "inputs/": "Tables, tasks, references, skills and memory that the runs were made from",
    "results/": "Everything the runs left",
    "results/artifacts/": "Staged artifacts of the labs, under the labs' own licences",
    "results/skills/": "Validated skills as the runs read them",
    "results/environments/": "Environments with their locks, by arm and target",
    "results/runs/": "Attempts: records, traces, outputs",
    "results/scores/": "Scores by arm, target and attempt",
    "results/report/": "Tables, figures and pages of the report",
}
FILES = {
    "manifest.json": ("Every file with its SHA-256, and versions", "application/json"),
    "config.json": ("The resolved configuration", "application/json"),
    "results/report/report.html": ("The report", "text/html"),
    "results/report/entries.tsv": ("One row an entry", "text/tab-separated-values"),
    "results/report/quantities.tsv": ("One row a quantity", "text/tab-separated-values"),
    "results/spending.json": ("What model calls have cost", "application/json"),
}
LICENCE = "#licence"


def description(manifest: ArchiveManifest) -> dict[str, Any]:
    """The metadata document of an archive, as JSON-LD.

    Args:
        manifest: what it holds.
    """
    published = time.strftime("%Y-%m-%d", time.gmtime(manifest.newest))
    folders = [f for f in FOLDERS if any(path.startswith(f) for path in manifest.files)]
    files = [f for f in FILES if f in manifest.files or f == "manifest.json"]
    parts = [{"@id": part} for part in (*folders, *files)]
    return {
        "@context": CONTEXT,
        "@graph": [
            {
                "@id": CRATE,
                "@type": "CreativeWork",
                "conformsTo": {"@id": PROFILE},
                "about": {"@id": "./"},
            },
            {
                "@id": "./",
                "@type": "Dataset",
                "name": "labagent run set",
                "description": f"{manifest.entries} entries in {manifest.runs} attempts, reproduced by "
                "labagent: inputs, traces, scores, locks and report",
                "datePublished": published,
                "license": {"@id": LICENCE},
                "hasPart": parts,
                "mentions": {"@id": "#run"},
            },
            {
                "@id": LICENCE,
                "@type": "CreativeWork",
                "name": "Licences of the parts",
                "description": "Staged artifacts and data are under the licences of their labs, as their "
                "manifests say; what the runs left is its makers' to license",
            },
            *({"@id": f, "@type": "Dataset", "name": f, "description": FOLDERS[f]} for f in folders),
            *(_file(path, manifest) for path in files),
            _software(manifest),
            {
                "@id": "#run",
                "@type": "CreateAction",
                "name": "The workflow's run",
                "instrument": {"@id": "#labagent"},
                "object": {"@id": "inputs/"},
                "result": {"@id": "results/"},
            },
        ],
    }


def _file(path: str, manifest: ArchiveManifest) -> dict[str, Any]:
    """The entity of a file."""
    title, kind = FILES[path]
    entity: dict[str, Any] = {"@id": path, "@type": "File", "name": title, "encodingFormat": kind}
    if path in manifest.files:
        entity["contentSize"] = str(manifest.files[path].bytes)
        entity["sha256"] = manifest.files[path].sha256
    return entity


def _software(manifest: ArchiveManifest) -> dict[str, Any]:
    """The entity of this program."""
    return {
        "@id": "#labagent",
        "@type": "SoftwareApplication",
        "name": "labagent",
        "version": manifest.labagent,
        "softwareRequirements": f"Python {manifest.python}",
    }


def faults_of(crate: Any, names: set[str]) -> list[str]:
    """What is wrong with a description: the rules of the specification that tools rely on.

    Args:
        crate: the parsed document.
        names: files of the archive.
    """
    if not isinstance(crate, dict) or not isinstance(crate.get("@graph"), list):
        return [f"{CRATE}: is no JSON-LD document with a flat @graph"]
    entities = {e.get("@id"): e for e in crate["@graph"] if isinstance(e, dict)}
    faults = [] if crate.get("@context") == CONTEXT else [f"{CRATE}: @context is not {CONTEXT}"]
    if len(entities) != len(crate["@graph"]):
        faults.append(f"{CRATE}: an entity has no @id, or shares it with another")
    descriptor, root = entities.get(CRATE, {}), entities.get("./", {})
    if descriptor.get("conformsTo") != {"@id": PROFILE} or descriptor.get("about") != {"@id": "./"}:
        faults.append(f"{CRATE}: the descriptor does not say that it conforms to {PROFILE} and is about ./")
    missing = [k for k in ("name", "description", "datePublished", "license", "hasPart") if k not in root]
    if root.get("@type") != "Dataset" or missing:
        faults.append(f"{CRATE}: the root is no Dataset with {', '.join(missing) or 'the right type'}")
    for part in [p.get("@id", "") for p in root.get("hasPart", []) if isinstance(p, dict)]:
        there = any(name.startswith(part) for name in names) if part.endswith("/") else part in names
        if part not in entities or not there:
            faults.append(f"{CRATE}: {part} is a part that is not in the archive, or not described")
    return faults
