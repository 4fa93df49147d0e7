#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random inline assembly, run as it is and as lowered.

usage: random_snippets.py CLANG LOWER FOLDER [--arm] [--seed N] [--count N] [--keep FOLDER]

Pieces of assembly are made from instructions that assemble, with operands and clobbers that may or may not fit.
Those that are understood (LOWER --list names the others) are compiled twice, and compared by run_snippets.c.
"""
import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

TYPES = {1: "uint8_t", 2: "uint16_t", 4: "uint32_t", 8: "uint64_t"}
HEAD = """#include "snippets.h"
#include <stdbool.h>
"""


class Operand:
    def __init__(self, constraint, size, c, memory=False, kind="r"):
        self.constraint, self.size, self.c, self.memory, self.kind = constraint, size, c, memory, kind


class Snippet:
    """Operands, then statements that use them."""

    def __init__(self, r, name):
        self.r, self.name = r, name
        self.outputs, self.inputs, self.before, self.after = [], [], [], []

    def pick(self, *choices):
        return self.r.choice(choices)

    def variable(self, constraint, size, initial):
        name = f"v{len(self.outputs)}"
        start = f" = ({TYPES[size]})s->in[{self.r.randrange(4)}]" if initial else ""
        self.before.append(f"{TYPES[size]} {name}{start};")
        if self.r.random() < self.looked_at: # what is not need not have a value
            self.after.append(f"s->out[{len(self.after)}] = {name};")
        self.outputs.append(Operand(constraint, size, name))

    def text(self, statements, clobbers, volatile):
        show = lambda os: ", ".join(f'"{o.constraint}"({o.c})' for o in os)
        code = "\n".join(f'\t\t"{line}\\n"' for line in statements)
        names = ", ".join(f'"{c}"' for c in clobbers)
        lines = [f"static void {self.name}(struct state *s)", "{"]
        lines += ["\t" + line for line in self.before]
        lines.append(f"\t__asm__ {volatile}({code}\n\t\t: {show(self.outputs)} : {show(self.inputs)} : {names});")
        lines += ["\t" + line for line in self.after]
        return "\n".join(lines + ["}"]) + "\n"


# ---- x86-64 ----

LETTER = {1: "b", 2: "w", 4: "k", 8: "q"}
SUFFIX = {1: "b", 2: "w", 4: "l", 8: "q"}
CONDITIONS = ["z", "e", "nz", "ne", "c", "b", "nc", "ae", "s", "ns"]


class X86(Snippet):
    looked_at = 0.8

    def operands(self):
        for _ in range(self.r.randrange(1, 4)):
            size = self.pick(1, 2, 4, 8, 8, 8)
            constraint = self.pick("+r", "+&r", "+&r", "+&r", "=r", "=&r", "+a", "+&q")
            if any(o.constraint[-1] == constraint[-1] and constraint[-1] in "ad" for o in self.outputs):
                constraint = "+r"
            self.variable(constraint, size, constraint[0] == "+" or self.r.random() < 0.3)
        if self.r.random() < 0.3:
            self.variable("=@cc" + self.pick(*CONDITIONS), 4, False)
            self.outputs[-1].kind = "flag"
        self.memory = []
        for constraint, where in (("+m", self.outputs), ("=m", self.outputs), ("m", self.inputs)):
            if self.r.random() < (0.9 if constraint == "+m" else 0.15):
                size = self.pick(4, 8)
                index = 8 + 2 * len(self.memory)
                where.append(Operand(constraint, size, f"*({TYPES[size]} *)&s->mem[{index}]", True))
                self.memory.append(where[-1])
        for _ in range(self.r.randrange(0, 3)):
            size = self.pick(1, 2, 4, 8)
            self.inputs.append(Operand("r", size, f"({TYPES[size]})s->in[{self.r.randrange(4)}]"))
        if self.r.random() < 0.2:
            self.inputs.append(Operand("i", 4, str(self.r.randrange(0, 100)), kind="number"))
        self.address = None
        if self.r.random() < 0.4:
            self.address = Operand("r", 8, "&s->mem[4]", kind="address")
            self.inputs.append(self.address)
        self.all = self.outputs + self.inputs

    def number(self, operand):
        return self.all.index(operand)

    def reg(self, size, dest=True):
        """Mostly one that may be written, or has so many bytes."""
        fit = [o for o in self.all if not o.memory and o.kind == "r"]
        if self.r.random() < 0.93:
            fit = [o for o in fit if (o in self.outputs if dest else o.size >= size)] or fit
        if self.r.random() < 0.07:
            names = {1: ("al", "bl"), 2: ("ax", "bx"), 4: ("eax", "ebx"), 8: ("rax", "rbx")}
            return "%%" + self.pick(*names[size])
        o = self.r.choice(fit)
        plain = o.size == size and self.r.random() < 0.5
        return f"%{'' if plain else LETTER[size]}{self.number(o)}"

    def mem(self):
        if self.address and self.r.random() < 0.4:
            return f"{self.pick('', '0', '8', '-8')}(%{self.number(self.address)})"
        return f"%{self.number(self.r.choice(self.memory))}" if self.memory else "(%%rsp)"

    def source(self, size):
        if self.r.random() < 0.3:
            return "$" + self.pick("0", "1", "-1", "0x7f", "5", "-128")
        numbers = [o for o in self.all if o.kind == "number"]
        return f"%{self.number(numbers[0])}" if numbers and self.r.random() < 0.5 else self.reg(size, False)

    def statement(self):
        size = self.pick(1, 2, 4, 4, 8)
        s = SUFFIX[size]
        if not self.memory and not self.address:
            kinds = ["reg", "reg", "set", "move", "swap", "stepreg"]
        else:
            kinds = ["lock", "lock", "xadd", "xadd", "xchg", "cas", "cas", "bit", "step", "reg", "set", "set", "set",
                     "load", "store", "unlocked", "sbb", "movz", "stepreg", "move"]
        kind = self.r.choice(kinds)
        binary = self.pick("add", "sub", "and", "or", "xor")
        if kind == "lock":
            return f"lock; {binary}{s} {self.source(size)}, {self.mem()}"
        if kind == "unlocked":
            return f"{binary}{s} {self.source(size)}, {self.mem()}"
        if kind == "xadd":
            return f"lock xadd{s} {self.reg(size)}, {self.mem()}"
        if kind == "xchg":
            return f"xchg{s} {self.reg(size)}, {self.mem()}"
        if kind == "cas":
            return f"lock; cmpxchg{s} {self.reg(size, False)}, {self.mem()}"
        if kind == "bit":
            size = self.pick(2, 4, 8)
            return f"lock; {self.pick('bts', 'btr', 'btc')}{SUFFIX[size]} ${self.r.randrange(size * 8)}, {self.mem()}"
        if kind == "step":
            return f"{self.pick('lock; ', '')}{self.pick('inc', 'dec', 'not')}{s} {self.mem()}"
        if kind == "stepreg":
            return f"{self.pick('inc', 'dec', 'not', 'neg')}{s} {self.reg(size)}"
        if kind == "set":
            return f"set{self.pick(*CONDITIONS)} {self.reg(1)}"
        if kind == "load":
            return f"mov{s} {self.mem()}, {self.reg(size)}"
        if kind == "store":
            return f"mov{s} {self.source(size)}, {self.mem()}"
        if kind == "sbb":
            size = self.pick(4, 8)
            reg = self.reg(size)
            return f"sbb{SUFFIX[size]} {reg}, {reg}"
        if kind == "movz":
            return f"movzb{self.pick('l %s, %s', 'q %s, %s')}" % self.widened()
        if kind == "swap":
            return f"xchg{s} {self.reg(size)}, {self.reg(size)}"
        if kind == "move":
            return f"mov{s} {self.source(size)}, {self.reg(size)}"
        return f"{binary}{s} {self.source(size)}, {self.reg(size)}"

    def widened(self):
        return self.reg(1, False), "%%WIDE%%"

    def make(self):
        self.operands()
        lines = []
        for _ in range(self.r.randrange(1, 5)):
            line = self.statement()
            if "%%WIDE%%" in line:
                line = line.replace("%%WIDE%%", self.reg(8 if line.startswith("movzbq") else 4))
            lines.append(line)
        clobbers = [c for c in ("memory",) if self.r.random() < 0.9]
        if not any(o.kind == "flag" for o in self.outputs):
            clobbers.append("cc")
        if not any(o.constraint.endswith("a") for o in self.all) and self.r.random() < 0.8:
            clobbers.append("rax")
        if self.r.random() < 0.8:
            clobbers.append("rbx")
        return self.text(lines, clobbers, "__volatile__" if self.r.random() < 0.95 else "")


# ---- aarch64 ----

class Arm(Snippet):
    looked_at = 0.5

    def operands(self):
        for i in range(self.r.randrange(3, 5)):
            constraint = self.pick("=&r", "=&r", "=&r", "+&r", "+&r", "=r") if self.r.random() < 0.5 else "=&r"
            self.variable(constraint, self.pick(1, 2, 4, 8), constraint[0] == "+")
        self.memory = None
        if self.r.random() < 0.5:
            self.memory = Operand("+Q", 8, "s->mem[8]", True)
            self.outputs.append(self.memory)
        for _ in range(self.r.randrange(1, 3)):
            size = self.pick(1, 2, 4, 8, 8)
            self.inputs.append(Operand("r", size, f"({TYPES[size]})s->in[{self.r.randrange(4)}]"))
        # What is there, as often as not.
        self.inputs.append(Operand("r", 8, "s->in[3] & 1 ? s->mem[8] : s->in[0]"))
        self.address = Operand("r", 8, "&s->mem[8]", kind="address")
        self.inputs.append(self.address)
        self.all = self.outputs + self.inputs

    def reg(self, w, sources=True):
        fit = [i for i, o in enumerate(self.all) if not o.memory and o.kind == "r"]
        if not sources and self.r.random() < 0.97:
            fit = [i for i in fit if i < len(self.outputs)]
        return f"%{w}{self.r.choice(fit)}"

    def mem(self):
        if self.memory and self.r.random() < 0.7:
            return f"%{self.all.index(self.memory)}"
        return f"[%{self.all.index(self.address)}]"

    def source(self, w):
        return "#" + self.pick("1", "3", "7") if self.r.random() < 0.25 else self.reg(w)

    def pure(self, w):
        op = self.pick("add", "sub", "and", "orr", "eor", "bic", "mov", "mvn", "neg", "mov")
        if op == "mov":
            return f"mov {self.reg(w, False)}, {self.source(w)}"
        if op in ("mvn", "neg"):
            return f"{op} {self.reg(w, False)}, {self.reg(w)}"
        last = self.reg(w) if op == "bic" else self.source(w)
        return f"{op} {self.reg(w, False)}, {self.reg(w)}, {last}"

    def loop(self, w):
        suffix = self.pick("", "", "", "b", "h") if w == "w" else ""
        old, new, status = self.reg(w, False), self.reg(w), self.reg("w", False)
        while status[2:] in (old[2:], new[2:]): # the assembler says no
            status = self.reg("w", False)
        where = self.mem()
        lines = [f"1: ld{self.pick('', 'a')}xr{suffix} {old}, {where}"]
        if self.r.random() < 0.6:
            op = self.pick("add", "sub", "and", "orr", "eor")
            lines.append(f"{op} {new}, {old}, {self.source(w)}")
        compare = self.r.random() < 0.4
        if self.r.random() < 0.3:
            lines.append(self.pure(w))
        if compare and self.r.random() < 0.5:
            lines += [f"cmp {old}, {self.reg(w)}", "b.ne 2f"]
        elif compare:
            t = self.reg(w, False)
            lines += [f"eor {t}, {old}, {self.reg(w)}", f"cbnz {t}, 2f"]
        if self.r.random() < 0.1:
            lines.append(self.pure(w))
        lines += [f"st{self.pick('', 'l')}xr{suffix} {status}, {new}, {where}", f"cbnz {status}, 1b"]
        if compare:
            if self.r.random() < 0.3:
                lines.append(f"mov {self.reg('w', False)}, #{self.pick(0, 1)}")
            lines.append("2:")
            if self.r.random() < 0.3:
                lines.append(f"cset {self.reg('w', False)}, {self.pick('eq', 'ne')}")
        return lines

    def make(self):
        self.operands()
        w = self.pick("w", "x")
        lines = [self.pure(w) for _ in range(self.r.randrange(0, 2))]
        if self.r.random() < 0.7:
            lines += self.loop(w)
        else:
            suffix = self.pick("", "a", "l", "al")
            op = self.pick("ldadd", "ldclr", "ldset", "ldeor", "swp", "cas")
            lines.append(f"{op}{suffix} {self.reg(w, False)}, {self.reg(w, False)}, {self.mem()}")
        lines += [self.pure(w) for _ in range(self.r.randrange(0, 2))]
        clobbers = [c for c in ("memory", "cc") if self.r.random() < 0.93]
        return self.text(lines, clobbers, "__volatile__")


# ---- both ----

def table(names):
    rows = "".join(f'\t{{ "{n}", {n} }},\n' for n in names)
    return f"const struct snippet SNIPPETS[] = {{\n{rows}\t{{ 0 }},\n}};\n"


def run(*command, **more):
    return subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)


def must(*command):
    done = run(*command)
    if done.returncode:
        sys.exit(f"{' '.join(command)}:\n{done.stdout}")
    return done.stdout


class Build:
    def __init__(self, args, folder):
        self.args, self.folder = args, folder
        target = ["--target=aarch64-linux-gnu", "-march=armv8.1-a", "-mno-outline-atomics"] if args.arm else ["-mcx16"]
        self.flags = ["-O1", "-w", "-ffreestanding", f"-I{args.folder}"] + target

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, snippets):
        with open(self.path(name), "w") as f:
            f.write(HEAD + "\n".join(snippets.values()) + table(snippets))

    def lower(self, source, result, *options):
        must(self.args.clang, *self.flags, "-DSNIPPETS=lowered_snippets", "-Xclang", "-disable-llvm-passes",
             "-emit-llvm", "-S", self.path(source), "-o", self.path("some.ll"))
        return must(self.args.lower, *options, self.path("some.ll"), self.path(result))

    def assembles(self, snippets):
        """Without those that the assembler rejects: it says in which line they are."""
        self.write("try.c", snippets)
        done = run(self.args.clang, *self.flags, "-ferror-limit=0", "-DSNIPPETS=x", "-c", self.path("try.c"),
                   "-o", self.path("try.o"))
        if not done.returncode:
            return snippets
        bad = {int(n) for n in re.findall(r"try\.c:(\d+):\d+: error", done.stdout)}
        name, wrong = None, set()
        with open(self.path("try.c")) as f:
            for number, line in enumerate(f, 1):
                match = re.match(r"static void (\w+)", line)
                name = match.group(1) if match else name
                if number in bad:
                    wrong.add(name)
        return {n: text for n, text in snippets.items() if n not in wrong}

    def compare(self, snippets):
        self.write("kept.c", snippets)
        must(self.args.clang, *self.flags, "-DSNIPPETS=original_snippets", "-c", self.path("kept.c"),
             "-o", self.path("original.o"))
        self.lower("kept.c", "lowered.ll")
        must(self.args.clang, *self.flags, "-c", self.path("lowered.ll"), "-o", self.path("lowered.o"))
        link = ["aarch64-linux-gnu-gcc", "-static"] if self.args.arm else [self.args.clang]
        must(*link, "-O1", os.path.join(self.args.folder, "run_snippets.c"), self.path("original.o"),
             self.path("lowered.o"), "-o", self.path("run"))
        return run(*([qemu()] if self.args.arm else []), self.path("run"))


def qemu():
    return shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("clang")
    parser.add_argument("lower")
    parser.add_argument("folder")
    parser.add_argument("--arm", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--keep")
    args = parser.parse_args()
    if args.arm and not (qemu() and shutil.which("aarch64-linux-gnu-gcc")):
        print("needs qemu-user-static and gcc-aarch64-linux-gnu")
        return 77
    r = random.Random(args.seed)
    made = {f"f{i}": (Arm if args.arm else X86)(r, f"f{i}").make() for i in range(args.count)}
    with tempfile.TemporaryDirectory() as temporary:
        build = Build(args, args.keep or temporary)
        good = build.assembles(made)
        build.write("all.c", good)
        left = {line.split(":")[0] for line in build.lower("all.c", "all.ll", "--list").splitlines()}
        kept = {name: text for name, text in good.items() if name not in left}
        done = build.compare(kept)
    print(done.stdout, end="")
    print(f"{len(made)} made, {len(good)} assemble, {len(kept)} understood")
    for line in done.stdout.splitlines():
        if line.startswith("FAIL: "):
            print(kept[line.split(":")[1].strip()])
    return 1 if done.returncode or len(kept) < args.count // 20 else 0


if __name__ == "__main__":
    sys.exit(main())
