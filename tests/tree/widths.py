#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No function has more than six parameters, and no struct more than 25 fields, unless a reason is given below.

usage: widths.py ROOT      look at all sources
       widths.py --self    show that what must be rejected is rejected
"""
import re
import sys

sys.dont_write_bytecode = True
import tree

PARAMETERS, FIELDS = 6, 25
FOLDERS = ("src", "include")

# Function or struct: how much it may have, and why.
WIDER = {}

FUNCTION = re.compile(r"^(?!#|\s|return\b)[A-Za-z_][^;{}()=]*?\b(\w+)\(((?:[^;{}()]|\([^()]*\))*)\)\s*(?:__attribute__[^;{]*)?[;{]", re.M)
MEMBER = re.compile(r"\(\s*\*\s*(\w+)\s*\)\s*\(((?:[^;{}()]|\([^()]*\))*)\)\s*;")
STRUCT = re.compile(r"\b(?:struct|union)\s*(\w*)\s*\{")
ATTRIBUTE = re.compile(r"\b__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)")


def without_comments(text):
    text = re.sub(r"/\*.*?\*/|//[^\n]*|^#[^\n]*(?:\\\n[^\n]*)*", "", text, flags=re.S | re.M)
    return re.sub(r"^ ", "", ATTRIBUTE.sub("", text), flags=re.M)


def split(text, at):
    """The parts between separators that are in no bracket."""
    parts, depth, part = [], 0, ""
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if c == at and not depth:
            parts.append(part)
            part = ""
        else:
            part += c
    return [p for p in parts + [part] if p.strip()]


def body(text, start):
    """What is in the braces that are open at `start`."""
    depth, at = 1, start
    while depth and at < len(text):
        depth += (text[at] == "{") - (text[at] == "}")
        at += 1
    return text[start:at - 1]


def count_fields(text):
    """The number of declarators.  An inner struct counts as one field if the member has a name, and otherwise as its fields; a union
    without a name counts as its largest alternative."""
    count = 0
    for line in split(text, ";"):
        inner = re.match(r"\s*(struct|union)\s*\w*\s*\{", line)
        if inner:
            fields = body(line, inner.end())
            rest = line[inner.end() + len(fields) + 1:]
            if rest.strip():
                count += len(split(rest, ","))
            elif inner.group(1) == "union":
                count += max(count_fields(alternative + ";") for alternative in split(fields, ";"))
            else:
                count += count_fields(fields)
        else:
            count += len(split(line, ","))
    return count


def widths(text):
    """[(name, how much, most, of what)]"""
    text = without_comments(text)
    found = []
    for pattern in FUNCTION, MEMBER:
        for name, parameters in pattern.findall(text):
            found.append((name, len(split(parameters, ",")), PARAMETERS, "parameters"))
    for m in STRUCT.finditer(text):
        found.append((m.group(1) or "a struct without a tag", count_fields(body(text, m.end())), FIELDS, "fields"))
    return found


def too_wide(texts, wider):
    wrong, seen = set(), {}
    for path, text in sorted(texts.items()):
        for name, count, most, what in widths(text):
            allowed = wider.get(name, (most,))[0]
            seen[name] = max(seen.get(name, 0), count)
            if count > allowed:
                wrong.add(f"{path}: {name} has {count} {what}, {allowed} at most: which of them belong together?")
    for name in wider:
        if name in seen and seen[name] <= (PARAMETERS if wider[name][0] < FIELDS else FIELDS):
            wrong.add(f"{name} needs no reason any more")
    return sorted(wrong)


def test_self():
    six, fields = ", ".join(f"int a{i}" for i in range(6)), "".join(f"\tint a{i};\n" for i in range(25))
    cases = [
        (f"int f({six})\n{{\n}}\n", {}, 0),
        (f"int f({six}, int more)\n{{\n}}\n", {}, 1),
        (f"static bool f({six},\n\t\tint (*more)(int, int))\n{{\n}}\n", {}, 1),
        (f"int f({six}, int more);\n", {}, 1),
        (f"int f({six}, int more);\n", {"f": (7, "a reason")}, 0),
        (f"int f({six});\n", {"f": (7, "a reason")}, 1),
        (f"struct s {{\n\tint (*f)({six}, int more);\n}};\n", {}, 1),
        (f"int f(int (*g)(int, int), {six[7:]})\n{{\n}}\n", {}, 0),
        (f"__attribute__((format(printf, 1, 2))) static int f({six}, int more)\n{{\n}}\n", {}, 1),
        (f"static inline __attribute__((noinline)) int f({six}, int more)\n{{\n}}\n", {}, 1),
        (f"typedef int f({six}, int more);\n", {}, 1),
        (f"struct s {{\n{fields}}};\n", {}, 0),
        (f"typedef struct {{\n{fields}\tint more;\n}} s;\n", {}, 1),
        (f"static struct __attribute__((packed)) s {{\n{fields}\tint more;\n}} s;\n", {}, 1),
        (f"struct s {{\n{fields}\tint more;\n}};\n", {}, 1),
        (f"struct s {{\n{fields[8:]}\tint more, other;\n}};\n", {}, 1),
        (f"struct s {{\n{fields[8:]}\tstruct {{ int x, y, z; }} one;\n}};\n", {}, 0),
        (f"struct s {{\n{fields[8:]}\tunion {{ int x; int y; }};\n}};\n", {}, 0),
        (f"struct s {{\n{fields[8:]}\tunion {{ int x; struct {{ int y, z; }}; }};\n}};\n", {}, 1),
        (f"struct s {{\n{fields[8:]}\tstruct {{ int x, y; }};\n}};\n", {}, 1),
        (f"struct s {{\n{fields[8:]}\tstruct {{ LP_VEC(int); }} at;\n}};\n", {}, 0),
        (f"/* int f({six}, int more); */\n", {}, 0),
        (f"\tf(a, b, c, d, e, g, h);\n", {}, 0),
    ]
    return [text for text, wider, count in cases if len(too_wide({"a.c": text}, wider)) != count]


def judge(root):
    sources = tree.texts(root, *FOLDERS)
    return too_wide(sources, WIDER), len(sources), f"{len(sources)} files"


if __name__ == "__main__":
    sys.exit(tree.run(test_self, judge))
