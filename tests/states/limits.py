#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`linchpin states`, stopped before its end: no verdict, the reason, and how far it got.

usage: limits.py LINCHPIN ZOO

By --time, by --memory, and by signals; in words and as JSON.  The object has more states than
any machine visits in the time.
"""
import json
import os
import signal
import subprocess
import sys
import time

HUGE = ["msqueue_counted.c", "--threads", "4"]


def command(linchpin, zoo, *options):
    return [linchpin, "states", os.path.join(zoo, HUGE[0]), *HUGE[1:], *options, "--", "-DREUSE"]


def interrupted(arguments, number, patience=1):
    """Sends the signal when states are being visited, as far as one can tell; the output."""
    p = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    time.sleep(patience)
    p.send_signal(number)
    out, _ = p.communicate(timeout=120)
    if "transitions" not in out and patience < 60: # it was still being compiled
        return interrupted(arguments, number, 2 * patience)
    return out, p.returncode


def finished(arguments):
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=300)
    return done.stdout, done.returncode


def judge(name, out, status, reason, as_json):
    if as_json:
        r = json.loads(out)
        good = r["verdict"] == "inconclusive" and reason in r["reason"]
        good &= "transitions" in r["scope"] and "states" in r
        covered = f"{r.get('states')} states"
    else:
        good = out.startswith("inconclusive: ") and reason in out.splitlines()[0]
        covered = next((line.strip() for line in out.splitlines() if " so far" in line), "")
        good &= bool(covered)
    good &= status == 3
    print("ok   " if good else "WRONG", name, covered)
    if not good:
        print(out)
    return good


def main():
    linchpin, zoo = sys.argv[1:3]
    good = True
    for as_json in (False, True):
        shape = ["--json"] if as_json else []
        good &= judge("--time 1", *finished(command(linchpin, zoo, "--time", "1", *shape)),
                      "time limit", as_json)
        good &= judge("--memory 40", *finished(command(linchpin, zoo, "--memory", "40", *shape)),
                      "memory limit", as_json)
        for number in (signal.SIGINT, signal.SIGTERM):
            good &= judge(number.name, *interrupted(command(linchpin, zoo, *shape), number),
                          f"interrupted ({number.name})", as_json)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
