#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`linchpin states` and `linchpin check` agree on objects that both can do.

usage: agree.py LINCHPIN FOLDER TABLE

The two share the harness and the specification, and little else: states are compared with execution
graphs, and threads that call forever with bounded clients.  For every row of the table:
an object that is verified for calls without end is verified for all clients of a few calls.  If it is not, the
client that is shown fails in `check` as well, which is told nothing else.  If it does not fail,
only real time orders its calls; then another client with the same calls fails.
"""
import json
import os
import subprocess
import sys


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    try:
        return json.loads(done.stdout)
    except ValueError:
        return {"verdict": f"status {done.returncode}: {done.stderr.strip()}"}


def client_of(result):
    """The client of a violation, as --client has it."""
    lanes = {}
    for call in result["violation"]["client"]["calls"]:
        lanes.setdefault(call["lane"], []).append(call["call"])
    return " | ".join("; ".join(lanes[lane]) for lane in sorted(lanes))


def methods_of(result):
    """The methods of a violation's client, as --ops has them."""
    names = [call["call"].split("(")[0] for call in result["violation"]["client"]["calls"]]
    return ",".join(f"{name}={names.count(name)}" for name in sorted(set(names)))


def rows(table):
    with open(table) as f:
        for line in f:
            if not line.startswith("#") and line.strip():
                cells = (line.rstrip("\n").split("\t") + [""] * 5)[:5]
                yield [cells[0]] + [cell.split() for cell in cells[1:]]


def main():
    linchpin, folder, table = sys.argv[1:4]
    wrong = count = 0
    for name, options, flags, bounded, both in rows(table):
        path, behind = os.path.join(folder, name), ["--"] + flags if flags else []
        states = run(linchpin, "states", path, "--json", *options, *both, *behind)
        attempts = [["--ops", "3"]]
        if states["verdict"] == "violation":
            attempts = [["--client", client_of(states)], ["--ops", methods_of(states)]]
        for attempt in attempts:
            check = run(linchpin, "check", path, "--json", "--model", "sc", *attempt, *bounded,
                        *both, *behind)
            if check["verdict"] == states["verdict"]:
                break
        good = states["verdict"] == check["verdict"] in ("verified", "violation")
        count += 1
        wrong += not good
        print("ok   " if good else "WRONG", name, *options, *both, *flags, "states:", states["verdict"],
              states.get("kind", ""), "check:", *attempt, *bounded, check["verdict"],
              check.get("kind", ""))
    print(f"{count} objects, {wrong} on which they do not agree")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
