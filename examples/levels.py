#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare the counts of every example at -O0, -O1, -O2 and -O3.

usage: levels.py LINCHPIN [-v] [FILE...]

Accesses and live states are determined before LLVM optimises, so the level changes none of the numbers.
Each file is checked with up to three calls, or run if it has a main() of its own.  Without FILEs, numbers of
states of some objects of zoo/ are compared, too: a state consists of live values.
"""
import json
import os
import re
import shlex
import subprocess
import sys

LEVELS = ("-O0", "-O1", "-O2", "-O3")
COMPARED = ("verdict", "kind", "executions", "blocked", "states")
STATES = (
    ("counter.c", "--threads", "3", "--", "-DSIZE=4"),
    ("msqueue_counted.c", "--threads", "2", "--values", "1", "--", "-DSIZE=3", "-DREUSE"),
    ("snzi.c", "--threads", "3", "--", "-DSIZE=2"),
    ("quasiqueue.c", "--prop", "quasi:dequeue=2", "--", "-DFACTOR=2", "-DSEGMENTS=1"),
)
HERE = os.path.dirname(os.path.abspath(__file__))


def command(linchpin, name):
    with open(os.path.join(HERE, name)) as f:
        whole = re.search(r"^int main\(", f.read(), re.M)
    return [linchpin, *(["run", name] if whole else ["check", name, "--ops", "3"]), "--json", "--"]


def counts(line):
    done = subprocess.run(line, cwd=HERE, stdout=subprocess.PIPE, text=True, check=False)
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        sys.exit("no JSON, status %d: %s" % (done.returncode, shlex.join(line)))
    if answer["verdict"] not in ("verified", "violation"):
        sys.exit("%s: %s" % (shlex.join(line), answer))
    return {key: answer.get(key) for key in COMPARED}


def differs(line, verbose):
    """Runs the command at each level; prints the counts if they are not the same."""
    found = {level: counts(line + [level]) for level in LEVELS}
    different = any(found[level] != found[LEVELS[0]] for level in LEVELS)
    if different or verbose:
        print(shlex.join(line))
        for level in LEVELS if different else LEVELS[:1]:
            print("    %s: %s" % (level, ", ".join("%s %s" % p for p in found[level].items() if p[1] is not None)), flush=True)
    return different


def main(linchpin, *arguments):
    linchpin = os.path.abspath(linchpin)
    files = [a for a in arguments if a != "-v"]
    lines = [command(linchpin, f) for f in files or sorted(os.listdir(HERE)) if f.endswith((".c", ".cpp"))]
    if not files:
        lines += [[linchpin, "states", "--json", "../zoo/" + row[0], *row[1:]] for row in STATES]
    different = sum(differs(line, "-v" in arguments) for line in lines)
    print("%d of %d commands have the same counts at all levels" % (len(lines) - different, len(lines)))
    return 1 if different or not lines else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    sys.exit(main(*sys.argv[1:]))
