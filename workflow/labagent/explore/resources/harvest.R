# Numbers of a session's variables, as nested JSON: variable.name..., variable.column.row. Base R only.
MAX_ITEMS <- 5000
MAX_CELLS <- 20000
MAX_DEPTH <- 5

# Print what a variable holds: class, size, and the number itself where it is one.
describe <- function(name, value) {
  size <- if (is.null(dim(value))) length(value) else paste(dim(value), collapse = "x")
  number <- if (is.numeric(value) && length(value) == 1) format(value, digits = 10) else ""
  cat(name, ":", class(value)[1], "size", size, number, "\n")
}

# The numbers of one value as named lists; NULL where it has none. Numbers that are not finite are left out.
harvest <- function(value, depth = 0) {
  if (depth > MAX_DEPTH || is.null(value) || is.function(value) || is.environment(value)) return(NULL)
  if (is.logical(value) || is.character(value) || is.factor(value)) return(NULL)
  if (isS4(value)) {
    slots <- sapply(slotNames(value), function(s) slot(value, s), simplify = FALSE)
    return(harvest_list(slots, depth))
  }
  if (is.data.frame(value)) {
    sizes <- list(rows = nrow(value), columns = ncol(value))
    return(c(sizes, if (length(unlist(dim(value))) && prod(dim(value)) <= MAX_CELLS)
      harvest_list(lapply(value, function(column) {
        if (is.numeric(column)) harvest_vector(column, row.names(value)) else NULL
      }), depth)))
  }
  if (is.numeric(value) && length(dim(value)) == 2) {
    sizes <- list(rows = nrow(value), columns = ncol(value))
    if (length(value) > MAX_CELLS) return(sizes)
    columns <- lapply(seq_len(ncol(value)), function(j) harvest_vector(value[, j], rownames(value)))
    names(columns) <- if (is.null(colnames(value))) seq_len(ncol(value)) else colnames(value)
    return(c(sizes, columns))
  }
  if (is.numeric(value)) {
    if (length(value) == 1 && is.null(names(value))) {
      return(if (is.finite(value)) as.numeric(value) else NULL)
    }
    return(c(list(rows = length(value)), harvest_vector(value, names(value))))
  }
  if (is.list(value)) return(harvest_list(value, depth))
  NULL
}

# A numeric vector by name, else by position from 1.
harvest_vector <- function(value, labels) {
  if (length(value) > MAX_ITEMS) return(list())
  if (is.null(labels) || anyDuplicated(labels) || any(labels == "")) labels <- seq_along(value)
  kept <- is.finite(value)
  found <- as.list(as.numeric(value[kept]))
  names(found) <- as.character(labels)[kept]
  found
}

# The members of a list that hold numbers.
harvest_list <- function(value, depth) {
  labels <- names(value)
  if (is.null(labels)) labels <- rep("", length(value))
  labels[labels == ""] <- seq_along(value)[labels == ""]
  found <- lapply(unname(value), harvest, depth = depth + 1)
  names(found) <- labels
  found <- Filter(length, found)
  if (length(found)) found else NULL
}

# How many numbers a harvested value holds.
count <- function(value) if (is.list(value)) sum(vapply(value, count, 0)) else length(value)

# A harvested value as JSON text.
to_json <- function(value) {
  if (!is.list(value)) return(format(value, digits = 17, scientific = TRUE))
  if (!length(value)) return("{}")
  keys <- vapply(names(value), function(key) {
    encodeString(gsub("[[:cntrl:]]", " ", enc2utf8(key)), quote = "\"")
  }, "")
  paste0("{", paste0(keys, ": ", vapply(value, to_json, ""), collapse = ", "), "}")
}

# Write the numbers of a named list to a file and print how many each name gave.
save_numbers <- function(values, path) {
  found <- harvest_list(values, 0)
  for (name in names(values)) cat("harvested", name, ":", count(found[[name]]), "numbers\n")
  total <- if (is.null(found)) 0 else count(found)
  cat("numbers in all:", total, "\n")
  if (total == 0) stop("harvest: the method left no number in any variable")
  writeLines(to_json(found), path, useBytes = TRUE)
  invisible(found)
}

# The staged data file of a name; without it the error lists what is staged.
data_path <- function(name) {
  folder <- Sys.getenv("LABAGENT_DATA")
  path <- file.path(folder, name)
  if (!file.exists(path)) {
    stop("data: ", name, " is not staged; staged is: ", paste(list.files(folder), collapse = ", "))
  }
  path
}
