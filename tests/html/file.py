#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The file of a page has all data, and refers to nothing outside.

usage: file.py LINCHPIN ROOT
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

import pages
from pages import expect


def without_cost(result):
    """What may differ between two runs, or between JSON and the page written before it."""
    return {name: value for name, value in result.items() if name not in ("seconds", "peak_rss_kb", "files")}


def check_alone(made):
    expect(not made.page.links, f"{made.name}: refers to {made.page.links}")
    for what in ("script", "style"):
        text = getattr(made.page, what)
        expect(text.strip(), f"{made.name}: no {what}")
        expect(not re.search(r"https?:|//\w+\.\w|url\(['\"]?[^#'\"]|@import|fetch\(|XMLHttp", text),
               f"{made.name}: its {what} refers to something else")
    expect(made.page.tags.count("script") == 2, f"{made.name}: the data break out of their element")
    expect(not re.search(r"^@\w+@$", made.text, re.M), f"{made.name}: a part is missing")


def check_result(made, root):
    data = made.data
    expect(without_cost(data["result"]) == without_cost(made.json), f"{made.name}: not what --json says")
    violation = data["result"].get("violation", {})
    places = {step["where"] for step in violation.get("steps", []) if "where" in step}
    sources = {source["file"]: source for source in data["sources"]}
    for where in places | ({violation["where"]} if "where" in violation else set()):
        name, line = where.rsplit(":", 1)
        source = sources.get(name)
        expect(source and source["first"] <= int(line) < source["first"] + len(source["lines"]),
               f"{made.name}: the source of {where} is missing")
        original = os.path.join(root, "examples", name)
        if source and os.path.exists(original):
            with open(original) as text:
                lines = text.read().split("\n")
            expect(source["lines"][int(line) - source["first"]] == lines[int(line) - 1],
                   f"{made.name}: another line at {where}")


def happens_before(steps):
    """For each step, those that happen before it: the closure of po and happens_after."""
    past = []
    for i, step in enumerate(steps):
        direct = [j for j in range(i) if steps[j]["thread"] == step["thread"]] + step.get("happens_after", [])
        past.append({k for j in direct for k in past[j] | {j}} if all(j < i for j in direct) else {i})
    return past


def check_happens_before(made):
    steps = made.json.get("violation", {}).get("steps", [])
    past = happens_before(steps)
    strong = ("acq_rel", "seq_cst")
    for i, step in enumerate(steps):
        expect(i not in past[i], f"{made.name}: step {i + 1} happens before itself, or before an earlier one")
        source = step.get("reads_from")
        if isinstance(source, int) and step.get("order") in ("acquire", *strong) and \
           steps[source].get("order") in ("release", *strong):
            expect(source in past[i], f"{made.name}: step {i + 1} acquires, and nothing comes of it")


def check_histories(made):
    data = made.data
    expect(without_cost(data["histories"]) == without_cost(made.json), f"{made.name}: not what --json says")
    files = data["histories"].get("files", [data["histories"]])
    expect(len(files) == len(data["recorded"]), f"{made.name}: not all histories are there")
    for file, recorded in zip(files, data["recorded"]):
        columns = [recorded[name] for name in ("thread", "start", "end", "line", "text")]
        expect({len(column) for column in columns} == {file["calls"]}, f"{made.name}: not all calls are there")
        calls = set(zip(*columns[:3], columns[4]))
        for call in file.get("violation", {}).get("calls", []):
            text = call["call"] + (f" -> {call['result']}" if "result" in call else "")
            key = (call["thread"], *(int(call[end]) - int(recorded["origin"]) for end in ("start", "end")), text)
            expect(key in calls, f"{made.name}: {text} is not among the calls")


def check_syntax(made):
    """A JavaScript engine, if there is one, reads the script."""
    with tempfile.NamedTemporaryFile("w", suffix=".js") as script:
        script.write(made.page.script)
        script.flush()
        done = subprocess.run(["node", "--check", script.name], capture_output=True, text=True)
    expect(done.returncode == 0, f"the script is wrong: {done.stderr}")


def main():
    linchpin, root = (os.path.realpath(word) for word in sys.argv[1:])
    made = pages.make(linchpin, root)
    for page in made.values():
        check_alone(page)
        if "result" in page.data:
            check_result(page, root)
            check_happens_before(page)
        else:
            check_histories(page)
    expect(made["report"].data["result"]["violation"]["client"] == made["check"].json["violation"]["client"],
           "report: another client than was found")
    # A link that is not released: what T1 does happens before nothing that T2 does.  What T0
    # did before them does, if there is any of it.
    steps = made["race"].json["violation"]["steps"]
    prepared = any(step["thread"] == 0 for step in steps)
    for i, past in enumerate(happens_before(steps)):
        before = {steps[j]["thread"] for j in past}
        if steps[i]["thread"] == 2:
            expect((0 in before) == prepared and 1 not in before, f"race: step {i + 1} happens after steps of {before}")
    for name in ("states", "grown"):
        told = made[name].json
        expect(sum(told["states_by_depth"]) == told["states"] and told["states_by_depth"][0] == 1,
               f"{name}: the states by depth are not all states")
    if shutil.which("node"):
        check_syntax(made["run"])
    return pages.report(made)


if __name__ == "__main__":
    sys.exit(main())
