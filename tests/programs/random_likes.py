#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs that start threads likewise: is the verdict the same if they are not taken to be alike?

usage: random_likes.py LINCHPIN [--seed N] [--programs N] [--models M,M]

One or two functions run in two or three threads each.  About half of the programs have something that may tell these threads
apart: their numbers, addresses or results, or what main() does between starts and joins.  Assertions, data races and deadlocks
depend on the order in which the threads come.  Each program is explored with --no-symmetry and without.  A program on which the answers
differ is made smaller, line by line, and printed.  At the end the number of programs with like threads is printed: a test without any tests nothing.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
static atomic_int x, y, z;
static int a, b, *block;
static uintptr_t of[4];
static pthread_t t[6];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
"""
ORDERS = {"load": ["relaxed", "acquire", "seq_cst"], "store": ["relaxed", "release", "seq_cst"],
          "rmw": ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]}


def order(rng, kind):
    return "memory_order_" + rng.choice(ORDERS[kind])


def access(rng):
    """An atomic access, whose answer is in r."""
    loc, n = rng.choice("xyz"), rng.randint(1, 2)
    return rng.choice([
        f"r = atomic_fetch_add_explicit(&{loc}, {n}, {order(rng, 'rmw')});",
        f"r = atomic_exchange_explicit(&{loc}, {n}, {order(rng, 'rmw')});",
        f"r = atomic_load_explicit(&{loc}, {order(rng, 'load')});",
        f"atomic_store_explicit(&{loc}, {n}, {order(rng, 'store')});",
    ])


def plain(rng):
    return rng.choice(["a = 1;", "b = a;", "b++;", "if (a) b = 1;", "*block = 1;"])


def telling(rng):
    """What a thread does that may tell it from like threads."""
    slot = "r & 1"
    return rng.choice([
        f"of[{slot}] = (uintptr_t)pthread_self();",
        f"of[{slot}] = (uintptr_t)malloc(1);",
        f"int local; of[{slot}] = (uintptr_t)&local;",
        "free(malloc(r + 1));",
        f"of[{slot}] = (uintptr_t)__builtin_frame_address(0);",
        "return (void *)(uintptr_t)r;",
        "if (r) return &a;",
    ])


def statement(rng, odd):
    """A line of a thread."""
    kind = rng.random()
    if kind < 0.45:
        return access(rng)
    guard = f"if (r {rng.choice(['==', '!='])} {rng.randint(0, 2)}) "
    if kind < 0.60:
        return guard + access(rng)
    if kind < 0.72:
        return guard + "{ " + plain(rng) + " }"
    if kind < 0.80:
        return "pthread_mutex_lock(&m); " + plain(rng) + " pthread_mutex_unlock(&m);"
    if kind < 0.88:
        return guard + "{ " + access(rng) + f" assert(r != {rng.randint(0, 3)}); }}"
    if odd and kind < 0.97:
        return guard + "{ " + telling(rng) + " }"
    return access(rng)


def between(rng, joined):
    """What main() does between two starts or joins."""
    some = [access(rng), plain(rng), "pthread_mutex_lock(&m); a++; pthread_mutex_unlock(&m);",
            f"r = atomic_load(&{rng.choice('xyz')}); assert(r != {rng.randint(0, 2)});"]
    if joined:
        some += ["assert(!a);", "free(block); block = 0;", "assert(!of[0] || of[0] == (uintptr_t)t[0]);"]
    return rng.choice(some)


def make(rng):
    """Functions and main(), as lists of lines each of which can be left out."""
    odd = rng.random() < 0.5
    bodies = [[statement(rng, odd) for _ in range(rng.randint(1, 3))] for _ in range(rng.choice([1, 1, 2]))]
    threads = sorted(rng.randrange(len(bodies)) for _ in range(rng.choice([2, 3, 3, 4] if len(bodies) > 1 else [2, 3])))
    if rng.random() < 0.2:
        rng.shuffle(threads)
    main = []
    for i, f in enumerate(threads):
        main.append(f"pthread_create(&t[{i}], 0, f{f}, {rng.choice(['0', '0', '0', '0', f'&t[{i}]' if odd else '0'])});")
        if rng.random() < (0.15 if odd else 0):
            main.append(between(rng, False))
    if rng.random() < 0.3:
        main.append(access(rng))
    joins = list(range(len(threads)))
    if rng.random() < 0.3:
        rng.shuffle(joins)
    for i in joins if rng.random() < 0.9 else joins[1:]:
        looks = rng.random() < (0.3 if odd else 0.1)
        main.append(f"pthread_join(t[{i}], &result); assert(!result || r);" if looks else f"pthread_join(t[{i}], 0);")
        if rng.random() < (0.2 if odd else 0):
            main.append(between(rng, True))
    main.append(rng.choice([f"assert(atomic_load(&{rng.choice('xyz')}) != {rng.randint(2, 5)});",
                            "assert(!of[0] || !of[1] || of[0] < of[1]);", f"assert(b != {rng.randint(0, 3)});"]))
    return bodies, main


def text_of(program):
    bodies, main = program
    out = HEAD
    for i, body in enumerate(bodies):
        lines = "".join(f"\t{line}\n" for line in body)
        out += f"static void *f{i}(void *arg)\n{{\n\tint r = 0;\n{lines}\t(void)arg, (void)r;\n\treturn 0;\n}}\n"
    lines = "".join(f"\t{line}\n" for line in main)
    return out + f"int main(void)\n{{\n\tint r = 0; void *result = 0;\n\tblock = malloc(sizeof *block); *block = 0;\n{lines}" \
                 "\t(void)r, (void)result;\n\treturn 0;\n}\n"


def verdict(tool, path, model, *options):
    """The verdict, and whether threads were treated as alike."""
    found = subprocess.run([tool, "run", path, "--model", model, "--json", "--time", "20", "--quiet", *options], check=False,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=120)
    if found.returncode not in (0, 1, 3):
        return f"exit status {found.returncode}", False
    text = found.stdout.decode()
    answer = json.loads(text[text.index('{"verdict"'):])
    return answer["verdict"], "like threads" in json.dumps(answer.get("scope", ""))


def differs(tool, program, model, folder):
    """Whether the answers differ; and whether threads were alike."""
    path = os.path.join(folder, "program.c")
    with open(path, "w") as f:
        f.write(text_of(program))
    full, _ = verdict(tool, path, model, "--no-symmetry")
    if full == "inconclusive":
        return "", False
    some, alike = verdict(tool, path, model)
    return f"{some}, but {full} with --no-symmetry" if some != full else "", alike


def shrink(tool, program, model, folder):
    """Without each line that the difference does not need."""
    lists = [*program[0], program[1]]
    again = True
    while again:
        again = False
        for lines in lists:
            for i in range(len(lines) - 1, -1, -1):
                line = lines.pop(i)
                if differs(tool, program, model, folder)[0]:
                    again = True
                else:
                    lines.insert(i, line)
    return program


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("linchpin")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=60)
    parser.add_argument("--models", default="sc,tso,ra,rc11")
    args = parser.parse_args()
    alike = errors = 0
    with tempfile.TemporaryDirectory() as folder:
        for n in range(args.programs):
            program = make(random.Random(f"{args.seed}.{n}"))
            for model in args.models.split(","):
                difference, were = differs(args.linchpin, program, model, folder)
                alike += were
                if difference:
                    errors += 1
                    print(f"seed {args.seed}, program {n}, {model}: {difference}")
                    print(text_of(shrink(args.linchpin, program, model, folder)), flush=True)
                    break
    print(f"seed {args.seed}: {args.programs} programs, {alike} explorations with like threads, {errors} different")
    return 1 if errors or not alike else 0


if __name__ == "__main__":
    sys.exit(main())
