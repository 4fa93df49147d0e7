#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""On a terminal: a violation fits on one screen, of two sizes, for every examples/bug_*; what takes
longer than a second says how far it is.

usage: screen.py LINCHPIN ROOT
"""
import fcntl
import glob
import os
import pty
import re
import struct
import subprocess
import sys
import termios

SIZES = ((24, 80), (30, 100))
# Those that the default number of calls does not find.
MORE = {
    "bug_hwqueue.c": ["--ops", "enqueue=4,dequeue=3"],
    "bug_hwfbqueue_order.c": ["--sync", "r"],
    "bug_lazylist_order.c": ["--pre", "2", "--ops", "insert=2,contains=2"],
    "bug_spsc_order.cpp": ["--ops", "5"],
    "bug_treiber_aba.c": ["--model", "sc", "--ops", "push=3,pop=3"],
}
failures = []


def on_terminal(command, rows, columns, messages=False):
    """The exit status, and what is written to the screen (or the messages: standard error)."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL if messages else theirs,
                               stderr=theirs if messages else subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                               env={**os.environ, "TERM": "xterm"})
    os.close(theirs)
    text = b""
    while True:
        try:
            more = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not more:
            break
        text += more
    os.close(ours)
    return process.wait(), re.sub(r"\x1b\[[0-9;]*[a-zA-Z]", "", text.decode()).replace("\r\n", "\n")


def lines_on(text, columns):
    return sum(1 + max(0, len(line) - 1) // columns for line in text.rstrip("\n").split("\n"))


def expect(claim, what):
    if not claim:
        failures.append(what)


def look_at(linchpin, path, rows, columns):
    name = f"{os.path.basename(path)} on {rows} x {columns}"
    command = [linchpin, "check", path, *MORE.get(os.path.basename(path), [])]
    status, text = on_terminal(command, rows, columns)
    expect(status == 1, f"{name}: exit status {status}")
    # One line is for what is typed next.
    expect(lines_on(text, columns) < rows, f"{name}: {lines_on(text, columns)} lines\n{text}")
    for part in (r"^violation: ", r"^(intervals|client):$", r"^ *\d+  T\d", r"^explored: .*--verbose"):
        expect(re.search(part, text, re.M), f"{name}: nothing like '{part}'\n{text}")
    for call in re.findall(r"thread \d: (.*)", text):
        expect(all(re.search(r"\[T\d+\]$", c) for c in call.split("; ")), f"{name}: whose call? {call}")
    return command, text


def look_at_progress(linchpin, root):
    """The line is written again and again, and erased in the end; it does not go beyond the screen."""
    check = [linchpin, "check", f"{root}/examples/treiber.c", "--ops", "14", "--time", "3"]
    states = [linchpin, "states", f"{root}/zoo/kregister.c", "--threads", "9", "--time", "3"]
    for command, what in ((check, r"client \d+, \d+ calls: [\d,]+ executions .*a second.*MB"),
                          (states, r"[\d,]+ states, .*a second, .*MB")):
        status, text = on_terminal(command, 24, 90, messages=True)
        lines = text.split("\r")
        expect(status == 3, f"{command}: exit status {status}")
        expect(any(re.match(what, line) for line in lines), f"{command}: no progress\n{text[-1000:]}")
        expect(max(map(len, lines)) < 90, f"{command}: a line wraps")
        expect(lines[-1].strip() == "", f"{command}: the line is not erased: {lines[-1]}")


def main():
    linchpin, root = (os.path.realpath(word) for word in sys.argv[1:])
    files = sorted(glob.glob(os.path.join(root, "examples", "bug_*")))
    cut = None
    for path in files:
        for rows, columns in SIZES:
            command, text = look_at(linchpin, path, rows, columns)
            if "steps before these" in text:
                cut = command, text, rows, columns
    look_at_progress(linchpin, root)
    # What was left out is there if it is asked for.
    expect(cut, "no execution was cut")
    if cut:
        command, text, rows, columns = cut
        _, whole = on_terminal([*command, "--verbose"], rows, columns)
        count = int(re.search(r"\.\.\. (\d+) steps before", text).group(1))
        expect(re.findall(r"^ +(\d+)  T\d", whole, re.M)[:count] == [str(i + 1) for i in range(count)],
               f"{command}: --verbose leaves out steps")
        expect("client:" in whole and "intervals:" in whole and lines_on(whole, columns) > rows,
               f"{command}: --verbose shows no more")
    for failure in failures:
        print(failure)
    print(f"{len(files)} examples, {len(failures)} failures")
    return 1 if failures or len(files) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
