#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""All headers of src/ can be included in one file, and no tag, typedef or function is defined twice.

usage: names.py ROOT COMPILER    look at ROOT/src
       names.py --self           show that what must be rejected is rejected
"""
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
import tree

TAG = re.compile(r"\b(?:struct|union|enum)\s+(?:(?:__attribute__\s*\(\(.*?\)\)|_Alignas\s*\(.*?\))\s*)*(lp_\w+)\s*(?::\s*\w+\s*)?\{")
TYPEDEF = re.compile(r"^typedef\b[^;{]*;", re.M)
POINTER = re.compile(r"\(\s*\*\s*(\w+)\s*\)")
FUNCTION = re.compile(r"^(?!static\b|typedef\b|#)[a-z][\w \t*]*?\b(lp_\w+)\([^;{]*\)\s*\n\{", re.M)


def type_name(text):
    """The name that a typedef gives."""
    pointer = POINTER.search(text)
    return pointer.group(1) if pointer else re.findall(r"\w+", re.sub(r"[(\[].*", "", text, flags=re.S))[-1]


def defined(text):
    """The names that a file defines for others to see."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
    types = map(type_name, TYPEDEF.findall(text))
    return ([("tag", n) for n in TAG.findall(text)] + [("type", n) for n in types if n.startswith("lp_")] +
            [("function", n) for n in FUNCTION.findall(text)])


def used_twice(texts):
    """What is wrong with the files, {path: text}.  A tag and a type share one space here: `lp_x` is one thing."""
    places = {}
    for path, text in sorted(texts.items()):
        for kind, name in defined(text):
            places.setdefault((kind == "function", name), []).append(path)
    return [f"{name} is defined in {' and in '.join(found)}" for (_, name), found in sorted(places.items()) if len(found) > 1]


def one_file(root, headers, compiler):
    """What the compiler says about a file that includes all headers."""
    lines = "".join(f'#include "{os.path.relpath(h, os.path.join(root, "src"))}"\n' for h in sorted(headers))
    llvm = subprocess.run(["llvm-config-19", "--includedir"], capture_output=True, text=True).stdout.strip()
    command = [compiler, "-std=gnu17", "-Werror", "-fsyntax-only", "-I", f"{root}/src", "-I", f"{root}/include", "-x", "c", "-"]
    done = subprocess.run(command + (["-isystem", llvm] if llvm else []), input=lines, capture_output=True, text=True)
    return [] if done.returncode == 0 else done.stderr.splitlines()[:20]


def test_self():
    cases = [
        ({"a.h": "struct lp_a { int x; };\n", "b.h": "struct lp_b { struct lp_a a; };\n"}, 0),
        ({"a.h": "struct lp_a { int x; };\n", "b.c": "struct lp_a {\n\tint y; };\n"}, 1),
        ({"a.h": "struct lp_a { int x; };\n", "b.h": "enum lp_a { X };\n"}, 1),
        ({"a.h": "struct lp_a { int x; };\n", "b.c": "struct __attribute__((packed)) lp_a { int y; };\n"}, 1),
        ({"a.h": "typedef uint32_t lp_a;\n", "b.h": "struct lp_a { int x; };\n"}, 1),
        ({"a.h": "typedef enum lp_e (*lp_a)(void *, int);\n", "b.h": "enum lp_e { X };\n"}, 0),
        ({"a.h": "typedef enum lp_e (*lp_a)(void *, int);\n", "b.h": "typedef int lp_a;\n"}, 1),
        ({"a.h": "typedef int step(enum lp_e);\n", "b.h": "enum lp_e { X };\n"}, 0),
        ({"a.h": "struct lp_a; /* struct lp_a { */\n", "b.h": "struct lp_a { int x; };\n"}, 0),
        ({"a.c": "int lp_f(int x)\n{\n}\n", "b.c": "void lp_f(void)\n{\n}\n"}, 1),
        ({"a.c": "int lp_f(int x)\n{\n}\n", "b.h": "int lp_f(int);\n"}, 0),
        ({"a.c": "static int lp_f(int x)\n{\n}\n", "b.c": "static int lp_f(int x)\n{\n}\n"}, 0),
    ]
    return [texts for texts, count in cases if len(used_twice(texts)) != count]


def judge(root, compiler):
    root = os.path.abspath(root)
    sources = {os.path.join(root, path): text for path, text in tree.texts(root, "src").items()}
    headers = [path for path in sources if path.endswith(".h")]
    wrong = used_twice(sources) + one_file(root, headers, compiler)
    return wrong, len(headers), f"{len(headers)} headers, {len(sources)} files"


if __name__ == "__main__":
    sys.exit(tree.run(test_self, judge, least=100))
