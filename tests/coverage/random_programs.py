#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random sequential programs that note themselves which lines and branches they reach.

usage: random_programs.py LINCHPIN [--seed N] [--runs N]

Each statement s(LINE) and each condition d(LINE, ...) of a program writes down that it was executed, and how it came out.  gcc
compiles and runs the program, which prints that; linchpin's coverage must say the same of every such line.  A program that is not
treated alike is made smaller, and printed.  Status 77: there is no gcc.
"""
import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

HEAD = """#include <stdio.h>
#include <setjmp.h>
static int seen[2000], outcome[2000][8];
static int a = 1, b = 2, c = 3, fuel = 60;
static jmp_buf place;
static void s(int line) { seen[line] = 1; }
static int d(int line, int v) { outcome[line][v & 7] = 1; return v; }
"""
TAIL = """int main(void)
{
	if (!setjmp(place))
		f0(1);
	a += 3;
	if (!setjmp(place))
		f0(2);
#ifdef PRINT
	for (int i = 0; i < 2000; i++) {
		int ways = 0;
		for (int k = 0; k < 8; k++)
			ways += outcome[i][k];
		if (seen[i] || ways)
			printf("%d %d %d\\n", i, seen[i], ways);
	}
#endif
	return 0;
}
"""


class Program:
    """Statements are nested lists, so that parts can be taken out; text() numbers the lines."""

    def __init__(self, rng):
        self.rng = rng
        self.functions = [self.block(3) for _ in range(rng.randrange(1, 4))]

    def condition(self):
        x, y = (self.rng.choice("abcx") for _ in range(2))
        return self.rng.choice([f"{x} < {y}", f"{x} % 3 == {self.rng.randrange(3)}", f"!({x} & 2)", f"{x} > {self.rng.randrange(9)}",
                                f"!({x} == {y})"])

    def block(self, depth):
        return [self.statement(depth) for _ in range(self.rng.randrange(1, 5))]

    def statement(self, depth):
        kind = self.rng.choice(["s", "s", "set", "if", "else", "while", "for", "do", "switch", "leave", "call"] if depth else ["s", "set", "leave"])
        inner = lambda: self.block(depth - 1)
        if kind in ("if", "while", "do"):
            return [kind, self.condition(), inner()]
        if kind == "else":
            return [kind, self.condition(), inner(), inner()]
        if kind == "for":
            return [kind, self.rng.randrange(0, 4), inner()]
        if kind == "switch":
            return [kind, [(i, inner(), self.rng.random() < 0.6) for i in range(self.rng.randrange(1, 4))], inner()]
        if kind == "set":
            return [kind, f"{self.rng.choice('abc')} = ({self.rng.choice('abcx')} + {self.rng.randrange(5)}) % 7;"]
        if kind == "leave":
            return [kind, self.rng.choice(["return;", "longjmp(place, 1);", "break_or_continue"]), self.condition()]
        return [kind, self.rng.randrange(0, 4)]

    def text(self):
        lines = HEAD.split("\n")[:-1]
        self.decisions = {}
        count = len(self.functions)
        lines += [f"static void f{i}(int x);" for i in range(count)]

        def put(text):
            lines.append(text.replace("LINE", str(len(lines) + 1)))

        def decide(text, ways):
            self.decisions[len(lines) + 1] = ways
            put(text)

        def body(block, loop, function):
            for st in block:
                write(st, loop, function)

        def write(st, loop, function):
            kind = st[0]
            if kind == "s":
                put("s(LINE);")
            elif kind == "set":
                put(st[1])
            elif kind in ("if", "else"):
                decide(f"if (d(LINE, {st[1]})) {{", 2)
                body(st[2], loop, function)
                if kind == "else":
                    put("} else {")
                    body(st[3], loop, function)
                put("}")
            elif kind == "while":
                decide(f"while (d(LINE, fuel-- > 0 ? {st[1]} : 0)) {{", 2)
                body(st[2], True, function)
                put("}")
            elif kind == "do":
                put("do {")
                body(st[2], True, function)
                put("s(LINE);")
                decide(f"}} while (d(LINE, fuel-- > 0 ? {st[1]} : 0));", 2)
            elif kind == "for":
                decide(f"for (int i = 0; d(LINE, fuel-- > 0 && i < {st[1]}); i++) {{", 2)
                body(st[2], True, function)
                put("}")
            elif kind == "switch":
                decide("switch (d(LINE, (a + b) & 3)) {", None)
                for value, block, ends in st[1]:
                    put(f"case {value}:")
                    put("s(LINE);")
                    body(block, False, function)
                    if ends:
                        put("break;")
                put("default:")
                put("s(LINE);")
                body(st[2], False, function)
                put("}")
            elif kind == "leave":
                how = st[1] if st[1] != "break_or_continue" else ("continue;" if loop else "return;")
                decide(f"if (d(LINE, {st[2]})) {{", 2)
                put("s(LINE);")
                put(how)
                put("}")
            elif function + 1 < count:
                put(f"f{function + 1 + st[1] % (count - function - 1)}(x + 1);")
                put("s(LINE);")

        for i, block in enumerate(self.functions):
            put(f"static void f{i}(int x)")
            put("{")
            put("s(LINE);")
            body(block, False, i)
            put("}")
        return "\n".join(lines) + "\n" + TAIL


def differences(linchpin, program, folder):
    path = os.path.join(folder, "program.c")
    with open(path, "w") as out:
        out.write(program.text())
    subprocess.run(["gcc", "-w", "-O0", "-DPRINT", "-o", path[:-2], path], check=True)
    told = subprocess.run([path[:-2]], capture_output=True, text=True, check=True).stdout
    seen = {int(line): (int(hit), int(ways)) for line, hit, ways in (row.split() for row in told.splitlines())}
    said = subprocess.run([linchpin, "run", path, "--coverage", "--json"], capture_output=True, text=True)
    file = json.loads(said.stdout)["coverage"]["files"][0]
    reached = {line["line"]: line["reached"] for line in file["lines"]}
    ways = {}
    for branch in file["branches"]:
        # The condition's own ?: and && are decided in the same line, before it: the last one is the statement's.
        ways[branch["line"]] = [w["reached"] for w in branch["ways"]]
    wrong = []
    text = program.text().split("\n")
    program.compared = [bool(seen.get(n, (0, 0))[0]) for n, line in enumerate(text, 1) if line.startswith("s(")]
    for number, line in enumerate(text, 1):
        if line.startswith("s("):
            if bool(seen.get(number, (0, 0))[0]) != reached.get(number, False):
                wrong.append(f"line {number}: {line}: reached here {reached.get(number)}, there {seen.get(number)}")
    for number, kind in program.decisions.items():
        if kind == 2 and "?" not in text[number - 1] and "&&" not in text[number - 1]:
            there = seen.get(number, (0, 0))[1]
            if sum(ways.get(number, [])) != there:
                wrong.append(f"line {number}: {text[number - 1]}: {sum(ways.get(number, []))} branches here, {there} there")
    return wrong


def smaller(program):
    """Programs with one statement less."""
    def without(block):
        for i, st in enumerate(block):
            yield block[:i] + block[i + 1:]
            for k, part in enumerate(st):
                if isinstance(part, list) and part and isinstance(part[0], list):
                    for less in without(part):
                        yield block[:i] + [st[:k] + [less] + st[k + 1:]] + block[i + 1:]
    for i, function in enumerate(program.functions):
        for less in without(function):
            other = Program.__new__(Program)
            other.rng, other.functions = program.rng, program.functions[:i] + [less] + program.functions[i + 1:]
            yield other


def shrink(linchpin, program, folder):
    for _ in range(40):
        for candidate in smaller(program):
            if differences(linchpin, candidate, folder):
                program = candidate
                break
        else:
            break
    return program


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("linchpin")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, default=40)
    o = parser.parse_args()
    if not shutil.which("gcc"):
        print("skipped: there is no gcc")
        return 77
    print(f"seed {o.seed}, {o.runs} programs")
    compared = []
    for run in range(o.runs):
        program = Program(random.Random(o.seed * 1000003 + run))
        with tempfile.TemporaryDirectory() as folder:
            if differences(o.linchpin, program, folder):
                program = shrink(o.linchpin, program, folder)
                print(program.text(), "\n".join(differences(o.linchpin, program, folder)), sep="\n")
                return 1
            compared += program.compared
    print(f"{len(compared)} statements, {sum(compared)} of them reached: no difference")
    return 0 if 0 < sum(compared) < len(compared) else 1


sys.exit(main())
