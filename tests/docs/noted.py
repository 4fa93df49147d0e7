#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rows of the zoo match, and those that have more states than the paper say why in a note.

usage: noted.py LINCHPIN [options and filters of `study`]
"""
import json
import subprocess
import sys

COUNTS = ("states", "transitions")


def figures(row):
    """The paper's figures, by unit."""
    if not row.get("paper") or not row.get("unit"):
        return {}
    return dict(zip(row["unit"].split(", "), row["paper"].split(", ")))


def complaints(row):
    name = "%s:%d: %s %s %s" % (row["table"], row["line"], row["file"], row.get("flags") or "", row.get("options") or "")
    if not row["as_expected"]:
        yield "%s: found %s" % (name, row["found"])
    for unit in COUNTS:
        paper, ours = figures(row).get(unit), row["found"].get(unit, 0)
        if paper and ours > int(paper) and not row.get("note"):
            yield "%s: %d %s, paper %s, and no note" % (name, ours, unit, paper)


def test_self():
    """A row with more states needs a note, one with fewer does not."""
    row = {"table": "t", "line": 1, "file": "f", "paper": "7, 0.1", "unit": "states, s", "note": None, "as_expected": True, "found": {"states": 8}}
    assert len(list(complaints(row))) == 1
    assert not list(complaints({**row, "note": "why"})) and not list(complaints({**row, "found": {"states": 7}}))
    assert len(list(complaints({**row, "note": "why", "as_expected": False}))) == 1


def main(linchpin, *options):
    test_self()
    run = subprocess.run([linchpin, "study", *options, "--json"], stdout=subprocess.PIPE, text=True, check=False)
    if run.returncode not in (0, 1):
        return run.returncode
    study = json.loads(run.stdout)
    wrong = [text for row in study["results"] for text in complaints(row)]
    print("\n".join(wrong + ["%d of %d rows match" % (study["as_expected"], study["rows"])]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) > 1 else __doc__.strip())
