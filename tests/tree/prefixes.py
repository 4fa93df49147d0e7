#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The name of a function that other files call says where the function is: lp_ + a word from the name of its file, from its folder, or a type of its folder.

    src/explore/reduce/park.c       lp_park_thread()     the file
    src/report/formats/json.c       lp_json_string()     the file
    src/report/text/intervals.c     lp_text_intervals()  the folder
    src/history/texts.c             lp_texts_join()      the file, and struct lp_texts
    src/check/quasi/relax.c         lp_owed_add()        enum lp_owed, which the folder defines

A word counts in the singular and in the plural, and several in a row count as well: lp_path_ends() and lp_state_paths() are
names for state_paths.c.  A predicate may begin with what it claims: lp_is_stale().  The file is also the header of the folder
that declares the function.  Names of base/ are short, since all others use them.  The runtime, which shares a process with
the user's program, has rt_ and shim_ in the place of lp_, and hooks have the names that compiled programs call.

usage: prefixes.py ROOT      look at ROOT/src
       prefixes.py --self    show that what must be rejected is rejected
"""
import os
import re
import sys

sys.dont_write_bytecode = True
import tree

DEFINED = re.compile(r"^(?!typedef\b|#|extern\b|return\b|else\b)(?![\w \t*]*\b(?:static|RT_INLINE)\b)[A-Za-z_][\w \t*]*?[ *](\w+)\(([^;{}]*)\)\s*\n\{", re.M)
TYPE = re.compile(r"\b(?:struct|union|enum)\s+lp_(\w+)\s*\{|^typedef\b[^;{]*?\blp_(\w+)\)?(?:\([^;]*\))?;", re.M)
COMMENT = re.compile(r"/\*.*?\*/", re.S)
# Short forms of the names of folders and files.
SHORT = {"assembly": "asm", "formula": "formulae"}
CLAIMS = ("is_", "may_", "may_be_", "would_be_")
# Folders in which functions may have another first part.  Reports are named after what they are written as.
OTHERS = {"base": ("lp_",), "report": ("lp_json_", "lp_terminal_", "lp_lcov_"), "runtime": ("rt_", "lp_native_", "lp_shim_"),
          "shims": ("shim_",)}


def forms(word):
    """The word in the singular and in the plural."""
    singular = word[:-1] if word.endswith("s") else word
    short = {SHORT[w] for w in (word, singular) if w in SHORT}
    return {word, singular, singular + "s", word + "es"} | short | ({word[:-1] + "ies"} if word.endswith("y") else set())


def words_of(path, types):
    """The words that may come after lp_ in a file, given as a path from src/; `types` are those of its folder."""
    *folders, name = path.split("/")
    base = re.sub(r"\.\w+$", "", name)
    words = set(types)
    for part in folders + [base] + base.split("_") + ["_".join(base.split("_")[i:]) for i in range(base.count("_"))]:
        words |= forms(part)
    return words


def is_placed(name, path, types, called):
    """Does the name of a function say that it is from that file?"""
    folders = path.split("/")[:-1]
    if name in called or name == "main" or name.startswith("_") or any(name.startswith(p) for f in folders for p in OTHERS.get(f, ())):
        return True
    if not name.startswith("lp_"):
        return False
    rests = [name[3:]] + [name[3 + len(claim):] for claim in CLAIMS if name[3:].startswith(claim)]
    return any(rest == word or rest.startswith(word + "_") for rest in rests for word in words_of(path, types))


def defined(texts):
    """(name, path) of the functions that other files can see."""
    return sorted((match.group(1), path) for path, text in texts.items() if path.endswith(".c")
                  for match in DEFINED.finditer(text) if match.group(1) != "__attribute__")


def types_by_folder(texts):
    types = {}
    for path, text in texts.items():
        if path.endswith(".h"):
            found = [a or b for a, b in TYPE.findall(text)]
            types.setdefault(os.path.dirname(path), set()).update(re.sub(r"_t$", "", t) for t in found)
    return types


def misnamed(texts, public="", called=()):
    """(name, path) of the functions whose names do not say where they are."""
    types = types_by_folder(texts)
    types.setdefault("spec", set()).update(a or b for a, b in TYPE.findall(public))
    headers = {}
    for path, text in texts.items():
        for name in re.findall(r"\b(\w+)\(", text) if path.endswith(".h") else ():
            headers.setdefault((os.path.dirname(path), name), []).append(path)
    return [(name, path) for name, path in defined(texts)
            if not any(is_placed(name, place, types.get(os.path.dirname(path), ()), called)
                       for place in [path] + headers.get((os.path.dirname(path), name), []))]


def read_tree(root):
    """The sources, the public headers, and the names that compiled programs call."""
    texts = {os.path.relpath(path, "src"): COMMENT.sub("", text)
             for path, text in tree.texts(root, "src", ends=(".c", ".h", ".def")).items()}
    public, called = "", set()
    for path, text in tree.texts(root, "include", ends=("",)).items():
        text = COMMENT.sub("", text)
        called |= set(re.findall(r"\b(\w+)\(", text))
        public += text if os.path.basename(path) == "spec.h" else ""
    called |= set(re.findall(r"\b(\w+)\b", texts.get("frontend/abi.h", "")))
    return texts, public, called


def test_self():
    cases = [
        ("lp_park_thread", "explore/reduce/park.c", (), True),
        ("lp_parks", "explore/reduce/park.c", (), True),
        ("lp_odd", "explore/reduce/park.c", (), False),
        ("lp_text_intervals", "report/text/intervals.c", (), True),
        ("lp_owed_add", "check/quasi/relax.c", ("owed",), True),
        ("lp_owed_add", "check/quasi/relax.c", (), False),
        ("lp_path_ends", "explore/state/state_paths.c", (), True),
        ("lp_pathetic", "explore/state/state_paths.c", (), False),
        ("lp_is_stale", "explore/reduce/stale.c", (), True),
        ("lp_is_odd", "explore/reduce/stale.c", (), False),
        ("lp_free", "base/alloc.c", (), True),
        ("__cxa_throw", "runtime/shims/shim_exception.c", (), True),
        ("rt_load", "runtime/machine.c", (), True),
        ("rt_load", "explore/ops.c", (), False),
        ("go", "explore/ops.c", (), False),
    ]
    bad = [case for case in cases if is_placed(*case[:3], {"lp_called"}) != case[3]]
    texts = {"a/b.c": "int lp_c(int x)\n{\n}\nstatic int d(void)\n{\n}\nvoid lp_b_e(void)\n{\n}\n", "a/b.h": "enum lp_f { X };\n",
             "a/g.c": "bool lp_f_is(void)\n{\n}\n"}
    if misnamed(texts) != [("lp_c", "a/b.c")]:
        bad.append(("files", misnamed(texts)))
    return bad


def judge(root):
    texts, public, called = read_tree(root)
    wrong = [f"src/{path}: {name}() is named after neither its file, nor its folder, nor a type of that"
             for name, path in misnamed(texts, public, called)]
    count = len(defined(texts))
    return wrong, count, f"{count} functions"


if __name__ == "__main__":
    sys.exit(tree.run(test_self, judge, least=1500))
