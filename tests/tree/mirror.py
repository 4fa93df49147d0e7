#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every folder of src/ has a folder of tests/unit, or a row in tests/unit/README.md with tests that exist.

usage: mirror.py ROOT      look at ROOT/src and ROOT/tests
       mirror.py --self    show that what must be rejected is rejected
"""
import os
import re
import sys

sys.dont_write_bytecode = True
import tree

ROW = re.compile(r"^\| `([^`]+)` \|((?: `[^`]+`,?)+) \|")


def rows_of(text):
    """The folders of the table, each with its tests."""
    rows = {}
    for line in text.splitlines():
        match = ROW.match(line)
        if match:
            rows[match[1]] = re.findall(r"`([^`]+)`", match[2])
    return rows


def wrong_mirror(folders, tested, rows, exists):
    """`folders` of src/, those that are `tested` in tests/unit, the rows of the table; exists(test)."""
    wrong = [f"src/{f}: neither in tests/unit nor in the table of its README.md"
             for f in folders if f not in tested and f not in rows]
    wrong += [f"tests/unit/README.md: '{f}' has a folder of its own in tests/unit" for f in rows if f in tested]
    wrong += [f"tests/unit/README.md: there is no src/{f}" for f in rows if f not in folders]
    wrong += [f"tests/unit/README.md: there is no test '{t}'" for f in rows for t in rows[f] if not exists(t)]
    return wrong


def test_self():
    table = "| `a/b` | `cli/x`, `judge/` | why |\n| folder | tests |\n"
    cases = [
        ((["a", "a/b"], ["a"], rows_of(table), lambda t: True), 0),
        ((["a", "a/b", "c"], ["a"], rows_of(table), lambda t: True), 1),
        ((["a", "a/b"], ["a", "a/b"], rows_of(table), lambda t: True), 1),
        ((["a"], ["a"], rows_of(table), lambda t: True), 1),
        ((["a", "a/b"], ["a"], rows_of(table), lambda t: t != "cli/x"), 1),
    ]
    return [case for case, count in cases if len(wrong_mirror(*case)) != count]


def exists_in(root):
    """A test is named by a folder of tests/, and by how a file there, or a word of its CMakeLists.txt, begins."""
    def exists(test):
        folder, _, name = test.partition("/")
        at = os.path.join(root, "tests", folder)
        words = os.listdir(at) if os.path.isdir(at) else []
        if "CMakeLists.txt" in words:
            with open(os.path.join(at, "CMakeLists.txt")) as text:
                words += re.findall(r"[\w-]+", text.read())
        return any(word.startswith(name) for word in words)
    return exists


def judge(root):
    folders = sorted({os.path.dirname(os.path.relpath(p, "src")) for p in tree.files(root, "src") if "__pycache__" not in p} - {""})
    tested = {os.path.dirname(os.path.relpath(p, "tests/unit")) for p in tree.files(root, "tests/unit")
              if os.path.basename(p).startswith("test_") or p.endswith(".sh")}
    with open(os.path.join(root, "tests/unit/README.md")) as text:
        rows = rows_of(text.read())
    return wrong_mirror(folders, tested, rows, exists_in(root)), len(folders), f"{len(folders)} folders"


if __name__ == "__main__":
    sys.exit(tree.run(test_self, judge, least=60))
