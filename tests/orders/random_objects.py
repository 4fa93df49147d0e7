#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random objects: `linchpin orders` agrees with trying all assignments.

usage: random_objects.py LINCHPIN [--runs N] [--seed S]

Methods are a few atomic operations and fences on two or three variables, with random orders; each may access plain
memory if it has read certain values.  All results are right, so that what can go wrong is a race.  Of an
object that is right, the minimal assignments are compared; of one that is wrong, the fixes, or that there
are none.  An object that differs is printed.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

LEGAL = {"load": ["relaxed", "acquire", "seq_cst"], "store": ["relaxed", "release", "seq_cst"],
         "rmw": ["relaxed", "acquire", "release", "acq_rel", "seq_cst"],
         "fence": ["acquire", "release", "acq_rel", "seq_cst"]}
MOST = 600  # assignments, of those that are tried one by one

HEAD = """#include <linchpin.h>
#include <stdatomic.h>

static enum lp_answer any(struct lp_state *s, const struct lp_spec_call *c)
{
	(void)s;
	(void)c;
	return LP_ACCEPTS;
}
static const struct lp_method methods[] = { %s };
static const struct lp_kind anything = {
	.name = "anything", .about = "all results are right", .data = LP_DATA_EQUALITY,
	.methods = methods, .method_count = %d,
};
static atomic_int x, y, z;
static long plain, other;
LP_SPEC_OWN(anything)
"""


class Object:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.above = self.below = 1  # assignments to be tried: weaker, stronger
        self.strong = self.random.random()
        count = self.random.choice([2, 2, 3])
        shape = self.random.choice(["any", "hand over", "hand over", "either", "either", "stale", "stale"])
        if shape == "any":
            bodies = [self.method() for _ in range(count)]
        elif shape == "hand over":
            bodies = [self.giver()] + [self.taker() for _ in range(count - 1)]
        elif shape == "stale":
            bodies, count = [self.writer(), self.reader()], 2
        else:
            bodies = [self.rival(*["xy", "yx", "zx"][i]) for i in range(2)]
            count = 2
        names = [f"m{i}" for i in range(count)]
        listed = ", ".join(f'{{ "{n}", 0, LP_NOTHING, 0, any }}' for n in names)
        self.text = HEAD % (listed, count) + "".join(
            f"LP_METHOD({n})\n{{\n{b}\treturn LP_VOID;\n}}\n" for n, b in zip(names, bodies))
        self.options = ["--ops", ",".join(f"{n}=1" for n in names)]
        self.options += self.random.choice([[], [], [], ["--model", "tso"], ["--release-sequences", "c20"],
                                            ["--model", "ra"]])

    def order(self, kind):
        legal = LEGAL[kind]
        order = "seq_cst" if self.random.random() < self.strong else self.random.choice(legal)
        rank = {"relaxed": 1, "acquire": 2, "release": 2, "acq_rel": 4, "seq_cst": len(legal) + (kind == "fence")}
        self.above *= rank[order]
        self.below *= {"relaxed": len(legal), "acq_rel": 2, "seq_cst": 1}.get(order, 2 if len(legal) == 3 else 3)
        return "memory_order_" + order

    def operation(self, register):
        kind = self.random.choice(["load"] * 5 + ["store"] * 5 + ["exchange", "add", "cas", "fence", "fence"])
        at, value = self.random.choice("xxyyz"), self.random.randint(1, 2)
        if kind == "load":
            return f"int r{register} = atomic_load_explicit(&{at}, {self.order('load')});", True
        if kind == "store":
            return f"atomic_store_explicit(&{at}, {value}, {self.order('store')});", False
        if kind == "exchange":
            return f"int r{register} = atomic_exchange_explicit(&{at}, {value}, {self.order('rmw')});", True
        if kind == "add":
            return f"int r{register} = atomic_fetch_add_explicit(&{at}, 1, {self.order('rmw')});", True
        if kind == "cas":
            expected = self.random.randint(0, 1)
            return (f"int r{register} = {expected}; atomic_compare_exchange_strong_explicit(&{at}, &r{register}, {value}, "
                    f"{self.order('rmw')}, {self.order('load')});"), True
        return f"atomic_thread_fence({self.order('fence')});", False

    def plain(self, registers):
        what = self.random.choice(["plain++;", "plain = 1;", "other++;", "(void)*(volatile long *)&other;"])
        if not registers:
            return what
        some = self.random.sample(registers, self.random.randint(1, min(2, len(registers))))
        return f"if ({' && '.join(f'{r} == {self.random.choice([0, 1, 1, 2])}' for r in some)}) {what}"

    def load(self, register, at):
        return f"int r{register} = atomic_load_explicit(&{at}, {self.order('load')});"

    def put(self, at, value):
        kind = self.random.choice(["store", "store", "exchange", "add"])
        if kind == "store":
            return f"atomic_store_explicit(&{at}, {value}, {self.order('store')});"
        return f"atomic_{'exchange' if kind == 'exchange' else 'fetch_add'}_explicit(&{at}, 1, {self.order('rmw')});"

    def fences(self):
        return [f"atomic_thread_fence({self.order('fence')});"] if self.random.random() < 0.4 else []

    @staticmethod
    def body(lines):
        return "".join(f"\t{line}\n" for line in lines)

    def giver(self):
        """Writes plain memory, then says so, perhaps in two places."""
        lines = ["plain = 1;"] + self.fences() + [self.put("x", 1)]
        if self.random.random() < 0.5:
            lines += self.fences() + [self.put("y", 1)]
        return self.body(lines)

    def taker(self):
        """Reads plain memory if it was told to; or passes it on."""
        at = self.random.choice("xxy")
        lines = [self.load(0, at)] + self.fences()
        if self.random.random() < 0.3:
            return self.body(lines + [f"if (r0 == 1) {self.put('y', 1)}"])
        if self.random.random() < 0.3:
            lines = [f"int r0 = 1; atomic_compare_exchange_strong_explicit(&{at}, &r0, 2, {self.order('rmw')}, "
                     f"{self.order('load')});"]
        return self.body(lines + ["if (r0 == 1) (void)*(volatile long *)&plain;"])

    def writer(self):
        """Writes two variables, then does what only one thread at a time may do."""
        return self.body([self.put("x", 1)] + self.fences() + [self.put("y", 1), "plain++;"])

    def reader(self):
        """Does it, too, if it reads the second, and not the first."""
        return self.body([self.load(0, "y")] + self.fences() + [self.load(1, "x"), "if (r0 == 1 && r1 == 0) plain++;"])

    def rival(self, mine, others):
        """Says that it wants to; goes on if the other one has not."""
        lines = [self.put(mine, 1)] + self.fences() + [self.load(0, others)]
        return self.body(lines + ["if (r0 == 0) plain++;"])

    def method(self):
        lines, registers = [], []
        accesses = self.random.randint(2, 3)
        where = self.random.sample(range(accesses + 1), self.random.randint(1, 2))
        for i in range(accesses + 1):
            if i in where and (registers or self.random.random() < 0.5):
                lines.append(self.plain(registers))
            if i < accesses:
                text, reads = self.operation(i)
                lines.append(text)
                if reads:
                    registers.append(f"r{i}")
                    lines.append(f"(void)r{i};")
        return "".join(f"\t{line}\n" for line in lines)


