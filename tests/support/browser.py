"""Pages in headless Chromium: measured in frames of several widths, and printed."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import escape, unescape
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
MEASURE = Path(__file__).with_name("measure.js").read_text()


def measured(pages: list[tuple[Path, int]], scratch: Path, *, dark: bool) -> list[dict[str, Any]]:
    """What a browser makes of pages, each in a frame of a width in pixels.

    A message in the console fails the test.
    """
    frames = "".join(
        f'<iframe src="{escape(page.as_uri())}" style="border:0;width:{width}px;height:900px"></iframe>'
        for page, width in pages
    )
    light = '<html style="color-scheme: light dark"><meta name="color-scheme" content="light dark">'
    wrapper = scratch / "frames.html"
    wrapper.write_text(f"<!doctype html>{light}<body>{frames}<script>{MEASURE}</script>")
    done = _chromium(
        scratch,
        "--dump-dom",
        "--allow-file-access-from-files",
        "--window-size=1600,900",
        f"--blink-settings=preferredColorScheme={0 if dark else 1}",
        wrapper.as_uri(),
    )
    assert "CONSOLE" not in done.stderr, done.stderr
    found = re.search(r'<pre id="measured">(.*?)</pre>', done.stdout, re.S)
    assert found, done.stdout[-2000:]
    return json.loads(unescape(found[1]))


def printed(page: Path, scratch: Path) -> Path:
    """The page as PDF."""
    out = scratch / f"{page.stem}.pdf"
    _chromium(scratch, "--no-pdf-header-footer", f"--print-to-pdf={out}", page.as_uri())
    return out


def _chromium(scratch: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the browser without a window."""
    options = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--enable-logging=stderr",
        f"--user-data-dir={scratch / 'profile'}",
    ]
    command = [str(CHROMIUM), *options, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
