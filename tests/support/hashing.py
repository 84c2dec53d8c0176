"""Two real labs that fail in the same way: image hashes whose code calls what Pillow 10 removed.

``dhash`` 1.3 and ``photohash`` 0.4.1 come from the package index as source distributions. Their environments
have a newer Pillow, without ``Image.ANTIALIAS``. The quick starts of their skills hash no image file (dHash
takes a list of pixels, photohash compares hashes), so the skills are valid, and the failure shows only in a
run, as it does when an environment has moved on since a skill was written.

The images are made here: brightness that grows from left to right, and its mirror image. By the definitions
of the hashes the rows' difference hashes have 64 and 0 bits set, and the average hashes differ in all bits.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from support.project import LABS, REFERENCES, TARGETS, write
from support.toy import CHECKOUT, WORKFLOW

SIDE = 96

CHECK_DATA = """\
# Check the data

```python
import json, os
protocol = json.load(open(os.environ["LABAGENT_PROTOCOL"]))
print("inputs:", sorted(protocol))
json.dump(protocol, open("inputs.json", "w"))
```
"""
CHECK_RESULT = """\
# Check the result

```python
import json
bits = json.load(open("bits.json"))["bits"]
print("bits:", bits)
assert 0 <= bits <= 64
```
"""
REPORT = """\
# Report

```bash
cp bits.json answer.json
cat answer.json
```
"""
DHASH = """\
# Compute

`dhash_row_col` hashes the differences between neighbours [E1].

```python
import json, os
import dhash
inputs = json.load(open("inputs.json"))
if "pixels" in inputs:
    with open(os.path.join(os.environ["LABAGENT_SKILL"], "assets", inputs["pixels"])) as stream:
        pixels = [float(line) for line in stream.read().split()[1:]]
    pairs = [dhash.dhash_row_col(pixels, inputs["size"])]
else:
    from PIL import Image
    folder = os.environ["LABAGENT_DATA"]
    pairs = [dhash.dhash_row_col(Image.open(os.path.join(folder, name))) for name in inputs["images"]]
rows = [row for row, _ in pairs]
print("row hashes:", len(rows))
bits = bin(rows[0] ^ rows[-1] if len(rows) > 1 else rows[0]).count("1")
json.dump({"bits": bits, "first": rows[0]}, open("bits.json", "w"))
```
"""
PHOTOHASH = """\
# Compute

`average_hash` marks what is brighter than the mean [E1].

```python
import json, os
from photohash import photohash
inputs = json.load(open("inputs.json"))
if "hashes" in inputs:
    with open(os.path.join(os.environ["LABAGENT_SKILL"], "assets", inputs["hashes"])) as stream:
        hashes = [format(int(float(line)), "016x") for line in stream.read().split()[1:]]
    first, second = hashes[0], hashes[-1]
else:
    from PIL import Image
    folder = os.environ["LABAGENT_DATA"]
    first, second = [photohash.average_hash(os.path.join(folder, name)) for name in inputs["images"]]
print("digits that differ:", photohash.hash_distance(first, second))
bits = bin(int(first, 16) ^ int(second, 16)).count("1")
json.dump({"bits": bits, "first": photohash.hash_distance(first, second)}, open("bits.json", "w"))
```
"""
SKILL = """\
---
name: {name}
description: {title} of images with the {name} package. Use to compare two images.
license: MIT
metadata:
  version: "1.0"
---

# {title}

Use it for two images. Not for video.

## Inputs

`$LABAGENT_PROTOCOL` names the images in `$LABAGENT_DATA`.

## Loci

