#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""--plan in a job of several ranks: the numbers of one process, and how many processes there are.

usage: plan.py LINCHPIN MPIRUN
"""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
from agree import run

# Small enough to be explored completely, so the numbers are exact.
SUBJECTS = [["check", "examples/treiber.c", "--ops", "4"], ["run", "examples/ring.c"]]


def plan(command, apart):
    done = run([*command, "--plan", "--time", "100"], apart)
    value = json.loads(done.stdout) if "--json" in command else {}
    return {name: value.get(name) for name in ("plan", "exact", "clients", "sampled", "jobs")} | {
        "status": done.returncode, "executions": value.get("executions", {}).get("about")}, done.stdout


def main():
    linchpin, mpirun = sys.argv[1:]
    wrong = 0
    for words in SUBJECTS:
        one, _ = plan([linchpin, *words, "--json"], None)
        wrong += one["status"] != 0 or not one["exact"]
        for count in (1, 2, 4, 7):
            for apart in (None, "1"):
                for each in (1, 2):
                    command = [mpirun, "-n", str(count), linchpin, *words, "-j", str(each)]
                    many, _ = plan([*command, "--json"], apart)
                    if many != dict(one, jobs=count * each):
                        wrong += 1
                        print(f"{' '.join(command)}, apart: {apart}: {many}, alone {one}")
    _, text = plan([mpirun, "-n", "3", linchpin, *SUBJECTS[0]], "1")
    if "with the 3 processes of this job" not in text:
        wrong += 1
        print(text)
    print(f"{wrong} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
