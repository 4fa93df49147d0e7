#!/usr/bin/env python3
"""--ignore, against programs in which what is ignored is written out.

usage: ignored_random.py LINCHPIN [PROGRAMS [SEED]]

Threads of random programs have assertions that may fail.  Each assertion that linchpin reports is ignored from then on, until
it reports nothing: then it must have reported all assertions that can fail.  A finding that is ignored ends its thread.  So
whether an assertion can fail is found out with a second program, in which all other assertions end the thread: linchpin
explores it without --ignore (except for threads that wait forever) and without reductions.  If the two answers differ, the
test removes lines from the program as long as they still differ, and prints it.
"""
import os
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import reduction_table  # pylint: disable=wrong-import-position

LINCHPIN = sys.argv[1]
PROGRAMS = int(sys.argv[2]) if len(sys.argv) > 2 else 25
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 41
PLAIN = reduction_table.switches(reduction_table.of_run)
HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int v[2];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#define GOES_WRONG(n, c) do { if (WRONG & 1 << n) assert(c); else if (!(c)) return p; } while (0)
"""


def statements(rng):
    order = rng.choice(["relaxed", "acquire", "release", "seq_cst"])
    load = order if order != "release" else "relaxed"
    store = order if order != "acquire" else "relaxed"
    x = f"v[{rng.randrange(2)}]"
    n = rng.randrange(3)
    return rng.choice([
        f"atomic_store_explicit(&{x}, {n}, memory_order_{store});",
        f"r = atomic_load_explicit(&{x}, memory_order_{load});",
        f"atomic_fetch_add_explicit(&{x}, 1, memory_order_{order});",
        f"while (atomic_load(&{x}) != {n}) ;",
        "pthread_mutex_lock(&m); v[0] = v[0] + 1; pthread_mutex_unlock(&m);",
        f"GOES_WRONG(#, atomic_load_explicit(&{x}, memory_order_{load}) != {n});",
        f"GOES_WRONG(#, r != {n});",
    ])


def program(threads):
    """Its text, and the lines of its assertions."""
    text, lines, number = HEAD, {}, 0
    for t, body in enumerate(threads):
        text += f"static void *t{t}(void *p)\n{{\n\tint r = 0;\n"
        for s in body:
            if "#" in s:
                lines[text.count("\n") + 1] = number
                s = s.replace("#", str(number))
                number += 1
            text += f"\t{s}\n"
        text += "\treturn p;\n}\n"
    text += "int main(void)\n{\n\tpthread_t t[3];\n"
    for t in range(len(threads)):
        text += f"\tpthread_create(&t[{t}], 0, t{t}, 0);\n"
    return text + "\tpthread_exit(0);\n}\n", lines


def run(options, flags):
    done = subprocess.run([LINCHPIN, "run", "p.c", "-q", "--time", "10", *options, "--", *flags], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    found = re.search(r"violation: (.*?) at p.c:(\d+)", done.stdout)
    if done.returncode not in (0, 1) or (done.returncode == 1) != bool(found):
        return None
    return (found[1], int(found[2])) if found else ()


def by_ignoring(lines, more):
    """The assertions that fail, or None if that is not known."""
    ignored, wrong = [], set()
    while True:
        rules = ",".join(["liveness", "deadlock"] + [f"assertion@p.c:{line}" for line in ignored])
        found = run(["--ignore", rules, *more], [f"-DWRONG={2 ** len(lines) - 1}"])
        if found is None:
            return None
        if not found:
            return wrong
        if found[0] != "assertion" or found[1] in ignored:
            return {f"found {found}, ignoring {rules}"}
        ignored.append(found[1])
        wrong.add(found[1])


def by_writing(lines):
    wrong = set()
    for line, number in lines.items():
        found = run(["--only", "assertion", *PLAIN], [f"-DWRONG={1 << number}"])
        if found is None:
            return None
        if found:
            wrong.add(found[1])
    return wrong


def differs(threads, more):
    text, lines = program(threads)
    with open("p.c", "w") as out:
        out.write(text)
    want = by_writing(lines)
    got = by_ignoring(lines, more) if want is not None else None
    return None if got is None else (want, got) if want != got else ()


def shrunk(threads, more):
    smaller = True
    while smaller:
        smaller = False
        for t in range(len(threads)):
            for s in range(len(threads[t])):
                less = [body[:s] + body[s + 1:] if i == t else body for i, body in enumerate(threads)]
                if differs(less, more):
                    threads, smaller = less, True
                    break
            if smaller:
                break
    return threads


def main():
    print("seed", SEED)
    rng = random.Random(SEED)
    unknown = 0
    with tempfile.TemporaryDirectory() as folder:

        os.chdir(folder)
        for _ in range(PROGRAMS):
            threads = [[statements(rng) for _ in range(rng.randint(2, 4))] for _ in range(rng.randint(2, 3))]
            more = rng.choice([[], [], ["-j", "2"]])
            d = differs(threads, more)
            if d is None:
                unknown += 1
            elif d:
                threads = shrunk(threads, more)
                want, got = differs(threads, more)
                print(program(threads)[0])
                print(f"{' '.join(more)}: by ignoring {sorted(map(str, got))}, written out {sorted(map(str, want))}")
                return 1
    print(f"{PROGRAMS} programs, {unknown} of them undecided")
    return 1 if unknown > PROGRAMS // 2 else 0


sys.exit(main())
