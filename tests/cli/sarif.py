"""sarif.py FILE [--apply FOLDER] -- is the file a SARIF 2.1.0 log?

The parts of the standard (OASIS SARIF 2.1.0, section 3) that linchpin uses, written down as
which members an object must and may have and what they hold; anything else is an error, a
misspelt name too.  Prints one line a result: rule, level, place, and the threads of its flow.  With --apply, the files
that the first fix of the first result changes are written to the folder, changed.
"""
import json
import os
import re
import sys
import urllib.parse


class Wrong(Exception):
    pass


def fail(path, text):
    raise Wrong(f"{path}: {text}")


def text(path, value):
    if not isinstance(value, str) or not value:
        fail(path, "a text that is not empty is expected")


def one_of(*words):
    def check(path, value):
        if value not in words:
            fail(path, f"{value!r} is none of {words}")
    return check


def number(least):
    def check(path, value):
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            fail(path, f"{value!r} is no whole number from {least} on")
    return check


def truth(path, value):
    if not isinstance(value, bool):
        fail(path, "true or false is expected")


def uri(path, value):
    text(path, value)
    if not re.fullmatch(r"(?:[A-Za-z0-9\-._~/:]|%[0-9A-F]{2})+", value):
        fail(path, f"{value!r} is no URI reference")


def list_of(check, least=0):
    def check_all(path, value):
        if not isinstance(value, list) or len(value) < least:
            fail(path, f"an array of at least {least} is expected")
        for i, element in enumerate(value):
            check(f"{path}[{i}]", element)
    return check_all


def object_of(must, may=None):
    known = {**must, **(may or {})}

    def check(path, value):
        if not isinstance(value, dict):
            fail(path, "an object is expected")
        for name in must:
            if name not in value:
                fail(path, f"lacks {name}")
        for name, member in value.items():
            if name not in known:
                fail(path, f"has {name}, which the standard or we do not")
            known[name](f"{path}.{name}", member)
    return check


message = object_of({"text": text})
level = one_of("none", "note", "warning", "error")
place = object_of({"artifactLocation": object_of({"uri": uri}, {"uriBaseId": text}),
                   "region": object_of({"startLine": number(1)})})
location = object_of({}, {"physicalLocation": place, "message": message,
                          "logicalLocations": list_of(object_of({"name": text}, {"kind": text}))})
flow_location = object_of({"location": location, "executionOrder": number(1)})
thread_flow = object_of({"id": text, "locations": list_of(flow_location, 1)})
code_flow = object_of({"threadFlows": list_of(thread_flow, 1)}, {"message": message})
# Sections 3.30, 3.55 to 3.57.  What is inserted is nothing if it is not there.
span = object_of({"startLine": number(1), "startColumn": number(1), "endLine": number(1), "endColumn": number(1)})
replacement = object_of({"deletedRegion": span}, {"insertedContent": object_of({"text": text})})
change = object_of({"artifactLocation": object_of({"uri": uri}, {"uriBaseId": text}),
                    "replacements": list_of(replacement, 1)})
fix = object_of({"artifactChanges": list_of(change, 1)}, {"description": message})
# Sections 3.8 and 3.27.23, 3.35: a bag of properties of one's own; findings that the user has judged.
bag = object_of({"scope": lambda path, value: [text(f"{path}.{name}", member) for name, member in value.items()]})
suppression = object_of({"kind": one_of("inSource", "external")})
result = object_of({"ruleId": text, "level": level, "message": message},
                   {"ruleIndex": number(0), "locations": list_of(location),
                    "relatedLocations": list_of(location), "codeFlows": list_of(code_flow),
                    "fixes": list_of(fix), "properties": bag, "suppressions": list_of(suppression, 1)})
rule = object_of({"id": text}, {"shortDescription": message})
tool = object_of({"driver": object_of({"name": text},
                                      {"version": text, "rules": list_of(rule)})})
invocation = object_of({"executionSuccessful": truth}, {
    "toolExecutionNotifications": list_of(object_of({"message": message}, {"level": level}))})


def uri_bases(path, value):
    for name, base in value.items():
        object_of({"uri": uri})(f"{path}.{name}", base)
        if not base["uri"].endswith("/"):
            fail(path, "a base that does not end in /")


run = object_of({"tool": tool, "results": list_of(result)},
                {"invocations": list_of(invocation), "originalUriBaseIds": uri_bases,
                 "columnKind": one_of("utf16CodeUnits", "unicodeCodePoints")})
