# Changes the numbers of R data files: Rscript perturb.R KIND SEED, with a tab-separated list of sources and targets on
# standard input. Prints, for each, how many numbers changed. Kinds: values, rows, labels.
arguments <- commandArgs(TRUE)
kind <- arguments[1]
library(methods)
set.seed(as.integer(arguments[2]))
changed <- 0

some <- function(n) sort(sample.int(n, max(2, round(n * 0.3))))
moved <- function(x) {
  at <- some(length(x))
  x[at] <- x[c(at[-1], at[1])]
  x
}
numbers <- function(x) {
  ok <- is.finite(x)
  if (kind != "values" || sum(ok) < 2 || length(unique(x[ok])) < 2) return(x)
  new <- x
  if (is.integer(x) || all(x[ok] == round(x[ok]))) {
    y <- as.numeric(x[ok])
    if (length(y) > 2 && length(unique(diff(y))) == 1) return(x)
    new[ok] <- if (length(unique(y)) <= 10) moved(x[ok]) else
      as(pmin(pmax(round(y * (1 + 0.1 * runif(length(y), -1, 1))), min(y)), max(y)), class(x[ok])[1])
  } else {
    new[ok] <- pmin(pmax(x[ok] * (1 + 0.1 * runif(sum(ok), -1, 1)), min(x[ok])), max(x[ok]))
  }
  changed <<- changed + sum(new[ok] != x[ok])
  attributes(new) <- attributes(x)
  new
}
labels <- function(x) {
  if (kind != "labels" || length(x) < 3 || length(unique(x)) < 2) return(x)
  new <- moved(x)
  changed <<- changed + sum(as.character(new) != as.character(x), na.rm = TRUE)
  new
}
rows <- function(x) {
  if (kind != "rows" || nrow(x) < 3) return(x)
  changed <<- changed + ceiling(nrow(x) * 0.1)
  x[seq_len(nrow(x) - ceiling(nrow(x) * 0.1)), , drop = FALSE]
}
shake <- function(x, depth = 0) {
  if (depth > 5 || is.function(x) || is.environment(x) || isS4(x)) return(x)
  if (is.data.frame(x)) {
    for (name in seq_along(x)) x[[name]] <- shake(x[[name]], depth + 1)
    return(rows(x))
  }
  if (is.factor(x)) return(labels(x))
  if (is.numeric(x)) return(if (length(dim(x)) == 2) rows(numbers(x)) else numbers(x))
  if (is.character(x)) return(labels(x))
  if (is.list(x)) for (name in seq_along(x)) if (!is.null(x[[name]])) x[[name]] <- shake(x[[name]], depth + 1)
  x
}

for (line in readLines(file("stdin"))) {
  pair <- strsplit(line, "\t", fixed = TRUE)[[1]]
  changed <- 0
  done <- tryCatch({
    if (grepl("[.]rds$", pair[1], ignore.case = TRUE)) {
      saveRDS(shake(readRDS(pair[1])), pair[2])
    } else {
      found <- new.env()
      for (name in load(pair[1], envir = found)) assign(name, shake(get(name, envir = found)), envir = found)
      save(list = ls(found, all.names = TRUE), envir = found, file = pair[2])
    }
    as.character(changed)
  }, error = function(e) "0")
  cat(pair[1], "\t", done, "\n", sep = "")
}
