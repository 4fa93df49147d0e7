#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every misuse of linchpin.hpp is told in one sentence of linchpin's own, and ends with status 2.

usage: misuse.py LINCHPIN
"""
import os
import re
import subprocess
import sys
import tempfile

HEAD = """#include <linchpin.hpp>
#include <stdexcept>
#include <string>
#include <tuple>
#include <set>
#include <unordered_set>
"""
QUEUE = """
struct Queue { void put(long); bool take(long &); std::string name(); bool two(long &, long &); long four(int, int, int, int);
               long where(long &); void text(const std::string &); };
static Queue queue;
LP_SPEC("queue")
"""

# What is written, and the sentence that it leads to.
CALLS = {
    "a result that is no number": ("LP_CALL(dequeue, queue, &Queue::name)", "a result must be an integer"),
    "a parameter that is no number": ("LP_CALL(enqueue, queue, &Queue::text)", "a parameter of a method must be an integer"),
    "four arguments": ("LP_CALL(enqueue, queue, &Queue::four)", "a method takes up to three arguments"),
    "two places for values": ("LP_CALL(dequeue, queue, &Queue::two)", "there is one at most"),
    "a place for a value, and another result": ("LP_CALL(dequeue, queue, &Queue::where)", "there is one at most"),
    "something that cannot be called": ("LP_CALL(dequeue, queue)", "a method is a lambda, a function, or an object and a member"),
    "something after the callable": ("LP_CALL(dequeue, [] { return 1; }, 3)", "LP_CALL(name, callable) or LP_CALL(name, object"),
}
CLASSES = {
    "no list of members": ("struct S { long n() { return 1; } long at = 0; };", "a class in a specification's state must list its members"),
    "a member is forgotten": (
        "struct S { long n() { return 1; } auto fields() { return std::tie(at); } long at = 0, other = 0; };",
        "fields() must list all members"),
    "a container that hashes": (
        "struct S { long n() { return 1; } auto fields() { return std::tie(at); } std::unordered_set<int> at; };",
        "containers that hash"),
    "a pointer": ("struct S { long n() { return 1; } auto fields() { return std::tie(at); } int *at = nullptr; };",
                  "neither pointers nor floating-point numbers"),
    "a member whose members are unknown": (
        "struct T { int x; }; struct S { long n() { return 1; } auto fields() { return std::tie(at); } T at{}; };",
        "a class in a specification's state must list its members"),
    "no default constructor": (
        "struct S { S(int); long n() { return 1; } auto fields() { return std::tie(at); } int at = 0; };",
        "as its default constructor makes it"),
    "a result that is no number": (
        "struct S { std::string n() { return {}; } auto fields() { return std::tie(at); } int at = 0; };",
        "a result must be an integer"),
    "the role of a method that is not listed": (
        "struct S { long n() { return 1; } auto fields() { return std::tie(at); } int at = 0;"
        " static constexpr lp::role roles[] = { { \"m\", LP_INSERTS } }; };",
        "roles of S names a method that LP_SPEC_CLASS does not"),
}
OTHERS = {
    "C++14": (HEAD + QUEUE + "LP_CALL(dequeue, queue, &Queue::take)\n", "linchpin.hpp needs C++17", ["-std=c++14"]),
    "an exception that the specification does not list": (
        HEAD + "struct S { long n() { throw 1; } auto fields() { return std::tie(at); } int at = 0; };\n"
        "LP_SPEC_CLASS(S, n)\nLP_CALL(n, [] { return 1; })\n",
        "the specification 'S' threw an exception that its 'using throws = lp::throws<...>' does not list", []),
    "exceptions that are results, without exceptions": (
        HEAD + QUEUE + "LP_CALL(dequeue, [] { return 1; }, lp::empty_on<std::out_of_range>)\n",
        "an exception can only be a result if exceptions are enabled", ["-fno-exceptions"]),
}


def cases():
    for name, (line, sentence) in CALLS.items():
        yield name, HEAD + QUEUE + line + "\n", sentence, []
    for name, (text, sentence) in CLASSES.items():
        yield name, HEAD + text + "\nLP_SPEC_CLASS(S, n)\nLP_CALL(n, [] { return 1; })\n", sentence, []
    for name, (text, sentence, flags) in OTHERS.items():
        yield name, text, sentence, flags


def main(linchpin):
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "harness.cpp")
        for name, text, sentence, flags in cases():
            with open(file, "w", encoding="utf-8") as out:
                out.write(text)
            run = subprocess.run([linchpin, "check", file, "--ops", "1", *(["--", *flags] if flags else [])],
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            told = re.findall(r"error: .*|^linchpin: (?!the compiler).*", run.stdout, re.MULTILINE)
            if run.returncode != 2 or len(told) != 1 or "linchpin: " not in told[0] or sentence not in told[0]:
                failed += 1
                print("%s: status %d, expected one message with '%s'\n%s" % (name, run.returncode, sentence, run.stdout))
    sys.exit(failed != 0)


if __name__ == "__main__":
    main(sys.argv[1])
