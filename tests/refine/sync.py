#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The same synchronisation, asked for in three ways: --sync, a program, and a specification that says it pair by pair.

usage: sync.py LINCHPIN ROOT [OPTIONS OF check]

For r, ri and rid, and objects that give more or less of it, the three must agree: verified or not, and for the same reason.
"""
import subprocess
import sys

QUEUES = ["examples/msqueue.c", "examples/twolock.c", "examples/hwfbqueue.c", "zoo/randomqueue.c", "zoo/optqueue.c",
          "zoo/basketsqueue.c", "zoo/dglmqueue.c"] + ["docs/refinement/queue_%s.c" % s for s in ("r", "ri", "rid", "lock")]
STACKS = ["examples/treiber.c", "examples/elimination.c", "zoo/hpstack.c"] + ["docs/refinement/stack_%s.c" % s for s in
                                                                              ("r", "ri", "rid")]
BLOCKING = ["examples/hwqueue.c", "tests/refine/blocking_r.c"]


def verdict(linchpin, root, *words):
    run = subprocess.run([linchpin, "check", "-q", "--no-suggest", *words], cwd=root, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, check=False)
    first = run.stdout.splitlines()[0] if run.stdout else ""
    kind = first.split("'")[0].strip() # "verified:" or "violation: not synchronised"
    return {"violation: not a refinement": "violation: not linearizable"}.get(kind, kind), first


def main(linchpin, root, *options):
    wrong, counts = 0, {}
    for number, sync in enumerate(("r", "ri", "rid"), 1):
        for file in QUEUES + STACKS + BLOCKING:
            program = ("docs/refinement/queue_%s.c" if file in QUEUES else "docs/refinement/stack_%s.c" if file in STACKS
                       else "tests/refine/blocking_%s.c") % sync
            answers = [verdict(linchpin, root, file, "--sync", sync, *options),
                       verdict(linchpin, root, file, "--spec", program, *options)]
            if file in QUEUES:
                answers.append(verdict(linchpin, root, "tests/refine/own_queue.c", *options, "--", "-DSYNC=%d" % number,
                                       '-DOBJECT="../../%s"' % file))
            counts[answers[0][0]] = counts.get(answers[0][0], 0) + 1
            if any(kind != answers[0][0] for kind, _ in answers):
                wrong += 1
                print("%s, %s:" % (file, sync), *(first for _, first in answers), sep="\n    ")
    print(counts, wrong, "wrong")
    return 1 if wrong or len(counts) < 3 else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    sys.exit(main(*sys.argv[1:]))
