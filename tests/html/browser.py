#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pages in a browser: opened, used by keys and pointer, and compared with the data.

usage: browser.py LINCHPIN ROOT

Skipped, with status 77, where no Chromium is installed.
"""
import http.server
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import pages
import picture
from pages import expect

HERE = os.path.dirname(os.path.realpath(__file__))
PATIENCE = 100  # seconds
SANDBOX = ["--no-sandbox"] if os.geteuid() == 0 else []


class Exchange(http.server.BaseHTTPRequestHandler):
    """Gives the browser its page, and takes what driver.js notes."""

    def do_GET(self):
        found = self.path == "/"
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(self.server.page if found else b"")

    def do_POST(self):
        self.server.notes = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def browse(chromium, made):
    """What driver.js notes."""
    texts = json.dumps({page.name: page.text for page in made.values()}).replace("<", "\\u003c")
    with open(os.path.join(HERE, "driver.js")) as driver:
        page = ("<!DOCTYPE html><meta charset=utf-8><body>"
                f"<script type=application/json id=pages>{texts}</script><script>{driver.read()}</script>")
    server = http.server.HTTPServer(("127.0.0.1", 0), Exchange)
    server.page, server.notes, server.timeout = page.encode(), None, 1
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        command = [chromium, "--headless", "--disable-gpu", f"--user-data-dir={folder}", "--window-size=1300,1000",
                   "--no-first-run", "--disable-background-networking", *SANDBOX,
                   f"http://127.0.0.1:{server.server_port}/"]
        with open(os.path.join(folder, "log"), "w+") as log:
            browser = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
            given_up = time.monotonic() + PATIENCE
            while not server.notes and browser.poll() is None and time.monotonic() < given_up:
                server.handle_request()
            if browser.poll() is None:
                os.killpg(browser.pid, signal.SIGKILL)
            browser.wait()
            if not server.notes:
                log.seek(0)
                sys.exit(f"the browser gave nothing:\n{log.read()[-2000:]}")
    server.server_close()
    return server.notes


def edges_of(steps):
    """The edges, computed again from their definitions."""
    edges = {kind: [] for kind in ("po", "rf", "co", "hb", "fr")}
    for i, step in enumerate(steps):
        before = [j for j in range(i) if steps[j]["thread"] == step["thread"]]
        edges["po"] += [[before[-1], i]] if before else []
        edges["rf"] += [[step["reads_from"], i]] if isinstance(step.get("reads_from"), int) else []
        edges["co"] += [[step["overwrites"], i]] if isinstance(step.get("overwrites"), int) else []
        edges["hb"] += [[j, i] for j in step.get("happens_after", [])]
        if "reads_from" in step:
            edges["fr"] += [[i, j] for j, write in enumerate(steps)
                            if j != i and write.get("overwrites") == step["reads_from"] and write["place"] == step["place"]]
    return {kind: sorted(pairs) for kind, pairs in edges.items() if pairs}


def check_steps(name, note, result):
    steps = result["violation"]["steps"]
    sources = {}
    expect(len(note["steps"]) == len(steps), f"{name}: {len(note['steps'])} steps instead of {len(steps)}")
    for i, (seen, step) in enumerate(zip(note["steps"], steps)):
        expect(seen["step"].startswith(f"step {i + 1} of {len(steps)}: T{step['thread']} "), f"{name}: step {i + 1} says {seen['step']}")
        expect(seen["event"] == f"event-{i}", f"{name}: {seen['event']} is marked at step {i + 1}")
        line = int(step["where"].rsplit(":", 1)[1]) if "where" in step else None
        expect(seen["line"] == line, f"{name}: line {seen['line']} at step {i + 1}")
        expect(step["action"] in seen["facts"] and step["action"] in seen["spoken"], f"{name}: step {i + 1} lacks its action")
        for value in ("read", "wrote", "order"):
            expect(step.get(value, "") in seen["facts"], f"{name}: step {i + 1} lacks {value}")
        origin = step.get("reads_from")
        if origin is not None:
            wanted = "the initial value" if origin == "initial" else f"{origin + 1} T{steps[origin]['thread']}"
            expect(wanted in seen["facts"], f"{name}: step {i + 1} does not say where it reads from: {seen['facts']}")
            missed = [j for j, write in enumerate(steps) if j != i and write.get("overwrites") == origin and write["place"] == step["place"]]
            wanted = f"overwritten by\t{missed[0] + 1} T" if missed else "\n"
            expect(("overwritten by" in seen["facts"]) == bool(missed) and wanted in seen["facts"],
                   f"{name}: step {i + 1}: what was overwritten? {seen['facts']}")
        sources.setdefault(step.get("where"), set()).add(seen["source"])
    expect(all(len(texts) == 1 for texts in sources.values()), f"{name}: one line has two texts")
    expect(note["last"]["event"] == f"event-{len(steps) - 1}", f"{name}: one can go past the last step")


def decisive(violation):
    """The race; or the last read of an old value, or of what another thread has written; or the last step."""
    steps, old, met = violation["steps"], [], []
    if "race" in violation:
        return violation["race"][1]
    for i, step in enumerate(steps):
        origin = step.get("reads_from")
        if origin is None:
            continue
        if "read" in step and any(other.get("overwrites") == origin and other.get("place") == step["place"] and "wrote" in other and
                                  other["thread"] != step["thread"] for other in steps[:i]):
            old.append(i)
        if isinstance(origin, int) and steps[origin]["thread"] != step["thread"] and (steps[origin]["thread"] or "client" not in violation):
            met.append(i)
    return (old or met or [len(steps) - 1])[-1]


def check_opening(name, note, result):
    """The page opens at the decisive step, which is marked; a race is drawn; columns are headed by their calls; edges avoid boxes."""
    violation = result["violation"]
    wanted = decisive(violation)
    expect(note["opened"]["event"] == f"event-{wanted}", f"{name}: opens on {note['opened']['event']}, not {wanted}")
    marked = "decisive" in note["opened"]["facts"]
    expect(note["badges"] == ([f"event-{wanted}"] if marked else []), f"{name}: badges at {note['badges']}")
    expect(note["race"] == int("race" in violation), f"{name}: {note['race']} edges of a race")
    expect(not note["crossed"], f"{name}: edges through boxes: {note['crossed']}")
    for call in violation.get("client", {}).get("calls", []):
        if call["lane"] and any(step["thread"] == call["thread"] for step in violation["steps"]):
            expect(any(head.startswith(f"T{call['thread']}: ") for head in note["heads"]), f"{name}: columns {note['heads']}")


def check_folds(name, note, result):
    """The set-up of an object is one row, except for the store that the decisive step reads; a click on the row shows its steps."""
    violation, folds = result["violation"], note["folds"]
    steps, at = violation["steps"], decisive(violation)
    first = next((i for i, step in enumerate(steps) if step["thread"]), 0)
    needed = min([i for i in (at, steps[at].get("reads_from")) if isinstance(i, int)] + [first])
    wanted = list(range(needed)) if "client" in violation and needed > 1 else []
    expect(folds["hidden"] == wanted, f"{name}: steps {folds['hidden']} are folded, not {wanted}")
    expect(folds["texts"] == ([f"\u25b8 set-up: steps 1 to {needed}"] if wanted else []), f"{name}: folds {folds['texts']}")
    expect(not folds["opened"]["hidden"] and not folds["opened"]["folds"], f"{name}: a click on a fold leaves {folds['opened']}")
    expect(not wanted or folds["opened"]["step"] == "event-0", f"{name}: a click on a fold leads to {folds['opened']}")


def check_phone(name, note):
    """At 390 pixels: only what has its own scroll bar is wider, letters have nine pixels, and columns are named in whole words."""
    expect(note["wide"] <= 0 and not note["outside"], f"{name} on a phone: {note['wide']} pixels too wide, {note['outside']}")
    expect(note["letters"] >= 8.9, f"{name} on a phone: letters of {note['letters']} pixels")
    expect(not note["over"], f"{name} on a phone: {note['over']} things over others: {note['heads']}")
    expect(all(len(head) > 9 or not head.endswith("\u2026") for head in note["heads"]), f"{name} on a phone: columns {note['heads']}")


def check_why(name, note, why):
    """The sentence is at the top right."""
    expect(bool(why) == bool(note.get("why")), f"{name}: says '{note.get('why')}' for '{why}'")
    if why:
        expect(why in " ".join(note["why"]), f"{name}: says {note['why']}, not '{why}'")
        expect(note["whyPlace"] is None or (note["whyPlace"]["beside"] and note["whyPlace"]["above"]), f"{name}: the sentence is at {note['whyPlace']}")


def check_relations(name, note, result):
    drawn = {kind: sorted(pairs) for kind, pairs in note["edges"].items()}
    expect(drawn == edges_of(result["violation"]["steps"]), f"{name}: other edges: {drawn}")
    on = {kind: kind in ("po", "rf", "fr") for kind in ("po", "rf", "co", "hb", "fr")}
    shown = note["shown"]
    expect(shown["first"] == on, f"{name}: at first {shown['first']}")
    expect(shown["keys"] == on | {"rf": False, "hb": True} and note["pressed"] == "false", f"{name}: keys r and h give {shown['keys']}")
    expect(shown["clicked"] == on | {"hb": True}, f"{name}: a click gives {shown['clicked']}")
    expect(not any(shown["none"].values()) and all(shown["all"].values()), f"{name}: key e")
    expect(note["larger"], f"{name}: key +")
    expect(note["clicked"] == "event-0", f"{name}: a click on an event")


def check_layout(name, note, violation):
    """The graph is as wide as its place, its rows are apart, and its heads do not scroll away."""
    expect(note["fits"] and note["apart"] and note["headsStay"], f"{name}: the graph does not fit: {note['fits']}, {note['apart']}, {note['headsStay']}")
    threads = sorted({step["thread"] for step in violation["steps"] + ([violation] if "where" in violation else [])})
    expect([head.split(":")[0] for head in note["heads"]] == [f"T{thread}" for thread in threads], f"{name}: heads {note['heads']}")


def check_painted(chromium, page):
    """Light, dark and paper, as they are painted: the colours that the style gives to things."""
    light, dark = (dict(re.findall(r"--([a-z-]+): (#[0-9a-f]+)", part)) for part in page.page.style.split("prefers-color-scheme: dark")[:2])
    for scheme, style in (("light", light), ("dark", dark)):
        setting = f"--blink-settings=preferredColorScheme={int(scheme == 'light')}"
        found, corner = picture.colours(picture.shoot(chromium, SANDBOX, page.text, "png", setting))

        def value(name):
            digits = style[name][1:] if len(style[name]) == 7 else "".join(2 * digit for digit in style[name][1:])
            return tuple(bytes.fromhex(digits))
        expect(corner == value("paper") and (sum(corner) > 600) == (scheme == "light"), f"{scheme}: the corner is {corner}")
        for name, least in (("paper", 100000), ("panel", 10000), ("bar", 2000), ("core", 1000), ("bad", 50), ("ink", 300)):
            expect(found[value(name)] >= least, f"{scheme}: {found[value(name)]} points of '{name}'")
    paper = picture.shoot(chromium, SANDBOX, page.text, "pdf")
    expect(paper.startswith(b"%PDF"), "nothing was printed")
    if shutil.which("pdftotext"):
        text = subprocess.run(["pdftotext", "-layout", "-", "-"], input=paper, stdout=subprocess.PIPE, check=True).stdout.decode()
        rows = re.findall(r"^ *(\d+) +T\d+ .*counter\.c:\d+ ", text, re.M)
        steps = page.data["result"]["violation"]["steps"]
        expect(rows == [str(i + 1) for i in range(len(steps))], f"on paper, the table has steps {rows}")
        expect("next step" not in text, "keys are of no use on paper")


def check_client(name, note, client):
    texts = [call["call"] for call in client["calls"] if call["lane"]]
    expect(len(note["bars"]) == len(texts) and all(text in bar for text, bar in zip(texts, note["bars"])), f"{name}: bars {note['bars']}")
    if client["closest"]:
        left = len(client["calls"]) - len(client["closest"])
        expect(note["misfits"] == left, f"{name}: {note['misfits']} calls are marked")
        expect(len(note["closest"]) == len(client["calls"]), f"{name}: the order is {note['closest']}")
        for place, call in enumerate(client["closest"]):
            expect(note["closest"][place].startswith(f"{place + 1}  {client['calls'][call]['call']}"), f"{name}: {note['closest']}")
    picked = note["picked"]
    expect(f": T{picked['thread']} " in picked["step"], f"{name}: a click on a call leads to {picked['step']}")


def check_growth(name, note, levels):
    expect([bar["states"] for bar in note["levels"]] == levels, f"{name}: the plot has other states")
    tallest = max(bar["height"] for bar in note["levels"])
    sum_so_far = 0
    for i, bar in enumerate(note["levels"]):
        sum_so_far += bar["states"]
        expect(abs(bar["height"] / tallest - bar["states"] / max(levels)) < 1e-3, f"{name}: the bar of level {i}")
        expect(f"at distance {i}, {sum_so_far:,} so far" in bar["title"], f"{name}: {bar['title']}")


def check_counted(name, note, data):
    counted, recorded = data["histories"]["counted"], data["recorded"][0]
    most = max(c["events"] for c in counted)
    expect([c["k"] for c in counted] == list(range(4)) == [bar["k"] for bar in note["counted"]], f"{name}: for which k?")
    widest = max(bar["width"] for bar in note["counted"])
    for c, bar in zip(counted, note["counted"]):
        expect(bar["seen"] == c["seen"] and c.get("text", "") in bar["label"], f"{name}: {bar} for {c}")
        expect(abs(bar["width"] / widest - c["events"] / most) < 0.01, f"{name}: the bar of A_{c['k']}")
    seen = [c["events"] for c in counted if c["seen"]]
    expect(seen == sorted(seen, reverse=True) and not counted[0]["seen"], f"{name}: a larger k sees less: {counted}")
    last = counted[-1]
    call = recorded["line"].index(last["line"])
    expect(f"line {last['line']}" in note["countedTold"] and last["text"] in note["countedTold"], f"{name}: {note['countedTold']}")
    expect(recorded["thread"][call] == last["thread"], f"{name}: another thread's call")
    view = note["views"]["counted"]
    expect(view["left"] <= recorded["start"][call] and view["scale"] > 5 * note["views"]["all"]["scale"],
           f"{name}: the call is not in view: {view}")


def check_history(name, note, data):
    result = data["histories"]
    violation, recorded = result["violation"], data["recorded"][-1]
    attempt, sequence = note["attempt"], violation["order"] + [stuck["call"] for stuck in violation["stuck"]]
    expect(note["label"].startswith(f"{pages.CALLS:,} calls of {pages.THREADS} threads"), f"{name}: {note['label']}")
    expect(len(attempt) == len(sequence), f"{name}: the attempt is {attempt}")
    for call, text, seen in zip(sequence, attempt, note["sequence"]):
        wanted = violation["calls"][call]
        expect(wanted["call"] in text and wanted["where"] in text, f"{name}: {text}")
        expect(len(seen["current"]) == 1 and wanted["call"] in seen["current"][0] and wanted["where"] in seen["told"],
               f"{name}: stepping shows {seen}")
    # The sentence: the kind of error, what comes first, and what cannot come next, at the top right.
    expect(result["text"] in note["why"] and "can come" in note["why"] and note["whyPlace"] == {"beside": True, "above": True},
           f"{name}: says '{note['why']}' at {note['whyPlace']}")
    views = note["views"]
    ends = [int(call[end]) - int(recorded["origin"]) for call in violation["calls"] for end in ("start", "end")]
    for core in ("start", "core"):
        view = views[core]
        expect(view["left"] <= min(ends) and view["wrong"] > 0, f"{name}: the wrong calls are not in view: {view}")
    expect(views["all"]["scale"] < views["core"]["scale"] and views["all"]["left"] <= 0, f"{name}: key 0")
    expect(all(view["bars"] or key == "alone" for key, view in views.items()), f"{name}: an empty picture: {views}")
    expect(views["all"]["drawn"] > 1000, f"{name}: {views['all']['drawn']} calls are drawn of all")
    expect(views["larger"]["scale"] > views["core"]["scale"], f"{name}: key +")
    expect(views["moved"]["left"] > views["larger"]["left"], f"{name}: shift and arrow")
    expect(views["dragged"]["left"] > views["moved"]["left"], f"{name}: dragging")
    expect(views["wheel"]["scale"] > views["dragged"]["scale"], f"{name}: the wheel")
    expect(views["even"]["spacing"] == 1 and views["wheel"]["spacing"] == 0 and views["alone"]["drawn"] == len(violation["calls"]), f"{name}: key t")
    expect(re.match(r"T\d+ (en|de)queue\(", note.get("told", "")), f"{name}: nothing under the pointer: {note.get('told')}")


def check_circle(name, note, violation):
    cycle = violation["cycle"]
    expect(note["circle"]["nodes"] == [str(edge["from"] + 1) for edge in cycle], f"{name}: nodes {note['circle']}")
    expect([text.split("r ")[0][:2] for text in note["circle"]["edges"]] == [edge["kind"] for edge in cycle], f"{name}: edges {note['circle']}")
    expect(note["why"].startswith(violation["anomaly"]) and all(edge["text"] in note["why"] for edge in cycle), f"{name}: says {note['why']}")
    expect(len(note["attempt"]) == len(cycle) and all(edge["text"] in row for edge, row in zip(cycle, note["attempt"])),
           f"{name}: the dependencies are {note['attempt']}")
    expect([len(step["current"]) for step in note["sequence"]] == [1] * len(cycle), f"{name}: {note['sequence']}")
    expect(note["views"]["start"]["wrong"] > 1000, f"{name}: nothing is marked")


def check_coverage(name, note, data):
    """Marks beside the lines, and what is said below them."""
    told = data["result"]["coverage"]
    sources = {source["path"]: source["lines"] for source in data["covered"]}
    wanted, said = [], []
    for file in told["files"]:
        for line in file["lines"]:
            state = "yes" if line["reached"] else "fails" if line.get("fails") else "no"
            wanted.append((line["line"], state, sources[file["path"]][line["line"] - 1]))
    expect([(row["line"], row["state"], row["text"]) for row in note["covered"]] == wanted, f"{name}: lines are marked otherwise")
    expect(len({row["colour"] for row in note["covered"]}) == len({state for _, state, _ in wanted}), f"{name}: colours of marks")
    for file in told["files"]:
        for branch in file["branches"]:
            if any(way["reached"] for way in branch["ways"]):
                said += [f"never to {way['label']}" for way in branch["ways"] if not way["reached"] and not way.get("fails")]
        said += [f"{f['name']}() is never called" for f in file["functions"] if not f["reached"]]
    said += [f"{fact['what']} never {fact['never']}" for fact in told["operations"]]
    expect(sorted(re.sub(r"^column \d+: ", "", text) for text in note["said"]) == sorted(said), f"{name}: {note['said']}, not {said}")
    for sum_, what in zip(note["sums"], ("lines", "branches", "functions")):
        expect(sum_.startswith(f"{told[what]['reached']} of {told[what]['all']} "), f"{name}: {sum_}")
    expect(len(note["sums"]) == 3, f"{name}: {note['sums']}")


def main():
    linchpin, root = (os.path.realpath(word) for word in sys.argv[1:])
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not chromium:
        print("skipped: no Chromium is installed")
        return 77
    made = pages.make(linchpin, root)
    notes = browse(chromium, made)
    for name, page in made.items():
        note = notes.get(name, {"error": "not opened"})
        if "error" in note:
            expect(False, f"{name}: {note['error']}")
            continue
        told = page.data.get("result") or page.data["histories"]
        expect(note["verdict"].startswith(told["verdict"]) and note["title"].startswith(told["verdict"]),
               f"{name}: {note['verdict']}, {note['title']}")
        check_phone(name, note["phone"])
        if "counted" in told:
            check_counted(name, note, page.data)
            continue
        if "states_by_depth" in told:
            check_growth(name, note, told["states_by_depth"])
        if "coverage" in told:
            check_coverage(name, note, page.data)
        if told.get("violation", {}).get("anomaly"):
            check_circle(name, note, told["violation"])
        elif "histories" in page.data:
            check_history(name, note, page.data)
        elif "violation" in told:
            check_steps(name, note, told)
            check_relations(name, note, told)
            check_opening(name, note, told)
            check_folds(name, note, told)
            check_why(name, note, told["violation"].get("why") or told["violation"].get("client", {}).get("why"))
            check_layout(name, note, told["violation"])
            if "client" in told["violation"]:
                check_client(name, note, told["violation"]["client"])
        else:
            expect(not note["bars"] and not note["steps"], f"{name}: pictures of nothing")
    expect(notes["folded"]["folds"]["hidden"] == [0, 1, 2] and notes["states-race"]["race"] == 1 and notes["states"]["closest"],
           "the pages for folds, races and reasons of `states` have none")
    expect(notes["both"].get("chosen") == "1" and notes["both"].get("other") == "good.tab", "both: the choice of files")
    check_painted(chromium, made["check"])
    return pages.report(made)


if __name__ == "__main__":
    sys.exit(main())
