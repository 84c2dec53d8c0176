"""Changes the numbers of data files, the same way each time: ``perturb.py KIND SEED``.

Standard input lists source and target of each file, separated by a tab; printed is, for each, how many items
changed. Kinds: ``values`` (numbers are scaled by up to a tenth and stay within their column's range; whole
numbers of few levels move), ``rows`` (the last tenth of rows or records goes), ``labels`` (texts of a
column move; letters of sequences and bare whole numbers change). What cannot be read stays.
"""

from __future__ import annotations

import bz2
import gzip
import json
import os
import sys
import zipfile

from perturb_text import Shaker, text
from perturb_values import binary, value


def plain(content: bytes, suffix: str, shaker: Shaker) -> bytes:
    """The content of a text file, changed."""
    decoded = content.decode("utf-8", "surrogateescape").replace("\r\n", "\n")
    if suffix == ".json":
        return json.dumps(value(json.loads(decoded), shaker)).encode()
    changed: str = text(decoded, suffix, shaker)
    return changed.encode("utf-8", "surrogateescape")


def one(source: str, target: str, shaker: Shaker) -> None:
    """One file, by its ending; a compressed one is opened and closed again."""
    stem, suffix = os.path.splitext(source.lower())
    inner = os.path.splitext(stem)[1]
    packed = {".gz": gzip, ".bz2": bz2}.get(suffix)
    if packed is not None:
        with packed.open(source, "rb") as stream:
            content = stream.read()
        unpacked = f"{target}.plain{inner}"
        with open(unpacked, "wb") as out:
            out.write(content)
        one(unpacked, f"{target}.new{inner}", shaker)
        with open(f"{target}.new{inner}", "rb") as stream:
            changed = stream.read()
        opened = gzip.GzipFile(target, "wb", mtime=0) if suffix == ".gz" else bz2.BZ2File(target, "wb")
        with opened as closing:
            closing.write(changed)
        os.remove(unpacked)
        os.remove(f"{target}.new{inner}")
    elif suffix == ".zip":
        with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
            for item in old.infolist():
                ending = os.path.splitext(item.filename.lower())[1]
                content = old.read(item)
                if ending in (".csv", ".tsv", ".txt", ".json"):
                    content = plain(content, ending, shaker)
                new.writestr(item, content)
    else:
        with open(source, "rb") as stream:
            content = stream.read()
        if b"\0" in content[:8192] or content[:2] == b"\x80\x04" or suffix in (".pkl", ".pickle"):
            binary(source, target, suffix, shaker)
            return
        with open(target, "wb") as out:
            out.write(plain(content, suffix, shaker))


def main() -> None:
    """Change the files listed on standard input."""
    kind, seed = sys.argv[1], int(sys.argv[2])
    for line in sys.stdin:
        source, target = line.rstrip("\n").split("\t")
        shaker = Shaker(kind, seed)
        try:
            one(source, target, shaker)
        except Exception as error:
            shaker.changed = 0
            print(f"{source}\t0\t{type(error).__name__}: {error}".replace("\n", " "))
            continue
        print(f"{source}\t{shaker.changed}")


if __name__ == "__main__":
    main()
