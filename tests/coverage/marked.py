#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare coverage with what is marked in the sources.

usage: marked.py LINCHPIN FILE...

The first line of a file has the command, "options: check --ops 3".  Marks in comments: @+ the line is reached,
@- it is not, @0 it has no code, @fails it has, but that is an error; behind @+ may stand what a branch of the line never is:
"never +2" (to the line two below), "never case 4".  Lines with branches that are missed must be marked; the scope must give their number.
"@op WORD" marks an operation with an outcome that never occurred; WORD is the beginning of the message.  If a file has such marks, all such operations must be marked.
Each file is explored by one process and by two, and compiled at all levels of optimisation.
"""
import json
import re
import subprocess
import sys

MARK = re.compile(r"@(\+|-|0|fails)(?: never ([a-z0-9+, -]+?))?\s*(?:\*/|$)")


def explore(linchpin, path, more):
    first = open(path).readline()
    command, *options = re.search(r"options: (.*?)(?:\*/)?$", first)[1].split()
    if "states" == command:
        more = [word for word in more if word not in ("-j", "2")]
    done = subprocess.run([linchpin, command, path, *options, "--coverage", "--json",
                           *(more if "--" in more else [*more])], capture_output=True, text=True)
    if not done.stdout:
        sys.exit(f"{path}: {done.stderr}")
    return json.loads(done.stdout)


def expected(path):
    marks = {}
    for number, text in enumerate(open(path), 1):
        found = MARK.search(text)
        if found:
            marks[number] = (found[1], found[2])
    return marks


def compare_operations(path, result, how):
    marked = sorted((number, word) for number, text in enumerate(open(path), 1) for word in re.findall(r"@op (\w+)", text))
    found = sorted((fact["line"], fact["never"].split()[0]) for fact in result["coverage"]["operations"])
    return [f"{path}: marked {marked}, found {found}{how}"] if marked and marked != found else []


def compare(path, result, how):
    wrong = []
    if result["verdict"] != "verified":
        return [f"{path}: {result['verdict']}: {result.get('text') or result.get('reason')}"]
    file = next(f for f in result["coverage"]["files"] if f["path"].endswith(path.split("/")[-1]))
    lines = {line["line"]: "+" if line["reached"] else "fails" if line.get("fails") else "-" for line in file["lines"]}
    missed = {}
    reached = {f["name"] for f in file["functions"] if f["reached"]}
    count = 0
    for branch in file["branches"]:
        for way in branch["ways"]:
            if way["reached"] or way.get("fails"):
                continue
            count += branch["function"] in reached
            if any(w["reached"] for w in branch["ways"]):
                missed.setdefault(branch["line"], set()).add(way["label"])
    marks = expected(path)
    for number, (mark, never) in marks.items():
        if lines.get(number, "0") != mark:
            wrong.append(f"{path}:{number}: marked @{mark}, is @{lines.get(number, '0')}{how}")
        for way in never.split(", ") if never else ():
            label = f"line {number + int(way)}" if way[0] in "+-" else way
            if any(m.startswith(label) for m in missed.get(number, ())):
                continue
            wrong.append(f"{path}:{number}: marked 'never {never}', is {sorted(missed.get(number, []))}{how}")
    for number in missed if marks else ():
        if not marks.get(number, (0, 0))[1]:
            wrong.append(f"{path}:{number}: never {sorted(missed[number])}, which is not marked{how}")
    wrong += compare_operations(path, result, how)
    said = sum(int(n) for n in re.findall(r"(\d+) (?:branch\w* )?of", result["scope"].get("not reached", "")))
    if said != count:
        wrong.append(f"{path}: {count} branches are missed, the scope says {said}{how}")
    return wrong


def main():
    linchpin, wrong, marks = sys.argv[1], [], 0
    for path in sys.argv[2:]:
        results = {}
        for how in ([], ["-j", "2"], ["--", "-O0"], ["--", "-O2"], ["--", "-O3"]):
            results[" ".join(how)] = result = explore(linchpin, path, how)
            wrong += compare(path, result, f" with {' '.join(how)}" if how else "")
        coverages = {json.dumps(r.get("coverage")) for r in results.values()}
        if len(coverages) > 1:
            wrong.append(f"{path}: coverage depends on the number of processes or the level of optimisation")
        if len({r.get("executions") for how, r in results.items()}) > 1:
            wrong.append(f"{path}: the number of executions depends on the level of optimisation")
        marks += len(expected(path)) + open(path).read().count("@op ")
    print("\n".join(wrong))
    print(f"{marks} marks, {len(wrong)} differences")
    return 1 if wrong or not marks else 0


sys.exit(main())