log = object_of({"version": one_of("2.1.0"), "runs": list_of(run)}, {"$schema": uri})


def check_flow(path, one):
    """Each step has its own place in the order, and no thread goes back."""
    seen = set()
    for thread in one["threadFlows"]:
        orders = [step["executionOrder"] for step in thread["locations"]]
        if orders != sorted(orders) or seen & set(orders):
            fail(path, "the order of the steps is none")
        seen |= set(orders)
    if len({thread["id"] for thread in one["threadFlows"]}) != len(one["threadFlows"]):
        fail(path, "two flows for one thread")
    return seen


def file_of(at, bases):
    """The file that an artifactLocation names."""
    whole = bases[at["uriBaseId"]]["uri"] + at["uri"] if "uriBaseId" in at else at["uri"]
    return urllib.parse.unquote(urllib.parse.urlparse(whole).path)


def changed(path, one, bases):
    """The name of the file that an artifactChange changes, and its text afterwards."""
    name = file_of(one["artifactLocation"], bases)
    with open(name, encoding="utf-8") as source:
        lines = source.read().split("\n")
    last = (0, 0)
    done = []
    for r in sorted(one["replacements"], key=lambda r: (r["deletedRegion"]["startLine"], r["deletedRegion"]["startColumn"])):
        region = r["deletedRegion"]
        start, end = ((region[k + "Line"], region[k + "Column"]) for k in ("start", "end"))
        if end < start or start < last:
            fail(path, "a region that ends before it starts, or two that overlap")
        if end[0] > len(lines) or any(column > len(lines[line - 1]) + 1 for line, column in (start, end)):
            fail(path, f"{name} has no such region")
        last = end
        done.append((start, end, r.get("insertedContent", {}).get("text", "")))
    for (first, begin), (line, end), new in reversed(done):
        lines[first - 1:line] = [lines[first - 1][:begin - 1] + new + lines[line - 1][end - 1:]]
    return name, "\n".join(lines)


def check_fixes(path, one, bases):
    """Each changes something, and each file once."""
    for one_fix in one.get("fixes", []):
        names = []
        for one_change in one_fix["artifactChanges"]:
            name, now = changed(path, one_change, bases)
            with open(name, encoding="utf-8") as source:
                if source.read() == now:
                    fail(path, "a fix that changes nothing")
            names.append(name)
        if len(set(names)) != len(names):
            fail(path, "a file is changed twice")


def apply(data, folder):
    one_run = data["runs"][0]
    for one_change in one_run["results"][0]["fixes"][0]["artifactChanges"]:
        name, now = changed("fixes", one_change, one_run["originalUriBaseIds"])
        with open(os.path.join(folder, os.path.basename(name)), "w", encoding="utf-8") as out:
            out.write(now)


def check_places(path, value, bases):
    """Every file that is named is there, and has that line."""
    if isinstance(value, list):
        for i, element in enumerate(value):
            check_places(f"{path}[{i}]", element, bases)
    elif isinstance(value, dict):
        for name, member in value.items():
            check_places(f"{path}.{name}", member, bases)
        if "artifactLocation" in value:
            name = file_of(value["artifactLocation"], bases)
            if not os.path.isfile(name):
                fail(path, f"there is no {name}")
            with open(name, encoding="utf-8", errors="replace") as source:
                if "region" in value and value["region"]["startLine"] > len(source.readlines()):
                    fail(path, f"{name} has no line {value['region']['startLine']}")


def check(data):
    log("log", data)
    for one_run in data["runs"]:
        rules = [r["id"] for r in one_run["tool"]["driver"]["rules"]]
        if len(set(rules)) != len(rules):
            fail("rules", "an id twice")
        for one in one_run["results"]:
            if "ruleIndex" in one and rules[one["ruleIndex"]] != one["ruleId"]:
                fail(one["ruleId"], "ruleIndex is of another rule")
            for flow in one.get("codeFlows", []):
                check_flow(one["ruleId"], flow)
            check_fixes(one["ruleId"], one, one_run["originalUriBaseIds"])
        check_places("results", one_run["results"], one_run["originalUriBaseIds"])


