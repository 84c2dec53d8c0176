"""The page in a browser: nothing sticks out, overlaps or is fetched. Skipped without Chromium."""

import json
import re
import shutil
import subprocess

import pytest

from labagent.report import build_report

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
MEASURE = """
<script>
window.addEventListener("load", () => {
  const box = t => [t.textContent, t.getBoundingClientRect()];
  const overlaps = [];
  for (const svg of document.querySelectorAll("figure svg")) {
    const all = [...svg.querySelectorAll("text")].map(box), outer = svg.getBoundingClientRect();
    for (const [name, box] of all)
      if (box.left < outer.left - 1 || box.right > outer.right + 1) overlaps.push(["cut off", name]);
    for (let i = 0; i < all.length; i++) for (let j = i + 1; j < all.length; j++) {
      const [a, x] = all[i], [b, y] = all[j];
      const wide = Math.min(x.right, y.right) - Math.max(x.left, y.left);
      const high = Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top);
      if (wide > 1 && high > 0.4 * Math.min(x.height, y.height)) overlaps.push([a, b]);
    }
  }
  const ids = [...document.querySelectorAll("[id]")].map(e => e.id);
  const report = {
    overlaps, overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    requests: performance.getEntriesByType("resource").map(r => r.name),
    dark: matchMedia("(prefers-color-scheme: dark)").matches,
    paper: getComputedStyle(document.body).backgroundColor,
    figures: document.querySelectorAll("figure svg > title").length,
    twice: ids.filter((id, i) => ids.indexOf(id) !== i),
  };
  const place = document.createElement("pre");
  place.id = "measured"; place.textContent = JSON.stringify(report); document.body.append(place);
});
</script>
"""


def measure(page, width: int, dark: bool) -> dict:
    copy = page.with_name("measured.html")
    copy.write_text(page.read_text().replace("</body>", MEASURE + "</body>"))
    options = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--enable-logging=stderr",
        "--dump-dom",
        f"--user-data-dir={page.parent / 'profile'}",
        f"--window-size={width},900",
        f"--blink-settings=preferredColorScheme={0 if dark else 1}",
    ]
    command = [CHROMIUM, *options, copy.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert "CONSOLE" not in done.stderr
    found = re.search(r'<pre id="measured">(.*?)</pre>', done.stdout, re.S)
    return json.loads(found[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
@pytest.mark.parametrize(("arms", "width", "dark"), [(1, 1280, False), (6, 1280, True), (6, 500, False)])
def test_the_page_holds_together(new_run, arms, width, dark):
    run = new_run(targets=8, arms={f"arm-{i}-of-{arms}": "m" for i in range(arms)}, attempts=2)
    out = run.results / "report"
    build_report(inputs=run.inputs, results=run.results, out=out)
    found = measure(out / "report.html", width, dark)
    assert found["overlaps"] == []
    assert found["overflow"] <= 0
    assert found["requests"] == []
    assert found["twice"] == []
    assert found["figures"] >= 2
    assert found["dark"] is dark
    assert found["paper"] == ("rgb(20, 23, 26)" if dark else "rgb(255, 255, 255)")
