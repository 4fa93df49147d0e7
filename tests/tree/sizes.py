#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No source file past 700 lines without a reason, which stands below.

usage: sizes.py ROOT      look at the sources of ROOT
       sizes.py --self    show that what must be rejected is rejected
"""
import os
import sys

MOST = 700
FOLDERS = ("src", "include", "tests", "bench", "examples", "zoo", "package")
ENDINGS = (".c", ".h", ".cpp", ".S", ".def", ".py", ".sh", ".js", ".css")

# File: why it has only one subject all the same, and how long it may become.
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


def sources(root):
    sizes = {}
    for top in FOLDERS:
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                path = os.path.join(folder, name)
                if name.endswith(ENDINGS) and os.path.isfile(path):
                    with open(path, errors="replace") as text:
                        sizes[os.path.relpath(path, root)] = sum(1 for _ in text)
    return sizes


def test_self():
    reasoned, longer = "src/b.c", {"src/b.c": (MOST + 50, "a reason")}
    cases = [
        ({"src/a.c": MOST}, 0),
        ({"src/a.c": MOST + 1}, 1),
        ({reasoned: MOST + 1}, 0),
        ({reasoned: longer[reasoned][0] + 1}, 1),
        ({reasoned: MOST - 1}, 1),
    ]
    bad = [sizes for sizes, count in cases if len(too_long(sizes, longer)) != count]
    for sizes in bad:
        print("not judged rightly:", sizes)
    return bad


def main():
    if sys.argv[1:] == ["--self"]:
        return 1 if test_self() else 0
    sizes = sources(sys.argv[1])
    wrong = too_long(sizes, LONGER)
    for line in wrong:
        print(line)
    print(f"{len(sizes)} files, the longest {max(sizes.values())} lines, {len(wrong)} wrong")
    return 1 if wrong or len(sizes) < 300 else 0


if __name__ == "__main__":
    sys.exit(main())
