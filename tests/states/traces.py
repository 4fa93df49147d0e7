# SPDX-License-Identifier: MIT
"""Is a list of steps, as --json has it, one that can have happened?

Under sc each read takes what the last write to its place left there, blocks of memory have one
name and one address each, and every step is of one thread, in its order.
"""
import re

MALLOC = re.compile(r"malloc of \d+ bytes: (\w+#\d+)$")


def faults(result):
    """What is wrong with the steps of a violation, in words; [] if nothing is."""
    steps = result["violation"]["steps"]
    found = [w for w in result.get("warnings", []) if "replayed" in w]
    last, initial, events, blocks = {}, {}, {}, set()
    for i, s in enumerate(steps):
        where = f"step {i + 1}"
        if s["event"] != events.get(s["thread"], 0):
            found.append(f"{where}: a step of T{s['thread']} is missing")
        events[s["thread"]] = s["event"] + 1
        made = MALLOC.match(s["action"])
        if made:
            if made[1] in blocks:
                found.append(f"{where}: {made[1]} is there already")
            blocks.add(made[1])
        elif re.match(r"(malloc|free): ", s["action"]):
            found.append(f"{where}: {s['action']}")
        place = s.get("location")
        if not place:
            continue
        name = re.match(r"\w+#\d+", place)
        if name and name[0] not in blocks and "by the set-up" not in place:
            found.append(f"{where}: {place} was not allocated")
        if re.match(r"block\b(?!#)", place) or "allocated at 0x" in place:
            found.append(f"{where}: which block is {place}?")
        waits = str(s.get("note", "")).startswith("waits")
        if "read" in s and not waits:
            value = last.get(place, initial.setdefault(place, s["read"]))
            if s["read"] != value:
                found.append(f"{where}: reads {s['read']} from {place}, which holds {value}")
            writer = s.get("reads_from")
            if isinstance(writer, int) and (writer >= i or steps[writer].get("wrote") != s["read"]):
                found.append(f"{where}: reads {s['read']} from step {writer + 1}")
        if "wrote" in s:
            last[place] = s["wrote"]
    return found
