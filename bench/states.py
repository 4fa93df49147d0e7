#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""States of `linchpin states` beside those of the papers.

usage: states.py LINCHPIN [SECONDS]     each row has that long (default: 60)

PAT: Liu et al., TSE 2013, with symmetry and partial-order reduction, 8 cores.  Quasi: Adhikari
et al., STTT 2016, seconds only.  Models differ: theirs are written for the checker, ours is C.
"""
import json
import os
import subprocess
import sys

ZOO = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "zoo")

# object, options, compiler flags, states and seconds of the paper
ROWS = [
    ("kregister.c", "--threads 5", "-DK=4", 33944, 64),
    ("kregister.c", "--threads 6", "-DK=4", 134461, 1609),
    ("kregister.c", "--threads 7", "-DK=4", 484723, 53110),
    ("counter.c", "--threads 4", "-DSIZE=4", 4879, 5.6),
    ("counter.c", "--threads 5", "-DSIZE=4", 53115, 389),
    ("counter.c", "--threads 6", "-DSIZE=4", 636815, 53010),
    ("counter.c", "--threads 6", "-DSIZE=4 -DPOINTS", 4488, 262),
    ("counter.c", "--threads 7", "-DSIZE=4 -DPOINTS", 28652, 27593),
    ("msqueue_counted.c", "--threads 3 --gc --values 1", "-DSIZE=3", 15267, 8.5),
    ("msqueue_counted.c", "--threads 4 --gc --values 1", "-DSIZE=3", 773064, 2068),
    ("arrayqueue.c", "--threads 3", "-DSIZE=2", 477, 0.36),
    ("snzi.c", "--threads 2", "-DSIZE=2", 3461, 1.0),
    ("snzi.c", "--threads 3", "-DSIZE=3", 3524553, 5224),
    ("quasiqueue.c", "--prop quasi:dequeue=2", "-DFACTOR=2 -DSEGMENTS=1", None, 7.2),
    ("quasiqueue.c", "--prop quasi:dequeue=2", "-DFACTOR=2 -DSEGMENTS=2", None, 21.2),
    ("quasiqueue.c", "--prop quasi:dequeue=2", "-DFACTOR=2 -DSEGMENTS=3", None, 114.5),
    ("quasiqueue.c", "--prop quasi:dequeue=3", "-DFACTOR=3 -DSEGMENTS=1", None, 131.6),
    ("quasiqueue.c", "--prop quasi:dequeue=3", "-DFACTOR=3 -DSEGMENTS=2", None, 1517),
]


def main():
    linchpin, seconds = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "60"
    print(f"{'object':50} {'verdict':13} {'states':>12} {'paper':>10} {'seconds':>8} {'paper':>8} {'MB':>6}")
    for name, options, flags, states, time in ROWS:
        done = subprocess.run(
            [linchpin, "states", os.path.join(ZOO, name), "--json", "--time", seconds,
             "--memory", "8000"] + options.split() + ["--"] + flags.split(),
            capture_output=True, text=True)
        r = json.loads(done.stdout)
        print(f"{name + ' ' + options + ' ' + flags:50.50} {r['verdict']:13} {r.get('states', 0):12,} "
              f"{states or '':>10} {r.get('seconds', 0):8.2f} {time:8} {r.get('peak_rss_kb', 0) // 1024:6}",
              flush=True)


if __name__ == "__main__":
    main()
