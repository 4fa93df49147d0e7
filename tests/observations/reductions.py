#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do clients see the same of an object whether reductions are used or not?

usage: reductions.py OBSERVATIONS SECONDS [--option OPTION]... OBJECT...

For each OBJECT, a source with flags for the compiler after it in one word, compares what `observations` prints by default
and without the reductions below.  What takes longer than SECONDS is counted as given up.  Status 1 if there is a difference,
or if everything was given up.
"""
import argparse
import shlex
import subprocess
import sys

# Without `spin` loops that wait do not end; symmetry is off anyway.
OFF = ["--no-stale", "--no-twins", "--no-helping", "--no-attempts", "--no-rereads", "--no-park", "--no-undone", "--no-shifts"]


def observe(program, subject, options, seconds):
    """The lines, or None if there is no answer in time."""
    file, *flags = shlex.split(subject)
    try:
        run = subprocess.run([program, file, "--no-symmetry", *options, "--", *flags], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, check=False, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None
    if run.returncode:
        raise RuntimeError("%s: %s" % (subject, run.stderr.strip()))
    return set(run.stdout.splitlines())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("seconds", type=float)
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("objects", nargs="+")
    given = parser.parse_args()
    options = [word for option in given.option for word in shlex.split(option)]
    wrong = late = 0
    for subject in given.objects:
        on = observe(given.program, subject, options, given.seconds)
        off = None if on is None else observe(given.program, subject, options + OFF, given.seconds)
        if off is None:
            late += 1
            continue
        if on != off:
            wrong += 1
            print("%s: %d endings only with reductions, %d only without" % (subject, len(on - off), len(off - on)))
            for line in sorted(on ^ off)[:4]:
                print("  ", line[:300])
    print("%d objects, %d differ, %d given up" % (len(given.objects), wrong, late))
    return 1 if wrong or late == len(given.objects) else 0


if __name__ == "__main__":
    sys.exit(main())
