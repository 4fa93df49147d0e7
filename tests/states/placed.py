#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`linchpin states`: numbers do not depend on where the object is loaded.

usage: placed.py LINCHPIN ZOO

How large a stack may grow decides where the system puts what is loaded.  States of like threads are sorted from the first
distance on, as usually from the first large one on.
"""
import os
import resource
import sys

from shared import essence, judge, run

os.environ["LINCHPIN_STATES_SHARED"] = "1"
OBJECTS = ["amp_lazylist.c", "amp_optimisticlist.c", "harrislist.c"]
STACKS = [8 << 20, 200 << 20, 500 << 20]


def main(linchpin, zoo):
    good = True
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    for name in OBJECTS:
        found = []
        for size in STACKS:
            resource.setrlimit(resource.RLIMIT_STACK, (size, hard))
            found.append(essence(run(linchpin, os.path.join(zoo, name), ["--threads", "2", "--gc"], [])[0]))
        good &= judge(name, found[0]["states"] and all(f == found[0] for f in found), found)
    return 0 if good else 1


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    sys.exit(main(*sys.argv[1:]))
