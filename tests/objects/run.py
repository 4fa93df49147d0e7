#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Put every structure of the examples to naive_objects.

usage: run.py NAIVE_OBJECTS EXAMPLES MODEL N [NAME...]

All clients of up to N calls, under that model; NAME picks structures ('msqueue', 'bug_treiber').
Those with many arguments to be tried are given one call less.  Status 1 if some answer differs.
"""
import glob
import os
import subprocess
import sys

LARGE = {"lazylist", "snapshot"} # sets and snapshots
# Further variants of a structure.
FLAGS = {"msqueue": ["-DPOOL -DRELAXED_TAIL", "-DPOOL -DRELAXED_HEAD"], "hwqueue": ["-DACQUIRE_XCHG"],
         "treiber": ["-DSYNC_ALL"]}


def has_harness(path):
    """Itself, or in what it includes."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return "LP_SPEC" in text or os.path.basename(path).startswith("bug_")


def main(naive, examples, model, calls, *names):
    failed = compared = 0
    for path in sorted(glob.glob(os.path.join(examples, "*.c*"))):
        name, kind = os.path.splitext(os.path.basename(path))
        if kind not in (".c", ".cpp") or not has_harness(path) or (names and name not in names):
            continue
        large = any(word in name for word in LARGE)
        for flags in ["", *FLAGS.get(name, [])]:
            line = [naive, path, "--model", model, "--ops", str(int(calls) - large), "--", *flags.split()]
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
