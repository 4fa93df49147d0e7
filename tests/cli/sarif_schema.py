"""sarif_schema.py LINCHPIN EXAMPLES COPY -- are our logs valid by the schema that they name?

sarif.py is stricter, but of our own writing; this is the standard's.  The schema is the file that
the environment variable SARIF_SCHEMA names, or is got from the address in the log, and kept as
COPY.  Skipped, with status 77, where it cannot be had, or there is no validator (Debian:
python3-jsonschema).
"""
import copy
import json
import os
import subprocess
import sys
import tempfile
import urllib.request

SKIPPED = 77

# What is asked, and the status: an object with a violation, one without, two at once, a race, and
# code that does not compile.
ASKED = [
    (["check", "bug_hwqueue.c", "--ops", "enqueue=4,dequeue=3"], 1),
    (["check", "treiber.c", "--ops", "3"], 0),
    (["check", "bug_treiber.c", "bug_twolock.c", "--ops", "4"], 1),
    (["run", "ring_bug.c"], 1),
    (["check", "nothing.c"], 2),
]


def log_of(linchpin, examples, arguments, status, folder):
    path = os.path.join(folder, "log.sarif")
    made = subprocess.run([linchpin, *arguments, "--sarif", path], cwd=examples, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if made.returncode != status:
        sys.exit(f"{arguments}: status {made.returncode}, not {status}\n{made.stdout}")
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def schema_of(address, kept):
    named = os.environ.get("SARIF_SCHEMA")
    if named or os.path.exists(kept):
        with open(named or kept, encoding="utf-8") as file:
            return json.load(file)
    try:
        with urllib.request.urlopen(address, timeout=10) as answer:
            text = answer.read()
        schema = json.loads(text)
    except (OSError, ValueError) as why:
        print(f"skipped: {address} cannot be had ({why}); SARIF_SCHEMA=FILE names a copy")
        sys.exit(SKIPPED)
    with open(kept, "wb") as file:
        file.write(text)
    return schema


def spoilt(log):
    """The log with one thing wrong each time: a schema that lets them pass says nothing."""
    def ways():
        yield lambda run: run["results"][0].update(level="bad")
        yield lambda run: run["results"][0].pop("message")
        yield lambda run: run["results"][0].update(lines=3)
        yield lambda run: run["tool"].pop("driver")
        yield lambda run: run["results"][0]["locations"][0]["physicalLocation"]["region"].update(startLine=0)
    for way in ways():
        wrong = copy.deepcopy(log)
        way(wrong["runs"][0])
        yield wrong


def main():
    linchpin, examples, kept = sys.argv[1:]
    try:
        import jsonschema
    except ImportError:
        print("skipped: Python has no jsonschema")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        logs = [log_of(linchpin, examples, arguments, status, folder) for arguments, status in ASKED]
    schema = schema_of(logs[0]["$schema"], kept)
    validator = jsonschema.validators.validator_for(schema)(schema)
    failed = 0
    for (arguments, _), log in zip(ASKED, logs):
        for error in validator.iter_errors(log):
            print(f"{' '.join(arguments)}: {error.json_path}: {error.message}")
            failed += 1
    for wrong in spoilt(logs[0]):
        if validator.is_valid(wrong):
            print("a log that is wrong is valid")
            failed += 1
    print(f"{len(logs)} logs, {failed} errors")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
