#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No #include in src/ goes against the arrows of docs/architecture.md.

usage: arrows.py ROOT      look at ROOT/src
       arrows.py --self    show that what must be rejected is rejected
"""
import os
import re
import sys

sys.dont_write_bytecode = True
import tree

# Folder: the folders that it may include directly; what those use, it may use, too.
USES = {
    "base": [],
    "graph": ["base"],
    "model": ["graph"],
    "program": ["base"],
    "ltl": ["base"],
    "ranks": ["base"],
    "explore": ["model", "program", "ltl", "ranks"],
    "frontend": ["ranks"],
    "runtime": ["program", "frontend"],
    "report": ["base"],
    "spec": ["base"],
    "history": ["spec"],
    "check": ["history"],
    "orders": ["base"],
    "monitor": ["check"],
    "library": ["check"],
    "verify": ["runtime", "explore", "check", "orders", "report"],
}
EVERYBODY = sorted(USES)
# Headers that only these folders may include.
PRIVATE = {"graph/note.h": ["graph", "explore"]}
# Exceptions: folder, and the files that it may include against the arrows (src/verify/task/README.md).
EXCEPTIONS = {"verify/task": ["cli/options.h", "cli/deliver.h", "cli/gdb/debugger.h"],
              "verify/program": ["cli/options.h"]}
INCLUDE = re.compile(r"\s*#\s*include(?:_next)?\b(.*)")
TARGET = re.compile(r'(["<])([^">]+)[">]\s*(?:/\*.*\*/|//.*)?')


def reach(folder):
    if folder == "cli":
        return set(EVERYBODY) | {"cli"}
    found, work = {folder}, [folder]
    while work:
        for used in USES[work.pop()]:
            if used not in found:
                found.add(used)
                work.append(used)
    return found


def wrong_includes(path, text):
    """The includes of src/`path` that may not be."""
    folder = path.split("/")[0]
    if folder not in USES and folder != "cli":
        return [f"src/{path}: the folder '{folder}' is not in the picture"]
    wrong = []
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        named = TARGET.fullmatch(match.group(1).strip())
        if not named:  # a macro, or a comment between
            wrong.append(f"src/{path}:{number}: what does this include? {line.strip()}")
        elif not may_include(path, named.group(1), named.group(2)):
            wrong.append(f"src/{path}:{number}: {folder} may not include '{named.group(2)}'")
    return wrong


def may_include(path, quote, target):
    folder, other = path.split("/")[0], target.split("/")[0]
    if quote == "<":
        return other not in USES and other != "cli" and other != ".."  # angle brackets would find our headers, too
    if target.startswith("linchpin"):
        return True  # the public headers use nothing of ours
    if target in EXCEPTIONS.get(os.path.dirname(path), []):
        return True
    if "/" not in target or ".." in target.split("/"):
        return False
    return other in reach(folder) and folder in PRIVATE.get(target, [folder])


def test_self():
    cases = [
        ("explore/x.c", '#include "runtime/rt.h"', 1),
        ("explore/x.c", '#include "program/program.h"\n#include "base/vec.h"', 0),
        ("model/x.c", '#include "explore/explore.h"', 1),
        ("model/x.c", '#include "graph/note.h"', 1),
        ("explore/x.c", '#include "graph/note.h"', 0),
        ("base/x.h", '  # include "graph/graph.h"', 1),
        ("check/x.c", '#include "spec/spec.h"\n#include <stdio.h>', 0),
        ("check/x.c", '#include "program/program.h"', 1),
        ("cli/x.c", '#include "runtime/runtime.h"', 0),
        ("verify/x.c", '#include "runtime/runtime.h"', 0),
        ("verify/x.c", '#include "cli/options.h"', 1),
        ("verify/task/x.c", '#include "cli/options.h"', 0),
        ("verify/task/x.c", '#include "cli/many.h"', 1),
        ("check/quasi/x.c", '#include "check/clients/clients.h"', 0),
        ("frontend/x.c", '#include "local.h"', 1),
        ("new/x.c", "", 1),
        ("explore/x.c", '#include <runtime/rt.h>', 1),
        ("explore/x.c", '#include <sys/mman.h> /* <runtime/rt.h> */', 0),
        ("explore/x.c", '#include "model/../runtime/rt.h"', 1),
        ("explore/x.c", '#include/* */"runtime/rt.h"', 1),
        ("explore/x.c", '#define RT "runtime/rt.h"\n#include RT', 1),
    ]
    return [path for path, text, count in cases if len(wrong_includes(path, text)) != count]


def judge(root):
    sources = tree.texts(root, "src", ends=(".c", ".h", ".def", ".S"))
    wrong = [line for path, text in sources.items() for line in wrong_includes(os.path.relpath(path, "src"), text)]
    return wrong, len(sources), f"{len(sources)} files"


if __name__ == "__main__":
    sys.exit(tree.run(test_self, judge))
