#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Several ranks give the answer of a single process, for every example and a sample of the zoo.

usage: agree_rows.py LINCHPIN MPIRUN ROOT SHARD SHARDS     these rows of the tables in ROOT/zoo/expected.d: SHARD, SHARD + SHARDS, ...

With 1, 2, 4 and 7 ranks, as one machine and each as a machine of its own; and once with machines that explore together from the start.
"""
import csv
import glob
import os
import shlex
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
from agree import differences

SAMPLE = 60  # of the zoo, every so many rows
COUNTS = (2, 4, 7)
NAMES = ("flags", "spec", "property", "sync", "model")


def rows(root):
    """The first row of each example with each verdict, or three calls if it is in no table; of the zoo every SAMPLE-th row that is fast."""
    examples, zoo = {}, []
    for table in sorted(glob.glob(os.path.join(root, "zoo", "expected.d", "*.tsv"))):
        with open(table, encoding="utf-8", newline="") as text:
            fast = [r for r in csv.DictReader(text, delimiter="\t", quoting=csv.QUOTE_NONE) if r["seconds"] == "fast"]
        for row in fast:
            if not row["options"].startswith(("-", "run")):
                continue  # another command
            if row["file"].startswith("../examples/"):
                examples.setdefault((row["file"], row["verdict"]), row)
            else:
                zoo.append(row)
    known = {file for file, _ in examples}
    for path in sorted(glob.glob(os.path.join(root, "examples", "*.c*"))):
        file = "../examples/" + os.path.basename(path)
        if file not in known:
            examples[file, None] = dict(dict.fromkeys(NAMES, "-"), file=file, options="--ops 3")
    return list(examples.values()) + zoo[::SAMPLE]


def words_of(row):
    options = shlex.split(row["options"]) if row["options"] != "-" else []
    command = "run" if "run" in options else "check"
    words = [command, os.path.normpath(os.path.join("zoo", row["file"])), *(o for o in options if o != "run")]
    for name in ("spec", "sync", "model"):
        if row[name] != "-":
            words += ["--" + name, row[name]]
    if row["property"] != "-":
        words += ["--prop", row["property"]]
    return words + (["--no-suggest"] if command == "check" else []), shlex.split(row["flags"]) if row["flags"] != "-" else []


def main():
    linchpin, mpirun, root, shard, shards = sys.argv[1:]
    os.chdir(root)
    mine = rows(".")[int(shard)::int(shards)]
    wrong = 0
    for number, row in enumerate(mine):
        words, flags = words_of(row)
        ways = [(1, None)] + [(n, apart) for n in COUNTS for apart in (None, "1")] + [(COUNTS[number % 3], "now")]
        wrong += differences(linchpin, mpirun, ways, words, flags)
    print(f"{len(mine)} rows, {wrong} differences")
    return 1 if wrong or not mine else 0


if __name__ == "__main__":
    sys.exit(main())
