#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Accesses that hide from an instrumenter or an optimiser, each with a partner that races with it.

usage: run.py LINCHPIN [--full] [--only PATTERN] [--language c|c++] [--keep DIR] [-j N] [-v]
       run.py --list [--only PATTERN]
       run.py --self

Every kind is a program that must be a violation, and a twin with synchronisation that must be verified; some
kinds are programs without a race.  README.md says how kinds are written.  By default a kind runs in three
configurations that differ in everything; --full runs all optimisation levels, models and orders of creation.
The answer must be the same in all of them.  The table has one line for each kind that fails.
"""
import argparse
import concurrent.futures
import fnmatch
import json
import os
import platform
import re
import shlex
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import aggregates  # pylint: disable=wrong-import-position
import atomics  # pylint: disable=wrong-import-position
import calls  # pylint: disable=wrong-import-position
import cxx  # pylint: disable=wrong-import-position
import scalars  # pylint: disable=wrong-import-position
import storage  # pylint: disable=wrong-import-position
from kind import MARK  # pylint: disable=wrong-import-position

KINDS = [k for part in (scalars, aggregates, storage, calls, atomics, cxx) for k in part.KINDS]
LEVELS = ("-O0", "-O1", "-O2", "-O3")
MODELS = ("sc", "rc11")
STATUS = {"verified": 0, "violation": 1, "error": 2, "inconclusive": 3}
# Outcomes of a run that is not as expected, in the order of the table.
MISSED, FALSE_ALARM, NO_ANSWER = "missed", "false alarm", "no answer"


def machine():
    """The name of this machine, and the features of its processor."""
    found = {platform.machine()}
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo") as f:
            found |= {word for line in f if line.startswith(("flags", "Features")) for word in line.split()}
    return found


class Run:
    """One program in one configuration."""

    def __init__(self, kind, twin, order, level, model):
        self.kind, self.twin, self.order, self.level, self.model = kind, twin, order, level, model

    @property
    def racy(self):
        return self.kind.expect != "none" and not self.twin

    @property
    def where(self):
        return f"{'twin ' if self.twin else ''}{self.model} {self.level} {'ba' if self.order else 'ab'}"

    def write(self, top):
        """Writes the program, and the files that it needs; returns its path."""
        folder = os.path.join(top, f"{self.kind.name}-{'twin' if self.twin else 'race'}-{self.order}")
        os.makedirs(folder, exist_ok=True)
        files = {**self.kind.files, self.kind.name + self.kind.suffix: self.kind.program(self.order, self.twin)}
        for name, text in files.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as f:
                f.write(text)
        return path

    def command(self, tool, path):
        flags = [f.format(folder=os.path.dirname(path)) for f in self.kind.flags]
        return [tool, "run", path, "--model", self.model, "--json", "--", self.level, *flags]


def configurations(kind, full):
    """All runs of a kind, or three that differ in everything: odd kinds get other levels than even ones."""
    if full:
        for level in LEVELS:
            for model in MODELS:
                for order in (0,) if kind.main else (0, 1):
                    yield Run(kind, False, order, level, model)
                if kind.expect != "none":
                    for order in kind.orders:
                        yield Run(kind, True, order, level, model)
    else:
        odd = KINDS.index(kind) % 2
        yield Run(kind, False, 0, "-O1" if odd else "-O0", "sc")
        yield Run(kind, False, 0 if kind.main else 1, "-O3" if odd else "-O2", "rc11")
        if kind.expect != "none":
            yield Run(kind, True, kind.orders[-1], "-O2" if odd else "-O1", "rc11")


def on_marked_line(place, name, source):
    """Is `place`, "file:line", the partner's line of the program?"""
    match = re.fullmatch(r"(?:.*/)?([^/:]+):(\d+)(?::\d+)?", place or "")
    lines = source.splitlines()
    return bool(match) and match.group(1) == name and 1 <= int(match.group(2)) <= len(lines) and \
        MARK in lines[int(match.group(2)) - 1]


def judge(run, status, answer, everything):
    """None if the answer is as expected, else which way it is wrong, and a phrase."""
    kind, verdict, error = run.kind, answer.get("verdict"), answer.get("kind")
    said = "; ".join(filter(None, [verdict, error, answer.get("reason"), answer.get("text"), *answer.get("warnings", [])]))
    if status != STATUS.get(verdict):
        return NO_ANSWER, f"{said or everything.strip()[-200:]} (status {status})"
    if verdict in ("inconclusive", "error"):
        named = kind.expect == "named" and any(n in said for n in kind.names)
        return None if named else (NO_ANSWER, said)
    if verdict == "verified":
        return (MISSED, said) if run.racy else None
    if not run.racy:
        return FALSE_ALARM, said
    if error not in kind.errors:
        return NO_ANSWER, said
    if error == "race" and kind.marked:
        violation = answer.get("violation") or {}
        places = [violation.get("where"), violation.get("other_where")]
        name, source = kind.name + kind.suffix, kind.program(run.order, run.twin)
        if not any(on_marked_line(p, name, source) for p in places):
            return NO_ANSWER, f"a race of {places[0]} with {places[1]}, neither of which is the partner's line"
    return None


def perform(run, tool, top):
    command = run.command(tool, run.write(top))
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=120,
                              stdin=subprocess.DEVNULL)
        wrong = judge(run, done.returncode, json.loads(done.stdout), done.stderr)
    except subprocess.TimeoutExpired:
        wrong = NO_ANSWER, "nothing within 120 s"
    except ValueError:
        wrong = NO_ANSWER, f"no JSON, exit status {done.returncode}: {done.stderr.strip()[-200:]}"
    return run, wrong, shlex.join(command)


