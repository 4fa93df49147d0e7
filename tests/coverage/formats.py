#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Coverage as text, as JSON, in lcov's format and on an HTML page agrees.

usage: formats.py LINCHPIN SOURCE_FOLDER

Where lcov is installed, it must understand what is written, and count the same.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

LINCHPIN, ROOT = sys.argv[1:3]
OBJECTS = ["docs/coverage/tickets.c", "examples/msqueue.c", "examples/spsc.cpp"]
wrong = []


def claim(what, truth):
    if not truth:
        wrong.append(what)


def run(*words):
    return subprocess.run([LINCHPIN, "check", *words, "--ops", "3"], cwd=ROOT, capture_output=True, text=True).stdout


def records(path):
    files, now = {}, None
    for line in open(path):
        key, _, value = line.strip().partition(":")
        if key == "SF":
            now = files.setdefault(value, {"DA": {}, "BRDA": [], "FNDA": {}})
        elif key == "DA":
            now["DA"][int(value.split(",")[0])] = int(value.split(",")[1])
        elif key == "BRDA":
            now["BRDA"].append(value.split(","))
        elif key == "FNDA":
            now["FNDA"].setdefault(value.split(",")[1], int(value.split(",")[0]))
        elif key in ("LF", "LH", "BRF", "BRH", "FNF", "FNH"):
            now[key] = int(value)
    return files


def compare(name, coverage, files):
    """JSON with lcov's records."""
    claim(f"{name}: files", set(files) == {f["path"] for f in coverage["files"]})
    for file in coverage["files"]:
        r = files[file["path"]]
        claim(f"{name}: lines", r["DA"] == {line["line"]: int(line["reached"]) for line in file["lines"]})
        claim(f"{name}: sums of lines", (r["LF"], r["LH"]) == (len(r["DA"]), sum(r["DA"].values())))
        ways = [w for b in file["branches"] for w in b["ways"]]
        claim(f"{name}: branches", (r["BRF"], r["BRH"]) == (len(ways), sum(w["reached"] for w in ways)))
        claim(f"{name}: taken", [b[3] == "1" for b in r["BRDA"]] == [w["reached"] for w in ways])
        claim(f"{name}: functions", (r["FNF"], r["FNH"]) ==
              (len(file["functions"]), sum(f["reached"] for f in file["functions"])))


def check_one(name, folder):
    info, page = os.path.join(folder, "one.info"), os.path.join(folder, "one.html")
    result = json.loads(run(name, "--coverage", "--json", "--lcov", info, "--html", page))
    coverage = result["coverage"]
    compare(name, coverage, records(info))
    text = run(name, "--coverage")
    said = re.search(r"coverage: (\d+) of (\d+) lines, (\d+) of (\d+) branches, (\d+) of (\d+) functions", text)
    sums = [coverage[k][n] for k in ("lines", "branches", "functions") for n in ("reached", "all")]
    claim(f"{name}: text", said and [int(n) for n in said.groups()] == sums)
    for fact in coverage["operations"]:
        claim(f"{name}: {fact}", f"{fact['what']} never {fact['never']}" in text)
    data = json.loads(re.search(r'id="data">\n(.*)\n</script>', open(page).read())[1])
    claim(f"{name}: page", data["result"]["coverage"] == coverage)
    for source in data["covered"]:
        claim(f"{name}: source", source["lines"] == open(source["path"]).read().splitlines())
    plain = json.loads(run(name, "--json"))
    # Attempts that can only fail are carried out for the sake of coverage: there are more blocked executions.
    claim(f"{name}: executions", plain["executions"] == result["executions"] and plain["blocked"] <= result["blocked"])
    claim(f"{name}: unasked", "coverage" not in plain)
    claim(f"{name}: quiet", "coverage:" not in run(name, "--coverage", "-q"))
    return info


def check_several(folder):
    info = os.path.join(folder, "all.info")
    run(*OBJECTS, "-q", "--lcov", info)
    together = records(info)
    for name in OBJECTS:
        one = os.path.join(folder, "again.info")
        run(name, "-q", "--lcov", one)
        for path, record in records(one).items():
            claim(f"{name}: among several", together.get(path) == record)
    return info


def check_lcov(info):
    if not shutil.which("lcov"):
        print("lcov is not installed: not asked")
        return
    said = subprocess.run(["lcov", "--summary", info, "--rc", "lcov_branch_coverage=1"], capture_output=True, text=True)
    got = re.search(r"lines\.*: .*\((\d+) of (\d+) lines\)", said.stdout + said.stderr)
    files = records(info).values()
    claim("lcov: " + said.stdout + said.stderr,
          got and [int(n) for n in got.groups()] == [sum(f["LH"] for f in files), sum(f["LF"] for f in files)])


with tempfile.TemporaryDirectory() as place:
    for each in OBJECTS:
        check_one(each, place)
    check_lcov(check_several(place))
    cannot = subprocess.run([LINCHPIN, "check", OBJECTS[0], "--lcov", place + "/no/such/folder"], cwd=ROOT,
                            capture_output=True, text=True)
    claim("a file that cannot be written", cannot.returncode == 2 and "cannot write" in cannot.stderr)
print("\n".join(wrong) or "all formats agree")
sys.exit(1 if wrong else 0)
