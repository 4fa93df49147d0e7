#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A check of an object that was compiled before starts no other process: neither compiler nor linker, nor a shell.

Processes are counted, since times depend on the machine.  Without strace, or where it may not trace, the test is skipped.

usage: start.py LINCHPIN EXAMPLES
"""
import os
import subprocess
import sys
import tempfile

SKIPPED = 77
CALLS = "execve,execveat,fork,vfork,clone,clone3"


def started(words, cache, log):
    """How many processes and programs the command starts, itself included; None if that cannot be seen."""
    done = subprocess.run(["strace", "-f", "-qq", "-e", f"trace={CALLS}", "-e", "signal=none", "-o", log, *words],
                          env=dict(os.environ, LINCHPIN_CACHE=cache), capture_output=True, text=True, check=False)
    if not os.path.exists(log) or not os.path.getsize(log):
        return None
    if done.returncode:
        raise SystemExit(f"exit status {done.returncode}: {' '.join(words)}\n{done.stdout}{done.stderr}")
    with open(log, encoding="utf-8", errors="replace") as lines:
        return sum("= -1 " not in line and "resumed>" not in line for line in lines)


def main():
    linchpin, examples = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        words = [linchpin, "check", os.path.join(examples, "treiber.c"), "--ops", "1", "-q"]
        log, cache = os.path.join(folder, "log"), os.path.join(folder, "cache")
        try:
            first = started(words, cache, log)
        except FileNotFoundError:
            first = None
        if first is None:
            print("strace is not there, or sees nothing")
            return SKIPPED
        again = started(words, cache, log)
        print(f"processes and programs: {first} at first, {again} from then on")
        return int(not (first > 1 and again == 1))


if __name__ == "__main__":
    sys.exit(main())
