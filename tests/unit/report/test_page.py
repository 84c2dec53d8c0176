"""The page in a browser: nothing sticks out, overlaps or is fetched. Skipped without Chromium."""

import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labagent.models.leaderboard import PublishedRow
from labagent.report import build_report
from labagent.report.page import STATUS_MEANING
from labagent.report.palette import palettes
from labagent.report.plots.placement import draw as draw_placement
from labagent.report.study import STATUSES, read_study
from labagent.report.svg import CHARACTER, _anchor, share, ticks
from labagent.scoring.judge import judge
from support.browser import CHROMIUM, measured, printed

ARMS = ("offline", "full", "no-explore", "no-skill", "no-memory", "an-arm-whose-name-is-rather-long")
browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")


@pytest.fixture(scope="module")
def wide(tmp_path_factory, run_factory):
    """66 targets, 6 arms, 3 attempts."""
    root = tmp_path_factory.mktemp("wide")
    arms = {arm: "offline" if arm == "offline" else "m" for arm in ARMS}
    run = run_factory(root, targets=66, arms=arms, attempts=3)
    build_report(inputs=run.inputs, results=run.results, out=run.results / "report")
    return run


@browser
@pytest.mark.parametrize("dark", [False, True])
def test_the_page_holds_together(wide, tmp_path, dark):
    page = wide.results / "report" / "report.html"
    trace = wide.results / "report" / "traces" / "full" / "target-01" / "1.html"
    places = [(page, 1280), (page, 390), (trace, 390)] if not dark else [(page, 768)]
    for (path, width), found in zip(places, measured(places, tmp_path, dark=dark), strict=True):
        where = (path.name, width)
        for nothing in ("overlaps", "cut", "silent", "unreachable", "requests", "twice", "lost", "active"):
            assert not found[nothing], (where, nothing, found[nothing])
        assert found["overflow"] <= 0, where
        assert found["figures"] >= (66 + 7 if path == page else 0)
        assert found["dark"] is dark
        assert found["paper"] == ("rgb(20, 23, 26)" if dark else "rgb(255, 255, 255)")


@browser
def test_the_page_prints(new_run, tmp_path):
    run = new_run(targets=9, arms=dict.fromkeys(ARMS, "m"), attempts=2)
    out = run.results / "report"
    build_report(inputs=run.inputs, results=run.results, out=out)
    from pypdf import PdfReader

    pages = PdfReader(printed(out / "report.html", tmp_path)).pages
    text = "\n".join(page.extract_text() for page in pages)
    assert "Reproduction report" in text
    assert "Skip to the counts" not in text
    summary = (out / "summary.tsv").read_text().splitlines()[1].split("\t")
    assert f"{summary[4]} of {summary[2]} within" in re.sub(r"\s+", " ", text)
    assert "Published values and ours, by arm" in text  # folded on the screen
    columns = len((out / "pairwise.tsv").read_text().splitlines()[0].split("\t"))
    assert f"A table of {columns} columns is not printed; pairwise.tsv holds it." in re.sub(r"\s+", " ", text)
    if shutil.which("pdftotext"):
        words = _words(tmp_path / "report.pdf")
        assert len(words) > 500
        said = {word for *_, word in words}
        for table in ("lessons", "isolation", "departures", "stability"):
            heading = (out / f"{table}.tsv").read_text().splitlines()[0]
            assert set(re.split(r"[\t_]", heading)) <= said, table  # none broken into letters
        margin = 13 * 72 / 25.4 - 1
        assert [word for left, right, width, word in words if left < margin or right > width - margin] == []


def _words(pdf):
    """(left, right, width of the page, word) of every word that is printed."""
    done = subprocess.run(["pdftotext", "-bbox", str(pdf), "-"], capture_output=True, text=True, check=True)
    width, found = 0.0, []
    for line in done.stdout.splitlines():
        if page := re.search(r'<page width="([\d.]+)"', line):
            width = float(page[1])
        elif word := re.search(r'xMin="([-\d.]+)".*xMax="([-\d.]+)".*?>(.*)</word>', line):
            found.append((float(word[1]), float(word[2]), width, word[3]))
    return found


