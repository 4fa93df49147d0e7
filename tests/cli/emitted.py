#!/usr/bin/env python3
"""--emit-test, for every violation of the examples and of the zoo: the program that is written fails under `linchpin run`.

usage: emitted.py LINCHPIN ROOT [EACH]      rows of the tables in ROOT/zoo/expected.d: every EACH-th of the fast ones (default: all)

What is run is the command that stands in the program.  Where no result tells a client what came first, no program can be
written, and the report says so; that is only so with "not synchronised".

The programs of the rows in TOO_LONG are written, but not run: `linchpin run` has no answer for them within minutes.  The last line
says how many these are.  Any other program without an answer after LIMIT seconds is a failure, which names the row.
"""
import glob
import os
import re
import shlex
import subprocess
import sys
import tempfile

LINCHPIN, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
EACH = int(sys.argv[3]) if len(sys.argv) > 3 else 1
LIMIT = 300
# The bound of the program, which is that of the row and one for each step, leaves nothing out: it takes as long as without one.
TOO_LONG = {("b245_elimination.c", "-DB2", "--ops push=3,pop=3 --reuse --preemptions 2")}
COLUMNS = {"spec": "--spec", "property": "--prop", "sync": "--sync", "model": "--model"}


def violations():
    for table in sorted(glob.glob(os.path.join(ROOT, "zoo", "expected.d", "*.tsv"))):
        with open(table) as lines:
            rows = [line.rstrip("\n").split("\t") for line in lines if line.strip() and not line.startswith("#")]
        for row in rows[1:]:
            row = {name: "" if value == "-" else value for name, value in zip(rows[0], row)}
            command = row["options"].split(" ")[0]
            if row["verdict"] == "violation" and row["seconds"] == "fast" and (not command or command.startswith("-")):
                yield row


def run(words):
    done = subprocess.run([LINCHPIN, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def is_too_long(row):
    return (row["file"], row["flags"], row["options"]) in TOO_LONG


def wrong_with(row):
    """Returns an error message or None, and whether a program was written."""
    name = "test" + os.path.splitext(row["file"])[1]
    if os.path.exists(name):
        os.remove(name)
    words = ["check", os.path.join(ROOT, "zoo", row["file"])]
    for column, option in COLUMNS.items():
        value = row[column]
        if column == "spec" and value.endswith(".c"): # another object, from the folder of the tables
            value = os.path.join(ROOT, "zoo", value)
        words += [option, value] if value else []
    words += shlex.split(row["options"]) + ["--no-suggest", "--emit-test", name, "--"] + shlex.split(row["flags"])
    status, text = run(words)
    if status != 1:
        return f"status {status}: {text}", False
    if not os.path.exists(name):
        fine = "no test was written: no result tells a client" in text and row["kind"] == "not synchronised"
        return None if fine else f"no test: {text}", False
    with open(name) as program:
        command = re.search(r"^ \*     linchpin (.*)$", program.read(), re.M)[1]
    if is_too_long(row):
        return None, True
    words = shlex.split(command)
    status, text = run([words[0], "--time", str(LIMIT), *words[1:]])
    return None if status == 1 else f"linchpin {command}: status {status}: {text[-600:]}", True


def main():
    rows = list(violations())[::EACH]
    written = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for row in rows:
            wrong, was_written = wrong_with(row)
            written += was_written
            if wrong:
                failures += 1
                print(f"{row['file']} {row['flags']} {row['options']}: {wrong}", flush=True)
    skipped = sum(is_too_long(row) for row in rows)
    print(f"{len(rows)} violations, {written} programs, {failures} do not fail, {skipped} not run")
    return 1 if failures or written < len(rows) // 2 else 0


sys.exit(main())
