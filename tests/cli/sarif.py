"""sarif.py FILE [RESULTS] -- is the file a SARIF 2.1.0 log?

The parts of the standard (OASIS SARIF 2.1.0, section 3) that linchpin uses, written down as
which members an object must and may have and what they hold; anything else is an error, a
misspelt name too.  Prints one line a result: rule, level, place, and the threads of its flow.
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
result = object_of({"ruleId": text, "level": level, "message": message},
                   {"ruleIndex": number(0), "locations": list_of(location),
                    "relatedLocations": list_of(location), "codeFlows": list_of(code_flow)})
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


def check_places(path, value, bases):
    """Every file that is named is there, and has that line."""
    if isinstance(value, list):
        for i, element in enumerate(value):
            check_places(f"{path}[{i}]", element, bases)
    elif isinstance(value, dict):
        for name, member in value.items():
            check_places(f"{path}.{name}", member, bases)
        if "artifactLocation" in value:
            at = value["artifactLocation"]
            whole = bases[at["uriBaseId"]]["uri"] + at["uri"] if "uriBaseId" in at else at["uri"]
            name = urllib.parse.unquote(urllib.parse.urlparse(whole).path)
            if not os.path.isfile(name):
                fail(path, f"there is no {name}")
            with open(name, encoding="utf-8", errors="replace") as source:
                if value["region"]["startLine"] > len(source.readlines()):
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
    check(json.loads(json.dumps(good)))
    for i, change in enumerate(spoil):
        data = json.loads(json.dumps(good))
        change(data)
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
