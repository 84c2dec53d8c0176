"""``github:OWNER/REPO`` and ``github:OWNER/REPO/NUMBER``: issue and pull-request threads from the GitHub API.

The threads with most comments come first. What was fetched is kept in the cache and used again; delete
``github/`` there to ask anew. A token in ``GITHUB_TOKEN`` (or ``GH_TOKEN``) is sent to the API only; without
one GitHub answers 60 requests an hour. ``GITHUB_API_URL`` is the address of another server.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from labagent.errors import SourceError
from labagent.files import sha256_text, write_json
from labagent.stage.documents.origins import Wanted

if TYPE_CHECKING:
    from labagent.stage.documents.origins._api import Api

PREFIX, KINDS = "github:", ("issues",)
FORM = "github:OWNER/REPO, github:OWNER/REPO/NUMBER, each with an optional ?threads=N (200 without it)"
ITEM = re.compile(
    r"(?P<repository>[A-Za-z0-9][\w.-]*/[\w.-]+)(?:/(?P<number>\d+))?(?:\?threads=(?P<threads>\d+))?"
)
SERVER = "https://api.github.com"
PAGE, USUAL, MOST = 100, 200, 1000


def bring(wanted: Wanted) -> list[Path]:
    """Fetch threads with all their comments, review comments of pull requests included.

    Raises:
        SourceError: the item has another form, or the server knows no such repository or thread.
        InfrastructureError: the server cannot be reached, fails, or asks to wait for too long.
    """
    match = ITEM.fullmatch(wanted.text)
    threads = int(match["threads"] or USUAL) if match else 0
    if match is None or not 1 <= threads <= MOST:
        raise SourceError(f'"{PREFIX}{wanted.text}": must read {FORM}')
    kept = wanted.cache / "github" / f"{sha256_text(wanted.text)[:24]}.json"
    if not kept.is_file():
        from labagent.stage.documents.origins._api import Api

        token = os.environ.get("GITHUB_TOKEN") or os.environ.get("GH_TOKEN") or ""
        with Api(os.environ.get("GITHUB_API_URL") or SERVER, token, "set GITHUB_TOKEN to a token") as api:
            write_json(kept, _threads(api, f"repos/{match['repository']}", match["number"], threads))
    name = re.sub(r"[^\w.-]+", "-", wanted.text.partition("?")[0])
    target = wanted.scratch / f"{name}.json"
    target.write_bytes(kept.read_bytes())
    return [target]


def _threads(api: Api, repository: str, number: str | None, most: int) -> dict[str, Any]:
    """Issues with their comments, as an export has them."""
    if number:
        issues = [api.get(f"{repository}/issues/{number}")]
    else:
        asked = {"state": "all", "sort": "comments", "direction": "desc", "per_page": PAGE}
        issues = list(_first(api.pages(f"{repository}/issues", asked), most))
    comments: list[Any] = []
    for issue in issues:
        places = [f"{repository}/issues/{issue['number']}/comments"] if issue.get("comments") else []
        if "pull_request" in issue:
            places.append(f"{repository}/pulls/{issue['number']}/comments")
        found = [comment for place in places for comment in api.pages(place, {"per_page": PAGE})]
        found.sort(key=lambda comment: (str(comment.get("created_at", "")), comment.get("id", 0)))
        comments += [{"issue_number": issue["number"], "body": comment.get("body")} for comment in found]
    kept = ("number", "title", "body")
    return {"issues": [{key: issue.get(key) for key in kept} for issue in issues], "comments": comments}


def _first(items: Iterator[Any], most: int) -> Iterator[Any]:
    """At most so many; later pages are not asked for."""
    for _, item in zip(range(most), items, strict=False):
        yield item
