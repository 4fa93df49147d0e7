#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Put every structure of the examples to naive_objects.

usage: run.py NAIVE_OBJECTS EXAMPLES MODEL N [NAME...]

All clients of up to N calls, under that model; NAME picks structures ('msqueue', 'bug_treiber').
Those with many arguments to be tried, or more executions than can be had, are given fewer calls.
Status 1 if some answer differs.
"""
import glob
import os
import re
import subprocess
import sys

# One call less: sets and snapshots.  At most so many: five calls of it have more than 10 million executions.
LARGE = {"lazylist", "snapshot"}
MOST = {"bug_treiber_aba": 4}
# Further variants of a structure.
FLAGS = {"msqueue": ["-DPOOL -DRELAXED_TAIL", "-DPOOL -DRELAXED_HEAD"], "hwqueue": ["-DACQUIRE_XCHG"],
         "treiber": ["-DSYNC_ALL"]}


def has_harness(path):
    """Itself, or in what it includes."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    included = re.findall(r'#include "([^"]*)"', text)
    return "LP_SPEC" in text or any(has_harness(os.path.join(os.path.dirname(path), name)) for name in included)


def main(naive, examples, model, calls, *names):
    failed = compared = 0
    for path in sorted(glob.glob(os.path.join(examples, "*.c*"))):
        name, kind = os.path.splitext(os.path.basename(path))
        if kind not in (".c", ".cpp") or not has_harness(path) or (names and name not in names):
            continue
        most = min(int(calls) - any(word in name for word in LARGE), MOST.get(name, int(calls)))
        for flags in ["", *FLAGS.get(name, [])]:
            line = [naive, path, "--model", model, "--ops", str(most), "--no-idle", "--no-vain", "--", *flags.split()]
            run = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            print(run.stdout.rstrip() if run.returncode else run.stdout.split("\n")[0], flush=True)
            failed += run.returncode != 0
            compared += 1
    if failed or not compared:
        sys.exit("%d of %d structures: the answers differ" % (failed, compared))


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__.strip())
    main(*sys.argv[1:])
