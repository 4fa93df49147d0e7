#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Exit statuses and first lines of `check --spec FILE.c`, and that other forms of reports agree with them.

usage: said.py LINCHPIN ROOT
"""
import json
import os
import subprocess
import sys
import tempfile

QUEUE = "docs/refinement/queue_r.c"
HERE = "tests/refine/"
CASES = [
    # status, what the first line has, arguments
    (0, "refines '%s' for every client of up to 3 calls" % QUEUE, ["check", "examples/msqueue.c", "--spec", QUEUE, "--ops", "3"]),
    (0, "for this client", ["check", "examples/msqueue.c", "--spec", QUEUE, "--client", "enqueue(1); dequeue() | dequeue()"]),
    (0, "refines", ["check", "examples/msqueue.c", "--spec", QUEUE, "--ops", "3", "--pre", "2"]),
    (0, "refines", ["check", "examples/msqueue.c", "--spec", QUEUE, "--ops", "3", "-j", "2"]),
    (0, "refines", ["check", "examples/lazylist.c", "--spec", "zoo/amp_coarselist.c", "--ops", "2", "--model",
                    "sc"]),  # insert is add
    (0, "refines", ["check", HERE + "unnamed.c", "--spec", HERE + "unnamed.c", "--ops", "3"]),
    (1, "not synchronised", ["check", "examples/msqueue.c", "--spec", "docs/refinement/queue_lock.c"]),
    (1, "not a refinement", ["check", "zoo/randomqueue.c", "--spec", QUEUE]),
    (1, "not a refinement", ["check", HERE + "unnamed.c", "--spec", QUEUE]),
    # What says nothing about its arguments may compare them.
    (1, "not synchronised", ["check", HERE + "unnamed.c", "--spec", HERE + "unnamed_stack.c"]),
    (1, "not a refinement", ["check", HERE + "unnamed_stack.c", "--spec", HERE + "unnamed.c", "--model", "sc"]),
    (1, "not a refinement", ["check", "examples/msqueue.c", "--spec", HERE + "smallest.c"]),
    (1, "not a refinement", ["check", "examples/msqueue.c", "--spec", HERE + "smallest.c", "--", "-DNAMED"]),
    (1, "not a refinement", ["check", "examples/msqueue.c", "--spec", HERE + "smallest.c", "--", "-DNAMED", "-DREPEATED"]),
    (1, "stuck", ["check", "examples/hwqueue.c", "--spec", QUEUE]),
    (1, "race", ["check", "examples/bug_twolock_publish.c", "--spec", QUEUE]),
    # Bounds are for the object: all executions of the specification are needed.
    (0, "within the bound", ["check", "examples/lazylist.c", "--spec", "zoo/amp_coarselist.c", "--ops", "3", "--model", "sc",
                             "--rounds", "1"]),
    (0, "within the bound", ["check", "examples/lazylist.c", "--spec", "zoo/amp_coarselist.c", "--ops", "3", "--model", "sc",
                             "--delays", "0"]),
    (0, "within the bound", ["check", "examples/lazylist.c", "--spec", "zoo/amp_coarselist.c", "--ops", "3", "--model", "sc",
                             "--preemptions", "0"]),
    (3, "inconclusive", ["check", "examples/msqueue.c", "--spec", QUEUE, "--random", "3", "--ops", "2"]),
    (3, "the specification '%sendless.c' was not explored to its end" % HERE, ["check", "examples/msqueue.c", "--spec",
                                                                        HERE + "endless.c", "--time", "1"]),
    (2, "the specification '%sracy.c' is wrong itself: race" % HERE, ["check", "examples/msqueue.c", "--spec", HERE + "racy.c"]),
    (2, "cannot read 'nothing.c'", ["check", "examples/msqueue.c", "--spec", "nothing.c"]),
    (2, "has no method 'enqueue'", ["check", "examples/msqueue.c", "--spec", "examples/treiber.c"]),
    (2, "has no harness", ["check", "examples/msqueue.c", "--spec", "examples/ring.c"]),
    (2, "the harness has no methods", ["check", "examples/msqueue.c", "--spec", "docs/specifications/account.c"]),
    (2, "restricts who calls lock", ["check", "zoo/mcslock.c", "--spec", "zoo/peterson.c"]),
    (2, "not with --sync", ["check", "examples/msqueue.c", "--spec", QUEUE, "--sync", "r"]),
    (2, "not with --prop", ["check", "examples/msqueue.c", "--spec", QUEUE, "--prop", "sequential"]),
    (2, "not with --fit", ["check", "examples/msqueue.c", "--spec", QUEUE, "--fit"]),
    (2, "not with --ak", ["check", "examples/msqueue.c", "--spec", QUEUE, "--ak", "2", "--model", "sc"]),
    (2, "not with --schedules", ["check", "examples/msqueue.c", "--spec", QUEUE, "--schedules", "A"]),
    (2, "with --model sc, ra or rc11 only", ["check", "examples/msqueue.c", "--spec", QUEUE, "--model", "tso"]),
    (2, "is for `check` and `orders`", ["states", "examples/msqueue.c", "--spec", QUEUE]),
    (2, "not for `mutants`", ["mutants", "examples/msqueue.c", "--spec", QUEUE]),
]


def run(linchpin, root, words):
    return subprocess.run([linchpin, *words], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


def other_forms(linchpin, root):
    """The same violation as JSON, and replayed from its trace."""
    wrong = []
    words = ["check", HERE + "unnamed.c", "--spec", QUEUE]
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace")
        report = json.loads(run(linchpin, root, [*words, "--json", "--trace", trace]).stdout)
        if report["kind"] != "not a refinement" or report["prop"] != "refinement" or "closest: it has" not in report[
                "violation"]["client"]["why"]:
            wrong.append("--json: %s" % report)
        again = run(linchpin, root, ["replay", trace])
        if again.returncode != 1 or "violation: not a refinement" not in again.stdout:
            wrong.append("replay: %s" % again.stdout)
    return wrong


def main(linchpin, root):
    wrong = []
    for status, text, words in CASES:
        got = run(linchpin, root, words)
        first = got.stdout.splitlines()[0] if got.stdout else ""
        if got.returncode != status or text not in first:
            wrong.append("linchpin %s: status %d, %s" % (" ".join(words), got.returncode, first))
    wrong += other_forms(linchpin, root)
    print(*wrong, "%d commands, %d wrong" % (len(CASES) + 2, len(wrong)), sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    sys.exit(main(*sys.argv[1:]))
