#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`linchpin check` confirms the fixes of `linchpin orders`.

usage: mend.py LINCHPIN ZOO [--only PATTERN] [--exhaustive] [--time S]

For each row of the tables of expected verdicts (ZOO/expected.d) that is a violation under rc11:

- with each fix, the object verifies; and with one order of it weaker, as far down as the source, it does not;
- what is said to be wrong under sc is; what no order is said to help against is right under sc.

All by processes of their own.  --exhaustive: trying all assignments gives the same fixes.
"""
import argparse
import fnmatch
import glob
import json
import os
import shlex
import subprocess
import sys

WEAKER = {"acquire": ["relaxed", "none"], "release": ["relaxed", "none"], "acq_rel": ["acquire", "release"],
          "seq_cst": ["acq_rel", "acquire", "release"]}
BELOW = {"relaxed": 0, "none": 0, "acquire": 1, "release": 1, "acq_rel": 2, "seq_cst": 3}


def rows(zoo):
    for table in sorted(glob.glob(os.path.join(zoo, "expected.d", "*.tsv"))):
        with open(table) as lines:
            names = lines.readline().rstrip("\n").split("\t")
            for line in lines:
                row = dict(zip(names, line.rstrip("\n").split("\t")))
                options = shlex.split(row["options"])
                words = " ".join(options)
                if row["verdict"] == "violation" and row["model"] == "rc11" and row["seconds"] == "fast" and \
                        not any(x in words for x in ("run", "states", "--ak", "--random", "--fit")):
                    yield row, options


def words(row, options):
    """The object and its options, the compiler's flags."""
    text = [row["file"]] + options
    for name in ("spec", "property", "sync"):
        if row[name] != "-":
            text += ["--" + {"property": "prop"}.get(name, name), row[name]]
    return text, shlex.split(row["flags"]) if row["flags"] != "-" else []


class Object:
    def __init__(self, linchpin, zoo, text, flags):
        self.linchpin, self.zoo, self.text, self.flags = linchpin, zoo, text, flags

    def run(self, command, *more):
        line = [self.linchpin, command] + self.text + list(more) + (["--"] + self.flags if self.flags else [])
        done = subprocess.run(line, cwd=self.zoo, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    def status(self, *more):
        return self.run("check", "-q", *more)[0]

    def with_orders(self, orders):
        return self.status("--order", ",".join(f"{name}={order}" for name, order in orders.items())) \
            if orders else self.status()


def weaker_orders(change):
    """The orders between what the source has and the fix, the fix apart, that the operation can have."""
    fits = {"load": ("relaxed", "acquire", "seq_cst"), "store": ("relaxed", "release", "seq_cst")}
    legal = fits["load"] if change["name"].endswith("/failure") else fits.get(change["operation"], tuple(BELOW))
    for order in WEAKER[change["to"]]:
        if order in legal and BELOW[order] >= BELOW[change["from"]] and \
                (BELOW[order] > BELOW[change["from"]] or order == change["from"]) and \
                (order != "none" or change["operation"] == "fence"):
            yield order


def examine_fix(obj, fix):
    orders = {c["name"]: c["to"] for c in fix["changes"]}
    wrong = []
    if obj.with_orders(orders):
        wrong.append(f"does not verify with {fix['order']}")
    for change in fix["changes"]:
        for order in weaker_orders(change):
            less = dict(orders)
            less[change["name"]] = order
            if order == change["from"]:
                del less[change["name"]]
            if obj.with_orders(less) != 1:
                wrong.append(f"{fix['order']} is not minimal: {change['name']}={order} is enough")
    return wrong


def examine(obj, given):
    status, out = obj.run("orders", "--json", "--time", str(given.time))
    found = json.loads(out)
    if status != 1:
        return [f"exit status {status}: {out[:300]}"], ""
    fixes = found.get("fixes", [])
    wrong = [text for fix in fixes for text in examine_fix(obj, fix)]
    why = found.get("no_fix", "")
    if "under sc" in why and obj.status("--model", "sc") != 1:
        wrong.append("is right under sc")
    if "no memory order" in why and obj.status("--model", "sc"):
        wrong.append("is wrong under sc")
    if "could not" in why:
        wrong.append(why)
    if not fixes and not why:
        wrong.append("nothing is said about fixes")
    if given.exhaustive and fixes:
        every = json.loads(obj.run("orders", "--json", "--exhaustive")[1])
        if sorted(f["order"] for f in every["fixes"]) != sorted(f["order"] for f in fixes):
            wrong.append(f"--exhaustive finds {[f['order'] for f in every['fixes']]}")
    return wrong, why or "; or ".join(f["text"] for f in fixes)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("linchpin")
    parser.add_argument("zoo")
    parser.add_argument("--only", default="*")
    parser.add_argument("--exhaustive", action="store_true")
    parser.add_argument("--time", type=float, default=60)
    given = parser.parse_args()
    linchpin = os.path.abspath(given.linchpin)
    failures = done = fixed = 0
    for row, options in rows(given.zoo):
        text, flags = words(row, options)
        name = " ".join(text + flags)
        if not fnmatch.fnmatch(name, given.only):
            continue
        done += 1
        wrong, line = examine(Object(linchpin, given.zoo, text, flags), given)
        fixed += "->" in line
        print(f"{'WRONG' if wrong else 'ok'}: {name}: {line}", flush=True)
        for message in wrong:
            print("   ", message, flush=True)
        failures += bool(wrong)
    print(f"{done} objects, {fixed} fixed by memory orders, {failures} wrong")
    return 1 if failures or not done else 0


if __name__ == "__main__":
    sys.exit(main())
