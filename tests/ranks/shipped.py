#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Only the first rank has the source and a compiler: the result is that of one process.

usage: shipped.py LINCHPIN MPIRUN ROOT     (`states` is in tests/states/shared.py)
"""
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
from agree import difference, result

SUBJECTS = [
    ["check", "examples/elimination.c", "--ops", "push=2,pop=2"],
    ["check", "examples/bug_treiber.c", "--ops", "4", "--no-suggest"],
    ["check", "tests/states/between.c", "--ops", "3"],  # with a specification of its own
    ["run", "examples/ring.c"],
    ["orders", "zoo/peterson.c", "--ops", "6"],
]


def main():
    linchpin, mpirun, root = sys.argv[1:]
    wrong = 0
    os.chdir(root)
    for words in SUBJECTS:
        command = [linchpin, *words, "--json"]
        one = result(command, None)
        for apart in ("1", "now"):
            with tempfile.TemporaryDirectory() as empty:
                others = [":", "-n", "2", "-wdir", empty, "env", "PATH=" + empty, "LINCHPIN_CACHE=off", *command]
                many = result([mpirun, "-n", "1", *command, *others], apart)
            where = difference(list(one[:2]), list(many[:2]))
            if where or one[0] not in (0, 1):
                wrong += 1
                print(f"{' '.join(words)}, apart: {apart}: {where}\n{many[2][:2000]}")
    print(f"{len(SUBJECTS)} subjects, {wrong} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
