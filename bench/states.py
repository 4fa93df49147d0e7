#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The numbers of states of `linchpin states` beside those in the papers.

usage: states.py LINCHPIN [SECONDS]     time for each row (default: 600)

PAT: Liu et al., TSE 2013, with symmetry and partial-order reduction, 8 cores.  Quasi: Adhikari
et al., STTT 2016.  Models differ: theirs are written for the checker, ours is C.  With CALLS a
thread makes so many calls (docs/states.md says why), otherwise it calls forever.
"""
import json
import os
import resource
import subprocess
import sys

os.environ.setdefault("LINCHPIN_CACHE", "off")  # compiling is part of what is measured

ZOO = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "zoo")

# object, options, compiler flags, states and seconds of the paper
ROWS = [
    ("kregister.c", "--threads 3", "-DK=4", 1498, 0.36),
    ("kregister.c", "--threads 4", "-DK=4", 7845, 4.0),
    ("kregister.c", "--threads 5", "-DK=4", 33944, 64),
    ("kregister.c", "--threads 6", "-DK=4", 134461, 1609),
    ("kregister.c", "--threads 7", "-DK=4", 484723, 53110),
    ("kregister.c", "--threads 4", "-DK=3", 3114, 1.27),
    ("kregister.c", "--threads 4", "-DK=5", 16377, 8.66),
    ("kregister.c", "--threads 4", "-DK=6", 30636, 19.1),
    ("kregister.c", "--threads 4", "-DK=7", 52908, 31.4),
    ("kregister.c", "--threads 4", "-DK=5 -DCALLS=1", 16377, 8.66),
    ("kregister.c", "--threads 4", "-DK=6 -DCALLS=1", 30636, 19.1),
    ("kregister.c", "--threads 4", "-DK=7 -DCALLS=1", 52908, 31.4),
    ("counter.c", "--threads 3", "-DSIZE=4", 556, 0.3),
    ("counter.c", "--threads 4", "-DSIZE=4", 4879, 5.6),
    ("counter.c", "--threads 5", "-DSIZE=4", 53115, 389),
    ("counter.c", "--threads 6", "-DSIZE=4", 636815, 53010),
    ("counter.c", "--threads 5", "-DSIZE=2", 42999, 298),
    ("counter.c", "--threads 5", "-DSIZE=3", 51932, 357),
    ("counter.c", "--threads 5", "-DSIZE=5", 53670, 391),
    ("counter.c", "--threads 3", "-DSIZE=4 -DPOINTS -DCALLS=1", 62, 0.04),
    ("counter.c", "--threads 4", "-DSIZE=4 -DPOINTS -DCALLS=1", 320, 0.28),
    ("counter.c", "--threads 5", "-DSIZE=4 -DPOINTS -DCALLS=1", 877, 4.79),
    ("counter.c", "--threads 5", "-DSIZE=2 -DPOINTS -DCALLS=1", 875, 4.86),
    ("counter.c", "--threads 5", "-DSIZE=3 -DPOINTS -DCALLS=1", 885, 4.9),
    ("counter.c", "--threads 5", "-DSIZE=5 -DPOINTS -DCALLS=1", 877, 4.66),
    ("counter.c", "--threads 6", "-DSIZE=4 -DPOINTS -DCALLS=1", 4488, 262),
    ("counter.c", "--threads 7", "-DSIZE=4 -DPOINTS -DCALLS=1", 28652, 27593),
    ("counter.c", "--threads 6", "-DSIZE=4 -DPOINTS", None, None),
    ("counter.c", "--threads 7", "-DSIZE=4 -DPOINTS", None, None),
    ("msqueue_counted.c", "--threads 3 --values 1", "-DSIZE=3", 15267, 8.5),
    ("msqueue_counted.c", "--threads 4 --values 1", "-DSIZE=3", 773064, 2068),
    ("msqueue_counted.c", "--threads 3", "-DSIZE=3", None, None),
    ("msqueue_counted.c", "--threads 4", "-DSIZE=3", None, None),
    ("msqueue_counted.c", "--threads 2 --values 1", "-DSIZE=3 -DREUSE", None, None),
    ("msqueue_counted.c", "--threads 3 --values 1", "-DSIZE=2 -DREUSE", None, None),
    ("arrayqueue.c", "--threads 3", "-DSIZE=2", 477, 0.36),
    # PAT has two threads that arrive and depart, and a process that asks.
    ("snzi.c", "--threads 3", "-DSIZE=2 -DCALLS=1", 3461, 1.0),
    ("snzi.c", "--threads 4", "-DSIZE=3 -DCALLS=1 -DUNDO=9", 3524553, 5224),
    ("snzi.c", "--threads 3", "-DSIZE=2", None, None),
    ("snzi.c", "--threads 4", "-DSIZE=3", None, None),
    ("quasiqueue.c", "--prop quasi:dequeue=2", "-DFACTOR=2 -DSEGMENTS=1", 126810, 7.2),
    ("quasiqueue.c", "--prop quasi:dequeue=2", "-DFACTOR=2 -DSEGMENTS=2", 237760, 21.2),
    ("quasiqueue.c", "--prop quasi:dequeue=2", "-DFACTOR=2 -DSEGMENTS=3", 1741921, 114.5),
    ("quasiqueue.c", "--prop quasi:dequeue=3", "-DFACTOR=3 -DSEGMENTS=1", 442558, 131.6),
    ("quasiqueue.c", "--prop quasi:dequeue=3", "-DFACTOR=3 -DSEGMENTS=2", 1986924, 1517),
    ("quasiqueue.c", "--prop quasi:dequeue=2", "-DBUG=1", 1204, 0.4),
    ("quasiqueue.c", "--prop quasi:dequeue=2", "-DBUG=2", 345, 0.1),
    ("quasipq.c", "--prop quasi:remove=2", "-DFACTOR=2 -DSEGMENTS=1", 106385, 12.2),
    ("quasipq.c", "--prop quasi:remove=2", "-DFACTOR=2 -DSEGMENTS=2", 472981, 34.3),
    ("quasipq.c", "--prop quasi:remove=2", "-DFACTOR=2 -DSEGMENTS=3", 1478045, 198.4),
    ("quasipq.c", "--prop quasi:remove=3", "-DFACTOR=3 -DSEGMENTS=1", 1408763, 343.1),
    ("quasipq.c", "--prop quasi:remove=3", "-DFACTOR=3 -DSEGMENTS=2", "no memory", None),
    ("quasipq.c", "--prop quasi:remove=2", "-DSEGMENTS=2 -DBUG=1", 894, 5.4),
]

RATE = ("counter.c", "--threads 5 --no-symmetry", "-DSIZE=4")


def run(linchpin, row, seconds):
    """The result, and the processor seconds of it and its compiler."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [linchpin, "states", os.path.join(ZOO, row[0]), "--json", "--time", seconds,
         "--memory", "8000"] + row[1].split() + ["--"] + row[2].split(),
        capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return json.loads(done.stdout), after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main():
    if not 2 <= len(sys.argv) <= 3 or not os.access(sys.argv[1], os.X_OK):
        sys.exit(__doc__.split("\n")[2])
    linchpin, seconds = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "600"
    print(f"{'object':58} {'verdict':13} {'states':>10} {'paper':>10} {'cpu s':>7} {'paper':>8} {'MB':>5}  table")
    for row in ROWS:
        r, used = run(linchpin, row, seconds)
        print(f"{' '.join(row[:3]):58.58} {r['verdict']:13} {r.get('states', 0):10,} "
              f"{row[3] or '':>10} {used:7.2f} {row[4] or '':>8} {r.get('peak_rss_kb', 0) // 1024:5}  "
              f"{r.get('scope', {}).get('bytes', '')}", flush=True)
    r, used = min((run(linchpin, RATE, seconds) for _ in range(3)), key=lambda pair: pair[1])
    print(f"{' '.join(RATE)}: {r['states']:,} states, {r['states'] / used:,.0f} a second of one "
          f"processor, compiling and loading included; the best of three")


if __name__ == "__main__":
    main()
