#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What docs/zoo.md says of structures and their defects has rows in the tables.

usage: zoo.py ROOT

Its table "What is where" has a file, or several, in the second column, and flags in the third.  Each file has
a row; each flag has one with one of these files; and every file of zoo/ that has rows for one of the
papers is there.
"""
import glob
import os
import re
import sys

FILE = re.compile(r"`([\w./]+\.(?:c|cpp))`")


def main(root):
    rows, classics = [], set()
    for name in glob.glob(os.path.join(root, "zoo", "expected.d", "*.tsv")):
        with open(name, encoding="utf-8") as table:
            found = [line.rstrip("\n").split("\t")[:2] for line in table][1:]
        rows += found
        if os.path.basename(name) == "classics.tsv":
            classics = {file for file, _ in found}
    with open(os.path.join(root, "docs", "zoo.md"), encoding="utf-8") as page:
        table = page.read().split("## What is where")[1]
    lines = [line.split("|") for line in table.splitlines() if line.startswith("| ")][2:]
    wrong, named = [], set()
    for columns in lines:
        files = set(FILE.findall(columns[2]) + FILE.findall(columns[3]))
        named |= files
        wrong += ["%s: has no row" % f for f in files if not any(r[0] == f for r in rows)]
        for flag in re.findall(r"-D\w+(?:=\w+)?", columns[3]):
            if not any(r[0] in files and flag in r[1].split() for r in rows):
                wrong.append("%s of %s: has no row" % (flag, columns[2].strip()))
    wrong += ["%s: is not in the table" % f for f in {r[0] for r in rows} - named - classics if "/" not in f]
    if not lines:
        wrong.append("there is no table")
    print("\n".join(wrong) or "%d structures" % len(lines))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) == 2 else __doc__.strip())
