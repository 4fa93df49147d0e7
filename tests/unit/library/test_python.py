#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""python/linchpin_history.py: what it says is what `linchpin history` says.

usage: test_python.py LIBRARY FOLDER-OF-MODULE LINCHPIN
"""
import os
import random
import subprocess
import sys
import tempfile

os.environ["LINCHPIN_HISTORY_LIBRARY"] = sys.argv[1]
sys.path.insert(0, sys.argv[2])
from linchpin_history import Error, History, UNKNOWN  # noqa: E402

failures = 0


def expect(claim, what):
    global failures
    if not claim:
        print("FAIL", what)
        failures += 1


def refused(what, *words):
    try:
        what()
    except Error as error:
        expect(all(word in str(error) for word in words), f"{error} lacks {words}")
    else:
        expect(False, f"not refused: {words}")


def by_hand():
    with History("queue") as h:
        h.call(thread=0, start=1, end=5, method="enqueue", args=[7], result=())
        h.call(thread=1, start=6, end=9, method="dequeue", result="empty")
        answer = h.check()
        expect(answer.verdict == "violation" and "nothing was found" in answer.reason, answer)
        expect([c.text for c in answer.core] == ["enqueue(7)", "dequeue() -> empty"], answer.core)
        expect(len(h) == 2 and answer.core[1].number == 1 and answer.attempt, answer)
    h = History("register:init=nil")
    h.call(0, 1, "read", end=2, result=None)
    h.call(0, 3, "write", "x", end=4, result=())
    h.call(1, 5, "write", "y")
    h.call(0, 6, "read", end=7, result=UNKNOWN)
    h.call(0, 8, "read", end=9, result="y")
    expect(h.check().verdict == "verified", "a register with texts")
    h.call(0, 10, "read", end=11, result="x")
    expect(h.check().verdict == "violation", "an old text is read again")
    h = History("snapshot:n=2")
    h.call(0, 1, "update", [0, 5], end=2, result=())
    h.call(0, 3, "scan", end=4, result=[5, 0])
    expect(h.check().verdict == "verified", "several results")
    h = History("queue", prop="sequential")
    h.read("0 1 2 enq 1 -\n0 3 4 enq 2 -\n1 5 6 deq - 2\n", "table")
    expect(h.check().verdict == "violation" and h.check().core[0].line == 1, "a table")
    h = History("transactions", prop="serializable")
    h.read('{"thread":0,"start":1,"end":4,"txn":[["r","x",1],["w","x",2]]}\n{"thread":1,"start":1,"end":4,"txn":[["r","x",1],["w","x",3]]}\n'
           '{"thread":2,"start":0,"end":1,"txn":[["w","x",1]]}\n', "json")
    answer = h.check()
    expect(answer.verdict == "violation" and "lost update" in answer.reason and len(answer.core) == 2, answer)
    refused(lambda: History("frob"), "frob")
    refused(lambda: History("queue", prop="frob"), "frob")
    refused(lambda: h.read("x"), "before")
    refused(lambda: History("queue").read("{", "json"), "history:1")
    refused(lambda: History("queue").call(0, 1, "enqueue", [1.5]), "1.5")
    refused(lambda: History("queue").call(0, 5, "enqueue", [1], end=4), "before it starts")
    bad = History("queue")
    bad.call(0, 1, "frob")
    refused(bad.check, "frob")


def at_random(linchpin, seed):
    """Queues with overlapping calls, some of them wrong."""
    r = random.Random(seed)
    rows, queue, value = [], [], 0
    for i in range(r.randrange(2, 12)):
        start, end = 10 * i - r.randrange(12), 10 * i + r.randrange(12)
        if r.random() < 0.5:
            value += 1
            queue.append(value)
            rows.append((i, start, end, "enqueue", [value], ()))
        else:
            got = queue.pop(r.randrange(len(queue)) if r.random() < 0.2 else 0) if queue else "empty"
            rows.append((i, start, end, "dequeue", [], got))
    with History("queue") as h, tempfile.NamedTemporaryFile("w", suffix=".tab") as file:
        for thread, start, end, method, args, result in rows:
            h.call(thread, start, method, args, end, result)
            file.write(f"{thread} {start} {end} {method} {args[0] if args else '-'} "
                       f"{'-' if result == () else result}\n")
        file.flush()
        verdict = h.check().verdict
        status = subprocess.run([linchpin, "history", file.name, "--spec", "queue", "-q"],
                                stdout=subprocess.DEVNULL, check=False).returncode
    expect(status == {"verified": 0, "violation": 1}[verdict], f"seed {seed}: {verdict}, {status}: {rows}")
    return verdict


by_hand()
seen = [at_random(sys.argv[3], seed) for seed in range(60)]
expect({"verified", "violation"} == set(seen), "both verdicts occur")
print(f"{failures} failures, {seen.count('violation')} of {len(seen)} wrong")
sys.exit(failures != 0)
