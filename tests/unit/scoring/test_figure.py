"""Claims about a rebuilt figure: each loses its own points and no others."""

import itertools
import json
import random

import pytest

from labagent.models.family import Family
from labagent.models.run import RunRecord, SandboxRecord
from labagent.models.tables import Reference, Target
from labagent.scoring.score import score_attempt
from labagent.scoring.scorers import load_scorer

METHODS = {
    "New": "new 1.0",
    "SuSiE": "susieR 0.12",
    "FINEMAP": "finemap 1.4",
    "ABF": "own",
    "CAVIAR": "caviar 2",
}
ARCHITECTURES = ("sparse", "polygenic")
HERITABILITIES = (0.05, 0.1, 0.2, 0.3, 0.4)
FIGURE = {
    "introduced": "New", "methods": METHODS, "architectures": list(ARCHITECTURES),
    "heritabilities": list(HERITABILITIES), "metrics": ["power", "fdr"], "replicates": 100, "enumeration": 5,
}  # fmt: skip
CLAIMS = [
    {"id": "lead-sparse", "group": "relation", "kind": "leads", "points": 15, "metric": "power",
     "architecture": "sparse"},
    {"id": "lead-polygenic", "group": "relation", "kind": "leads", "points": 15, "metric": "power",
     "architecture": "polygenic"},
    {"id": "rise", "group": "relation", "kind": "trend", "points": 10, "metric": "power", "method": "SuSiE"},
    {"id": "power-sparse", "group": "quantity", "kind": "value", "points": 15, "metric": "power",
     "architecture": "sparse", "tolerance": 0.05},
    {"id": "power-polygenic", "group": "quantity", "kind": "value", "points": 15, "metric": "power",
     "architecture": "polygenic", "tolerance": 0.05},
    {"id": "margin", "group": "quantity", "kind": "margin", "points": 10, "metric": "power",
     "tolerance": 0.03},
    {"id": "complete", "group": "existence", "kind": "complete", "points": 10, "metric": "fdr"},
    {"id": "picture", "group": "existence", "kind": "drawing", "points": 10},
]  # fmt: skip
SETTINGS = {"claims": 8, "groups": {"relation": 40, "quantity": 40, "existence": 20}, "leading": 30}
PNG = b"\x89PNG\r\n\x1a\n" + bytes(600)


def published():
    """A figure of which all claims hold."""
    table = {}
    for (m, method), (a, architecture), (h, heritability) in itertools.product(
        enumerate(METHODS), enumerate(ARCHITECTURES), enumerate(HERITABILITIES)
    ):
        table[method, architecture, heritability, "power"] = 0.3 + 0.1 * h - 0.04 * m - 0.05 * a
        table[method, architecture, heritability, "fdr"] = 0.05 + 0.01 * m
    return table


class Rebuilt:
    """A figure and one attempt to rebuild it."""

    def __init__(self, root):
        self.root, self.table, self.replicates = root, published(), 100
        self.output = root / "runs" / "try-1" / "output"
        self.output.mkdir(parents=True)
        RunRecord(
            arm="a", target="t", attempt=1, status="completed", ended_by="success", agent="offline",
            try_folder="try-1", sandbox=SandboxRecord(kind="none", requested="auto", network="open"),
        ).write(root / "runs" / "run.json")  # fmt: skip
        self.rubric = root / "t.yaml"
        self.write_rubric()
        (self.output / "figure.png").write_bytes(PNG)

    def write_rubric(self, claims=CLAIMS, **changes):
        rows = [[*cell, value] for cell, value in published().items()]
        self.rubric.write_text(
            json.dumps({"figure": {**FIGURE, **changes}, "claims": claims, "published": rows})
        )

    def rows(self):
        return [
            f"{','.join(map(str, cell))},{value!r},{self.replicates}" for cell, value in self.table.items()
        ]

    def write(self, rows=None):
        lines = ["method,architecture,heritability,metric,value,replicates", *(rows or self.rows())]
        (self.output / "figure.csv").write_text("\n".join(lines) + "\n")

    def score(self):
        common = {
            "target": "t",
            "quantity": "points",
            "metric": "points",
            "direction": "higher",
            "source": "s",
        }
        reference = Reference(value="100", tolerance=30, tolerance_kind="abs", **common)
        return score_attempt(
            run_folder=self.root / "runs",
            target=Target(target="t", family="f", task="t.md", answer="points=figure.csv"),
            references={"points": reference}, labels=self.rubric,
            family=Family(name="f", folder="f", scorer="figure", title="F", settings=SETTINGS),
        )  # fmt: skip

    def lost(self):
        """Ids of the claims that do not hold."""
        self.write()
        (points,) = self.score().quantities
        lost = {row.criterion for row in points.criteria if row.verdict == "missed"}
        assert points.value == 100 - sum(c["points"] for c in CLAIMS if c["id"] in lost)
        return lost