def show(data):
    for one_run in data["runs"]:
        for one in one_run["results"]:
            where = one["locations"][0]["physicalLocation"]
            threads = [t["id"] for f in one.get("codeFlows", []) for t in f["threadFlows"]]
            steps = sum(len(t["locations"]) for f in one.get("codeFlows", [])
                        for t in f["threadFlows"])
            print(one["ruleId"], one["level"], where["artifactLocation"]["uri"] + ":" +
                  str(where["region"]["startLine"]), ",".join(threads) or "-", steps)
        for i in one_run["invocations"]:
            print("successful" if i["executionSuccessful"] else "unsuccessful",
                  len(i["toolExecutionNotifications"]))


def self_test():
    """The checker itself: logs that are nearly right."""
    good = {"version": "2.1.0", "runs": [{
        "tool": {"driver": {"name": "x", "rules": [{"id": "r"}]}}, "originalUriBaseIds": {},
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": []}],
        "results": [{"ruleId": "r", "ruleIndex": 0, "level": "error", "message": {"text": "t"},
                     "codeFlows": [{"threadFlows": [
                         {"id": "T1", "locations": [{"location": {}, "executionOrder": 1}]},
                         {"id": "T2", "locations": [{"location": {}, "executionOrder": 2}]}]}]}]}]}
    spoil = [
        lambda d: d.update(version="2.0.0"),
        lambda d: d.pop("runs"),
        lambda d: d["runs"][0].pop("tool"),
        lambda d: d["runs"][0]["results"][0].update(level="fatal"),
        lambda d: d["runs"][0]["results"][0].update(massage={}),
        lambda d: d["runs"][0]["results"][0].update(ruleId="q"),
        lambda d: d["runs"][0]["results"][0]["message"].update(text=""),
        lambda d: d["runs"][0]["results"][0]["codeFlows"][0].update(threadFlows=[]),
        lambda d: d["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0].update(locations=[]),
        lambda d: d["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][1].update(id="T1"),
        lambda d: d["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][1]["locations"][0]
        .update(executionOrder=1),
        lambda d: d["runs"][0]["results"][0].update(locations=[{"physicalLocation": {
            "artifactLocation": {"uri": "file:///no/such/file"}, "region": {"startLine": 1}}}]),
        lambda d: d["runs"][0]["results"][0].update(locations=[{"physicalLocation": {
            "artifactLocation": {"uri": "a b"}, "region": {"startLine": 1}}}]),
    ]
    region = {"startLine": 3, "startColumn": 1, "endLine": 3, "endColumn": 3}
    good["runs"][0]["results"][0]["fixes"] = [{"description": {"text": "t"}, "artifactChanges": [
        {"artifactLocation": {"uri": "file://" + os.path.realpath(__file__)}, "replacements": [
            {"deletedRegion": dict(region), "insertedContent": {"text": "?"}},
            {"deletedRegion": {**region, "startColumn": 3, "endColumn": 4}}]}]}]

    def spoil_fix(**changes):
        def spoiler(data):
            one = data["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0]
            one["replacements"][0]["deletedRegion"].update(changes)
        return spoiler
    spoil += [
        spoil_fix(startColumn=0), spoil_fix(endColumn=4), spoil_fix(endLine=1), spoil_fix(endLine=100000),
        spoil_fix(endColumn=1000), spoil_fix(charOffset=3), spoil_fix(startLine="3"),
        lambda d: d["runs"][0]["results"][0]["fixes"][0].pop("artifactChanges"),
        lambda d: d["runs"][0]["results"][0]["fixes"][0].update(artifactChanges=[]),
        lambda d: d["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0].pop("artifactLocation"),
        lambda d: d["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0].update(replacements=[]),
        lambda d: d["runs"][0]["results"][0]["fixes"][0]["artifactChanges"].append(
            d["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0]),
        lambda d: d["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0]["replacements"][0].pop("deletedRegion"),
    ]
    check(json.loads(json.dumps(good)))
    for i, way in enumerate(spoil):
        data = json.loads(json.dumps(good))
        way(data)
        try:
            check(data)
        except Wrong:
            continue
        sys.exit(f"a wrong log passes: number {i}")
    print("ok")


if __name__ == "__main__":
    if sys.argv[1:] == ["--self"]:
        self_test()
    else:
        with open(sys.argv[1], encoding="utf-8") as file:
            loaded = json.load(file)
        try:
            check(loaded)
        except Wrong as wrong:
            sys.exit(f"{sys.argv[1]}: {wrong}")
        show(loaded)
        if sys.argv[2:3] == ["--apply"]:
            apply(loaded, sys.argv[3])
