#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`study` and `history` print over ranks what they print alone, in the same order, and as soon as it is known.

usage: jobs.py LINCHPIN MPIRUN RANKS [SEED]     with each of RANKS ("1,2"), as ranks of one host and each as a machine of its own

A history that is a FIFO ends when this script wants it to: what is before it must be printed by then, and the process that reads it can be killed.
"""
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
from agree import difference, environment, finish, run

STUDIES = [["b23_treiber"], ["ticket", "--json"], ["no such row"]]
REFUSED = [["specs"], ["mutants", "examples/treiber.c"]]


def plain(text):
    """Without times and memory."""
    text = re.sub(r'"(seconds|figure|peak_rss_kb)":[^,}]*', "", text)
    text = re.sub(r" *cost .*", "", text)
    return re.sub(r" *\b[0-9.]+ (h|min|s|ms|us)\b( [0-9.]+ (min|s)\b)?", " TIME", text)  # "0.52 s", and "1 min 2 s" on a busy machine


def said(text):
    """What linchpin says on standard error, without what mpirun adds."""
    return [line for line in text.splitlines() if line.startswith(("linchpin:", "hint:", "warning:", "error:"))]


def result(command, apart=False):
    done = run(command, "1" if apart else None, stdin=subprocess.DEVNULL)
    return done.returncode, plain(done.stdout).splitlines(), said(done.stderr)


def write_history(path, chance, wrong):
    """A queue that is used by one thread at a time; wrong: an element is dequeued that is not the first."""
    queue, lines = [], []
    for begin in range(0, 10 * chance.randint(2, 40), 10):
        if queue and chance.random() < 0.5:
            lines.append(f"{begin % 3} {begin} {begin + 9} dequeue - {queue.pop(0)}")
        else:
            queue.append(len(lines) + 1)
            lines.append(f"{begin % 3} {begin} {begin + 9} enqueue {queue[-1]} -")
    if wrong:
        lines.append(f"0 9990 9999 dequeue - {len(lines) + 1000}")
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")


def histories(folder, chance, count, wrong, broken):
    """`count` files, some of which are wrong, missing, empty or no histories."""
    names = []
    for i in range(count):
        names.append(os.path.join(folder, f"{count}-{i}.tab"))
        kind = chance.random()
        if kind < broken:
            kind = chance.choice(("missing", "empty", "text"))
            if kind != "missing":
                with open(names[-1], "w") as file:
                    file.write("" if kind == "empty" else "these are words\n")
        else:
            write_history(names[-1], chance, chance.random() < wrong)
    return names


def has_open(pid, path):
    """Descriptors may be closed meanwhile, and the process may end."""
    for fd in os.listdir(f"/proc/{pid}/fd"):
        try:
            if os.readlink(f"/proc/{pid}/fd/{fd}") == path:
                return True
        except FileNotFoundError:
            continue
    return False


def reader_of(path):
    """The process that has the file open, besides this one."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if int(pid) != os.getpid() and has_open(pid, path):
                return int(pid)
        except OSError:
            continue
    return None


def await_reader(path, job, other_than=None):
    """A process that reads the file; None if the job ends."""
    while (pid := reader_of(path)) in (None, other_than):
        if job.poll() is not None:
            return None
        time.sleep(0.02)
    return pid


def with_fifo(linchpin, mpirun, ranks, folder, kill):
    """Two histories, then one that ends only when the first two were printed."""
    first, second, last, fifo = (os.path.join(folder, name) for name in ("a.tab", "b.tab", "c.tab", "fifo"))
    for name in first, second, last:
        write_history(name, random.Random(name), False)
    if not os.path.exists(fifo):
        os.mkfifo(fifo)
    job = subprocess.Popen([mpirun, "-n", str(ranks), linchpin, "history", first, second, fifo, last, "--spec", "queue", "-q"],
                           env=environment("1"), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    early = [job.stdout.readline(), job.stdout.readline()]
    with open(fifo, "w"):
        victim = await_reader(fifo, job) if kill else None
        if victim:
            os.kill(victim, signal.SIGKILL)
            await_reader(fifo, job, victim)
    (rest, _), hangs = finish(job)
    lines = early + rest.splitlines()
    names = [path for line in lines for path in (first, second, fifo, last) if path in line]
    return not hangs and job.returncode == 0 and names[:4] == [first, second, fifo, last] and (victim or not kill), [job.returncode, victim, *lines]


def main():
    linchpin, mpirun, ranks, *seed = sys.argv[1:]
    seed = int(seed[0]) if seed else 1
    chance = random.Random(seed)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        commands = [["study", *words] for words in STUDIES]
        for count, bad, broken, more in ((7, 0, 0, "--json"), (9, 0.3, 0.3, "-v"), (150, 0.01, 0.01, "-q")):
            commands.append(["history", *histories(folder, chance, count, bad, broken), "--spec", "queue", more])
        for words in commands:
            one = result([linchpin, *words])
            for count in ranks.split(","):
                for apart in (False, True):
                    many = result([mpirun, "-n", count, linchpin, *words], apart)
                    if one != many:
                        wrong += 1
                        print(f"seed {seed}: {count} ranks, apart: {apart}: {' '.join(words)[:300]}: {difference(list(one), list(many))}")
        for count in ranks.split(","):
            for words in REFUSED if count != "1" else ():
                status, out, err = result([mpirun, "-n", count, linchpin, *words])
                if status != 2 or out or len([line for line in err if line.startswith("linchpin:")]) != 1:
                    wrong += 1
                    print(f"{count} ranks: {words}: status {status}\n{out}\n{err}")
            for kill in (False, True) if count != "1" else ():
                good, lines = with_fifo(linchpin, mpirun, count, folder, kill)
                if not good:
                    wrong += 1
                    print(f"{count} ranks, killed: {kill}: {lines}")
    print(f"seed {seed}: {len(commands)} commands, {wrong} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
