#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Show that the naive judge gives the known answers for some programs.

usage: judge_test.py NAIVE
"""
import sys

sys.dont_write_bytecode = True

from fuzz import Judgement, judge  # pylint: disable=wrong-import-position
from language import Program  # pylint: disable=wrong-import-position

LOCK, UNLOCK = ("lock", "m0"), ("unlock", "m0")
PUBLISH = [("alloc", "p0", 0), ("store", "q0", "p0", "release")]
SEES = [("load", "p1", "q0", "acquire")]


def until(reg, value, *body):
    return ("loop", None, True, [*body, ("break", reg, "==", value)])


# What it is; the threads' code; errors under sc; errors when orders count; numbers of outcomes if there are none.
CASES = [
    ("store buffering: never both 0",
     [[("store", "x0", 1, "seq_cst"), ("load", "r0", "x1", "seq_cst")],
      [("store", "x1", 1, "seq_cst"), ("load", "r0", "x0", "seq_cst")]], set(), set(), 3),
    ("two plain writes", [[("write", "g0", 1)], [("write", "g0", 2)]], {"race"}, {"race"}, 0),
    ("a lock orders them", [[LOCK, ("write", "g0", 1), UNLOCK], [LOCK, ("read", "r0", "g0"), UNLOCK]], set(), set(), 2),
    ("a relaxed flag orders nothing where orders count",
     [[("write", "g0", 1), ("store", "x0", 1, "relaxed")],
      [("load", "r1", "x0", "relaxed"), ("if", "r1", "==", 1, [("read", "r0", "g0")])]], set(), {"race"}, 2),
    ("but with fences it does",
     [[("write", "g0", 1), ("fence", "release"), ("store", "x0", 1, "relaxed")],
      [("load", "r1", "x0", "relaxed"), ("fence", "acquire"), ("if", "r1", "==", 1, [("read", "r0", "g0")])]],
     set(), set(), 2),
    ("a relaxed update goes on with the release sequence",
     [[("write", "g0", 1), ("store", "x0", 1, "release")], [("add", "r1", "x0", 1, "relaxed")],
      [("load", "r1", "x0", "acquire"), ("if", "r1", "==", 2, [("read", "r0", "g0")])]], set(), set(), 2),
    ("a store of another thread does not",
     [[("write", "g0", 1), ("store", "x0", 1, "release")], [("load", "r1", "x1", "acquire"), ("store", "x0", 2, "release")],
      [("load", "r1", "x0", "acquire"), ("if", "r1", "==", 2, [("read", "r0", "g0")])]], {"race"}, {"race"}, 0),
    ("freed while another may look", [[*PUBLISH, ("free", "p0")], [*SEES, ("if", "p1", "!=", 0, [("pread", "r0", "p1", "v")])]],
     {"use after free"}, {"use after free"}, 0),
    ("freed by the thread that takes it",
     [PUBLISH, *[[("xchg", "p1", "q0", "NULL", "acq_rel"), ("if", "p1", "!=", 0, [("free", "p1")])]] * 2], set(), set(), 1),
    ("freed twice", [PUBLISH, *[[until("r1", 1, *SEES, ("mov", "r1", 1)), ("if", "p1", "!=", 0, [("free", "p1")])]] * 2],
     {"double free"}, {"double free"}, 0),
    ("a local variable is freed", [[("local", "p0", 0), ("store", "q0", "p0", "release")],
                                   [*SEES, ("if", "p1", "!=", 0, [("free", "p1")])]],
     {"invalid free"}, {"invalid free"}, 0),
    ("the stack of a thread that ends", [[("local", "p0", 0), ("store", "q0", "p0", "release")],
                                         [*SEES, ("if", "p1", "!=", 0, [("pread", "r0", "p1", "v")])]],
     {"use after free"}, {"use after free"}, 0),
    ("two locks in two orders", [[LOCK, ("lock", "m1"), ("unlock", "m1"), UNLOCK], [("lock", "m1"), LOCK, UNLOCK, ("unlock", "m1")]],
     {"stuck"}, {"stuck"}, 0),
    ("a flag that is never set", [[until("r1", 1, ("load", "r1", "x0", "acquire"))]], {"stuck"}, {"stuck"}, 0),
    ("polling under a lock comes to an end", [[LOCK, ("write", "g0", 1), UNLOCK], [until("r1", 1, LOCK, ("read", "r1", "g0"), UNLOCK)]],
     set(), set(), 1),
    ("a lost wake-up", [[("signal", "c0")], [LOCK, ("wait", "c0", "m0"), UNLOCK]], {"stuck"}, {"stuck"}, 0),
    ("an assumption hides a waiting thread", [[("assume", "r0", 1), ("store", "x0", 1, "release")],
                                       [until("r1", 1, ("load", "r1", "x0", "acquire"))]], set(), set(), 0),
    ("helping: data is written after the link",
     [[("store", "x0", 1, "release"), ("write", "g0", 5), ("cas", None, "x1", 0, 1, False, "acq_rel", "acquire")],
      [("load", "r1", "x0", "acquire"),
       ("if", "r1", "==", 1, [("cas", None, "x1", 0, 1, False, "acq_rel", "acquire"), ("load", "r1", "x1", "acquire"),
                              ("if", "r1", "==", 1, [("read", "r0", "g0")])])]], {"race"}, {"race"}, 0),
]


def main():
    programs = [Program([[], *threads]) for _, threads, _, _, _ in CASES]
    wrong = 0
    for case, program, line in zip(CASES, programs, judge(sys.argv[1], programs, "judge")):
        answer = Judgement(sys.argv[1], program, line)
        slow = answer.all_errors()
        good = (answer.sc, answer.c11) == case[2:4] and slow >= answer.sc and bool(slow) == bool(answer.sc)
        if good and not case[3]:
            good = len(answer.outcomes) == case[4]
        if not good:
            wrong += 1
            print(f"{case[0]}: {answer}, slowly {sorted(slow)}, expected {case[2:]}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
