#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Verdicts of `linchpin states` on the objects of zoo/, by a table beside this file.

usage: run.py LINCHPIN ZOO TABLE

Rows that say so are run without each of the reductions, too: the verdict is the same, and
where it is "verified" the states are no fewer (but for the order, which may change them), and
stored whole they are just as many.  Other rows may have the number of states.  The steps to a
violation must be such as can have happened.
"""
import json
import os
import subprocess
import sys

from traces import faults

SWITCHES = [["--exact"], ["--no-symmetry"], ["--no-por"], ["--no-antichains"], ["--depth-first"],
            ["--no-symmetry", "--no-por", "--no-antichains"]]


def run(linchpin, path, options, flags):
    done = subprocess.run([linchpin, "states", path, "--json"] + options + ["--"] + flags,
                          capture_output=True, text=True, timeout=300)
    try:
        result = json.loads(done.stdout)
    except ValueError:
        result = {"verdict": f"status {done.returncode}: {done.stderr.strip()}"}
    result["status"] = done.returncode
    return result


def rows(table):
    with open(table) as f:
        for line in f:
            if line.startswith("#") or not line.strip():
                continue
            cells = (line.rstrip("\n").split("\t") + [""] * 6)[:6]
            yield (cells[0], cells[1].split(), cells[2].split(), *cells[3:])


def main():
    linchpin, zoo, table = sys.argv[1:4]
    wrong = count = 0
    for name, options, flags, verdict, kind, also in rows(table):
        fewest = 0
        for switches in [[]] + (SWITCHES if also == "yes" else []):
            folder = os.path.dirname(table) if name.startswith("./") else zoo
            result = run(linchpin, os.path.join(folder, name), options + switches, flags)
            states = result.get("states", 0)
            good = result["verdict"] == verdict and result.get("kind", "") == kind
            good &= result["status"] == {"verified": 0, "violation": 1, "inconclusive": 3}[verdict]
            if verdict == "violation" and good:
                shown = result["violation"]
                good = bool(shown["steps"]) and "calls" in shown["client"]
                if kind.endswith("-free"):
                    good &= 0 <= shown.get("loop", -1) < len(shown["steps"])
                for fault in faults(result):
                    print("     ", fault)
                    good = False
            if verdict == "verified" and "--depth-first" not in switches:
                good &= states == fewest if "--exact" in switches else states >= fewest
                fewest = states if not switches else fewest
            good &= not also.isdigit() or states == int(also)
            count += 1
            wrong += not good
            print("ok   " if good else "WRONG", name, *options, *switches, *flags,
                  result["verdict"], result.get("kind", ""), states, "states")
    print(f"{count} runs, {wrong} wrong")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
