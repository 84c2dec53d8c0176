# Watches a quick start from inside its R processes: which functions of the lab's packages run. R reads this file as its
# site profile; packages are named in roots.txt beside it, each function that runs is told once in seen.tsv.
# Random numbers are the same in every run where the code sets no seed itself.
if (nzchar(Sys.getenv("LABAGENT_SEED"))) set.seed(as.integer(Sys.getenv("LABAGENT_SEED")))
local({
  place <- Sys.getenv("LABAGENT_WATCH")
  told <- new.env()
  tell <- function(name) {
    if (is.null(told[[name]])) {
      assign(name, TRUE, envir = told)
      cat("called\t", name, "\t", name, "\n", sep = "", file = file.path(place, "seen.tsv"), append = TRUE)
    }
  }
  # The bodies of exported functions begin with telling their name; everything else of them stays as it is.
  watch <- function(package, path) {
    space <- asNamespace(package)
    for (name in getNamespaceExports(space)) {
      if (!exists(name, envir = space, inherits = FALSE)) next
      value <- get(name, envir = space)
      if (typeof(value) != "closure" || isS4(value)) next
      changed <- value
      body(changed) <- call("{", call(".labagent_tell", paste0(package, "::", name)), body(value))
      body(changed)[[2]][[1]] <- tell
      attributes(changed) <- attributes(value)[setdiff(names(attributes(value)), "srcref")]
      locked <- bindingIsLocked(name, space)
      if (locked) unlockBinding(name, space)
      assign(name, changed, envir = space)
      if (locked) lockBinding(name, space)
    }
  }
  roots <- if (!nzchar(place)) character(0) else tryCatch(readLines(file.path(place, "roots.txt")), error = function(e) character(0))
  for (package in roots) setHook(packageEvent(package, "onLoad"), watch)
})