@pytest.fixture
def rebuilt(tmp_path):
    return Rebuilt(tmp_path)


def test_a_figure_of_which_all_claims_hold_has_all_points(rebuilt):
    assert rebuilt.lost() == set()
    record = rebuilt.score()
    assert (record.status, record.within, record.quantities[0].value) == ("scored", True, 100.0)
    assert [row.level for row in record.quantities[0].criteria] == [c["group"] for c in CLAIMS]


def change(table, method, architecture, by, metric="power", at=None):
    for m, a, h, x in table:
        if (m, a, x) == (method, architecture, metric) and at in (None, h):
            table[m, a, h, x] += by


BREAKS = {
    "lead-sparse": lambda t: change(t, "SuSiE", "sparse", 0.05, at=0.05),
    "lead-polygenic": lambda t: change(t, "FINEMAP", "polygenic", 0.09, at=0.4),
    "rise": lambda t: change(t, "SuSiE", "sparse", -0.35, at=0.4),
    "power-sparse": lambda t: [change(t, m, "sparse", 0.06) for m in METHODS],
    "power-polygenic": lambda t: [change(t, m, "polygenic", -0.06) for m in METHODS],
    "margin": lambda t: [change(t, m, a, -0.04) for m in METHODS if m != "New" for a in ARCHITECTURES],
    "complete": lambda t: t.pop(("ABF", "sparse", 0.2, "fdr")),
}  # fmt: skip


@pytest.mark.parametrize("claim", sorted(BREAKS))
def test_each_claim_broken_alone_loses_its_points_only(rebuilt, claim):
    BREAKS[claim](rebuilt.table)
    assert rebuilt.lost() == {claim}


@pytest.mark.parametrize("content", [None, b"", b"not a picture" * 100, PNG[:20], b"GIF89a" + bytes(900)])
def test_a_picture_must_be_one(rebuilt, content):
    (rebuilt.output / "figure.png").unlink()
    if content is not None:
        (rebuilt.output / "figure.png").write_bytes(content)
    assert rebuilt.lost() == {"picture"}
    (rebuilt.output / "figure.svg").write_text('<?xml version="1.0"?>\n<svg>' + " " * 600 + "</svg>")
    assert rebuilt.lost() == set()


def test_leaving_a_rival_out_lets_nobody_lead(rebuilt):
    del rebuilt.table["CAVIAR", "sparse", 0.4, "power"]
    assert rebuilt.lost() == {"lead-sparse", "margin"}
    row = rebuilt.score().quantities[0].criteria[0]
    assert row.evidence == "no value for CAVIAR/sparse/0.4/power, of 25 cells"


@pytest.mark.parametrize("value", ["nan", "NaN", "", "NA", "inf", "-inf", "1e999"])
def test_a_cell_that_is_no_finite_number_is_missing(rebuilt, value):
    rows = [r.replace("0.05,fdr,0.05,", f"0.05,fdr,{value},") if r.startswith("New,sparse") else r
            for r in rebuilt.rows()]  # fmt: skip
    rebuilt.write(rows)
    record = rebuilt.score()
    assert [r.criterion for r in record.quantities[0].criteria if r.verdict == "missed"] == ["complete"]


def test_a_tie_everywhere_is_no_lead(rebuilt):
    for cell in rebuilt.table:
        if cell[3] == "power":
            rebuilt.table[cell] = published()["New", *cell[1:]]
    assert rebuilt.lost() == {"lead-sparse", "lead-polygenic", "margin"}


def test_order_case_and_layout_change_nothing(rebuilt):
    rows = [r.upper() if i % 2 else r for i, r in enumerate(rebuilt.rows())]
    random.Random(3).shuffle(rows)
    header = "replicates,value,metric,heritability,architecture,method"
    lines = [header, *(",".join(reversed(r.split(","))) for r in rows), ""]
    text = "\ufeff" + "\r\n".join(lines)
    (rebuilt.output / "figure.csv").write_bytes(text.replace(",", "\t").encode())
    assert rebuilt.score().quantities[0].value == 100


