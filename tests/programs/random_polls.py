#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs whose threads poll under locks, held against an interpreter.

usage: random_polls.py LINCHPIN [--seed N] [--programs N]

Flags are plain, each under one of two locks; threads set and clear them, and wait for them by
asking again and again.  The explorer without its reductions would never come to an end, so that the
judge is another one: an interpreter that goes through all states, with critical sections as steps.
A program waits forever if it can reach a state in which all remaining threads wait; otherwise its outcomes
are the flags in the end.  A program on which they differ is made smaller, and printed.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

HEAD = """#include <pthread.h>
void lp_outcome(const char *);
static pthread_mutex_t lock[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static int flag[3];
static void put(int a, int l, int value)
{
	pthread_mutex_lock(&lock[l]);
	flag[a] = value;
	pthread_mutex_unlock(&lock[l]);
}
static void await(int a, int l, int value)
{
	for (;;) {
		pthread_mutex_lock(&lock[l]);
		const int seen = flag[a];
		pthread_mutex_unlock(&lock[l]);
		if (seen == value)
			return;
	}
}
static void await_either(int a, int b)
{
	for (;;) {
		pthread_mutex_lock(&lock[0]);
		pthread_mutex_lock(&lock[1]);
		if (flag[a] || flag[b])
			break;
		pthread_mutex_unlock(&lock[0]);
		pthread_mutex_unlock(&lock[1]);
	}
	pthread_mutex_unlock(&lock[1]);
	pthread_mutex_unlock(&lock[0]);
}
"""


def lock_of(flag):
    return flag % 2


def statement(kind, a, b):
    return {"set": f"put({a}, {lock_of(a)}, 1);", "clear": f"put({a}, {lock_of(a)}, 0);",
            "await": f"await({a}, {lock_of(a)}, 1);", "await not": f"await({a}, {lock_of(a)}, 0);",
            "await either": f"await_either({a}, {b});"}[kind]


def step(kind, a, b, flags):
    """The flags after it; None: it waits."""
    if kind in ("set", "clear"):
        return flags[:a] + (int(kind == "set"),) + flags[a + 1:]
    holds = {"await": flags[a], "await not": not flags[a], "await either": flags[a] or flags[b]}[kind]
    return flags if holds else None


def interpret(threads):
    """Does it wait forever, and what comes out if not?"""
    first = (tuple(0 for _ in threads), (0, 0, 0))
    seen, work, waits, outcomes = {first}, [first], False, set()
    while work:
        places, flags = work.pop()
        left = [t for t, place in enumerate(places) if place < len(threads[t])]
        goes_on = False
        for t in left:
            after = step(*threads[t][places[t]], flags)
            if after is None:
                continue
            goes_on = True
            state = (places[:t] + (places[t] + 1,) + places[t + 1:], after)
            if state not in seen:
                seen.add(state)
                work.append(state)
        waits |= bool(left) and not goes_on
        if not left:
            outcomes.add("%d%d%d" % flags)
    return "liveness" if waits else outcomes


def text_of(threads):
    lines = [HEAD.rstrip()]
    for t, body in enumerate(threads):
        lines.append(f"static void *thread{t}(void *arg) {{ {' '.join(statement(*s) for s in body)} return arg; }}")
    lines.append("int main(void)\n{\n\tpthread_t id[4];")
    lines += [f"\tpthread_create(&id[{t}], NULL, thread{t}, NULL);" for t in range(len(threads))]
    lines += [f"\tpthread_join(id[{t}], NULL);" for t in range(len(threads))]
    lines.append("\tchar text[4] = { (char)('0' + flag[0]), (char)('0' + flag[1]), (char)('0' + flag[2]) };")
    lines.append("\tlp_outcome(text);\n\treturn 0;\n}")
    return "\n".join(lines) + "\n"


def answer(linchpin, folder, threads, options):
    path = os.path.join(folder, "program.c")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text_of(threads))
    run = subprocess.run([linchpin, "run", path, "--json", *options], stdout=subprocess.PIPE, text=True, check=False)
    result = json.loads(run.stdout)
    if result["verdict"] == "verified":
        return {outcome["text"] for outcome in result.get("outcomes", [])}
    return result.get("kind", result["verdict"])


def smaller(threads, differs):
    """Leaves out statements, and threads, as long as it still differs."""
    for t, body in enumerate(threads):
        for i in range(len(body)):
            less = threads[:t] + [body[:i] + body[i + 1:]] + threads[t + 1:]
            less = [b for b in less if b]
            if less and differs(less):
                return smaller(less, differs)
    return threads


def make(r):
    kinds = ["set"] * 4 + ["await"] * 2 + ["await not", "clear", "await either"]
    count = r.randint(2, 4)
    return [[(r.choice(kinds), r.randrange(3), r.randrange(3)) for _ in range(r.randint(1, 3 if count < 4 else 2))]
            for _ in range(count)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("linchpin")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=40)
    args = parser.parse_args()
    waiting = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(args.seed, args.seed + args.programs):
            r = random.Random(seed)
            threads = make(r)
            options = ["--model", r.choice(["sc", "tso", "ra", "rc11"]), *r.choice([[], ["-j", "2"], ["--no-symmetry"]])]

            def differs(program, options=options):
                return answer(args.linchpin, folder, program, options) != interpret(program)

            waiting += interpret(threads) == "liveness"
            if differs(threads):
                threads = smaller(threads, differs)
                print(text_of(threads))
                sys.exit("seed %d, %s: expected %s, got %s" % (seed, " ".join(options), interpret(threads),
                                                              answer(args.linchpin, folder, threads, options)))
    print("%d programs from seed %d, of which %d wait forever" % (args.programs, args.seed, waiting))
    if not 0 < waiting < args.programs:
        sys.exit("they are all of one kind")


if __name__ == "__main__":
    main()