def report(answers, verbose):
    """Prints the table; returns how many runs failed."""
    kinds = {}
    for run, wrong, command in answers:
        kinds.setdefault(run.kind.name, []).append((run, wrong, command))
    failed, bad = 0, 0
    for name, runs in kinds.items():
        wrong = [(r, w, c) for r, w, c in runs if w]
        if not wrong:
            continue
        failed, bad = failed + len(wrong), bad + 1
        counts = [f"{what} {n} of {len(runs)}" for what in (MISSED, FALSE_ALARM, NO_ANSWER)
                  if (n := sum(w[0] == what for _, w, _ in wrong))]
        print(f"{name:36} {', '.join(counts):34} {wrong[0][0].kind.why}")
        seen = set()
        for run, (what, phrase), command in wrong:
            if verbose or (what, phrase) not in seen:
                print(f"    {what}: {run.where}: {phrase}\n        {command}")
            seen.add((what, phrase))
    print(f"{len(kinds) - bad} of {len(kinds)} kinds right, {len(answers) - failed} passed, {failed} failed")
    return failed


def flaws(kind):
    """What is wrong with a kind itself."""
    if re.search(r"\bout\b", kind.hide + kind.code + kind.main) and re.search(r"\bout\b", kind.partner):
        yield "both threads use `out`"
    if kind.expect == "named" and not kind.names:
        yield "says not which names are right"
    if not kind.why or kind.expect not in ("race", "named", "none") or kind.twin not in ("lock", "join"):
        yield "not well-formed"


def test_self():
    """Shows that no kind can be answered wrongly without a failure."""
    wrong = [f"{k.name}: {f}" for k in KINDS for f in flaws(k)]
    wrong += [f"{k.name}: twice" for i, k in enumerate(KINDS) if k.name in [o.name for o in KINDS[:i]]]
    for kind in KINDS:
        for run in configurations(kind, True):
            source = kind.program(run.order, run.twin).splitlines()
            line = 1 + next(i for i, text in enumerate(source) if MARK in text)
            name = kind.name + kind.suffix
            race = {"verdict": "violation", "kind": "race", "violation": {"where": f"{name}:1", "other_where": f"{name}:{line}"}}
            elsewhere = {**race, "violation": {"where": f"{name}:1", "other_where": f"other.c:{line}"}}
            named = {"verdict": "inconclusive", "warnings": [f"calls {kind.names[0] if kind.names else 'abc'}"]}
            expected = {
                "verified": (0, {"verdict": "verified"}, not run.racy),
                "race": (1, race, run.racy and "race" in kind.errors),
                "race elsewhere": (1, elsewhere, run.racy and not kind.marked),
                "deadlock": (1, {"verdict": "violation", "kind": "deadlock"}, False),
                "inconclusive": (3, {"verdict": "inconclusive", "text": "time limit"}, False),
                "named": (3, named, kind.expect == "named"),
                "named error": (2, {**named, "verdict": "error"}, kind.expect == "named"),
                "error": (2, {"verdict": "error", "text": "does not compile"}, False),
                "bad status": (1, {"verdict": "verified"}, False),
                "nothing": (0, {}, False)}
            wrong += [f"{kind.name} {run.where}: '{what}' is judged wrongly" for what, (status, answer, right) in expected.items()
                      if (judge(run, status, answer, "") is None) != right]
    # The whole way, with tools that give the same answer to all: one misses every race, one sees one everywhere, one crashes.
    run = next(configurations(KINDS[0], False))
    for text in ('echo \'{"verdict": "verified"}\'', 'echo \'{"verdict": "violation", "kind": "race"}\'; exit 1', "kill -9 $$", "true"):
        with tempfile.TemporaryDirectory() as top:
            tool = os.path.join(top, "tool")
            with open(tool, "w") as f:
                f.write("#!/bin/sh\n" + text + "\n")
            os.chmod(tool, 0o755)
            with open(os.devnull, "w") as nowhere:
                stdout, sys.stdout = sys.stdout, nowhere
                failures = report([perform(run, tool, top)], False)
                sys.stdout = stdout
            if failures != 1:
                wrong.append(f"a tool that does `{text}` passes")
    print("\n".join(wrong + [f"{len(KINDS)} kinds, {len(wrong)} wrong"]))
    return bool(wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", nargs="?")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only", default="*", metavar="KIND")
    parser.add_argument("--language", choices=["c", "c++"])
    parser.add_argument("--keep", help="leave the programs there")
    parser.add_argument("-j", type=int, default=1)
    parser.add_argument("-v", action="store_true", dest="verbose", help="every failing run")
    parser.add_argument("--list", action="store_true", help="print the kinds")
    parser.add_argument("--self", action="store_true", dest="test", help="show that wrong answers are noticed")
    args = parser.parse_args()
    if args.test:
        return test_self()
    here = machine()
    chosen = [k for k in KINDS if fnmatch.fnmatch(k.name, args.only) and set(k.needs) <= here
              and args.language in (None, "c++" if k.cxx else "c")]
    if args.list:
        print("\n".join(f"{k.name:36} {k.expect:6} {k.why}" for k in chosen))
        return 0
    if not args.tool or not chosen:
        parser.error("no tool" if not args.tool else "no such kind")
    runs = [r for k in chosen for r in configurations(k, args.full)]
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        answers = list(pool.map(lambda r: perform(r, os.path.abspath(args.tool), args.keep or scratch), runs))
    return 1 if report(answers, args.verbose) else 0


if __name__ == "__main__":
    sys.exit(main())
