from __future__ import annotations

import pytest

DESCRIPTION = "Package: lab\nVersion: 0.1\nTitle: What It Does\nLicense: GPL-3\nImports: stats\n"
NAMESPACE = """\
# generated
export(fit, "%+%", reexported, documented)
exportPattern("^run_[a-z]+$")
S3method(print, labfit)
S3method("summary", "labfit")
importFrom(stats, reexported)
exportClasses(Model)
"""
SOURCE = r"""
#' Fit it (with a brace { in a comment)
fit <- function(x, y = c("a)", 'b}'), L = min(10, ncol(x)),
                ..., verbose = FALSE) {
  inner <- function(z) z
  x[["a"]][1]
}
`%+%` <- function(a, b) paste0(a, b)
run_all = function() NULL
run_1 <- function() NULL
hidden <- function(q) q
print.labfit <- function(x, digits = 3L, ...) { invisible(x) }
summary.labfit <- \(object, ...) object
if (getRversion() >= "4.0") {
  run_late <- function(n = r"---(a "quoted" (text))---") n
}
setClass("Model", representation(x = "numeric"))
lapply(1:2, function(i) { run_inside <- function() i })
"""
PAGE = r"""% generated
\name{documented}
\alias{documented}
\title{Do the \code{documented} thing}
\usage{
documented(x, level = 0.95, ...)

\method{print}{labfit}(x, ...)
}
\examples{
x <- 1 # 50\% of it
\dontrun{
documented(x, level = 0.9)
}
\dontshow{stopifnot(TRUE)}
}
"""


@pytest.fixture
def package(take):
    return take({
        "DESCRIPTION": DESCRIPTION, "NAMESPACE": NAMESPACE, "R/fit.R": SOURCE, "man/documented.Rd": PAGE,
        "R/broken.R": "f <- function(x) {\n", "tests/testthat/t.R": "t <- function() 1\n",
        "vignettes/v.Rmd": "---\ntitle: V\n---\n\n```{r setup, include=FALSE}\nlibrary(lab)\n```\n",
        "demo/d.R": "fit(1)\n",
    })  # fmt: skip


def test_exports_with_formals(package):
    found = {k: [(p.name, p.default) for p in v.parameters] for k, v in package.objects.items()}
    assert found["lab::fit"] == [
        ("x", None),
        ("y", "c(\"a)\", 'b}')"),
        ("L", "min(10, ncol(x))"),
        ("...", None),
        ("verbose", "FALSE"),
    ]
    assert found["lab::%+%"] == [("a", None), ("b", None)]
    assert found["lab::run_late"] == [("n", 'r"---(a "quoted" (text))---"')]
    assert found["lab::print.labfit"] == [("x", None), ("digits", "3L"), ("...", None)]
    assert found["lab::documented"] == [("x", None), ("level", "0.95"), ("...", None)]
    assert set(found) == {
        "lab::fit", "lab::%+%", "lab::run_all", "lab::run_late", "lab::print.labfit", "lab::summary.labfit",
        "lab::documented", "lab::Model",
    }  # fmt: skip
    assert package.dynamic == ("lab::reexported",)


def test_places_and_kinds(package):
    fit, page = package.objects["lab::fit"], package.objects["lab::documented"]
    assert (fit.kind, fit.file, fit.line) == ("function", "R/fit.R", 3)
    assert (page.file, page.line, page.summary) == ("man/documented.Rd", 6, "Do the documented thing")
    assert package.objects["lab::print.labfit"].kind == "method"
    assert package.objects["lab::Model"].kind == "class"
    assert (package.language, package.modules) == ("r", ("lab",))
    assert [(u.file, u.reason) for u in package.unreadable] == [("R/broken.R", 'line 1: "{" is never closed')]


def test_examples(package):
    found = [(e.origin, e.file, e.code, e.first_line, e.last_line) for e in package.examples]
    assert found == [
        ("example", "demo/d.R", "fit(1)\n", 1, 2),
        ("vignette", "vignettes/v.Rmd", "library(lab)\n", 6, 6),
        ("docstring", "man/documented.Rd", "x <- 1 # 50% of it\n\ndocumented(x, level = 0.9)\n", 10, 16),
    ]


def test_scripts_without_a_package(take):
    snap = take({"analysis.R": "clean <- function(d, k = 3) d\n.private <- function() 1\nx <- clean(1)\n"})
    assert [p.name for p in snap.objects["clean"].parameters] == ["d", "k"]
    assert set(snap.objects) == {"clean"}


def test_both_languages(take):
    snap = take({"a.R": "f <- function(x) x\n", "b.py": "def g(): pass\n"})
    assert snap.language == "mixed"
