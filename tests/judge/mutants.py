#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Removes one condition after the other from the reductions, and shows that the judge notices.

usage: mutants.py BUILD [--only PATTERN,...] [--programs N] [--models LIST] [--save FOLDER] [--random FAMILIES]
       mutants.py --applies       only check that the lines that mutants.txt changes still exist

mutants.txt says what to change.  Each mutant of a file of src/ is compiled, linked into a judge of its own, and
given the programs of regress/; if it answers all of them as before, N random ones of each family that it is about.
With --save the program that kills a mutant, shrunk, is put into FOLDER.  With --random only N random programs of
these families are tried: how good are the families?  By hand: it takes some seconds a mutant.
"""
import argparse
import fnmatch
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
MODELS = ["rc11", "sc", "ra", "tso"]
# The reductions that a mutant is about, by the first part of its name; else all but those for verdicts only.
SETS = {"helping": "spin,helping", "skipped_stores": "spin,helping", "retry": "spin", "attempts": "spin,attempts", "rereads": "spin,rereads,silent_rmw,undone",
        "silent_rmw": "spin,silent_rmw,rereads", "spin": "spin", "hopeless": "spin", "final_joins": "final_joins", "symmetry": "spin,symmetry", "park": "spin,park,attempts",
        "stale": "spin,symmetry,stale", "answers": "spin,stale,twins", "twins": "spin,stale,twins",
        "followers": "spin,symmetry,stale", "same": "spin,park", "undone": "spin,symmetry,undone", "shifts": "spin,shifts"}
# And the families in which it applies most.
FAMILIES = {"helping": ["helpers", "helping", "queue"], "skipped_stores": ["skippers", "skipped_stores"], "retry": ["retry", "rewriting", "preparing", "stack", "known", "cas_loops"],
            "attempts": ["attempted", "attempts", "awaiting"], "rereads": ["peeking", "rereading", "rereads", "guesses", "withdrawing"], "silent_rmw": ["silent_rmw", "rereading", "peeking"],
            "spin": ["litmus_loops", "tas_lock", "handshake"], "hopeless": ["stopped", "stopping"], "final_joins": ["litmus", "silent_rmw"],
            "symmetry": ["twins", "own", "stack"], "park": ["awaits", "attempted", "attempts", "ticket_lock", "locking"],
            "stale": ["outdated", "back", "stacked"], "answers": ["outdated", "back", "stacked"], "twins": ["back", "outdated", "aba"], "followers": ["followers"],
            "same": ["first_looks"], "undone": ["withdrawing", "offers"], "shifts": ["shifting"],
            "omitted": ["passing", "stale", "looking", "reclaiming", "twins", "local", "attempts"]}


def mutants():
    """(name, file, what it is, from, to): blocks of lines in mutants.txt."""
    with open(os.path.join(HERE, "mutants.txt")) as text:
        blocks = [b for b in text.read().split("\n\n") if b.strip() and not b.startswith("#")]
    for block in blocks:
        head, *lines = block.strip("\n").split("\n")
        name, file, what = head.split(maxsplit=2)
        changes = re.findall(r"((?:^- .*\n)+)((?:^\+ .*\n)+)", "\n".join(lines) + "\n", re.M)
        yield name, file, what, [[re.sub(r"^[-+] ", "", part, flags=re.M) for part in pair] for pair in changes]


def changed(file, changes):
    with open(os.path.join(ROOT, "src", file)) as source:
        text = source.read()
    for before, after in changes:
        if text.count(before) != 1:
            raise SystemExit(f"{file}: {text.count(before)} times: {before}")
        text = text.replace(before, after)
    return text


def build(folder, file, changes, command):
    """A judge with that file changed."""
    source, judge = os.path.join(folder, os.path.basename(file)), os.path.join(folder, "judge")
    with open(source, "w") as out:
        out.write(changed(file, changes))
    result = subprocess.run(["gcc", "-std=gnu17", "-O2", "-w", "-I", os.path.join(ROOT, "src"), "-c", source, "-o", source + ".o"],
                            capture_output=True, text=True)
    if result.returncode:
        raise SystemExit(f"{file}: {result.stderr}")
    words = [judge if w == "tests/judge/judge" else w for w in command["words"]]
    at = next(i for i, w in enumerate(words) if w.endswith(".o"))
    words.insert(at, source + ".o")
    subprocess.run(words, cwd=command["build"], check=True)
    return judge


def link_command(directory):
    text = subprocess.run(["ninja", "-C", directory, "-t", "commands", "judge"], capture_output=True, text=True, check=True).stdout
    last = re.sub(r"^: && | && :$", "", text.strip().split("\n")[-1])
    return {"words": shlex.split(last), "build": directory}


def kept_programs_tell(judge):
    result = subprocess.run([judge, "--regress", os.path.join(HERE, "regress")], capture_output=True, text=True, timeout=3600)
    return sorted({os.path.basename(n) for n in re.findall(r"(\S+)\.txt: \w+: WRONG", result.stdout)}) or \
        (["crash"] if result.returncode not in (0, 1) else [])


def random_programs_tell(judge, name, programs, families):
    about = name.split("_")[0]
    reductions = SETS.get(about, "spin,symmetry,helping,attempts,final_joins")
    for model, family in ((m, f) for m in MODELS for f in families or FAMILIES[about]):
        result = subprocess.run([judge, "--model", model, "--programs", str(programs), "--seed", "7000000", "--reductions", reductions,
                                 "--family", family], capture_output=True, text=True, timeout=900)
        found = re.search(r"^(# \w+, seed .*?)(?=^\w+ +\d+ programs)", result.stdout, re.M | re.S)
        if found or result.returncode not in (0, 1):
            return found[1] if found else f"# crash: {result.stderr}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", nargs="?")
    parser.add_argument("--applies", action="store_true")
    parser.add_argument("--only", default="*")
    parser.add_argument("--programs", type=int, default=2000)
    parser.add_argument("--save")
    parser.add_argument("--random")
    parser.add_argument("--models", default=",".join(MODELS))
    options = parser.parse_args()
    if options.applies:
        print(f"{sum(1 for _, file, _, changes in mutants() if changed(file, changes))} mutants")
        return 0
    MODELS[:] = options.models.split(",")
    command, alive = link_command(options.build), 0
    for name, file, what, changes in mutants():
        if not any(fnmatch.fnmatch(name, pattern) for pattern in options.only.split(",")):
            continue
        with tempfile.TemporaryDirectory() as folder:
            judge = build(folder, file, changes, command)
            tell = [] if options.random else kept_programs_tell(judge)
            if tell:
                print(f"{name}: killed by {' '.join(tell)}", flush=True)
                continue
            program = random_programs_tell(judge, name, options.programs, options.random and [options.random])
            print(f"{name}: {'ALIVE' if program is None else 'killed by a random program'}", flush=True)
            alive += program is None
            if program and options.save:
                with open(os.path.join(options.save, name + ".txt"), "w") as out:
                    out.write(f"# {what}\n{program}")
            elif program:
                print(program)
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
