"""Issue threads: exports of the GitHub API or of its command line, brought to one shape."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from labagent.errors import SourceError
from labagent.files import read_json, to_json
from labagent.stage.documents._converted import Converted

SHAPES = 'a list of issues, or {"issues": […], "comments": […]}'
NUMBER = re.compile(r"/(?:issues|pull)/(\d+)")


def convert(source: Path) -> Converted:
    """An export as ``[{"number", "title", "body", "comments": [{"body"}]}]``, sorted by number.

    Raises:
        SourceError: not JSON, or none of the known shapes.
    """
    try:
        exported = read_json(source)
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise SourceError(f"{source.name}: is not JSON: {error}") from error
    issues, comments = _split(source, exported)
    threads = {}
    for position, issue in enumerate(issues, start=1):
        thread = _thread(source, position, issue)
        threads[thread["number"]] = thread
    lost = 0
    for comment in comments:
        number = _number_of(comment)
        if number in threads:
            threads[number]["comments"].append(_comment(comment))
        else:
            lost += 1
    warnings = (f"{lost} comments belong to issues that are not in the file",) if lost else ()
    return Converted(to_json([threads[n] for n in sorted(threads)]), ".json", warnings)


def _split(source: Path, exported: Any) -> tuple[list[Any], list[Any]]:
    """Issues and the comments that are listed apart."""
    if isinstance(exported, dict) and isinstance(exported.get("number"), int):
        return [exported], []
    if isinstance(exported, dict) and isinstance(exported.get("issues"), list):
        comments = exported.get("comments", [])
        return exported["issues"], comments if isinstance(comments, list) else []
    if isinstance(exported, list):
        pages = all(isinstance(page, list) for page in exported)
        return [issue for page in exported for issue in page] if pages else exported, []
    raise SourceError(f"{source.name}: must hold {SHAPES}")


def _thread(source: Path, position: int, issue: Any) -> dict[str, Any]:
    """One issue in our shape."""
    if not isinstance(issue, dict) or not isinstance(issue.get("number"), int):
        raise SourceError(
            f'{source.name}: entry {position} has no whole "number"; the file must hold {SHAPES}'
        )
    comments = issue.get("comments", [])
    if isinstance(comments, dict):
        comments = comments.get("nodes", [])
    listed = comments if isinstance(comments, list) else []  # the API gives a count here
    return {
        "number": issue["number"],
        "title": str(issue.get("title") or ""),
        "body": _lines(issue.get("body")),
        "comments": [_comment(comment) for comment in listed],
    }


def _comment(comment: Any) -> dict[str, str]:
    """One comment in our shape."""
    return {"body": _lines(comment.get("body") if isinstance(comment, dict) else comment)}


def _lines(text: Any) -> str:
    """A post's text; absent posts are empty."""
    return str(text or "").replace("\r\n", "\n")


def _number_of(comment: Any) -> int | None:
    """The issue a comment belongs to, from its URL or number."""
    if not isinstance(comment, dict):
        return None
    if isinstance(comment.get("issue_number"), int):
        return int(comment["issue_number"])
    match = NUMBER.search(str(comment.get("issue_url") or comment.get("html_url") or ""))
    return int(match[1]) if match else None
