"""tree.py -- functions that the checks of the source tree share: they read the tree, and report.

    CHECK.py ROOT     prints what is wrong with the tree
    CHECK.py --self   tries the check on cases whose answer is known
"""

import os
import sys


def files(root, *folders):
    """The files below the folders, relative to the root."""
    for top in folders:
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                yield os.path.relpath(os.path.join(folder, name), root)


def texts(root, *folders, ends=(".c", ".h")):
    """Their texts, by path."""
    found = {}
    for path in files(root, *folders):
        if path.endswith(ends) and os.path.isfile(os.path.join(root, path)):
            with open(os.path.join(root, path), errors="replace") as text:
                found[path] = text.read()
    return found


def run(misjudged, judge, least=1):
    """`misjudged()` lists the known cases that are answered wrongly.  `judge(root, ...)` returns what is wrong, how many things
    it has looked at (fewer than `least` are an error, because it must have looked in the wrong place), and a summary."""
    if sys.argv[1:] == ["--self"]:
        bad = misjudged()
        for case in bad:
            print("wrong answer:", case)
        return 1 if bad else 0
    wrong, count, summary = judge(*sys.argv[1:])
    for line in wrong:
        print(line)
    print(f"{summary}, {len(wrong)} wrong")
    return 1 if wrong or count < least else 0
