#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Links in the manual point to files that exist, and to headings in them.

usage: links.py ROOT      look at all .md files of the repository
       links.py --self    show that wrong links are found
"""
import os
import re
import sys

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def without_blocks(text):
    text = re.sub(r"(?ms)^```.*?^```", "", text)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors(text):
    """As they are made of headings: small letters, no punctuation, hyphens for blanks."""
    titles = re.findall(r"(?m)^#+ +(.*)$", re.sub(r"(?ms)^```.*?^```", "", text))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def wrong_links(path, texts):
    """The broken links of the page; texts: {path: text, or None if it is not a page}."""
    wrong = []
    for target in LINK.findall(without_blocks(texts[path])):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        other = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
        if other not in texts:
            wrong.append(f"{path}: {target}: no such file")
        elif anchor and anchor not in anchors(texts[other] or ""):
            wrong.append(f"{path}: {target}: no such heading")
    return wrong


def read(root):
    texts = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith((".", "build"))]
        for name in names + folders:
            path = os.path.join(folder, name)
            texts[os.path.relpath(path, root)] = None
            if name.endswith(".md"):
                with open(path) as text:
                    texts[os.path.relpath(path, root)] = text.read()
    return texts


def test_self():
    texts = {"a.md": "# One, two\n[x](b/c.md) [y](#one-two) `[z](no)` [w](https://no)\n```\n[v](no)\n```\n",
             "b/c.md": "[x](../a.md#one-two) [y](../a.md#no) [z](no.md)", "b": None}
    return 0 if not wrong_links("a.md", texts) and len(wrong_links("b/c.md", texts)) == 2 else 1


def main():
    if sys.argv[1:] == ["--self"]:
        return test_self()
    texts = read(sys.argv[1])
    pages = [path for path, text in texts.items() if text is not None]
    wrong = [line for path in sorted(pages) for line in wrong_links(path, texts)]
    for line in wrong:
        print(line)
    print(f"{len(pages)} pages, {len(wrong)} wrong links")
    return 1 if wrong or len(pages) < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
