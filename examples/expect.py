#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run linchpin, and compare its answer with the expected one.

usage: expect.py LINCHPIN EXPECTED check OBJECT [OPTIONS] [-- COMPILER FLAGS]

EXPECTED is 'verified', or the smallest violation: 'KIND, N calls', perhaps followed by
words of its explanation, as in 'not linearizable, 2 calls, enqueue(1) must happen before'.
"""
import json
import shlex
import subprocess
import sys

STATUS = {"verified": 0, "violation": 1, "error": 2, "inconclusive": 3}


def answer_of(result):
    """The result in the words of EXPECTED, and its explanation."""
    if result["verdict"] != "violation":
        return result["verdict"], result.get("reason", "")
    client = result["violation"]["client"]
    return "%s, %d calls" % (result["kind"], client["size"]), client.get("why", "")


def main(linchpin, expected, command, *arguments):
    # Options end where the compiler's flags begin.
    line = [linchpin, command, "--json", *arguments]
    run = subprocess.run(line, stdout=subprocess.PIPE, text=True, check=False)
    try:
        result = json.loads(run.stdout)
    except ValueError:
        sys.exit("no JSON, status %d: %s" % (run.returncode, shlex.join(line)))
    answer, why = answer_of(result)
    wanted, words = (expected.split(", ", 2) + [""])[:2], expected.split(", ", 2)[2:]
    if (answer != ", ".join(w for w in wanted if w) or any(w not in why for w in words)
            or run.returncode != STATUS[result["verdict"]]):
        sys.exit("%s: expected '%s', got '%s' (%s), status %d"
                 % (shlex.join(line), expected, answer, why, run.returncode))


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__.strip())
    main(*sys.argv[1:])
