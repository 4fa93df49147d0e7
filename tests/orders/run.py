#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`linchpin check` confirms the answers of `linchpin orders`.

usage: run.py LINCHPIN ZOO [--only PATTERN] [--exhaustive N] [--patch] [--time S] [--rows]

For each row of the tables of expected verdicts (ZOO/expected.d) that verifies under rc11: every minimal
assignment is checked again with --order, by a process of its own, and must verify; and the command
that is shown for each next weaker order must end with a violation.  What `orders` does not finish in
S seconds is listed, and is no failure.

--exhaustive N: if there are at most N assignments, all of them are tried instead, and the minimal ones must be
the same.  --patch: the patch is applied to a copy, which must verify, and in which no order can be weaker but for
what the patch is said to lack.  --rows lists the rows.
"""
import argparse
import fnmatch
import glob
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile


def rows(zoo):
    for table in sorted(glob.glob(os.path.join(zoo, "expected.d", "*.tsv"))):
        with open(table) as lines:
            names = lines.readline().rstrip("\n").split("\t")
            for line in lines:
                row = dict(zip(names, line.rstrip("\n").split("\t")))
                options = shlex.split(row["options"])
                if row["verdict"] == "verified" and row["model"] == "rc11" and row["seconds"] == "fast" and \
                        "run" not in options and "states" not in options and "--no-orders" not in options:
                    yield row, options


def words(row, options):
    """The object and its options, the compiler's flags."""
    text = [row["file"]] + options
    for name in ("spec", "property", "sync"):
        if row[name] != "-":
            text += ["--" + {"property": "prop"}.get(name, name), row[name]]
    return text, shlex.split(row["flags"]) if row["flags"] != "-" else []


def run(linchpin, zoo, command, text, flags, more):
    line = [linchpin, command] + text + more + (["--"] + flags if flags else [])
    done = subprocess.run(line, cwd=zoo, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def assignments(sites):
    """How many there are, at most."""
    legal = {"load": 3, "store": 3}
    count = 1
    for site in sites:
        if site["now"] in ("relaxed", "none"):
            continue
        two = site["now"] in ("acquire", "release")
        count *= 2 if two else legal.get(site["operation"], 4 if site["now"] == "acq_rel" else 5)
    return count


def compare(linchpin, zoo, text, flags, found):
    """What an exhaustive search finds that is different."""
    status, out, _ = run(linchpin, zoo, "orders", text, flags, ["--json", "--exhaustive"])
    if status:
        return [f"--exhaustive: exit status {status}: {out[:300]}"]
    every = json.loads(out)
    if sorted(m["order"] for m in every["minimal"]) != sorted(m["order"] for m in found["minimal"]):
        return [f"--exhaustive finds {[m['order'] for m in every['minimal']]}, "
                f"not {[m['order'] for m in found['minimal']]}"]
    return []


def try_patch(linchpin, zoo, text, flags):
    """What is wrong with the object once the patch is applied."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("examples", "zoo"):
            shutil.copytree(os.path.join(zoo, "..", name), os.path.join(folder, name))
        copy = os.path.join(folder, "zoo")
        top = [os.path.normpath(os.path.join("zoo", text[0]))] + text[1:]
        found = json.loads(run(linchpin, folder, "orders", top, flags, ["--json", "--patch", "p"])[1])
        with open(os.path.join(folder, "p")) as patch:
            if patch.read():
                done = subprocess.run(["patch", "-p1", "-s", "-i", "p"], cwd=folder, capture_output=True, text=True,
                                      check=False)
                if done.returncode:
                    return [f"the patch cannot be applied: {done.stdout}{done.stderr}"]
        if run(linchpin, copy, "check", text, flags, ["-q"])[0]:
            return ["does not verify with the patch"]
        again = json.loads(run(linchpin, copy, "orders", text, flags, ["--json"])[1])
        weaker = sum(site["now"] != site["needed"] for site in again["sites"])
        lacks = sum(1 for _ in found["unpatched"])
        # A compare-exchange has two orders.
        return [f"{weaker} orders can be weaker with the patch"] if weaker > 2 * lacks else []


def examine(linchpin, zoo, row, options, given):
    """What is wrong with what `orders` says of the row, and a line about it."""
    text, flags = words(row, options)
    status, out, err = run(linchpin, zoo, "orders", text, flags, ["--json", "--all", "--time", str(given.time)])
    if status == 3 and json.loads(out)["reason"] == "time limit reached":
        return [], "undecided"
    if status:
        return [f"exit status {status}: {out}{err}"[:500]], ""
    found = json.loads(out)
    wrong = []
    for minimal in found["minimal"]:
        more = ["--order", minimal["order"]] if minimal["order"] else []
        if run(linchpin, zoo, "check", text, flags, ["-q"] + more)[0]:
            wrong.append(f"does not verify: {minimal['order']}")
    whys = [why for site in found["sites"] for why in site["why"]]
    for why in whys:
        weaker = shlex.split(why["command"])[1:]
        if subprocess.run([linchpin] + weaker[:1] + ["-q"] + weaker[1:], cwd=zoo, capture_output=True,
                          check=False).returncode != 1:
            wrong.append(f"no violation: {why['command']}")
    count = assignments(found["sites"])
    if found["all"] and count <= given.exhaustive:
        wrong += compare(linchpin, zoo, text, flags, found)
    if given.patch:
        wrong += try_patch(linchpin, zoo, text, flags)
    weaker = sum(site["now"] != site["needed"] for site in found["sites"])
    return wrong, (f"{len(found['sites'])} orders, {weaker} weaker; {len(found['minimal'])} minimal"
                   f"{'' if found['all'] else ' or more'}; {len(whys)} next weaker ones; {count} assignments, "
                   f"{found['tried']} tried; {found['seconds']:.2f} s")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("linchpin")
    parser.add_argument("zoo")
    parser.add_argument("--only", default="*")
    parser.add_argument("--exhaustive", type=int, default=0)
    parser.add_argument("--patch", action="store_true")
    parser.add_argument("--time", type=float, default=900)
    parser.add_argument("--rows", action="store_true")
    given = parser.parse_args()
    linchpin = os.path.abspath(given.linchpin)
    failures = done = 0
    for row, options in rows(given.zoo):
        name = " ".join(words(row, options)[0] + words(row, options)[1])
        if not fnmatch.fnmatch(name, given.only):
            continue
        done += 1
        if given.rows:
            print(name)
            continue
        wrong, line = examine(linchpin, given.zoo, row, options, given)
        print(f"{'WRONG' if wrong else 'ok'}: {name}: {line}", flush=True)
        for text in wrong:
            print("   ", text, flush=True)
        failures += bool(wrong)
    print(f"{done} objects, {failures} wrong")
    return 1 if failures or not done else 0


if __name__ == "__main__":
    sys.exit(main())
