#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare linchpin's outcomes and numbers of executions with expected.tsv.

usage: run.py [LINCHPIN] [--models sc,tso,rc11] [--only PATTERN] [-j N] [-- OPTIONS]

OPTIONS go to `linchpin run` (for example --no-spin: every reduction must give the same
answers).  Prints what differs with the command to repeat it, then 'N passed, M failed';
the exit status is 0 if nothing failed.
"""
import argparse
import concurrent.futures
import fnmatch
import json
import os
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = ["sc", "tso", "rc11"]


def read_expected():
    with open(os.path.join(HERE, "expected.tsv")) as f:
        lines = f.read().splitlines()
    assert lines[0].split("\t") == ["test", "model", "race", "executions", "outcomes"]
    return [line.split("\t") for line in lines[1:] if line]


def words(text):
    return " ".join(text.split())


def difference(answer, status, model, race, executions, outcomes):
    """What is wrong with an answer, or None."""
    if model == "rc11" and race == "1":
        if status == 1 and answer.get("kind") == "race":
            return None
        return f"a race, but the verdict is {answer.get('verdict')} ({answer.get('kind')})"
    if status != 0 or answer.get("verdict") != "verified":
        return f"verdict {answer.get('verdict')} ({answer.get('kind')}), exit status {status}"
    want = sorted(words(o) for o in outcomes.split("|"))
    got = sorted(words(o["text"]) for o in answer.get("outcomes") or [])
    if got != want:
        extra, missing = sorted(set(got) - set(want)), sorted(set(want) - set(got))
        return f"outcomes: missing {missing}, not allowed {extra}"
    if answer.get("executions") != int(executions):
        return f"{answer.get('executions')} executions, expected {executions}"
    total = sum(o["executions"] for o in answer["outcomes"])
    if total != int(executions):
        return f"the outcomes' executions add up to {total}, expected {executions}"
    return None


def run_row(row, tool, options):
    name, model, race, executions, outcomes = row
    command = [tool, "run", os.path.join(HERE, name + ".c"), "--model", model, "--json"]
    if model != "rc11":
        command += ["--races", "ignore"]
    command += options
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60,
                              stdin=subprocess.DEVNULL)
        problem = difference(json.loads(done.stdout), done.returncode, model, race, executions,
                             outcomes)
    except subprocess.TimeoutExpired:
        problem = "no answer within 60 s"
    except (ValueError, KeyError, TypeError, AttributeError):
        problem = f"no usable JSON (exit status {done.returncode}): {done.stderr.strip()[-200:]}"
    if problem:
        return f"{name} {model}: {problem}\n    {shlex.join(command)}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("linchpin", nargs="?",
                        default=os.path.join(HERE, "..", "..", "build", "linchpin"))
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--only", default="*")
    parser.add_argument("-j", type=int, default=2, dest="jobs")
    argv, options = sys.argv[1:], []
    if "--" in argv:
        argv, options = argv[:argv.index("--")], argv[argv.index("--") + 1:]
    args = parser.parse_args(argv)

    tool = os.path.abspath(args.linchpin)
    if not os.access(tool, os.X_OK):
        print(f"run.py: cannot run '{tool}'", file=sys.stderr)
        return 2
    models = args.models.split(",")
    rows = [r for r in read_expected()
            if r[1] in models and fnmatch.fnmatchcase(r[0], args.only)]
    if not rows:
        print("run.py: no such test", file=sys.stderr)
        return 2
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for problem in pool.map(lambda r: run_row(r, tool, options), rows):
            if problem:
                failed += 1
                print(problem, flush=True)
    print(f"{len(rows) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
