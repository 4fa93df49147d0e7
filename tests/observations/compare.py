#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare what clients can see of two objects.

usage: compare.py OBSERVATIONS EXPECTED OBJECT OTHER [OPTIONS OF check]

OBJECT and OTHER are sources, each with flags for the compiler after it, in one word.  The result is
    same     no client can tell the one from the other
    fewer    OBJECT does nothing that OTHER does not do, for no client; but OTHER does more
    orders   OBJECT has no results that OTHER has not, but some for clients for which OTHER has them not
    more     OBJECT has results that OTHER has not
and the first thing that makes the difference.  Status 1 if that is not EXPECTED.
"""
import shlex
import subprocess
import sys


def observe(program, subject, options):
    """What clients can see: results, each with the set of orders for which they come about."""
    file, *flags = shlex.split(subject)
    run = subprocess.run([program, file, "--no-symmetry", *options, "--", *flags], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True, check=False)
    if run.returncode:
        raise RuntimeError("%s: %s" % (subject, run.stderr.strip()))
    lines = (line.split("\t") for line in run.stdout.splitlines())
    return {results: int(orders, 16) for results, orders in lines}


def compare(one, other):
    """What the one is to the other, and the first results that show it."""
    for results in one:
        if results not in other:
            return "more", results
    for results, orders in one.items():
        if orders & ~other[results]:
            return "orders", results
    for results, orders in other.items():
        if orders != one.get(results):
            return "fewer", results
    return "same", "%d results" % len(one)


def main(program, expected, subject, other, *options):
    try:
        found, why = compare(observe(program, subject, options), observe(program, other, options))
    except RuntimeError as error:
        sys.exit(str(error))
    print("%s: %s" % (found, why))
    return found != expected


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__.strip())
    sys.exit(main(*sys.argv[1:]))
