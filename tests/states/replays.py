#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Violations of `linchpin states` as traces and as tests of their own.

usage: replays.py LINCHPIN ZOO TABLE...

For every row of the tables with a violation: the trace is replayed, and leads to the same violation by the same steps.
With a step taken from the trace, or another violation claimed, it does not.  And the emitted test, a program, fails under
`linchpin run`, unless the violation is an infinite run.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

from run import rows

SAME = ("verdict", "kind", "model", "prop", "text")
SHOWN = ("client", "loop", "thread", "race")


def run(linchpin, folder, *words):
    done = subprocess.run([linchpin, *words], capture_output=True, text=True, timeout=300, cwd=folder)
    try: # where globals are differs from process to process
        return json.loads(re.sub(r"0x[4-7][0-9a-f]{8,}", "ADDRESS", done.stdout)), done.returncode
    except ValueError:
        return {"verdict": done.stderr.strip()}, done.returncode


def steps(result):
    """Without places: lines with the same future share a local state, which has the line that was met first."""
    return [{k: v for k, v in s.items() if k not in ("where", "function", "location", "caller")}
            for s in result.get("violation", {}).get("steps", [])]


def differences(a, b):
    out = [k for k in SAME if a.get(k) != b.get(k)]
    out += [k for k in SHOWN if a["violation"].get(k) != b.get("violation", {}).get(k)]
    return out + (["steps"] if steps(a) != steps(b) else [])


def spoilt(trace):
    """Versions of the trace that cannot come to the same: without the last call or return, or by a thread that is not there."""
    lines = trace.splitlines(keepends=True)
    at = [i for i, line in enumerate(lines) if re.match(r"step \d+ (call|return) ", line)]
    yield "".join(lines[:at[-1]] + lines[at[-1] + 1:])
    first = next(i for i, line in enumerate(lines) if line.startswith("step "))
    yield "".join(lines[:first] + ["step 9 call - - 0 0 0 -\n"] + lines[first:])
    yield "".join(lines[:first] + ["step 1 call - - 99999 0 0 -\n"] + lines[first + 1:])


def judge(linchpin, folder, words, flags):
    trace, test = os.path.join(folder, "found.trace"), os.path.join(folder, "test.c")
    behind = ["--"] + flags if flags else []
    first, _ = run(linchpin, folder, *words, "--json", "--trace", trace, "--emit-test", test, *behind)
    again, status = run(linchpin, folder, "replay", trace, "--json")
    faults = differences(first, again) + ([] if status == 1 else [f"status {status}"])
    with open(trace, encoding="utf-8") as f:
        text = f.read()
    for i, version in enumerate(spoilt(text)):
        with open(trace, "w", encoding="utf-8") as f:
            f.write(version)
        other, status = run(linchpin, folder, "replay", trace, "--json")
        if status not in (1, 2, 3) or (status == 1 and not differences(first, other)):
            faults.append(f"spoilt {i}: status {status}")
    endless = "loop" in first["violation"] or first["kind"] == "formula violated"
    if endless != (not os.path.exists(test) and "no test was written" in first.get("hint", "")):
        faults.append("hint: " + first.get("hint", "none"))
    elif not endless:
        tested, status = run(linchpin, folder, "run", test, "--json", "--model", "sc", *behind)
        if status != 1:
            faults.append(f"the test: status {status}, {tested['verdict']}")
    return first, faults


def main():
    linchpin, zoo = map(os.path.abspath, sys.argv[1:3])
    wrong = count = 0
    for table in map(os.path.abspath, sys.argv[3:]):
        for name, options, flags, verdict, _, _ in rows(table):
            if verdict != "violation":
                continue
            path = os.path.join(os.path.dirname(table) if name.startswith("./") else zoo, name)
            with tempfile.TemporaryDirectory() as folder:
                first, faults = judge(linchpin, folder, ["states", path] + options, flags)
            count += 1
            wrong += bool(faults)
            print("WRONG" if faults else "ok   ", name, *options, *flags, first.get("kind"), *faults)
    print(f"{count} violations, {wrong} wrong")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
