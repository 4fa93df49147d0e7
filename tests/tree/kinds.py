#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Facts about a kind of object are in the file of the kind: no code outside src/spec/kinds asks for the name of a kind.

usage: kinds.py ROOT      look at ROOT/src
       kinds.py --self    show that what must be rejected is rejected
"""
import os
import re
import sys

sys.dont_write_bytecode = True
import tree

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
    return [text for text, count in cases if len(wrong_lines("x.c", text, ["queue", "lock"])) != count]


def judge(root):
    with open(os.path.join(root, "src", "spec", "kinds.def")) as text:
        kinds = LISTED.findall(text.read())
    sources = {path: text for path, text in tree.texts(root, "src").items() if os.path.dirname(path) != "src/spec/kinds"}
    wrong = [line for path, text in sources.items() for line in wrong_lines(path, text, kinds)]
    return wrong, len(sources), f"{len(kinds)} kinds, {len(sources)} files"


if __name__ == "__main__":
    sys.exit(tree.run(test_self, judge))
