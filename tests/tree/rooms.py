#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every folder of src/ has a README.md and one subject, and no two files of src/ have the same name.

usage: rooms.py ROOT      look at ROOT/src
       rooms.py --self    show that what must be rejected is rejected
"""
import os
import sys

sys.dont_write_bytecode = True
import tree

MOST = 27  # files of a folder, besides README.md
OFTEN = ("README.md", "CMakeLists.txt")  # names that may recur


def wrong_rooms(paths):
    """What is wrong with the files, given as paths from src/."""
    wrong, by_name, by_folder = [], {}, {}
    for path in sorted(paths):
        folder, name = os.path.split(path)
        by_folder.setdefault(folder, []).append(name)
        by_name.setdefault(name.lower(), []).append(path)
    for folder, names in by_folder.items():
        if folder and "README.md" not in names:
            wrong.append(f"src/{folder}: no README.md")
        count = sum(name != "README.md" for name in names)
        if count > MOST:
            wrong.append(f"src/{folder}: {count} files, {MOST} at most: look for the second subject")
    for name, places in by_name.items():
        if len(places) > 1 and os.path.basename(places[0]) not in OFTEN:
            wrong.append(f"{name}: the name of {len(places)} files: {' '.join(places)}")
    return wrong


def test_self():
    cases = [
        (["a/README.md", "a/x.c", "b/README.md", "b/y.c"], 0),
        (["a/README.md", "a/x.c", "b/README.md", "b/x.c"], 1),
        (["a/README.md", "a/x.c", "b/README.md", "b/X.c"], 1),
        (["a/x.c"], 1),
        (["a/README.md"] + [f"a/{i}.c" for i in range(MOST)], 0),
        (["a/README.md"] + [f"a/{i}.c" for i in range(MOST + 1)], 1),
    ]
    return [paths for paths, count in cases if len(wrong_rooms(paths)) != count]


def judge(root):
    paths = [os.path.relpath(path, "src") for path in tree.files(root, "src")
             if "__pycache__" not in path and not path.endswith(("~", ".orig", ".rej"))]
    return wrong_rooms(paths), len(paths), f"{len(paths)} files"


if __name__ == "__main__":
    sys.exit(tree.run(test_self, judge, least=300))
