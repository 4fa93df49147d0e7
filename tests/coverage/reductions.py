#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Code that only left-out executions reach must still be reported as reached.

usage: reductions.py LINCHPIN OBJECT[:OPTION...]...

Explores each object with all reductions, and without those that can be switched off one by one (waiting loops stay
recognised: without that there may be no end).  Lines, branches and functions that are reached must be the same.  What was never seen of an
operation with reductions must not be seen without them.
"""
import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import reduction_table  # pylint: disable=wrong-import-position

WITHOUT = reduction_table.switches()


def explore(linchpin, words, more):
    done = subprocess.run([linchpin, "check", *words, "--coverage", "--json", "--time", "60", "--no-suggest", *more],
                          capture_output=True, text=True)
    return json.loads(done.stdout) if done.stdout else {"verdict": "error", "text": done.stderr}


def reached(result):
    found = set()
    for file in result["coverage"]["files"]:
        name = file["path"]
        found |= {(name, f["name"], f["line"]) for f in file["functions"] if f["reached"]}
        found |= {(name, line["line"]) for line in file["lines"] if line["reached"]}
        found |= {(name, b["line"], b["column"], i, w["label"]) for i, b in enumerate(file["branches"])
                  for w in b["ways"] if w["reached"]}
    return found


def never(result):
    return {(f["where"], f["what"], f["never"]) for f in result["coverage"]["operations"]}


def main():
    linchpin, wrong, compared = sys.argv[1], 0, 0
    for word in sys.argv[2:]:
        words = word.split(":")
        a, b = explore(linchpin, words, []), explore(linchpin, words, WITHOUT)
        if b.get("kind") == "endless loop":  # what waits by giving locks back is recognised by attempts
            b = explore(linchpin, words, [w for w in WITHOUT if w != "--no-attempts"])
        if a["verdict"] != "verified" or b["verdict"] != "verified":
            print(f"{word}: {a['verdict']} and {b['verdict']}: not compared")
            wrong += a["verdict"] != b["verdict"] and "violation" in (a["verdict"], b["verdict"])
            continue
        compared += 1
        for what in sorted(reached(a) ^ reached(b), key=str):
            wrong += 1
            print(f"{word}: {what} is reached {'with' if what in reached(a) else 'without'} reductions only")
        for what in sorted(never(a) - never(b)):
            wrong += 1
            print(f"{word}: {' '.join(what)}: not true without reductions")
        missed = sorted(never(b) - never(a))
        if missed:
            print(f"{word}: {len(missed)} found without reductions only, such as {' '.join(missed[0])}")
    print(f"{compared} objects compared, {wrong} differences")
    return 1 if wrong or not compared else 0


sys.exit(main())
