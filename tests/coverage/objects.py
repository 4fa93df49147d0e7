#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare the coverage of objects by sequential clients with gcov's.

usage: objects.py LINCHPIN SOURCE_FOLDER

`linchpin check OBJECT --client CALLS` explores one thread; a program that includes the object and makes the same calls is
compiled with gcc --coverage.  Lines that both take for code must agree.  Status 77: a tool is missing.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

LINCHPIN, ROOT = sys.argv[1:3]
CLIENTS = [
    ("examples/treiber.c", "push(1); pop(); pop()"), ("examples/treiber.c", "pop()"),
    ("examples/msqueue.c", "enqueue(1); enqueue(2); dequeue()"), ("examples/msqueue.c", "dequeue()"),
    ("examples/lazylist.c", "insert(2); insert(1); remove(2); contains(2)"), ("examples/elimination.c", "push(1); pop(); pop()"),
    ("examples/hwfbqueue.c", "enqueue(1); dequeue()"), ("examples/spsc.cpp", "enqueue(1); enqueue(2); enqueue(3)"),
    ("zoo/harrislist.c", "insert(1); insert(3); insert(2); remove(3); remove(9); contains(2)"),
    ("zoo/michaellist.c", "insert(1); remove(1); contains(1)"), ("zoo/chaselev.c", "push(1); push(2); pop(); pop(); pop()"),
    ("zoo/basketsqueue.c", "enqueue(1); dequeue(); dequeue()"), ("zoo/mpmcring.c", "enqueue(1); dequeue()"),
    ("zoo/seqlock.c", "write(1); read()"), ("zoo/optqueue.c", "enqueue(1); enqueue(2); dequeue(); dequeue(); dequeue()"),
]
# Braces and labels; and "for (;;)", which is reached for gcov when it is repeated.
TASTE = r"[{}; ()]*|(case\b.*|default):|for \(;;\).*"
STUBS = """
#ifdef __cplusplus
extern "C" {
#endif
int64_t lp_call_argument(unsigned index) { return index; }
void lp_call_returns(int64_t result) { (void)result; }
void lp_invariant_broken(void) {}
void lp_point(int64_t result) { (void)result; }
unsigned lp_choose(unsigned count) { (void)count; return 0; }
void *lp_pool_alloc(size_t size) { return malloc(size); }
void lp_pool_free(void *block) { free(block); }
#ifdef __cplusplus
}
#endif
"""


def ours(path, calls, folder):
    info = os.path.join(folder, "ours.info")
    done = subprocess.run([LINCHPIN, "check", path, "--client", calls, "--no-weak-fail", "--lcov", info, "-q"], cwd=ROOT,
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{path}: {done.stdout}{done.stderr}")
    lines, here = {}, False
    for text in open(info):
        if text.startswith("SF:"):
            here = text.strip().endswith("/" + os.path.basename(path))
        elif here and text.startswith("DA:"):
            line, count = text[3:].split(",")
            lines[int(line)] = count.strip() != "0"
    return lines


def theirs(path, calls, folder):
    source = os.path.join(ROOT, path)
    suffix = ".cpp" if path.endswith(".cpp") else ".c"
    body = "".join(f"lp_method_{call.strip()};" for call in calls.split(";"))
    setup = "lp_setup();" if re.search(r"^LP_SETUP", open(source).read(), re.M) else ""
    with open(os.path.join(folder, "driver" + suffix), "w") as out:
        out.write(f'#include <stdlib.h>\n#include "{source}"\n{STUBS}\nint main(void) {{ {setup} {body} return 0; }}\n')
    subprocess.run(["g++" if suffix == ".cpp" else "gcc", "--coverage", "-O0", "-w", "-I", os.path.join(ROOT, "include"), "-o",
                    "driver", "driver" + suffix, "-latomic", "-lpthread"], cwd=folder, check=True)
    subprocess.run(["./driver"], cwd=folder, check=True, timeout=60)
    notes = [name for name in os.listdir(folder) if name.endswith(".gcda")]
    subprocess.run(["gcov", *notes], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    lines = {}
    for text in open(os.path.join(folder, os.path.basename(path) + ".gcov")):
        got = re.match(r"\s*([0-9]+\*?|#####|=====):\s*([0-9]+):(.*)", text)
        if got and not re.fullmatch(TASTE, got[3].strip()):
            lines[int(got[2])] = lines.get(int(got[2]), False) or got[1][0] not in "#="
    return lines


def main():
    for tool in ("gcc", "g++", "gcov"):
        if not shutil.which(tool):
            print(f"skipped: there is no {tool}")
            return 77
    compared = wrong = 0
    for path, calls in CLIENTS:
        with tempfile.TemporaryDirectory() as folder:
            a, b = ours(path, calls, folder), theirs(path, calls, folder)
        both = set(a) & set(b)
        if len(both) < 10:
            print(f"{path}: only {len(both)} lines in common")
            wrong += 1
        compared += len(both)
        for line in sorted(both):
            if a[line] != b[line]:
                wrong += 1
                print(f"{path}:{line}: {calls}: {'reached' if a[line] else 'not reached'} here, not so for gcov")
    print(f"{compared} lines compared, {wrong} differ")
    return 1 if wrong else 0


sys.exit(main())