def run(linchpin, file, options, *more):
    line = [linchpin, "orders", file, "--json", "--all"] + options + list(more)
    done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=300)
    return done.returncode, json.loads(done.stdout) if done.stdout.startswith("{") else {"error": done.stderr}


def answer(status, found):
    """What is compared."""
    if status == 0:
        return "right", tuple(sorted(m["order"] for m in found["minimal"]))
    if status == 1:
        return "wrong", found.get("no_fix"), tuple(sorted(f["order"] for f in found.get("fixes", [])))
    return "undecided", status, str(found.get("reason")), str(found.get("error"))


def same(one, every):
    """Larger sets than of two changes are found one of, the cheapest: any of these will do."""
    if one[0] != "wrong" or every[0] != "wrong" or one == every:
        return one == every
    sizes = {fix.count("=") for fix in one[2] + every[2]}
    return one[1] == every[1] and len(sizes) == 1 and sizes.pop() > 2


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("linchpin")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    linchpin = os.path.abspath(given.linchpin)
    seen, wrong, seed, done = {}, 0, given.seed, 0
    with tempfile.TemporaryDirectory() as folder:
        while done < given.runs:
            obj = Object(seed)
            seed += 1
            if max(obj.above, obj.below) > MOST:
                continue
            done += 1
            file = os.path.join(folder, "object.c")
            with open(file, "w") as out:
                out.write(obj.text)
            status, found = run(linchpin, file, obj.options)
            one = answer(status, found)
            every = answer(*run(linchpin, file, obj.options, "--exhaustive"))
            key = one[0] if one[0] != "wrong" else "fixed" if one[2] else "not fixed"
            if one[0] == "right":
                needed = any(site["needed"] not in ("relaxed", "none") for site in found["sites"])
                key += f" with {len(one[1])} minimal" if needed else " with all relaxed"
            seen[key] = seen.get(key, 0) + 1
            if one[0] == "undecided" or not same(one, every):
                wrong += 1
                print(f"seed {seed - 1}: {' '.join(obj.options)}\n{obj.text}\n  search: {one}\n  all:    {every}", flush=True)
    print(f"{done} objects, seeds {given.seed} to {seed - 1}, {wrong} wrong: " +
          ", ".join(f"{n} {key}" for key, n in sorted(seen.items())))
    return 1 if wrong or not done else 0


if __name__ == "__main__":
    sys.exit(main())
