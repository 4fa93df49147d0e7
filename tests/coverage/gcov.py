#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare linchpin's coverage of sequential programs with gcov's, line by line.

usage: gcov.py LINCHPIN COMPILER GCOV... -- PROGRAM...

Each program is explored by `linchpin run --lcov`, and compiled with COMPILER --coverage and run; GCOV (such as
`llvm-cov gcov`) says what that reached.  Both must know the same lines to have code, and the same
of them to be reached.  But tools differ in whether a brace, a label or the head of a class has code of its own:
such lines need not agree.  Status 77: a tool is missing.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile


# Lines without a statement.
TASTE = re.compile(r"[{}; ()]*|(case\b.*|default|\w+):|do \{|\} (else \{|while\b.*)|(template\b.*|struct\b.*|class\b.*)\{"
                   r"|\} catch\b.*|int side = 3;")


def missing(tools):
    for tool in tools:
        if not shutil.which(tool):
            print(f"skipped: there is no {tool}")
            sys.exit(77)


def ours(linchpin, program, folder):
    """{file: {line: reached}} of the user's own files."""
    info = os.path.join(folder, "ours.info")
    done = subprocess.run([linchpin, "run", program, "--lcov", info, "-q"], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{program}: {done.stdout}{done.stderr}")
    files, lines = {}, None
    for text in open(info):
        if text.startswith("SF:"):
            lines = files.setdefault(os.path.basename(text[3:].strip()), {})
        elif text.startswith("DA:"):
            line, count = text[3:].strip().split(",")
            lines[int(line)] = count != "0"
    return files


def theirs(compiler, gcov, program, folder, names):
    source = os.path.abspath(program)
    if source.endswith(".cpp") and compiler.find("++") < 0:
        compiler = re.sub(r"clang", "clang++", re.sub(r"gcc", "g++", compiler))
        missing([compiler])
    subprocess.run([compiler, "--coverage", "-O0", "-o", "program", source], cwd=folder, check=True)
    subprocess.run(["./program"], cwd=folder, stdout=subprocess.DEVNULL, check=False)
    notes = [name for name in os.listdir(folder) if name.endswith(".gcda")]
    subprocess.run([*gcov, *notes], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    files = {}
    for name in os.listdir(folder):
        base = name[:-len(".gcov")].split("#")[-1]
        if not name.endswith(".gcov") or base not in names:
            continue
        lines = files.setdefault(base, {})
        for text in open(os.path.join(folder, name)):
            got = re.match(r"\s*([0-9]+\*?|#####|=====|-):\s*([0-9]+):", text)
            if got and got[1] != "-" and got[2] != "0":
                reached = got[1][0] != "#" and got[1][0] != "="
                lines[int(got[2])] = lines.get(int(got[2]), False) or reached
    return files


def main():
    split = sys.argv.index("--")
    linchpin, compiler, *gcov = sys.argv[1:split]
    missing([compiler, gcov[0]])
    wrong = compared = 0
    for program in sys.argv[split + 1:]:
        with tempfile.TemporaryDirectory() as folder:
            mine = ours(linchpin, program, folder)
            other = theirs(compiler, gcov, program, folder, mine)
            for name in sorted(set(mine) | set(other)):
                a, b = mine.get(name, {}), other.get(name, {})
                text = open(os.path.join(os.path.dirname(program), name)).read().split("\n")
                for line in sorted(set(a) | set(b)):
                    if TASTE.fullmatch(text[line - 1].strip()):
                        continue
                    compared += 1
                    if a.get(line) != b.get(line):
                        wrong += 1
                        says = {None: "has no code", True: "is reached", False: "is not reached"}
                        print(f"{name}:{line}: it {says[a.get(line)]} here, {says[b.get(line)]} for gcov")
    print(f"{compared} lines compared, {wrong} differ")
    return 1 if wrong or not compared else 0


sys.exit(main())
