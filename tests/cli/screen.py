#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Output on a terminal.  The violation of every examples/bug_* fits on one screen, in two sizes, with the
most informative steps.  A run that takes longer than a second shows its progress, and when it is
interrupted, it says how far it got.

usage: screen.py LINCHPIN ROOT
"""
import fcntl
import glob
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

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


def on_terminal(command, rows, columns, outputs=("stdout",), until=None, environment={}, narrow=None):
    """The exit status, and what is written to the screen; once `until` is there, it gets Ctrl-C.  With `narrow`, the window is
    made as narrow as that before, and a NUL stands in the text where that was; `until` must come again."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True,
                               **{name: theirs if name in outputs else subprocess.DEVNULL for name in ("stdout", "stderr")},
                               env={**os.environ, "TERM": "xterm", **environment})
    os.close(theirs)
    patience = threading.Timer(300, process.kill)
    patience.start()
    text = b""
    while True:
        try:
            more = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not more:
            break
        text += more
        if narrow and re.search(until, text.decode(errors="replace")):
            fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, narrow, 0, 0))
            narrow, text = None, text + b"\0"
        elif until and re.search(until, text.decode(errors="replace").split("\0")[-1][300:]
                                if b"\0" in text else text.decode(errors="replace")):
            os.killpg(process.pid, signal.SIGINT)
            until = None
    os.close(ours)
    patience.cancel()
    return process.wait(), text.decode().replace("\r\n", "\n")


def plain(text):
    """The text without colours and cursor movements."""
    return re.sub(r"\x1b\[[0-9;]*[a-zA-Z]", "", text)


