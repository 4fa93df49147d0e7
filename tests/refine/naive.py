#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Refinement between objects, by its definition and by `linchpin check --spec`.

usage: naive.py LINCHPIN EXECUTIONS[,EXECUTIONS ...] [--reduced] [options of check] FILE ...

EXECUTIONS prints all executions of an object's clients (executions.c); if one is too large for it, the next program does.  An
object refines another one if for each of its executions and each client order that is possible with it, some execution of the
other one has the same results, is possible with that order, and orders no calls that the first one and the client do not order.
This test decides that for every pair of files, order by order.  Status 1 if linchpin's answer differs for any pair.
"""
import functools
import itertools
import re
import subprocess
import sys


def orders_on(n):
    """All strict partial orders on n calls, as sets of pairs (b, a): b before a."""
    pairs = [(b, a) for b in range(n) for a in range(n) if a != b]
    found = []
    for number in range(1 << len(pairs)):
        order = {p for i, p in enumerate(pairs) if number >> i & 1}
        if all((a, b) not in order for b, a in order) and all(
                (x, z) in order for x, y in order for y2, z in order if y == y2):
            found.append(order)
    return found


def closed(pairs, n):
    """Reachability in one step or more."""
    reached = set(pairs)
    for k, i, j in itertools.product(range(n), repeat=3):
        if (i, k) in reached and (k, j) in reached:
            reached.add((i, j))
    return reached


@functools.lru_cache(maxsize=None)
def given_with(given, number, n):
    """Pairs (a, b): the beginning of a happens before the end of b, once the client orders the calls by the order of that number."""
    order = ORDERS[n][number]
    begin = {a: a for a in range(n)}
    edges = {(begin[a], n + a) for a in range(n)}            # a call begins before it ends
    edges |= {(begin[a], n + b) for a, b in given}           # the object's synchronisation
    edges |= {(n + b, begin[a]) for b, a in order}           # the client's
    return {(a, b - n) for a, b in closed(edges, 2 * n) if a < n <= b}


@functools.lru_cache(maxsize=None)
def orders_of_like(calls):
    """The calls in all orders in which call a is in the place of a call of the same method, with the values that go with them: (the
    calls, their places).  What a call without an argument returns is a value, as in queues and stacks."""
    texts = [re.fullmatch(r"\d+:(\w+)\(([^)]*)\)=(.*)", call).groups() for call in calls.split(" ")]
    n, found = len(texts), []
    for place in itertools.permutations(range(n)):
        if any(texts[a][0] != texts[place[a]][0] for a in range(n)):
            continue
        values = {texts[a][1]: texts[place[a]][1] for a in range(n) if texts[a][1]}
        names = {}
        for a, (method, argument, result) in enumerate(texts):
            shown = result if argument else values.get(result, result)
            names[place[a]] = "%d:%s(%s)=%s" % (place[a] + 1, method, values.get(argument, ""), shown)
        found.append((" ".join(names[a] for a in range(n)), place))
    return found


@functools.lru_cache(maxsize=None)
def moved(place, n):
    """For each order its number when the calls are in other places."""
    numbers = {frozenset(order): i for i, order in enumerate(ORDERS[n])}
    return [numbers[frozenset((place[b], place[a]) for b, a in order)] for order in ORDERS[n]]


def renamed(calls, given, possible):
    """The execution with like calls in all orders: what symmetry leaves out."""
    for name, place in orders_of_like(calls):
        yield name, frozenset((place[a], place[b]) for a, b in given), frozenset(moved(place, len(place))[h] for h in possible)


class Executions:
    """Of an object: for the calls with their results, the pairs (synchronisation, possible orders)."""

    def __init__(self, programs, file, reduced, options):
        for program in programs.split(","):
            run = subprocess.run([program, *reduced, file, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
            if "too large" not in run.stderr:
                break
        self.failure = run.stderr.strip() if run.returncode else None
        self.of = {}
        for line in run.stdout.splitlines():
            calls, rows, bits = line.split("\t")
            given = frozenset((a, b) for a, row in enumerate(rows.split(",")) for b in range(8) if int(row, 16) >> b & 1)
            possible = frozenset(4 * i + k for i, digit in enumerate(bits) for k in range(4) if int(digit, 16) >> k & 1)
            for name, pairs, orders in renamed(calls, given, possible) if reduced else [(calls, given, possible)]:
                self.of.setdefault(name, set()).add((pairs, orders))


ORDERS = [orders_on(n) for n in range(5)]


def least(executions, count):
    """For each order: the synchronisation of the executions that are possible with it, without what contains that of another one."""
    possible = [set() for _ in range(count)]
    for asked, there in executions:
        for h in there:
            possible[h].add(asked)
    return [[asked for asked in each if not any(less < asked for less in each)] for each in possible]


def why_not(one, other):
    """None if the one refines the other; else the calls and the order that show that it does not."""
    for calls, executions in one.of.items():
        n = len(calls.split(" "))
        stuck = {i for i, call in enumerate(calls.split(" ")) if call.endswith("=stuck")}
        asked_with = least(other.of.get(calls, ()), len(ORDERS[n]))
        for given, h in {(given, h) for given, possible in executions for h in possible}:
            has = given_with(given, h, n)
            if not any(all(b in stuck or (a, b) in has for a, b in asked) for asked in asked_with[h]):
                return calls, sorted(ORDERS[n][h])
    return None


def clients_of(executions):
    """The calls without their results."""
    return {" ".join(call.split("=")[0] for call in calls.split(" ")) for calls in executions.of}


def verdict(linchpin, one, other, options):
    run = subprocess.run([linchpin, "check", one, "--spec", other, "--no-suggest", *options], stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, check=False)
    return run.returncode, run.stdout.splitlines()[0] if run.stdout else ""


def main(linchpin, programs, *rest):
    files = [word for word in rest if word.endswith((".c", ".cpp"))]
    reduced = [word for word in rest if word == "--reduced"]
    options = [word for word in rest if word not in files + reduced]
    executions = {file: Executions(programs, file, reduced, options) for file in files}
    wrong = compared = 0
    for file in files:
        if executions[file].failure:
            print("%s: left out: %s" % (file, executions[file].failure.splitlines()[0]))
            wrong += 1
    good = [file for file in files if not executions[file].failure]
    counts, clients = {0: 0, 1: 0}, {file: clients_of(executions[file]) for file in good}
    for one, other in itertools.product(good, repeat=2):
        if clients[one] - clients[other]:
            continue # other methods, or other arguments
        naive = why_not(executions[one], executions[other])
        status, text = verdict(linchpin, one, other, options)
        compared += 1
        counts[status] = counts.get(status, 0) + 1
        if status != (naive is not None):
            wrong += 1
            print("%s --spec %s: %s\n    naive: %s" % (one, other, text, naive or "refines"))
    print("%d pairs, %d refine, %d do not, %d wrong" % (compared, counts[0], counts[1], wrong))
    return 1 if wrong or not compared else 0


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__.strip())
    sys.exit(main(*sys.argv[1:]))
