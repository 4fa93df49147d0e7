#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables of the zoo have a row, with the paper's figure, for every row and figure point of the papers.

usage: papers.py ROOT

The figures below are the papers'.  `linchpin study papers` runs the rows that have them.
"""
import glob
import os
import re
import sys

# The beginning of the source column, the figures in the paper's order, and their unit.
PAPERS = [
    ("RELINCHE (POPL 2025) fig. 7", "0.22 2.2 109 42 0.1 0.09 0.07", "s"),
    ("000 figure 4: msqueue/RI(9)", "15120", "executions"),
    ("001 table 1", "24.76 45.44 52.59 24.46 15.16 317.79 222.04 434.84 11.27 77.00", "s"),
    ("001 figure 7", "2.01", "x"),
    ("001 section 9: f(", "33 612 8343 95434 930141", "schedules"),
    ("002 table 1: 4-valued register", "1498 7845 33944 134461 484723", "states"),
    ("002 table 1: [3567]-valued register", "3114 16377 30636 52908", "states"),
    ("002 table 1: counter of size \\d,", "556 4879 53115 636815 42999 51932 53670", "states"),
    ("002 table 1: counter of size \\d (points)", "62 320 877 4488 28652 875 885 877", "states"),
    ("002 table 1: queue", "15267 773064", "states"),
    ("002 table 1: buggy queue", "477", "states"),
    ("002 table 1: SNZI", "3461 3524553", "states"),
    ("003 table 4: quasi queue", "7.2 21.2 114.5 131.6 1517.1", "s"),
    ("003 table 4: buggy queue", "0.4 0.1", "s"),
    ("003 table 4: quasi priority queue", "12.2 34.3 198.4 343.1", "s"),
    ("003 table 4: buggy priority queue", "5.4", "s"),
]
# Rows in which the paper has a verdict, and how many there are.
VERDICTS = [
    ("000 example 2.1", 1), ("000 example 2.2", 2), ("000 example 2.3", 1), ("000 example 2.4", 2), ("000 example 6.1", 1),
    ("000 section 2.[23]", 2), ("000 figure 4", 5), ("RELINCHE (POPL 2025) fig. [45]", 6),
    ("001 figure 1", 2), ("001 figure 2", 3), ("001 figure 5", 3), ("001 figure 6", 1),
    ("003 figure 1", 7), ("003 figure 3", 1), ("003 figure 4", 8), ("003 table 4: quasi priority queue, factor 3, size 8", 1),
]
# 004, table 2: for each structure the columns that it was run in, and the seconds.
COLLECT = {
    "CoarseList": "A17 B47 D1613", "FineList": "A17 B47 D1766", "OptimisticList": "A18 B49 D2136", "LazyList": "A17 B49 D1988",
    "LockFreeList": "A18 B51 D1856", "LockFreeListOriginal": "A18 B48 D486", "BoundedQueue": "A8 B10 D115 E123",
    "UnboundedQueue": "A6 B9 D32 E157", "LockFreeQueue": "A6 B9 D61 E171", "SynchronousQueue": "A6 B11 D44 E246",
    "SynchronousDualQueue": "A8 B14 D116 E182", "SynchronousDualQueuePatched": "A8 B14 D1450 E187",
    "CoarseHashSet": "A19 B50 C55 D1572", "StripedHashSet": "A19 B52 C59 D1732", "RefinableHashSet": "A21 B50 C54 D572",
    "LockFreeHashSet": "A21 B52 C8 D547", "LockFreeHashSetPatched": "A19 B56 C8 D1054", "StripedCuckooHashSet": "A20 B53 D896",
    "RefinableCuckooHashSet": "A22 B59 D1093", "SimpleLinear": "A6 B10 D39 E447", "SimpleTree": "A6 B12 D44 E204",
    "FineGrainedHeap": "A6 B11 D22 E27", "FineGrainedHeapFair": "A7 B11 D24 E27", "SkipQueueOriginal": "A9 B26 D228 E254",
    "SkipQueueQC": "A10 B26 D263 E8582", "SkipQueueSC": "A9 B23 D178 E2730",
}


def expected():
    for source, figures, unit in PAPERS:
        for figure in figures.split():
            yield source, figure, unit
    for structure, cells in COLLECT.items():
        for cell in cells.split():
            yield "004 table 2 row \\d+, %s: %s" % (structure, cell[0]), cell[1:], "s"


def pattern(source):
    return re.compile(source.replace("(", "\\(").replace(")", "\\)"))


def missing(rows):
    """What the papers have and the rows do not; rows are (source, paper, unit)."""
    left, wrong = list(rows), []
    for source, figure, unit in expected():
        found = [r for r in left if pattern(source).match(r[0]) and r[1:] == (figure, unit)]
        if found:
            left.remove(found[0])
        else:
            wrong.append("%s: no row with %s %s" % (source, figure, unit))
    for source, count in VERDICTS:
        found = sum(1 for r in left if pattern(source).match(r[0]))
        if found < count:
            wrong.append("%s: %d rows, of %d" % (source, found, count))
    return wrong


def read(root):
    rows = []
    for name in sorted(glob.glob(os.path.join(root, "zoo", "expected.d", "*.tsv"))):
        with open(name, encoding="utf-8") as table:
            for line in table:
                cells = line.rstrip("\n").split("\t")
                if len(cells) == 15 and cells[13] not in ("-", "paper"):
                    rows.append((cells[11], cells[13], cells[14]))
    return rows


def test_self(rows):
    """Every figure that is taken away is missed."""
    figures = [r for r in rows if r[1:] in {(f, u) for _, f, u in expected()}]
    return [r for r in figures[::7] if not missing([x for x in rows if x is not r]) and rows.count(r) == 1]


def main(root):
    rows = read(root)
    wrong = missing(rows) + ["taken away, and not missed: %s" % (r,) for r in test_self(rows)]
    print("\n".join(wrong) or "%d rows with a paper's figure" % len(rows))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else __doc__.strip())