| step | locus | leaves |
|---|---|---|
| 1 | [check-data](references/check-data.md) | `inputs.json` |
| 2 | [compute](references/compute.md) | `bits.json` |
| 3 | [check-result](references/check-result.md) | |
| 4 | [report-answer](references/report-answer.md) | `answer.json` |
"""


def hashing_project(root: Path, *, config: str) -> Path:
    """A project below ``root`` with both labs, a target for each, and the checkout's reviewed lessons."""
    for name in (*WORKFLOW, "memory/lessons.jsonl"):
        source = CHECKOUT / name
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if source.is_dir() else shutil.copy2
        copy(source, root / name)
    write(root, "config/config.yaml", config)
    labs = ("dhash\tcurated\tpypi:dhash==1.3\n", "photohash\tcurated\tpypi:photohash==0.4.1\n")
    write(root, "config/labs.tsv", LABS + "".join(labs))
    row = "{lab}-bits\tmetric\t{lab}\ttask.md\trising.pgm;falling.pgm\tbits=answer.json:bits\timages.yaml\t\n"
    write(root, "config/targets.tsv", TARGETS + "".join(row.format(lab=x) for x in ("dhash", "photohash")))
    row = "{lab}-bits\tbits\tbits\tmatch\t64\t\t\t\t0\tabs\tthe definition\t\n"
    write(
        root, "config/references.tsv", REFERENCES + "".join(row.format(lab=x) for x in ("dhash", "photohash"))
    )
    write(root, "config/task.md", "Write answer.json: in how many bits the hashes of the images differ.\n")
    write(root, "config/images.yaml", "images: [rising.pgm, falling.pgm]\n")
    rising = [[x * 255 // (SIDE - 1) for x in range(SIDE)] for _ in range(SIDE)]
    _image(root / "config/rising.pgm", rising)
    _image(root / "config/falling.pgm", [row[::-1] for row in rising])
    write(root, "benchmarks/metric/family.yaml", "scorer: metric\ntitle: Any value with a tolerance\n")
    _skill(root, "dhash", "Difference hash", "1.3", DHASH, "dhash.py", "dhash_row_col", 73)
    _quick_start(root, "dhash", "pixels: numbers.csv, size: 4", [100 + 7 * n % 25 / 100 for n in range(25)])
    _skill(
        root, "photohash", "Average hash", "0.4.1", PHOTOHASH, "photohash/photohash.py", "average_hash", 22
    )
    _quick_start(root, "photohash", "hashes: numbers.csv", [71777214.5 * n for n in (5, 1, 9, 12, 3, 7)])
    return root


def _image(path: Path, rows: list[list[int]]) -> None:
    """A grey image in the plainest format that Pillow reads."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(f"P5 {len(rows[0])} {len(rows)} 255\n".encode() + bytes(v for row in rows for v in row))


def _skill(
    root: Path, name: str, title: str, version: str, compute: str, file: str, term: str, line: int
) -> None:
    """A curated skill whose environment has a Pillow that is too new for the lab."""
    folder = root / "skills" / name
    write(folder, "SKILL.md", SKILL.format(name=name, title=title))
    for locus, text in (
        ("check-data", CHECK_DATA),
        ("check-result", CHECK_RESULT),
        ("report-answer", REPORT),
    ):
        write(folder, f"references/{locus}.md", text)
    write(folder, "references/compute.md", compute)
    pins = f"      - {name}=={version}\n      - pillow==11.3.0\n"
    text = f"name: {name}\nchannels: [conda-forge]\ndependencies:\n  - python=3.11\n  - pip\n  - pip:\n{pins}"
    (folder / "environment.yaml").write_text(text, encoding="utf-8")
    write(
        folder,
        "evidence.jsonl",
        f'{{"id": "E1", "statement": "{term} is the hash.", "terms": ["{term}"], '
        f'"source": {{"kind": "repository", "path": "{file}", "lines": [{line}, {line}]}}}}\n',
    )


def _quick_start(root: Path, name: str, protocol: str, numbers: Sequence[float]) -> None:
    """A quick start that reads numbers of the skill, and no image."""
    write(root, f"skills/{name}/assets/numbers.csv", "number\n" + "".join(f"{n}\n" for n in numbers))
    text = f"protocol: {{{protocol}}}\noutputs:\n  - file: answer.json\n    keys: [bits, first]\n"
    write(root, f"skills/{name}/assets/quickstart.yaml", text)
