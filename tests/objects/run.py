#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Put every structure of the examples, and some locks, to naive_objects.

usage: run.py NAIVE_OBJECTS EXAMPLES MODEL N [--all] [NAME...]

All clients of up to N calls, under that model; NAME picks structures ('msqueue', 'bug_treiber').
Structures that take more than a few seconds get fewer calls, unless --all is given.
Status 1 if some answer differs.
"""
import glob
import os
import re
import subprocess
import sys

# So many calls less, by what is in the name: of sets because of the arguments that are to be tried, of the
# others because of their executions.
FEWER = {"lazylist": 1, "snapshot": 1, "elimination": 1, "treiber_aba": 1, "RELAXED_TAIL": 1}
# All executions, those among them that `check` would leave out.
WHOLE = ["--no-silent-rmw", "--no-rereads", "--no-attempts"]
# Five pushes out of a pool of atomic flags have 152,755,200, and five updates of a list with its failed attempts
# millions: of those only what `check` explores.
INSTEAD = {**{(name, 5): [["4", *WHOLE], ["5"]] for name in ("lazylist", "bug_lazylist", "bug_lazylist_order")},
           ("bug_treiber_aba", 5): [["4", *WHOLE], ["push=4,pop=1", *WHOLE], ["push=3,pop=2", *WHOLE],
                                    ["push=2,pop=3", *WHOLE], ["push=1,pop=4", *WHOLE], ["pop=5", *WHOLE],
                                    ["push=5"]]}
# Further variants of a structure.
FLAGS = {"msqueue": ["-DPOOL -DRELAXED_TAIL", "-DPOOL -DRELAXED_HEAD"], "hwqueue": ["-DACQUIRE_XCHG"],
         "treiber": ["-DSYNC_ALL"]}
# If attempts are kept, exploring these does not end.
POLLS = ("pollqueue", "bug_pollqueue", "spinlock", "rwspinlock", "slotsemaphore")
# Beside the examples, for what locks have to order: with the orders that they need, and with weaker ones.
RELAXED = "=memory_order_relaxed"
LOCKS = {"spinlock": ["-DTAKE" + RELAXED, "-DGIVE" + RELAXED, "-DONLY_TRY", "-DONLY_TRY -DTAKE" + RELAXED],
         "rwspinlock": ["-D%s%s" % (order, RELAXED) for order in ("READ", "READ_DONE", "WRITE", "WRITE_DONE")],
         "slotsemaphore": ["-DINIT=1", "-DTAKE" + RELAXED, "-DINIT=1 -DGIVE" + RELAXED]}


def has_harness(path):
    """Itself, or in what it includes."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    included = re.findall(r'#include "([^"]*)"', text)
    return "LP_SPEC" in text or any(has_harness(os.path.join(os.path.dirname(path), name)) for name in included)


def sizes(name, flags, calls, everything):
    """The argument of --ops, and further options."""
    fewer = 0 if everything else max([n for word, n in FEWER.items() if word in name or word in flags], default=0)
    whole = WHOLE[:-1] if name in POLLS else WHOLE
    return INSTEAD.get((name, calls - fewer), [[str(calls - fewer), *whole]])


def main(naive, examples, model, calls, *names):
    everything, names = "--all" in names, [name for name in names if name != "--all"]
    failed = compared = 0
    locks = [os.path.join(examples, "..", "zoo", name + ".c") for name in LOCKS]
    for path in sorted(glob.glob(os.path.join(examples, "*.c*"))) + locks:
        name, kind = os.path.splitext(os.path.basename(path))
        if kind not in (".c", ".cpp") or not has_harness(path) or (names and name not in names):
            continue
        for flags in ["", *FLAGS.get(name, []), *LOCKS.get(name, [])]:
            for ops in sizes(name, flags, int(calls), everything):
                line = [naive, path, "--model", model, "--ops", *ops, "--", *flags.split()]
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
