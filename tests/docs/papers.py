#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables of the zoo have a row, with the paper's figure, for every row and figure point of the papers.

usage: papers.py ROOT

The figures below are the papers'.  `linchpin study papers` runs the rows that have them.
"""
import functools
import glob
import os
import re
import sys

# The beginning of the source column, the figures in the paper's order, and their unit.
PAPERS = [
    ("RELINCHE (POPL 2025) fig. 7", "0.22 2.2 109 42 0.1 0.09 0.07", "s"),
    ("RELINCHE (POPL 2025) fig. 7", "5 5 5 5 4 7 4", "calls"),
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
    ("002 table 1: 4-valued register", "0.36 4.00 64 1609 53110", "s"),
    ("002 table 1: [3567]-valued register", "1.27 8.66 19.1 31.4", "s"),
    ("002 table 1: counter of size \\d,", "0.30 5.59 389 53010 298 357 391", "s"),
    ("002 table 1: counter of size \\d (points)", "0.04 0.28 4.79 262 27593 4.86 4.9 4.66", "s"),
    ("002 table 1: queue", "8.45 2068", "s"),
    ("002 table 1: buggy queue", "0.36", "s"),
    ("002 table 1: SNZI", "1.03 5224", "s"),
    ("003 table 1: factor 1", "0.1 0.1 0.1 0.4 0.9 2.0 55.9", "s"),
    ("003 table 1: factor 1", "423 2310 8002 22327 55173 126547 2488052", "states"),
    ("003 table 1: factor 1", "778 4458 15213 41660 101443 230259 4421583", "transitions"),
    ("003 table 1: factor 2", "0.6 12.6 130.7", "s"),
    ("003 table 1: factor 2", "26605 456397 4484213", "states"),
    ("003 table 1: factor 2", "58281 970960 8742485", "transitions"),
    ("003 table 1: factor [34]", "8.8 124.4", "s"),
    ("003 table 1: factor [34]", "284484 3432702", "states"),
    ("003 table 1: factor [34]", "638684 7906856", "transitions"),
    ("003 table 4: quasi queue", "7.2 21.2 114.5 131.6 1517.1", "s"),
    ("003 table 4: quasi queue", "126810 237760 1741921 442558 1986924", "states"),
    ("003 table 4: quasi queue", "248122 468461 3424280 869129 3754489", "transitions"),
    ("003 table 4: buggy queue", "0.4 0.1", "s"),
    ("003 table 4: buggy queue", "1204 345", "states"),
    ("003 table 4: buggy queue", "809 345", "transitions"),
    ("003 table 4: lin. queue", "5.5", "s"),
    ("003 table 4: lin. queue", "240583", "states"),
    ("003 table 4: lin. queue", "121548", "transitions"),
    ("003 table 4: quasi priority queue", "12.2 34.3 198.4 343.1", "s"),
    ("003 table 4: quasi priority queue", "106385 472981 1478045 1408763", "states"),
    ("003 table 4: quasi priority queue", "195235 918530 2905016 2566427", "transitions"),
    ("003 table 4: buggy priority queue", "5.4", "s"),
    ("003 table 4: buggy priority queue", "894", "states"),
    ("003 table 4: buggy priority queue", "894", "transitions"),
    ("003 table 4: lin. stack", "0.2", "s"),
    ("003 table 4: lin. stack", "2690", "states"),
    ("003 table 4: lin. stack", "6896", "transitions"),
    ("003 figure 8: .* automated", "7.2 21.2 114.5", "s"),
    ("003 figure 8: .* automated", "126810 237760 1741921", "states"),
    ("003 figure 8: .* manual", "0.6 12.6 130.7", "s"),
    ("003 figure 8: .* manual", "26605 456397 4484213", "states"),
    ("004 table 2 row 1, CoarseList: .* table 1", "63 270 8108 322930", "schedules"),
    ("004 table 2 row 11, CoarseHashSet: C, .* table 1", "270", "schedules"),
    ("004 table 2 row 6, BoundedQueue: .* table 1", "9 18 58 166", "schedules"),
    ("004 table 2 row 9, SynchronousQueue: .* table 1", "9 25 83 223", "schedules"),
    ("004 table 2 row 17, SimpleLinear: .* table 1", "7 25 156 1096", "schedules"),
]
# Rows in which the paper has a verdict, and how many there are.
VERDICTS = [
    ("000 example 2.1", 1), ("000 example 2.2", 2), ("000 example 2.3", 1), ("000 example 2.4", 2), ("000 example 6.1", 1),
    ("000 example 3.1", 2), ("000 example 3.2", 3), ("000 example 3.3", 3), ("RELINCHE (POPL 2025) fig. 7, example 6.2", 1),
    ("000 section 2.[23]", 2), ("RELINCHE (POPL 2025) section 6.3", 1), ("000 figure 4", 5), ("RELINCHE (POPL 2025) fig. [45]", 6),
    ("001 figure 1, example 3.6", 2), ("001 figure 2 (b), example 4.1", 2), ("001 figure 2 (c), example 4.3", 1),
    ("001 figure 2 (d) and (e), examples 4.2, 6.1 to 6.3", 2), ("001 figure 5, example 7.1", 3), ("001 figure 6", 1),
    ("001 examples 3.2 and 3.3", 2), ("001 examples 3.3 and 3.4", 1), ("001 example 3.3", 1), ("001 example 3.5", 1),
    ("001 example 5.1", 2), ("001 section 7.1, example 7.1", 1), ("001 table 1: .* rounds", 9),
    ("002 example 1", 1), ("002 example 2", 1), ("003 section 4", 1), ("003 table 3: quasi", 12), ("003 table 3: lin", 2), ("004 example 2.2", 1),
    ("003 figure 1, .*, examples 1 and 2", 7), ("003 figure 3", 1), ("003 figure 4", 8), ("003 figure 8", 2),
    *(("004 section 5.4 item %d\\b" % i, 1) for i in range(1, 11)), ("004 section 5.4, figure 4", 1), ("004 section 4: fairness", 4), ("004 section 4: nondeterministic hash functions", 12),
    ("003 table 4: quasi priority queue, factor 3, size 8", 1), ("003 table 1: factor \\d, \\d+ segments, out of memory", 4),
]
# 002, table 1, without the two reductions, with symmetry, and with partial orders: states and seconds ("-": out of memory).
COLUMNS = {
    "4-valued register, 3": "9338 0.40 4938 1.46 2443 0.38",
    "4-valued register, 4": "186316 8.96 36440 26.3 32222 5.22",
    "4-valued register, 5": "4032362 377 228560 717 457101 123",
    "4-valued register, 6": "- - 1292755 21747 7028550 3935",
    "4-valued register, 7": "- - - - - -",
    "3-valued register, 4": "52381 2.72 10764 7.42 12028 1.63",
    "5-valued register, 4": "507082 22.7 96184 73.5 71021 12.7",
    "6-valued register, 4": "1160625 49.2 215620 195 138053 34.9",
    "7-valued register, 4": "2352897 107 430595 370 245634 60.8",
    "counter of size 4, 3": "3674 0.31 669 0.44 2910 0.36",
    "counter of size 4, 4": "124558 7.63 5935 6.93 101037 11.8",
    "counter of size 4, 5": "5970298 673 59977 409 4853123 1074",
    "counter of size 4, 6": "- - 694620 52187 - -",
    "counter of size 2, 5": "4569968 490 49947 351 3766611 825",
    "counter of size 3, 5": "5665598 637 58083 419 4645898 985",
    "counter of size 5, 5": "6002458 659 60124 398 4874975 1030",
    "counter of size 4 (points), 3": "535 0.06 114 0.23 198 0.11",
    "counter of size 4 (points), 4": "9165 0.25 536 0.41 2796 0.41",
    "counter of size 4 (points), 5": "190367 5.40 2495 9.13 52510 6.74",
    "counter of size 4 (points), 6": "4536325 147 11221 454 1165367 168",
    "counter of size 4 (points), 7": "- - 48918 30184 - -",
    "counter of size 2 (points), 5": "175747 5.08 2384 8.7 48604 6.3",
    "counter of size 3 (points), 5": "189527 5.72 2490 8.5 52270 6.3",
    "counter of size 5 (points), 5": "190367 5.35 2495 8.32 52510 6.37",
    "queue of size 3, 3": "181591 10.2 31637 14.6 76283 18.6",
    "queue of size 3, 4": "- - 1417457 3173 - -",
    "buggy queue of size 2, 3": "86736 4.23 74920 33 74920 0.93",
    "SNZI of size 2, 2": "17629 0.90 8824 1.6 6406 1.44",
    "SNZI of size 3, 3": "- - - - - -",
}
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
    for row, cells in COLUMNS.items():
        for i, cell in enumerate(cells.split()):
            source = "002 table 1, %s: %s processes" % (("no reductions", "symmetry", "partial orders")[i // 2], row)
            if cell != "-" or not i % 2:
                yield source, *(("out of memory", "-") if cell == "-" else (cell, ("states", "s")[i % 2]))
    for structure, cells in COLLECT.items():
        for cell in cells.split():
            yield "004 table 2 row \\d+, %s: %s" % (structure, cell[0]), cell[1:], "s"


@functools.lru_cache(maxsize=None)
def pattern(source):
    return re.compile(source.replace("(", "\\(").replace(")", "\\)"))


def missing(rows):
    """What the papers have and the rows do not; rows are (source, paper, unit)."""
    left, wrong = list(rows), []
    for source, figure, unit in expected():
        found = [r for r in left if r[1:] == (figure, unit) and pattern(source).match(r[0])]
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
                if len(cells) != 15 or cells[13] in ("-", "paper"):
                    continue
                units = cells[14].split(", ")
                figures = [cells[13]] if units == ["-"] else cells[13].split(", ")
                rows += [(cells[11], figure, unit) for figure, unit in zip(figures, units)]
    return rows


def test_self(rows):
    """If any figure is removed, the test notices it."""
    figures = [r for r in rows if r[1:] in {(f, u) for _, f, u in expected()}]
    return [r for r in figures[::7] if not missing([x for x in rows if x is not r]) and rows.count(r) == 1]


def main(root):
    rows = read(root)
    wrong = missing(rows) + ["taken away, and not missed: %s" % (r,) for r in test_self(rows)]
    print("\n".join(wrong) or "%d figures of the papers" % len(rows))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else __doc__.strip())
