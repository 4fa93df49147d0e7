# SPDX-License-Identifier: MIT
"""The reductions, from the table in src/explore/reduce/reductions.def."""
import os
import re

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src", "explore", "reduce", "reductions.def")


def rows():
    """Of each: the field of struct lp_explore_options, the word of its switch, what its answers are good for, and whether it needs `spin`."""
    with open(TABLE, encoding="utf-8") as table:
        found = re.findall(r'^LP_REDUCTION\((\w+), \w+, "([\w-]+)", (\w+),(.*?)^\t     "', table.read(), re.M | re.S)
    assert found, TABLE
    return [(field, word, answers, "LP_WITHOUT_SPIN" in rest) for field, word, answers, rest in found]


def of_run():
    """Those that `linchpin run` uses."""
    return [row for row in rows() if row[2] in ("EXACT", "STATES")]


def switches(of=rows):
    """All that can be switched off while waiting loops stay recognised."""
    return [f"--no-{word}" for _, word, _, _ in of() if word != "spin"]
