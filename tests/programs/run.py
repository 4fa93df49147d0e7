#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run the programs of ok/, bug/ and ../regress/ and compare the answers with what they expect.

usage: run.py [LINCHPIN] [--only PATTERN] [--models sc,rc11] [-j N] [--timeout S] [--list]
              [-- OPTIONS]

README.md describes how a program says what is expected.  OPTIONS go to every `linchpin
run`.  Failures are printed with the command to repeat them, then 'N passed, M failed';
the exit status is 0 if nothing failed.
"""
import argparse
import concurrent.futures
import fnmatch
import functools
import json
import os
import re
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = ["sc", "tso", "ra", "rc11"]
STATUS = {"verified": 0, "violation": 1, "error": 2, "inconclusive": 3}


class BadTest(Exception):
    """The test itself is wrong: an expectation that cannot be understood."""


class Run:
    """One run of a program: a model, options, and what must come out."""

    def __init__(self, path, model, options, flags):
        self.path, self.model, self.options, self.flags = path, model, options, flags
        self.verdicts, self.kinds, self.mark = [], [], None
        self.executions = self.blocked = self.outcomes = None
        self.says = []

    @property
    def name(self):
        extra = self.options + (["--"] + self.flags if self.flags else [])
        return " ".join([os.path.relpath(self.path, HERE), self.model] + extra)

    def command(self, tool, more):
        command = [tool, "run", self.path, "--model", self.model, "--json"]
        command += self.options + more
        return command + (["--"] + self.flags if self.flags else [])


def split_flags(words):
    """Options of linchpin, and flags of the compiler after a double dash."""
    if "--" in words:
        at = words.index("--")
        return words[:at], words[at + 1:]
    return words, []


def parse_answer(run, text):
    """Fills in what follows the colon of an expect line."""
    text, found, outcomes = text.partition(", outcomes ")
    if found:
        run.outcomes = sorted(o.strip() for o in outcomes.split("|"))
    while True:
        match = re.search(r', says "([^"]*)"', text)
        if not match:
            break
        run.says.append(match.group(1))
        text = text[:match.start()] + text[match.end():]
    verdict, *parts = [p.strip() for p in text.split(",")]
    for part in parts:
        match = re.fullmatch(r"(executions|blocked) (\d+)", part)
        if not match:
            raise BadTest(f"cannot understand '{part}'")
        setattr(run, match.group(1), int(match.group(2)))
    match = re.fullmatch(r"violation ([a-z |]+?)(?: at ([A-Z]+))?", verdict)
    if match:
        run.verdicts, run.kinds, run.mark = ["violation"], match.group(1).split("|"), match.group(2)
    else:
        run.verdicts = verdict.split("|")
    if not all(v in STATUS for v in run.verdicts):
        raise BadTest(f"cannot understand '{verdict}'")


@functools.lru_cache(maxsize=None)
def processor():
    """The one that programs are compiled for, which need not be the one that runs this script."""
    machine = subprocess.run(["cc", "-dumpmachine"], capture_output=True, text=True).stdout
    return machine.split("-")[0].replace("_", "-")


def read_runs(path):
    """The runs that a program asks for in its first comment; none if it is for other processors."""
    with open(path) as f:
        source = f.read()
    comment = re.match(r"/\*(.*?)\*/", source, re.S)
    if not comment:
        raise BadTest("does not begin with a comment")
    runs, common, common_flags, known = [], [], [], True
    for line in comment.group(1).splitlines():
        line = line.strip().lstrip("*").strip()
        if line.startswith("options:"):
            common, common_flags = split_flags(shlex.split(line[len("options:"):]))
        if line.startswith("processors:"):
            known = processor() in line[len("processors:"):].split()
        match = re.match(r"expect ([a-z0-9,]+)([^:]*):(.*)", line)
        if not match:
            continue
        options, flags = split_flags(shlex.split(match.group(2)))
        for model in match.group(1).split(","):
            if model not in MODELS:
                raise BadTest(f"no model '{model}'")
            run = Run(path, model, common + options, common_flags + flags)
            parse_answer(run, match.group(3).strip())
            if run.mark and f"/* {run.mark} */" not in source:
                raise BadTest(f"no line is marked {run.mark}")
            runs.append(run)
    if not runs:
        raise BadTest("expects nothing")
    bad = any(r.verdicts != ["verified"] for r in runs)
    folder = os.path.basename(os.path.dirname(path))
    if folder in ("ok", "bug") and bad != (folder == "bug"):
        raise BadTest("is in the wrong folder")
    return runs if known else []


def is_marked(run, where):
    """Is `where`, "file:line", a line of the program that has the mark?"""
    match = re.search(r"([^/:]+):(\d+)", where or "")
    if not match or match.group(1) != os.path.basename(run.path):
        return False
    with open(run.path) as f:
        lines = f.read().splitlines()
    line = int(match.group(2))
    return 1 <= line <= len(lines) and f"/* {run.mark} */" in lines[line - 1]


def differences(run, status, answer, everything):
    """What is wrong with an answer: a list of phrases."""
    wrong = []
    verdict, kind = answer.get("verdict"), answer.get("kind")
    if verdict not in run.verdicts or (run.kinds and kind not in run.kinds):
        want = "|".join(run.verdicts) + (" " + "|".join(run.kinds) if run.kinds else "")
        got = " ".join(filter(None, [verdict, kind, answer.get("reason"), answer.get("text")]))
        return [f"expected {want}, got {got}"]
    if status != STATUS[verdict]:
        wrong.append(f"exit status {status} for {verdict}")
    for field in ("executions", "blocked"):
        want = getattr(run, field)
        if want is not None and answer.get(field) != want:
            wrong.append(f"{answer.get(field)} {field}, expected {want}")
    if run.outcomes is not None:
        got = sorted(o["text"] for o in answer.get("outcomes") or [])
        if got != run.outcomes:
            wrong.append(f"outcomes {got}, expected {run.outcomes}")
    if verdict == "violation":
        violation = answer.get("violation") or {}
        if not violation.get("steps") and violation.get("thread") != 0:
            wrong.append("no execution is shown")  # main alone may have no event yet
        if run.mark:
            places = [violation.get("where")]
            if kind == "race":
                places.append(violation.get("other_where"))
            wrong += [f"at {p}, which is not marked {run.mark}" for p in places
                      if not is_marked(run, p)]
    wrong += [f"does not say '{s}'" for s in run.says if s not in everything]
    return wrong


def perform(run, tool, more, timeout):
    command = run.command(tool, more)
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                              timeout=timeout, stdin=subprocess.DEVNULL)
        answer = json.loads(done.stdout)
        wrong = differences(run, done.returncode, answer, done.stdout + done.stderr)
    except subprocess.TimeoutExpired:
        wrong = [f"no answer within {timeout:g} s"]
    except ValueError:
        wrong = [f"no JSON, exit status {done.returncode}: {done.stderr.strip()[-300:]}"]
    if wrong:
        return f"{run.name}: " + "; ".join(wrong) + f"\n    {shlex.join(command)}"
    return None


def find_programs(pattern):
    if not any(c in pattern for c in "*?["):
        pattern = f"*{pattern}*"
    for folder in ("ok", "bug", "../regress"):
        for name in sorted(os.listdir(os.path.join(HERE, folder))):
            path = f"{folder}/{name}"
            if name.endswith((".c", ".cpp")) and (fnmatch.fnmatchcase(path, pattern)
                                                  or fnmatch.fnmatchcase(name, pattern)):
                yield os.path.join(HERE, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("linchpin", nargs="?",
                        default=os.path.join(HERE, "..", "..", "build", "linchpin"))
    parser.add_argument("--only", default="*")
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("-j", type=int, default=2, dest="jobs")
    parser.add_argument("--timeout", type=float, default=300)
    parser.add_argument("--list", action="store_true")
    argv, more = split_flags(sys.argv[1:])
    args = parser.parse_args(argv)

    runs, problems = [], []
    for path in find_programs(args.only):
        try:
            runs += [r for r in read_runs(path) if r.model in args.models.split(",")]
        except BadTest as error:
            problems.append(f"{os.path.relpath(path, HERE)}: {error}")
    if args.list:
        for line in [r.name for r in runs] + problems:
            print(line)
        return 1 if problems else 0
    if not runs and not problems:
        print("run.py: no such program", file=sys.stderr)
        return 2
    tool = os.path.abspath(args.linchpin)
    if not os.access(tool, os.X_OK):
        print(f"run.py: cannot run '{tool}'", file=sys.stderr)
        return 2
    for problem in problems:
        print(problem)
    total, failed = len(runs) + len(problems), len(problems)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for problem in pool.map(lambda r: perform(r, tool, more, args.timeout), runs):
            if problem:
                failed += 1
                print(problem, flush=True)
    print(f"{total - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
