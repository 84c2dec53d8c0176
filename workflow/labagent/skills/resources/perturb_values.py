"""Changes values of Python: arrays, data frames, lists, and files in formats that libraries read.

Uses what the environment has to read its own formats (numpy, pandas, h5py, scipy).
"""

from __future__ import annotations

import pickle
import shutil
from typing import Any

from perturb_text import FACTOR, Shaker


def value(item: Any, shaker: Shaker, depth: int = 0) -> Any:
    """A value of Python: numbers in lists, mappings, arrays and data frames."""
    if depth > 8 or item is None or isinstance(item, (bool, str, bytes)):
        return item
    if hasattr(item, "columns") and hasattr(item, "iloc"):
        return frame(item, shaker)
    if hasattr(item, "index") and hasattr(item, "iloc"):
        return frame(item.to_frame("x"), shaker)["x"]
    if hasattr(item, "dtype") and hasattr(item, "shape"):
        return array(item, shaker)
    if isinstance(item, dict):
        return {key: value(inner, shaker, depth + 1) for key, inner in item.items()}
    if isinstance(item, (list, tuple)):
        kinds = {type(inner) for inner in item}
        if kinds and kinds <= {int, float}:
            return type(item)(type(a)(b) for a, b in zip(item, shaker.numbers(list(item))))  # noqa: B905
        if kinds == {str}:
            return type(item)(shaker.labels(list(item)))
        return type(item)(value(inner, shaker, depth + 1) for inner in item)
    if isinstance(item, float) and shaker.kind == "values" and item == item and item not in (0.0, 1.0):
        shaker.changed += 1
        return item * (1 + FACTOR * shaker.random.uniform(-1, 1))
    return item


def array(item: Any, shaker: Shaker) -> Any:
    """A numpy array, column by column; its shape stays, but for rows that go."""
    import numpy

    new = numpy.array(item)
    if not new.ndim or not new.size:
        return new
    if shaker.kind == "rows":
        return new[: shaker.kept(len(new))]
    flat = new.reshape(len(new), -1)
    for column in range(min(flat.shape[1], 5000)):
        cells = flat[:, column]
        if new.dtype.kind in "fiu":
            ok = numpy.isfinite(cells)
            cells[ok] = numpy.array(shaker.numbers(cells[ok].tolist()), dtype=new.dtype)
        elif new.dtype.kind in "OSU":
            flat[:, column] = numpy.array(shaker.labels(cells.tolist()), dtype=new.dtype)
    if new.ndim == 2 and not shaker.changed and new.shape[1] > len(new):
        return array(new.T, shaker).T
    return flat.reshape(new.shape)


def frame(item: Any, shaker: Shaker) -> Any:
    """A data frame, column by column."""
    new = item.iloc[: shaker.kept(len(item))].copy()
    for at, name in enumerate(new.columns):
        column = new.iloc[:, at]
        ok = column.notna().to_numpy()
        cells = column[ok].tolist()
        if not cells or isinstance(cells[0], bool):
            continue
        changed = None
        if column.dtype.kind in "fiu":
            changed = shaker.numbers(cells)
        elif all(isinstance(cell, str) for cell in cells):
            changed = shaker.labels(cells)
        if changed is not None and changed != cells:
            whole = column.astype(object) if column.dtype.kind not in "fiu" else column.copy()
            whole[ok] = changed
            new[name] = whole.to_numpy()
    return new


def hdf5(source: str, target: str, shaker: Shaker) -> None:
    """The data sets of an HDF5 file; rows go from those as long as the longest common first side."""
    import h5py

    shutil.copyfile(source, target)
    with h5py.File(target, "r+") as stream:
        found: list[str] = []
        stream.visititems(lambda name, node: found.append(name) if isinstance(node, h5py.Dataset) else None)
        for name in found:
            node = stream[name]
            if not node.shape or node.dtype.kind not in "fiu" or node.size > 20_000_000:
                continue
            before = shaker.changed
            one = Shaker(shaker.kind, len(name))
            new = array(node[()], one)
            shaker.changed = before + one.changed
            if new.shape == node.shape:
                node[...] = new
            else:
                attributes = dict(node.attrs)
                del stream[name]
                stream.create_dataset(name, data=new).attrs.update(attributes)


def binary(source: str, target: str, suffix: str, shaker: Shaker) -> None:
    """Formats that a library of the environment reads and writes."""
    if suffix in (".h5", ".hdf5", ".h5ad", ".loom"):
        hdf5(source, target, shaker)
    elif suffix in (".npy", ".npz"):
        import numpy

        found = numpy.load(source, allow_pickle=True)
        if suffix == ".npy":
            with open(target, "wb") as stream:
                numpy.save(stream, array(found, shaker))
        else:
            with open(target, "wb") as stream:
                numpy.savez(stream, **{name: array(found[name], shaker) for name in found.files})
    elif suffix in (".pkl", ".pickle"):
        with open(source, "rb") as stream:
            found = pickle.load(stream)
        with open(target, "wb") as stream:
            pickle.dump(value(found, shaker), stream)
    elif suffix == ".mat":
        import scipy.io

        found = {k: v for k, v in scipy.io.loadmat(source).items() if not k.startswith("__")}
        scipy.io.savemat(target, value(found, shaker))
    else:
        _by_pandas(source, target, suffix, shaker)


def _by_pandas(source: str, target: str, suffix: str, shaker: Shaker) -> None:
    """Tables that pandas reads."""
    import pandas

    readers = {
        ".xlsx": "excel",
        ".xls": "excel",
        ".parquet": "parquet",
        ".feather": "feather",
        ".dta": "stata",
    }
    kind = readers[suffix]
    if kind == "excel":
        sheets = pandas.read_excel(source, sheet_name=None)
        with pandas.ExcelWriter(target) as writer:
            for name, sheet in sheets.items():
                frame(sheet, shaker).to_excel(writer, sheet_name=name, index=False)
        return
    found = frame(getattr(pandas, f"read_{kind}")(source), shaker)
    getattr(found, f"to_{kind}")(target, **({"write_index": False} if kind == "stata" else {}))