class Links(HTMLParser):
    """Everything a page would load or lead to."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        self.found += [
            value for name, value in attributes if name in ("href", "src", "srcset", "data", "action")
        ]


def links_of(path):
    parser = Links()
    parser.feed(path.read_text())
    return [link for link in parser.found if not link.startswith(("#", "data:"))]


def test_every_link_leads_to_a_file_of_the_report(wide):
    out = wide.results / "report"
    page = out / "report.html"
    links = set(links_of(page))
    traces = {f"traces/{arm}/{target}/{n}.html" for arm, target, n in wide.inputs.entries()}
    assert traces <= links
    assert {link for link in links if not (out / link).is_file()} == set()
    trace = out / "traces" / "full" / "target-01" / "1.html"
    assert [(trace.parent / link).resolve() for link in links_of(trace)] == [page.resolve()]
    assert "url(" not in page.read_text()


def luminance(colour):
    """Relative luminance (WCAG 2.2) of ``#rgb``, ``#rrggbb`` or three numbers of 0 to 255."""
    if isinstance(colour, str):
        digits = colour[1:] if len(colour) == 7 else "".join(c * 2 for c in colour[1:])
        colour = [int(digits[i : i + 2], 16) for i in (0, 2, 4)]
    parts = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(a, b):
    """Contrast ratio of two colours (WCAG 2.2)."""
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def mixed(top, bottom, opacity):
    """A colour laid over another."""
    a, b = ([int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in (top, bottom))
    return [opacity * x + (1 - opacity) * y for x, y in zip(a, b, strict=True)]


@pytest.mark.parametrize("night", [0, 1])
def test_colours_can_be_told_from_what_is_behind_them(night):
    colours = palettes()[night]
    for name in ("ink", "muted", "link", "within", "off"):
        for behind in ("paper", "panel"):
            assert contrast(colours[name], colours[behind]) >= 4.5, (name, behind)
    parts = [*STATUSES[1:], "within", "off", "tainted", *(f"series-{i}" for i in range(8))]
    for name in parts:
        assert contrast(colours[name], colours["paper"]) >= 3, name
    for name in ("ink", *(f"series-{i}" for i in range(8))):
        assert contrast(colours[name], colours["band"]) >= 3, name
    darkest = mixed(colours["series-0"], colours["paper"], 0.5)
    assert contrast(colours["ink"], darkest) >= 4.5
    for name in ("off", "within"):
        assert contrast(mixed(colours[name], colours["paper"], 0.75), colours["paper"]) >= 3
    assert set(STATUS_MEANING) == set(STATUSES)


@given(st.floats(-1e5, 1e5), st.floats(1e-6, 1e5), st.sampled_from([105.0, 250.0]), st.sampled_from([4, 6]))
def test_ticks_stand_where_they_say_and_do_not_touch(low, room, width, most):
    high = low + room
    if high - low < 1e-9 * max(1, abs(low)):
        return
    found = ticks(low, high, width, most)
    assert len(found) <= most
    assert len({label for _, label in found}) == len(found)
    edge = -1e9
    for value, label in found:
        written = float(label.replace("−", "-"))
        assert written == pytest.approx(value, abs=0.02 * room)
        x, long = width * share(value, low, high) / 100, CHARACTER * len(label)
        left = {"start": x, "middle": x - long / 2, "end": x - long}[_anchor(100 * x / width)]
        assert left > edge
        edge = left + long


def test_an_ordinary_axis_has_at_least_two_ticks():
    for low, high in ((0.18, 0.219), (0.0, 1.0), (2.71, 2.83), (-0.94, -0.88), (0.0262, 0.0271), (0, 5)):
        assert len(ticks(low, high)) >= 2


def test_a_very_large_study_stays_readable(tmp_path_factory, run_factory):
    run = run_factory(tmp_path_factory.mktemp("large"), targets=300)
    out = run.results / "report"
    build_report(inputs=run.inputs, results=run.results, out=out)
    page, markdown = (out / "report.html").read_text(), (out / "report.md").read_text()
    assert page.count('<figure class="panel"') == 240
    assert "120 of 150 quantities are drawn" in page
    assert "300 targets share 120 columns" in page
    assert "the first 100 of 150 quantities" in page
    assert "The first 100 of 150 quantities" in markdown
    assert len((out / "quantities.tsv").read_text().splitlines()) == 301
    assert len(page) < 2_500_000
    outcomes = (out / "figures" / "outcomes.svg").read_text()
    areas = {"within": 0.0, "off": 0.0}
    for name, height in re.findall(r'<rect class="(\w+)"[^>]*height="([\d.]+)"/>', outcomes):
        areas[name] = areas.get(name, 0.0) + float(height)
    firsts = [truth for (_, _, number), truth in run.truth.items() if number == 1]
    within = sum(truth[1] for truth in firsts)
    # a column of 16 pixels stands for 300 / 120 targets
    assert (areas["within"] - 10) / 16 * 300 / 120 == pytest.approx(within, rel=0.02)


@browser
def test_long_names_of_boards_fit_a_phone(new_run, tmp_path):
    run = new_run(targets=3, arms={"a": "m", "b": "m"})
    rows = "".join(f"board\tmethod-{i}\t0.{i}5\n" for i in range(1, 9))
    (run.inputs.root / "leaderboards.tsv").write_text(f"board\tmethod\tvalue\n{rows}")
    for name in list(run.inputs.references):
        (reference,) = run.inputs.references[name].values()
        board = {"board": "board", "method": "ours", "direction": "lower", "unit": "log10(mol/L) per decade"}
        reference = reference.model_copy(update={**board, "metric": "mean absolute error of the median"})
        run.inputs.references[name] = {"value": reference}
    old, *_ = run.inputs.targets
    new = "a-target-" + "whose-name-is-long-" * 2 + "as-long-as-may-be"
    targets = {new: run.inputs.targets[old].model_copy(update={"target": new}), **run.inputs.targets}
    references = {new: run.inputs.references[old], **run.inputs.references}
    inputs = replace(run.inputs, targets=targets, references=references)
    out = run.results / "report"
    build_report(inputs=inputs, results=run.results, out=out, partial=True)
    (found,) = measured([(out / "report.html", 390)], tmp_path, dark=False)
    assert "8 other published rows" in (out / "report.html").read_text()
    assert [found[name] for name in ("overlaps", "cut", "silent")] == [[], [], []]
    assert found["overflow"] <= 0


def test_places_on_leaderboards_are_drawn(new_run):
    run = new_run(targets=3, arms={"a": "m", "b": "m"})
    for name, rows in run.inputs.references.items():
        rows["value"] = rows["value"].model_copy(
            update={"board": "board-1", "method": "ours", "direction": "higher", "value": 0.5}
        )
        for arm, value in (("a", 0.9), ("b", 0.1)):
            path = run.score_file(arm, name)
            score = read_study(run.inputs, run.results).by_pair[arm, name].first.score
            quantity = judge("value", None, rows["value"], "").model_copy(update={"value": value})
            score.model_copy(update={"status": "scored", "tainted": False, "quantities": (quantity,)}).write(
                path
            )
    study = read_study(run.inputs, run.results)
    pool = [PublishedRow(board="board-1", method=f"m{i}", value=i / 10) for i in range(1, 9)]
    study.boards.update({(family, "board-1"): pool for family in study.families})
    figures = {figure.file: figure for figure in draw_placement(study, {})}
    assert set(figures) == {"placement-even.svg", "placement-odd.svg"}
    figure = figures["placement-even.svg"]
    assert "board-1, 8 other published rows: a 1 of 9, b 8.5 of 9." in figure.description
    assert figure.body.count('class="other"') == 2 * 8
    assert figure.beside == "family-even"
