#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mutants are killed, or survive, as expected.tsv says.

usage: run.py LINCHPIN SOURCE_FOLDER [--only PATTERN] [--show]

A row is an object with options of `linchpin mutants`, a mutant, and what is expected of it: "killed: KIND",
"survived: CLASS", "undecided", or "absent".  Objects with the same options are asked about once.  A mutant that is
killed is also given to `linchpin check`, which must find the same kind of violation: by the command that is printed.
"""
import argparse
import fnmatch
import json
import os
import shlex
import subprocess
import sys


def rows_of(path):
    """((object, options), mutant, expectation) of each row."""
    with open(path, encoding="utf-8") as table:
        for line in table:
            if line.strip() and not line.startswith("#"):
                subject, options, mutant, expected = line.rstrip("\n").split("\t")
                yield (subject, options), mutant, expected


def became(mutant):
    """The result of a mutant, in the words of the table."""
    if mutant["state"] == "killed":
        return "killed: " + mutant["kind"]
    return "survived: " + mutant["class"] if mutant["state"] == "survived" else mutant["state"]


def checked(linchpin, mutant, folder):
    """The kind of violation that `check` finds in it."""
    words = shlex.split(mutant["command"])
    at = words.index("--") if "--" in words else len(words)
    run = subprocess.run([linchpin, *words[1:at], "--json", "--no-suggest", *words[at:]], cwd=folder, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return json.loads(run.stdout).get("kind") if run.stdout else run.stderr


def ask(linchpin, folder, subject, options):
    """All mutants of the object by name, and the status."""
    words = shlex.split(options)
    at = words.index("--") if "--" in words else len(words)
    run = subprocess.run([linchpin, "mutants", subject, *words[:at], "--json", *words[at:]], cwd=folder, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    try:
        found = json.loads(run.stdout)
    except ValueError:
        sys.exit("%s %s: no answer: %s" % (subject, options, run.stderr))
    status = 1 if found["survived"] else 3 if found["undecided"] else 0
    if run.returncode != status:
        sys.exit("%s %s: status %d, not %d" % (subject, options, run.returncode, status))
    return {m["name"]: m for m in found["mutants"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("linchpin")
    parser.add_argument("folder")
    parser.add_argument("--only", default="*")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    linchpin = os.path.abspath(options.linchpin)
    table = os.path.join(os.path.dirname(os.path.realpath(__file__)), "expected.tsv")
    answers, wrong, count = {}, 0, 0
    for asked, name, expected in rows_of(table):
        if not fnmatch.fnmatch(" ".join(asked), options.only):
            continue
        if asked not in answers:
            answers[asked] = ask(linchpin, options.folder, *asked)
        mutant = answers[asked].get(name)
        found = became(mutant) if mutant else "absent"
        if found.startswith("killed: ") and found == expected:
            kind = checked(linchpin, mutant, options.folder)
            found = expected if kind == mutant["kind"] else "%s, but `check` says %s" % (found, kind)
        if found != expected or options.show:
            print("%s %s: %s: %s%s" % (*asked, name, found, "" if found == expected else ", not " + expected))
        wrong += found != expected
        count += 1
    print("%d mutants, %d not as expected" % (count, wrong))
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
