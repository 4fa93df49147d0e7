#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the checkers know about a kind of object stands with the kind: no code outside src/spec/kinds asks for its name.

usage: kinds.py ROOT      look at ROOT/src
       kinds.py --self    show that what must be rejected is rejected
"""
import os
import re
import sys

LISTED = re.compile(r"^LP_KIND\((\w+)\)", re.M)
# A kind that is looked for by a fixed name or its own, and a comparison of a kind's name.
ASKS = (re.compile(r'\blp_kind_named\("'), re.compile(r"\blp_kind_named\((\S+)->name\)"),
        re.compile(r"\bstrn?c(?:ase)?mp\([^;]*\bkind->name\b"))
OTHER_WORDS = ("frontend", "program")  # in these folders "lock" and "set" are instructions, "stack" is memory


def wrong_lines(path, text, kinds):
    """What is wrong with a file of src/."""
    text = re.sub(r"/\*.*?\*/", lambda comment: "\n" * comment.group().count("\n"), text, flags=re.S)
    words = "|".join(kinds)
    names = re.compile(r'\bis_kind\(|&lp_kind_(?:%s)\b|\bstrn?c(?:ase)?mp\([^;]*"(?:%s)"' % (words, words))
    if path.split(os.sep)[1:2] and path.split(os.sep)[1] in OTHER_WORDS:
        return []
    wrong = []
    for number, line in enumerate(text.splitlines(), 1):
        if any(ask.search(line) for ask in ASKS + (names,)):
            wrong.append(f"{path}:{number}: asks which kind it is: {line.strip()}\n"
                         "    put what you want to know into struct lp_traits (src/spec/traits.h)")
    return wrong


def test_self():
    cases = [
        ('if (!strcmp(spec->kind->name, "queue"))', 1),
        ('x = p->spec.kind->name && strcmp(kind->name, "lock");', 1),
        ('fits = kind == lp_kind_named("queue");', 1),
        ('return kind != lp_kind_named(kind->name);', 1),
        ('return !strcmp(name, "lock");', 1),
        ("return kind == &lp_kind_queue.kind;", 1),
        ('/* strcmp(kind->name, "queue") */', 0),
        ('lp_fail(error, "no rules for %s", spec->kind->name);', 0),
        ("kind = lp_kind_named(options->operands[0]);", 0),
        ('if (!strcmp(r->kind, "stuck"))', 0),
        ("return lp_kind_traits(kind)->by_thread;", 0),
    ]
    bad = [text for text, count in cases if len(wrong_lines("x.c", text, ["queue", "lock"])) != count]
    for text in bad:
        print("not judged rightly:", text)
    return bad


def main():
    if sys.argv[1:] == ["--self"]:
        return 1 if test_self() else 0
    src = os.path.join(sys.argv[1], "src")
    with open(os.path.join(src, "spec", "kinds.def")) as text:
        kinds = LISTED.findall(text.read())
    wrong, files = [], 0
    for folder, _, names in os.walk(src):
        for name in names:
            path = os.path.join(folder, name)
            if name.endswith((".c", ".h")) and os.path.relpath(folder, src) != os.path.join("spec", "kinds"):
                with open(path) as text:
                    wrong += wrong_lines(os.path.relpath(path, sys.argv[1]), text.read(), kinds)
                files += 1
    for line in wrong:
        print(line)
    print(f"{len(kinds)} kinds, {files} files, {len(wrong)} wrong lines")
    return 1 if wrong or len(kinds) < 15 or files < 300 else 0


if __name__ == "__main__":
    sys.exit(main())
