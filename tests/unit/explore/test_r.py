"""R labs: code told apart by tokens, and a small package explored and run by the machine's R."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from labagent.explore.r_code import expressions, packages
from labagent.skills.read import read_skill

needs_r = pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not on this machine")

CODE = """library(tiny); x <- c(1,
  2) # a comment; x <- 3
y = x %>%
  twice()
if (a) {
  z <- 1
} else {
  z <- 2
}
plot(x, y)
ggplot2::ggplot(d) +
  geom_line()
tiny::twice(x[["a"]])
"text; with; marks"
"""


def test_expressions_end_where_r_ends_them():
    found = expressions(CODE)
    assert [e.text.split("\n")[0] for e in found] == [
        "library(tiny)", "x <- c(1,", "y = x %>%", "if (a) {", "plot(x, y)",
        "ggplot2::ggplot(d) +", 'tiny::twice(x[["a"]])', '"text; with; marks"',
    ]  # fmt: skip
    assert [e.assigned for e in found[:4]] == ["", "x", "y", ""]
    assert [e.draws for e in found] == [False, False, False, False, True, True, False, False]
    assert [e.line for e in found][:4] == [1, 1, 3, 5]
    assert found[6].called == ["tiny::twice"]
    assert packages(found) == {"tiny", "ggplot2"}


FILES = {
    "DESCRIPTION": "Package: tinyr\nVersion: 0.3\nTitle: Twice\nDescription: Doubles.\nLicense: MIT\n"
    "Author: A\nMaintainer: A <a@example.org>\nImports: stats\n",
    "NAMESPACE": "export(twice)\n",
    "R/twice.R": "twice <- function(x, times = 2) {\n  list(values = x * times, total = sum(x * times))\n}\n",
    "inst/extdata/points.csv": "v\n1\n2\n3\n",
    "vignettes/use.Rmd": """---
title: use
---

```{r}
library(tinyr)
knitr::opts_chunk$set(echo = TRUE)
d <- read.csv("../inst/extdata/points.csv")
```

```{r}
fit <- twice(d$v, times = 3)
plot(fit$values)
print(fit$total)
```
""",
    "pyproject.toml": "",
}


@pytest.fixture
def r_draft(draft):
    found = draft({k: v for k, v in FILES.items() if k != "pyproject.toml"})
    assert found[0].status == "drafted", found[0].reason
    return found


def test_an_r_package_becomes_a_skill(r_draft):
    folder = r_draft[3]
    skill = read_skill(folder)
    assert skill.quickstart.data == ("inst/extdata/points.csv",)
    run = (folder / "references" / "run.md").read_text()
    assert 'd <- read.csv(data_path("points.csv"))' in run
    assert "plot(" not in run and "opts_chunk" not in run
    assert (folder / "assets" / "source" / "tinyr" / "DESCRIPTION").exists()
    assert {e.source.path for e in skill.evidence} == {"R/twice.R", "vignettes/use.Rmd"}


@needs_r
def test_it_passes_all_tiers(r_draft, check):
    verdict = check(r_draft)
    assert verdict.status == "valid", verdict.reason


@needs_r
def test_numbers_of_r_values_are_harvested(r_draft, tmp_path):
    code = f"""
source("{r_draft[3]}/scripts/harvest.R")
m <- matrix(c(1, 2, 3, NA), 2, dimnames = list(c("a", "b"), c("p", "q.r")))
l <- list(x = 1L, s = "text", f = mean, deep = list(z = c(u = 2, v = 3)), flag = TRUE)
d <- data.frame(k = c(1.5, Inf), t = c("a", "b"), row.names = c("r1", "r2"))
invisible(save_numbers(list(m = m, l = l, d = d, s = 2.5, t = "text"), "{tmp_path}/out.json"))
"""
    done = subprocess.run(["Rscript", "-e", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "out.json").read_text()) == {
        "m": {"rows": 2, "columns": 2, "p": {"a": 1, "b": 2}, "q.r": {"a": 3}},
        "l": {"x": 1, "deep": {"z": {"rows": 2, "u": 2, "v": 3}}},
        "d": {"rows": 2, "columns": 2, "k": {"r1": 1.5}},
        "s": 2.5,
    }
