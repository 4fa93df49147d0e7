#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No source file is longer than 700 lines, unless a reason is given below.

usage: sizes.py ROOT      look at the sources of ROOT
       sizes.py --self    show that what must be rejected is rejected
"""
import sys

sys.dont_write_bytecode = True
import tree

MOST = 700
FOLDERS = ("src", "include", "tests", "bench", "examples", "zoo", "package")
ENDINGS = (".c", ".h", ".cpp", ".S", ".def", ".py", ".sh", ".js", ".css")

# File: why it has only one subject nevertheless, and how long it may be.
LONGER = {}


def too_long(sizes, longer):
    """What is wrong with the files, {path: lines}."""
    wrong = []
    for path, lines in sorted(sizes.items()):
        most = longer.get(path, (MOST,))[0]
        if lines > most:
            wrong.append(f"{path}: {lines} lines, {most} at most: look for the second subject")
    for path in longer:
        if sizes.get(path, MOST) < MOST:
            wrong.append(f"{path}: {sizes[path]} lines: it needs no reason any more")
    return wrong


def test_self():
    reasoned, longer = "src/b.c", {"src/b.c": (MOST + 50, "a reason")}
    cases = [
        ({"src/a.c": MOST}, 0),
        ({"src/a.c": MOST + 1}, 1),
        ({reasoned: MOST + 1}, 0),
        ({reasoned: longer[reasoned][0] + 1}, 1),
        ({reasoned: MOST - 1}, 1),
    ]
    return [sizes for sizes, count in cases if len(too_long(sizes, longer)) != count]


def judge(root):
    sizes = {path: len(text.splitlines()) for path, text in tree.texts(root, *FOLDERS, ends=ENDINGS).items()}
    return too_long(sizes, LONGER), len(sizes), f"{len(sizes)} files, the longest {max(sizes.values())} lines"


if __name__ == "__main__":
    sys.exit(tree.run(test_self, judge, least=300))