def lines_on(text, columns):
    return sum(1 + max(0, len(line) - 1) // columns for line in text.rstrip("\n").split("\n"))


def expect(claim, what):
    if not claim:
        failures.append(what)


def look_at(linchpin, path, rows, columns):
    name = f"{os.path.basename(path)} on {rows} x {columns}"
    command = [linchpin, "check", path, *MORE.get(os.path.basename(path), [])]
    status, text = on_terminal(command, rows, columns)
    text = plain(text)
    expect(status == 1, f"{name}: exit status {status}")
    # One line is for what is typed next.
    expect(lines_on(text, columns) < rows, f"{name}: {lines_on(text, columns)} lines\n{text}")
    for part in (r"^violation: ", r"^(intervals:$|client:)", r"^ *\d+  T\d", r"^explored: .*--verbose"):
        expect(re.search(part, text, re.M), f"{name}: nothing like '{part}'\n{text}")
    for call in re.findall(r"thread \d: (.*)", re.sub(r"\n {8,}", " ", text)):
        expect(all(re.search(r"\[T\d+\]$", c) for c in call.split("; ")), f"{name}: whose call? {call}")
    return command, text


def look_closely(linchpin, root):
    """Widths, colours, and which of 21 steps are shown: the read of an old value, which explains the error, is among them."""
    command = [linchpin, "check", f"{root}/examples/bug_hwqueue.c", "--ops", "enqueue=4,dequeue=3"]
    for columns in (60, 80, 200):
        text = plain(on_terminal(command, 24, columns)[1])
        expect(lines_on(text, columns) < 24, f"{columns} columns: {lines_on(text, columns)} lines\n{text}")
        whole = re.sub(r"\n {12,}", " ", text) # rows go on in the next line
        expect(re.search(r"^[ *]+19  T7 .*load q.slot\[2\] = 0 .*<- initial value, not step 6", whole, re.M),
               f"{columns} columns: the decisive step is not there\n{text}")
        words = text.split("why: ")[1].split("\n\n")[0]
        expect(columns == 200 or max(map(len, words.split("\n"))) <= columns, f"{columns} columns: a sentence is not wrapped\n{text}")
        expect(columns < 200 or "if (atomic_load_explicit(&q->slot[i]" in text, f"no source beside the steps\n{text}")
    # The threads of the steps, with their calls, as far as they fit, each in its colour.
    wide, narrow = (re.search(r"^the execution, step by step.*", on_terminal(command, 24, columns)[1], re.M).group() for columns in (200, 75))
    expect(all(re.search(rf"\x1b\[\d+mT{i} +\x1b\[0m(en|de)queue\(", wide) for i in range(1, 8)) and wide.rstrip().endswith("):"),
           f"the threads are not named: {wide}")
    expect(len(plain(narrow).rstrip()) <= 75 and "T1 enqueue(1), " in plain(narrow) and ", ...):" in narrow, f"75 columns: {narrow}")
    expect("\x1b[1;31mviolation:" in on_terminal(command, 24, 80)[1], "no colours")
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        expect("\x1b" not in on_terminal(command, 24, 80, environment=environment)[1], f"colours with {environment}")
    piped = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    expect(b"\x1b" not in piped and b"step by step" in piped, "colours in a pipe")


def look_at_others(linchpin, root):
    """Reports on histories and states fit, too; an option shows the parts that were left out."""
    with tempfile.TemporaryDirectory() as folder:
        history = os.path.join(folder, "counter.tab")
        with open(history, "w") as out:
            out.writelines(f"{i} 0 10 increment - -\n" for i in range(12))
            out.write("12 2 20 read - 13\n")
        for command, last in ((["history", history, "--spec", "counter"], r"^checked: counter, 13 calls, .*--verbose"),
                              (["states", f"{root}/zoo/msqueue_counted.c", "--gc", "--", "-DSIZE=2", "-DBUG=3"],
                               r"^explored: sc, [\d,]+ states so far, .*--verbose")):
            status, text = on_terminal([linchpin, *command], 24, 80)
            expect(status == 1 and lines_on(plain(text), 80) < 24 and re.search(last, plain(text), re.M), f"{command}: {status}\n{text}")
        whole = plain(on_terminal([linchpin, "history", history, "--spec", "counter", "--verbose"], 24, 80)[1])
        expect(len(re.findall(r"^ +\d+ +T\d+ +increment", whole, re.M)) >= 12 and "decided by" in whole, f"--verbose of a history:\n{whole}")


SPINNER = """#include <pthread.h>
#include <stdatomic.h>
static atomic_int x[4];
static void *work(void *p)
{
\tfor (int i = 0; i < 3; i++) {
\t\tatomic_store(&x[i], (int)(long)p);
\t\t(void)atomic_load(&x[i + 1]);
\t}
\treturn p;
}
int main(void)
{
\tpthread_t t[4];
\tfor (long i = 0; i < 4; i++)
\t\tpthread_create(&t[i], NULL, work, (void *)(i + 1));
}
"""


def hard_history():
    """The history of a deque: all calls overlap, and one removes a value that no call has inserted."""
    lines = [f"{i} 0 1000 push_back {i % 5} -" for i in range(40)]
    lines += [f"{i + 40} 0 1000 pop_front - {7 if i == 39 else i % 5}" for i in range(40)]
    return "\n".join(lines) + "\n"


def drip(path):
    """Writes calls to a pipe until the reader closes it."""
    line = "0 1 2 enqueue 1 -\n" * 1000
    try:
        with open(path, "w") as out:
            while True:
                out.write(line)
                out.flush()
                time.sleep(0.05)
    except OSError:
        pass


def look_at_progress(linchpin, root):
    """The line is written again and again; it does not go beyond the screen.  Ctrl-C erases it, and
    says what was covered."""
    with tempfile.TemporaryDirectory() as folder:
        program, history = os.path.join(folder, "big.c"), os.path.join(folder, "hard.tab")
        for path, text in ((program, SPINNER), (history, hard_history())):
            with open(path, "w") as out:
                out.write(text)
        pipe = os.path.join(folder, "pipe")
        os.mkfifo(pipe)
        threading.Thread(target=drip, args=(pipe,), daemon=True).start()
        number, rate, left, memory = r"[\d,.]+", r", [\w,. ]+(/s| a second)", r", (at least )?([\d.]+ \w+ ?)+ left", r", [\d.]+ MB"
        for command, line, covered in (
                (["check", f"{root}/examples/treiber.c", "--ops", "14"],
                 rf"client \d+ of 119, \d+ calls: {number} executions({rate})?, of (about )?[\w,. ]+{left}{memory}",
                 r"clients +every order on up to \d+ calls; then \d+ most parallel ones? of \d+ calls, (the last one )?in part"),
                (["run", program], rf"{number} executions{rate}, of (about )?[\w,. ]+{left}{memory}", rf"executions +{number} complete so far"),
                (["states", f"{root}/zoo/kregister.c", "--threads", "9"], rf"{number} states{rate}{memory}", rf"states +{number} so far"),
                (["history", history, "--spec", "deque"], rf"history: {number} steps{rate}{memory}",
                 rf"decided by +search, {number} steps"),
                (["history", pipe, "--spec", "queue"], rf"history: {number} bytes read{rate}", r"while it was read, after \d+ bytes"),
                (["study", "--zoo", f"{root}/zoo", "-j", "1", "msqueue"], r"[1-9]\d* of \d+ rows, \d+ not as expected, .*running: 1",
                 r"[1-9]\d* of \d+ rows match")):
            status, text = on_terminal([linchpin, *command], 24, 100, outputs=("stdout", "stderr"), until=line)
            lines = text.split("\r")
            expect(status == 3, f"{command}: exit status {status}")
            expect(any(re.match(line, l) for l in lines), f"{command}: no progress\n{text[-1000:]}")
            expect(max(len(plain(l)) for l in lines[:-1] if "\n" not in l) < 100, f"{command}: a line wraps")
            expect("interrupted (SIGINT)" in text or "interrupted after" in text, f"{command}: it does not say why\n{text[-1000:]}")
            expect(re.search(covered, re.sub(r"\s+", " ", plain(lines[-1]))), f"{command}: what was covered?\n{text[-1000:]}")


def look_at_narrower_window(linchpin):
    """If the window becomes narrower, the line does, too."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "big.c")
        with open(program, "w") as out:
            out.write(SPINNER)
        text = on_terminal([linchpin, "run", program], 24, 120, outputs=("stdout", "stderr"), until=r"executions", narrow=40)[1]
        # One line may have been under way.
        lines = [plain(line) for line in text.split("\0")[1].split("\r")[2:] if "executions" in line and "\n" not in line]
        expect(lines and all(len(line) < 40 for line in lines), f"a window of 40 columns: {lines[:3]}")


def look_at_width(linchpin, path):
    """At 80 columns the terminal breaks no line: it would do so within a word."""
    for more in ([], ["--verbose"]):
        text = plain(on_terminal([linchpin, "check", path, *more], 40, 80)[1])
        for line in re.split("[\r\n]+", text):
            expect(len(line) <= 80, f"{path} {more}: a line of {len(line)} columns: {line}")


def main():
    linchpin, root = (os.path.realpath(word) for word in sys.argv[1:])
    files = sorted(glob.glob(os.path.join(root, "examples", "bug_*")))
    cut = None
    for path in files:
        for rows, columns in SIZES:
            command, text = look_at(linchpin, path, rows, columns)
            if re.search(r"\.\.\. \d+ (other )?steps?", text):
                cut = command, text, rows, columns
    for path in files[::3] + [os.path.join(root, "examples", "treiber.c")]:
        look_at_width(linchpin, path)
    look_closely(linchpin, root)
    look_at_others(linchpin, root)
    look_at_progress(linchpin, root)
    look_at_narrower_window(linchpin)
    # What was left out is there if it is asked for.
    expect(cut, "no execution was cut")
    if cut:
        command, text, rows, columns = cut
        whole = plain(on_terminal([*command, "--verbose"], rows, columns)[1])
        count = int(re.search(r"\.\.\. (\d+) (?:other )?steps?", text).group(1))
        steps = re.findall(r"^[ *]+(\d+)  T\d", whole, re.M)
        expect(steps == [str(i + 1) for i in range(len(steps))] and len(re.findall(r"^[ *]+\d+  T\d", text, re.M)) + count == len(steps),
               f"{command}: --verbose leaves out steps")
        expect("client:" in whole and "intervals:" in whole and lines_on(whole, columns) > rows,
               f"{command}: --verbose shows no more")
    for failure in failures:
        print(failure)
    print(f"{len(files)} examples, {len(failures)} failures")
    return 1 if failures or len(files) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
