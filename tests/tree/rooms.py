#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every folder of src/ has a README.md and one subject, and no two files of src/ have the same name.

usage: rooms.py ROOT      look at ROOT/src
       rooms.py --self    show that what must be rejected is rejected
"""
import os
import sys

MOST = 27  # files of a folder, besides README.md
OFTEN = ("README.md", "CMakeLists.txt")  # names that may recur


def wrong_rooms(paths):
    """What is wrong with the files, given as paths from src/."""
    wrong, by_name, by_folder = [], {}, {}
    for path in sorted(paths):
        folder, name = os.path.split(path)
        by_folder.setdefault(folder, []).append(name)
        by_name.setdefault(name, []).append(path)
    for folder, names in by_folder.items():
        if folder and "README.md" not in names:
            wrong.append(f"src/{folder}: no README.md")
        count = sum(name != "README.md" for name in names)
        if count > MOST:
            wrong.append(f"src/{folder}: {count} files, {MOST} at most: look for the second subject")
    for name, places in by_name.items():
        if len(places) > 1 and name not in OFTEN:
            wrong.append(f"{name}: the name of {len(places)} files: {' '.join(places)}")
    return wrong


def test_self():
    cases = [
        (["a/README.md", "a/x.c", "b/README.md", "b/y.c"], 0),
        (["a/README.md", "a/x.c", "b/README.md", "b/x.c"], 1),
        (["a/x.c"], 1),
        (["a/README.md"] + [f"a/{i}.c" for i in range(MOST)], 0),
        (["a/README.md"] + [f"a/{i}.c" for i in range(MOST + 1)], 1),
    ]
    bad = [paths for paths, count in cases if len(wrong_rooms(paths)) != count]
    for paths in bad:
        print("not judged rightly:", paths)
    return bad


def main():
    if sys.argv[1:] == ["--self"]:
        return 1 if test_self() else 0
    src = os.path.join(sys.argv[1], "src")
    paths = [os.path.relpath(os.path.join(folder, name), src)
             for folder, _, names in os.walk(src) for name in names
             if "__pycache__" not in folder and not name.endswith(("~", ".orig", ".rej"))]
    wrong = wrong_rooms(paths)
    for line in wrong:
        print(line)
    print(f"{len(paths)} files, {len(wrong)} wrong")
    return 1 if wrong or len(paths) < 300 else 0


if __name__ == "__main__":
    sys.exit(main())
