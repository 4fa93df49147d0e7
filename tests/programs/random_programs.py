#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare answers about random native programs with a reduction on and off.

usage: random_programs.py LINCHPIN [--seed N] [--programs N] [--keep FOLDER]

The oracle's random programs are scripts, and know nothing of what only real programs have: an
end of main(), exit(), detached threads, memory that main() reads after its joins, the
compiler's loops.  Here they are C, and the judge is the explorer itself without the reduction:
verdict, kind and outcomes must be the same, and the number of executions where the reduction
must not change it.  A program on which they differ is made smaller by leaving lines out, and
printed with the commands to repeat it.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

LOADS = ["relaxed", "acquire", "seq_cst"]
STORES = ["relaxed", "release", "seq_cst"]
MODELS = ["sc", "tso", "ra", "rc11"]
# options, and whether executions are counted alike
SWITCHES = [(["--no-tail"], True), (["-j", "2"], True), (["--no-symmetry"], False),
            (["--no-helping"], False)]

HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
void __VERIFIER_assume(int);
int __VERIFIER_nondet_bool(void);
void lp_outcome(const char *);
static atomic_int x, y, z;
static int seen[4], other;
static pthread_t thread[4];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void at_exit(void) { assert(!seen[0] || !seen[1]); }
"""


def order(r, orders):
    return "memory_order_" + r.choice(orders)


def operation(r, me, joined, mine):
    """One line of a thread, which notes what it has seen in `mine`."""
    var, value = r.choice("xyz"), r.randint(1, 2)
    load = f"atomic_load_explicit(&{var}, {order(r, LOADS)})"
    kinds = {
        "load": (26, f"{mine} += {load};"),
        "store": (26, f"atomic_store_explicit(&{var}, {value}, {order(r, STORES)});"),
        "add": (8, f"{mine} += atomic_fetch_add_explicit(&{var}, 1, {order(r, LOADS)});"),
        "wait": (8, f"while (!{load}) ;"),
        "if": (6, f"if ({load} == {value}) {mine} = 3;"),
        "assume": (3, f"__VERIFIER_assume({load} != {value});"),
        "wait for either": (4, "while (!atomic_load(&x) && !atomic_load(&y)) ;"),
        "retry": (4, f"for (int old = {load}; !atomic_compare_exchange_strong("
                     f"&{var}, &old, old + 1); ) ;"),
        "lock": (4, f"pthread_mutex_lock(&mutex); other = {value}; pthread_mutex_unlock(&mutex);"),
        "choice": (2, f"if (__VERIFIER_nondet_bool()) atomic_store(&{var}, {value});"),
        "at exit": (2, f"if ({load}) atexit(at_exit);"),
        "detach": (2, f"if ({load}) pthread_detach(pthread_self());"),
        "leave": (2, f"if ({load} == {value}) pthread_exit(NULL);"),
        "exit": (1, f"if ({load} == {value}) exit(0);"),
    }
    if me and me - 1 not in joined:
        kinds["join"] = (5, f"pthread_join(thread[{me - 1}], NULL);")
    kind = r.choices(list(kinds), [weight for weight, _ in kinds.values()])[0]
    if kind == "join":
        joined.add(me - 1)
    return kinds[kind][1]


def program(r):
    """A random program: a list of lines, those that may be left out with a mark."""
    count, joined, lines = r.randint(2, 4), set(), []
    like = r.random() < .3
    for t in range(1 if like else count):
        lines.append((False, f"static void *run{t}(void *arg)\n{{\n\tint mine = 0;"))
        lines += [(True, "\t" + operation(r, 0 if like else t, joined,
                                          "mine" if like else f"seen[{t}]"))
                  for _ in range(r.randint(1, 3))]
        if like:
            lines.append((True, "\tif (mine == 2) atomic_store(&z, 2);"))
        lines.append((False, "\treturn mine < 9 ? arg : NULL;\n}"))
    lines.append((False, "int main(void)\n{"))
    for t in range(count):
        lines.append((False, f"\tpthread_create(&thread[{t}], NULL, run{0 if like else t}, NULL);"))
    if r.random() < .3:
        lines.append((True, "\t" + operation(r, 0, set(range(4)), "other")))
    left = [t for t in range(count) if t not in joined]
    r.shuffle(left)
    lines += [(True, f"\tpthread_join(thread[{t}], NULL);") for t in left if r.random() < .95]
    if r.random() < .3:
        lines.append((True, "\tif (seen[0] == 3 && seen[1]) lp_outcome(\"both\");"))
    if r.random() < .2:
        lines.append((True, "\tassert(!(seen[0] == 2 && seen[1] == 2));"))
    if r.random() < .1:
        lines.append((True, "\tother = 1;"))
    lines.append((False, "\treturn 0;\n}"))
    return lines


def answer(tool, path, options):
    run = subprocess.run([tool, "run", path, "--json", "--executions", "20000", *options],
                         capture_output=True, text=True, timeout=600)
    result = json.loads(run.stdout)
    return result["verdict"], result.get("kind"), result.get("executions"), sorted(
        outcome["text"] for outcome in result.get("outcomes", []))


def difference(tool, path, model, lines, switches):
    """The first switch that changes the answer, with both answers; None if none does."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD + "\n".join(line for _, line in lines) + "\n")
    on = answer(tool, path, ["--model", model])
    if on[0] in ("inconclusive", "error"):
        return None, on[0]
    for options, counted in switches:
        off = answer(tool, path, ["--model", model, *options])
        if off[0] == "inconclusive":
            continue
        same = on[:2] == off[:2] and (on[0] != "verified" or on[3] == off[3])
        if same and counted and on[0] == "verified":
            same = on[2] == off[2]
        if not same:
            return ((options, counted), on, off), on[0]
    return None, on[0]


def shrink(tool, path, model, lines, found):
    """Leaves out lines as long as the same switch still makes a difference."""
    smaller = True
    while smaller:
        smaller = False
        for i in reversed(range(len(lines))):
            if not lines[i][0]:
                continue
            fewer = lines[:i] + lines[i + 1:]
            again, _ = difference(tool, path, model, fewer, [found[0]])
            if again:
                lines, found, smaller = fewer, again, True
    difference(tool, path, model, lines, [found[0]])
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=40)
    parser.add_argument("--keep", help="folder for the programs (default: a temporary one)")
    args = parser.parse_args()
    verdicts = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.keep or temporary
        os.makedirs(folder, exist_ok=True)
        for i in range(args.programs):
            r = random.Random(args.seed * 1000003 + i)
            model, lines = r.choice(MODELS), program(r)
            path = os.path.join(folder, f"random-{args.seed}-{i}.c")
            found, verdict = difference(args.tool, path, model, lines, SWITCHES)
            verdicts[verdict] = verdicts.get(verdict, 0) + 1
            if not found:
                continue
            (options, _), on, off = shrink(args.tool, path, model, lines, found)
            print(f"seed {args.seed}, program {i}, {model}: {on}\n  with {' '.join(options)}: {off}")
            with open(path, encoding="utf-8") as file:
                print(file.read())
            return 1
    if verdicts.get("verified", 0) < args.programs // 4:
        print("too few programs are verified to mean anything:", verdicts)
        return 1
    print(f"seed {args.seed}: {args.programs} programs agree: {verdicts}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
