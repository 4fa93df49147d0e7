#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A bound on schedules never costs more than no bound (docs/algorithms/bounds.md).

usage: bounds_cost.py LINCHPIN [--ops N] FILE ...

For each object, and each small bound on preemptions, delays and rounds, compares how many graphs were explored, complete ones and others, with
the check without a bound.  Status 1 if there are more, if a larger bound has fewer executions, or if a bound leaves out nothing in any object.
"""
import json
import subprocess
import sys


def explored(linchpin, file, options):
    run = subprocess.run([linchpin, "check", file, "--model", "sc", "--json", *options], stdout=subprocess.PIPE, text=True, check=False)
    result = json.loads(run.stdout)
    if result["verdict"] != "verified":
        sys.exit("%s %s: %s" % (file, " ".join(options), result["verdict"]))
    return result["executions"], result["executions"] + result["blocked"] + result["abandoned"]


def main(linchpin, *rest):
    files = [word for word in rest if word.endswith((".c", ".cpp"))]
    options = [word for word in rest if word not in files]
    wrong, fewer = 0, {"--preemptions": 0, "--delays": 0, "--rounds": 0}
    for file in files:
        executions, graphs = explored(linchpin, file, options)
        for bound in fewer:
            last = 0
            for most in range(1 if bound == "--rounds" else 0, 4):
                within, cost = explored(linchpin, file, [*options, bound, str(most)])
                if cost > graphs or within > executions or within < last:
                    print("%s %s %d: %d executions, %d graphs; without a bound: %d, %d" % (file, bound, most, within, cost, executions, graphs))
                    wrong += 1
                last = within
                fewer[bound] += within < executions
    for bound, count in fewer.items():
        if not count:
            print("%s leaves out nothing" % bound)
    print("%d objects, %d times more than without a bound" % (len(files), wrong))
    return 1 if wrong or not files or not all(fewer.values()) else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    sys.exit(main(*sys.argv[1:]))
