#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A mutant that linchpin-fe makes is the one that an editor would make.

usage: text.py LINCHPIN SOURCE_FOLDER [--only PATTERN]

For each mutant below the same change is made in the source.  Both are checked: verdict, kind of violation, and the
numbers of executions and of blocked ones have to be the same.
"""
import argparse
import collections
import fnmatch
import json
import os
import subprocess
import sys
import tempfile

TREIBER, MSQUEUE, HWQUEUE = ("examples/treiber.c", "4"), ("examples/msqueue.c", "4"), ("examples/hwqueue.c", "4")
TWOLOCK, TICKET, SPSC = ("examples/twolock.c", "4"), ("examples/ticketlock.c", "4"), ("examples/spsc.cpp", "5")
SNAPSHOT, SEQLOCK, BOUNDED = ("examples/snapshot.c", "3"), ("zoo/seqlock.c", "3"), ("examples/boundedqueue.c", "4")

CAS = """	return atomic_compare_exchange_strong_explicit(&s->top, from, to, order,
						       memory_order_relaxed);"""
MS_CAS = """	return atomic_compare_exchange_strong_explicit(pointer, &from, to, order,
						       memory_order_relaxed);"""
HEAD, LAST = ("		struct node *dummy = atomic_load_explicit(&q->head, HEAD_ACQUIRE);\n",
              "		struct node *last = atomic_load_explicit(&q->tail, TAIL_ACQUIRE);\n")
FIRST = "		struct node *first = atomic_load_explicit(&dummy->next, memory_order_acquire);\n"
SLOT, BACK = "		slot[at % Size] = value;\n", "		back.store(at + 1, FILLED);\n"
LOW, HIGH = ("	atomic_store_explicit(&s->low, low, memory_order_relaxed);\n",
             "	atomic_store_explicit(&s->high, high, memory_order_relaxed);\n")
NUMBER = "	atomic_store_explicit(&s->number, n + 2, memory_order_release);\n"
GIVE = "	lock_give(&q->tail_lock);\n"

LOOPS = ("tests/mutants/loops.c", "2")

# The object, the mutant, and what is replaced by what: once in the text.
MUTANTS = [
    (LOOPS, "loops.c:10/never", "!atomic_compare_exchange_weak(&x, &was, was + 1);",
     "(atomic_compare_exchange_weak(&x, &was, was + 1), 0);"),
    (LOOPS, "loops.c:17#1/never", "i < j && sum < 3; i++", "0; i++"),
    (LOOPS, "loops.c:17#2/never", "i < j && sum < 3; i++", "0 && sum < 3; i++"),
    (LOOPS, "loops.c:17#2/always", "i < j && sum < 3; i++", "1 && sum < 3; i++"),
    (LOOPS, "loops.c:17#3/always", "i < j && sum < 3; i++", "i < j && 1; i++"),
    (LOOPS, "loops.c:19#1/never", "while (sum > 0 || sum < -5)", "while (0)"),
    (LOOPS, "loops.c:19#3/always", "sum > 0 || sum < -5", "sum > 0 || 1"),
    (LOOPS, "loops.c:25/never", "while (n % 4);", "while (0);"),
    (LOOPS, "loops.c:26#1/never", "if (n > 100 || n < 4)", "if (0 || n < 4)"),
    (LOOPS, "loops.c:26#2/never", "if (n > 100 || n < 4)", "if (n > 100 || 0)"),
    (LOOPS, "loops.c:26#1/always", "if (n > 100 || n < 4)", "if (1 || n < 4)"),
    (LOOPS, "loops.c:28#1/never", "n == 8 && !n", "0 && !n"),
    (LOOPS, "loops.c:28#2/always", "n == 8 && !n", "n == 8 && 1"),
    (LOOPS, "loops.c:30/never", "n ? total : 2", "0 ? total : 2"),
    (LOOPS, "loops.c:30/always", "n ? total : 2", "1 ? total : 2"),
    (TREIBER, "treiber.c:47/split", CAS, """	struct node *was = atomic_load_explicit(&s->top, memory_order_relaxed);
	if (was != *from) { *from = was; return false; }
	atomic_store_explicit(&s->top, to, order);
	return true;"""),
    (TREIBER, "treiber.c:47/unchecked", CAS, "	atomic_store_explicit(&s->top, to, order); return true;"),
    (TREIBER, "treiber.c:47/weak", CAS, CAS.replace("strong", "weak")),
    (TREIBER, "treiber.c:57/no-store", "	node->value = value;\n", "\n"),
    (TREIBER, "treiber.c:60/no-store", "		node->next = top;\n", "\n"),
    (TREIBER, "treiber.c:61/never", "} while (!swing(s, &top, node, PUSH));", "} while (swing(s, &top, node, PUSH), 0);"),
    (TREIBER, "treiber.c:61=relaxed", "node, PUSH)", "node, memory_order_relaxed)"),
    (TREIBER, "treiber.c:69=relaxed", "&s->top, memory_order_acquire)", "&s->top, memory_order_relaxed)"),
    (TREIBER, "treiber.c:70/never", "if (!top)", "if (0)"),
    (TREIBER, "treiber.c:70/always", "if (!top)", "if (1)"),
    (TREIBER, "treiber.c:71/result", "			return false;", "			return true;"),
    (TREIBER, "treiber.c:72/never", "} while (!swing(s, &top, top->next, POP));",
     "} while (swing(s, &top, top->next, POP), 0);"),
    (TREIBER, "treiber.c:73/no-store", "	*value = top->value;\n", "\n"),
    (TREIBER, "treiber.c:75/result", "	DISPOSE(top);\n	return true;", "	DISPOSE(top);\n	return false;"),
    (MSQUEUE, "msqueue.c:84/unchecked", MS_CAS, "	atomic_store_explicit(pointer, to, order); return true;"),
    (MSQUEUE, "msqueue.c:84/weak", MS_CAS, MS_CAS.replace("strong", "weak")),
    (MSQUEUE, "msqueue.c:91/no-call", "	swing(&q->tail, from, to, TAIL_RELEASE);", ""),
    (MSQUEUE, "msqueue.c:101/never", "if (next) {", "if (0) {"),
    (MSQUEUE, "msqueue.c:101/always", "if (next) {", "if (1) {"),
    (MSQUEUE, "msqueue.c:102/no-call", "move_tail(q, last, next);", ""),
    (MSQUEUE, "msqueue.c:104/no-call", "move_tail(q, last, node);", ""),
    (MSQUEUE, "msqueue.c:113/swap", HEAD + LAST, LAST + HEAD),
    (MSQUEUE, "msqueue.c:114/swap", LAST + FIRST, FIRST + LAST),
    (MSQUEUE, "msqueue.c:116/never", "if (!first)", "if (0)"),
    (MSQUEUE, "msqueue.c:116/always", "if (!first)", "if (1)"),
    (MSQUEUE, "msqueue.c:118/never", "if (dummy == last) {", "if (0) {"),
    (MSQUEUE, "msqueue.c:118/always", "if (dummy == last) {", "if (1) {"),
    (MSQUEUE, "msqueue.c:119/no-call", "move_tail(q, last, first);", ""),
    (MSQUEUE, "msqueue.c:123/never", "if (MOVE_HEAD(q, dummy, first)) {", "if (MOVE_HEAD(q, dummy, first), 0) {"),
    (HWQUEUE, "hwqueue.c:31/split", "atomic_fetch_add_explicit(&q->back, 1, memory_order_release);",
     "atomic_load_explicit(&q->back, memory_order_relaxed);"
     " atomic_store_explicit(&q->back, i + 1, memory_order_release);"),
    (HWQUEUE, "hwqueue.c:31/off-by-one", "(&q->back, 1,", "(&q->back, 0,"),
    (HWQUEUE, "hwqueue.c:32/no-store", "	atomic_store_explicit(&q->slot[i], value, memory_order_release);", ""),
    (HWQUEUE, "hwqueue.c:40/boundary", "i < back", "i <= back"),
    (HWQUEUE, "hwqueue.c:40/never", "i < back", "0"),
    (HWQUEUE, "hwqueue.c:42/never", "if (atomic_load_explicit(&q->slot[i], memory_order_acquire) == NOTHING)", "if (0)"),
    (HWQUEUE, "hwqueue.c:42/always", "if (atomic_load_explicit(&q->slot[i], memory_order_acquire) == NOTHING)", "if (1)"),
    (HWQUEUE, "hwqueue.c:45/never", "if (value != NOTHING)", "if (0)"),
    (HWQUEUE, "hwqueue.c:45/always", "if (value != NOTHING)", "if (1)"),
    (HWQUEUE, "hwqueue.c:57/never", "while (value == NOTHING);", "while (0);"),
    (TWOLOCK, "twolock.c:50/no-call", "	lock_take(&q->tail_lock);", ""),
    (TWOLOCK, "twolock.c:51/no-store", "	atomic_store_explicit(&q->tail->next, node, PUBLISH);", ""),
    (TWOLOCK, "twolock.c:52/no-store", "	q->tail = node;", ""),
    (TWOLOCK, "twolock.c:52/swap", "	q->tail = node;\n" + GIVE, GIVE + "	q->tail = node;\n"),
    (TWOLOCK, "twolock.c:53/no-call", GIVE, "\n"),
    (TWOLOCK, "twolock.c:61/never", "	if (first) {", "	if (0) {"),
    (TWOLOCK, "twolock.c:67/always", "	if (first)\n", "	if (1)\n"),
    (TWOLOCK, "twolock.c:68/no-call", "free(dummy);", ";"),
    (TICKET, "ticketlock.c:24/split", "	return atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed);",
     "	unsigned was = atomic_load_explicit(&l->next, memory_order_relaxed);"
     " atomic_store_explicit(&l->next, was + 1, memory_order_relaxed); return was;"),
    (TICKET, "ticketlock.c:31/never",
     "while (atomic_load_explicit(&l->called, memory_order_acquire) != ticket)", "while (0)"),
    (TICKET, "ticketlock.c:38/off-by-one", "ticket + 1, CALL", "ticket + 0, CALL"),
    (SPSC, "spsc.cpp:31/no-store", SLOT, "\n"),
    (SPSC, "spsc.cpp:31/swap", SLOT + BACK, BACK + SLOT),
    (SPSC, "spsc.cpp:32/off-by-one", "back.store(at + 1", "back.store(at + 0"),
    (SPSC, "spsc.cpp:39/never", "if (at == back.load(LOOK))", "if (false)"),
    (SPSC, "spsc.cpp:43/result", "EMPTIED);\n		return true;", "EMPTIED);\n		return false;"),
    (SEQLOCK, "seqlock.c:26=none", "	atomic_thread_fence(memory_order_release);", ""),
    (SEQLOCK, "seqlock.c:28/swap", LOW + HIGH, HIGH + LOW),
    (SEQLOCK, "seqlock.c:29/swap", HIGH + NUMBER, NUMBER + HIGH),
    (SEQLOCK, "seqlock.c:30/off-by-one", "n + 2", "n + 1"),
    (BOUNDED, "boundedqueue.c:33/no-call", "	pthread_cond_signal(&q->not_empty);", ""),
    (BOUNDED, "boundedqueue.c:40/never", "WHILE (q->count == 0)", "WHILE (0)"),
    (BOUNDED, "boundedqueue.c:44/no-store", "	q->count--;", ""),
]


def check(linchpin, path, calls, folder, *mutant):
    """What `check` says of it: verdict, kind, executions, blocked ones."""
    run = subprocess.run([linchpin, "check", path, "--ops", calls, "--json", "--no-suggest", "--time", "60", *mutant,
                          "--", "-I" + folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    try:
        found = json.loads(run.stdout)
    except ValueError:
        return run.stderr.strip()
    return [found.get(k) for k in ("verdict", "kind", "executions", "blocked")]


def changed(path, old, new, folder):
    """The source with that change, in the folder."""
    with open(path, encoding="utf-8") as source:
        text = source.read()
    if text.count(old) != 1:
        sys.exit("%s: '%s' is there %d times" % (path, old, text.count(old)))
    out = os.path.join(folder, os.path.basename(path))
    with open(out, "w", encoding="utf-8") as source:
        source.write(text.replace(old, new))
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("linchpin")
    parser.add_argument("folder")
    parser.add_argument("--only", default="*")
    options = parser.parse_args()
    wrong = count = 0
    verdicts = collections.Counter()
    for (subject, calls), name, old, new in MUTANTS:
        if not fnmatch.fnmatch(name, options.only):
            continue
        path = os.path.join(options.folder, subject)
        beside = os.path.dirname(path)
        with tempfile.TemporaryDirectory() as folder:
            text = check(options.linchpin, changed(path, old, new, folder), calls, beside)
        made = check(options.linchpin, path, calls, beside, "--mutant", name)
        if text != made:
            print("%s: the source with that change: %s, the mutant: %s" % (name, text, made))
        verdicts[made[0] if isinstance(made, list) else "none"] += 1
        wrong += text != made
        count += 1
    print("%d mutants (%s), %d not as their texts" % (count, ", ".join("%d %s" % (n, v) for v, n in sorted(verdicts.items())),
                                                      wrong))
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