def test_departures_stand_beside_the_points(rebuilt):
    rebuilt.replicates = 50
    stated = {m: {"implementation": i, "enumeration": 2 if m == "CAVIAR" else 5} for m, i in METHODS.items()}
    stated["FINEMAP"]["implementation"] = "own shotgun search"
    stated["new"] = stated.pop("New")
    del stated["ABF"]
    (rebuilt.output / "methods.json").write_text(json.dumps(stated))
    rebuilt.write([*rebuilt.rows(), "Sixth,sparse,0.1,power,0.9,5"])
    record = rebuilt.score()
    assert record.quantities[0].value == 100
    assert [(d.item, d.published, d.ours, d.severity, d.origin) for d in record.departures] == [
        ("replicates", "100", "50", "major", "measured"),
        ("method FINEMAP", "finemap 1.4", "own shotgun search", "major", "declared"),
        ("method ABF", "own", "not stated", "note", "measured"),
        ("enumeration of CAVIAR", "up to 5 causal variants", "up to 2", "major", "declared"),
        ("rows of other cells", "", "1, the first sixth/sparse/0.1/power", "note", "measured"),
    ]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b"\xff\xfe", "not UTF-8"),
        (b"a,b\n1,2\n", "needs the columns"),
        (b"method,architecture,heritability,metric,value\nNew,sparse,0.1\n", "line 2: has 3 cells, not 5"),
        (
            b"method,architecture,heritability,metric,value\nNew,sparse,x,power,1\n",
            '"heritability": "x" is no',
        ),
        (
            b"method,architecture,heritability,metric,value\nNew,sparse,,power,1\n",
            '"heritability": is missing',
        ),
        (
            b"method,architecture,heritability,metric,value\nNew,sparse,0.1,power,high\n",
            '"high" is no number',
        ),
        (
            b"method,architecture,heritability,metric,value\n" + b"New,sparse,0.1,power,1\n" * 2,
            "stands twice",
        ),
        (b'method,architecture,heritability,metric,value\n"New,sparse', "is no row"),
        (b"x" * (5 << 20), "larger than 4 MiB"),
        (
            b"method,architecture,heritability,metric,value\n" + b"X,y,1,z,1\n" * 20_001,
            "more than 20000 rows",
        ),
    ],
)
def test_a_table_that_cannot_be_read_is_unscorable(rebuilt, content, reason):
    (rebuilt.output / "figure.csv").write_bytes(content)
    record = rebuilt.score()
    assert (record.status, record.within) == ("unscorable", False)
    assert reason in record.reason


def test_no_table_breaks_the_scorer(rebuilt):
    rng = random.Random(11)
    base = "\n".join(["method,architecture,heritability,metric,value,replicates", *rebuilt.rows()]).encode()
    for _ in range(60):
        content = bytearray(base)
        for _ in range(rng.randint(1, 12)):
            content[rng.randrange(len(content))] = rng.choice(b'\x00\xff,"\n\t.0129eE-+ ')
        (rebuilt.output / "figure.csv").write_bytes(content[: rng.randint(1, len(content))])
        (rebuilt.output / "methods.json").write_bytes(content[:50])
        record = rebuilt.score()
        assert record.status in ("scored", "unscorable")
        assert record.status == "scored" or record.reason


def test_numbers_at_the_edge_of_floats(rebuilt):
    for cell in list(rebuilt.table):
        rebuilt.table[cell] = 1.7e308 if cell[0] == "New" else -1.7e308
    rebuilt.write()
    assert rebuilt.score().status == "scored"


def test_claims_are_checked_before_anything_runs(rebuilt):
    scorer = load_scorer("figure")

    def faults(answer="points=figure.csv", labels=rebuilt.rubric, settings=SETTINGS):
        family = Family(name="f", folder="f", scorer="figure", title="F", settings=settings)
        return scorer.check(family, Target(target="t", family="f", task="t", answer=answer), {}, labels)

    assert faults() == []
    assert "one table without a key" in faults("points=a.json:b")[0]
    assert "rubrics/t.yaml" in faults(labels=None)[0]
    assert "settings.claims" in faults(settings={"claims": "x"})[0]
    rebuilt.write_rubric(CLAIMS[1:])
    assert [f.partition(",")[0] for f in faults()] == [
        "there are 7 claims",
        "claims of group relation have 25 points",
        "claims of kind leads have 15 points",
    ]
    for wrong in (
        [{**CLAIMS[0], "metric": "speed"}], [{**CLAIMS[0], "method": "Other"}], [{**CLAIMS[0], "metric": ""}],
        [{**CLAIMS[0], "kind": "beats"}], [CLAIMS[0], CLAIMS[0]], [{**CLAIMS[0], "points": 0}],
    ):  # fmt: skip
        rebuilt.write_rubric(wrong)
        assert "claims about a figure" in faults()[0], wrong
    rebuilt.write_rubric(CLAIMS, introduced="Nobody")
    assert "introduced" in faults()[0]
