#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`linchpin mutants` kills the same mutants as zoo/mutants, which changes the source text.

usage: zoo.py LINCHPIN SOURCE_FOLDER [--only PATTERN]

For each row of zoo/mutants.tsv (a memory order replaced by a weaker one, a fence dropped, a condition taken for false, or
one of several for true), the mutant of the same line must be killed for the clients of that row if that one is, and
survive if that one does.  Where a line has several conditions, one of them must.  (By which violation it is killed may
differ: `check`, which zoo/mutants runs, looks for the smallest.)  Rows that are sampled (--random) are left out, and
those in which a text gives an operation an order that it cannot have.
"""
import argparse
import csv
import fnmatch
import importlib.machinery
import importlib.util
import json
import os
import re
import shlex
import subprocess
import sys


def load(path):
    """zoo/mutants as a module: it knows the files and flags of structures."""
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location("zoo_mutants", path,
                                                  loader=importlib.machinery.SourceFileLoader("zoo_mutants", path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ask(linchpin, zoo, structure, check):
    """All mutants of the structure for these clients."""
    _, name, flags, _, _ = structure
    run = subprocess.run([linchpin, "mutants", os.path.join(zoo, "..", "examples", name), "--json", "--time", "60",
                          "--operators", "order,never,always", "--steps", "2000", *shlex.split(check), "--", *flags],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    try:
        return json.loads(run.stdout)["mutants"]
    except (ValueError, KeyError):
        sys.exit("%s %s: no answer: %s%s" % (name, check, run.stdout, run.stderr))


def line_of(mutant):
    """The text of its line."""
    with open(mutant["file"], encoding="utf-8") as source:
        return source.read().split("\n")[mutant["line"] - 1]


def is_like(row, mutant):
    """Is it the mutant of that row?"""
    macro = re.match(r"#define (\w+)", row["code"])
    if mutant["line"] != int(row["line"]) and not (macro and macro.group(1) in line_of(mutant)):
        return False
    what = row["weakened"]
    if " to " in what and not what.startswith(("never", "dropped")):
        weaker = what.replace(" to ", " -> ")
        none = weaker.replace("-> relaxed", "-> none") # of a fence
        return mutant["operator"] == "order" and mutant["detail"].endswith((weaker, none))
    if what == "dropped":
        return mutant["operator"] == "order" and mutant["detail"].endswith("-> none")
    return mutant["operator"] == ("never" if what.startswith("never") else "always")


def states(mutants):
    return [m["state"] for m in mutants]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("linchpin")
    parser.add_argument("folder")
    parser.add_argument("--only", default="*")
    options = parser.parse_args()
    zoo = os.path.join(options.folder, "zoo")
    structures = {s[0]: s for s in load(os.path.join(zoo, "mutants")).STRUCTURES}
    answers, counts = {}, {"same": 0, "other": 0, "none": 0}
    with open(os.path.join(zoo, "mutants.tsv"), encoding="utf-8") as table:
        rows = [r for r in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE)
                if fnmatch.fnmatch(r["structure"], options.only) and "--random" not in r["check"] and "invalid order" not in r["result"]]
    for row in rows:
        key = (row["structure"], row["check"])
        if key not in answers:
            answers[key] = ask(options.linchpin, zoo, structures[row["structure"]], row["check"])
        like = [m for m in answers[key] if is_like(row, m)]
        found = "none" if not like else "same" if row["result"].split(":")[0] in states(like) else "other"
        counts[found] += 1
        if found != "same":
            print("%s:%s %s: %s, not %s" % (row["structure"], row["line"], row["weakened"],
                                            ", ".join(states(like)) or "no such mutant", row["result"]))
    print("%(same)d mutants as in zoo/mutants.tsv, %(other)d others, %(none)d missing" % counts)
    return 1 if counts["other"] or counts["none"] or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
