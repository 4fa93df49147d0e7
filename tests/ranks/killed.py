#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A process of a job is killed at a random moment: what the job reports is the right answer, or it reports none.

usage: killed.py LINCHPIN MPIRUN TIMES [SEED]

A worker is replaced, so the answer and the status are the usual ones.  Without a rank, or its linchpin-mpi, there is no answer, unless rank 0 has
reported it before: then it holds, but mpirun's status is that of the process that was lost.
"""
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
from agree import descendants, environment, finish

COMMAND = ["check", "examples/elimination.c", "--ops", "push=3,pop=2", "--no-undone"]  # a second, most of it by workers
RANKS = 3


def parent_of(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
            return int(stat.read().rsplit(")", 1)[1].split()[1])
    except OSError:
        return 0


def answer(text):
    return [line.strip() for line in text.splitlines() if line.strip().startswith(("executions", "verified", "violation", "inconclusive"))]


def start(linchpin, mpirun, cache):
    return subprocess.Popen([mpirun, "-n", str(RANKS), linchpin, *COMMAND], env=dict(environment("now"), LINCHPIN_CACHE=cache), stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True)


def kind_of(victim, job):
    """The kind of a process below mpirun, or None if it must not be killed.

    A rank starts its linchpin-mpi before it starts workers.  Until then, a child may be one that is about to become linchpin-mpi.
    """
    pid, name = victim
    if name == "linchpin-mpi":
        return "linchpin-mpi"
    if name not in ("linchpin", "exe"):  # it begins again as /proc/self/exe
        return None
    rank = parent_of(pid)
    if rank == job.pid:
        return "rank"
    return "worker" if "linchpin-mpi" in [name for _, name in descendants(rank)] else None


def kill_one(job, chance):
    """The kind of the process that was killed, or None."""
    victims = [(pid, kind_of((pid, name), job)) for pid, name in descendants(job.pid)]
    kinds = sorted({kind for _, kind in victims if kind})
    if not kinds or job.poll() is not None:
        return None
    kind = chance.choice(kinds)
    try:
        os.kill(chance.choice([pid for pid, k in victims if k == kind]), signal.SIGKILL)
    except OSError:
        return None
    return kind


def fault(status, text, right, kind):
    """What is wrong with the end of a job of which a process was killed; None if nothing is."""
    said = answer(text)
    if said != right[:len(said)]:
        return "wrong answer"
    if (status == 0 or kind == "worker") and (status or said != right):
        return "no answer"
    if said and "there is no verdict" in text:
        return "an answer that is taken back"
    return "the status of a violation" if status == 1 else None


def judge(linchpin, mpirun, times, seed, cache):
    chance = random.Random(seed)
    begun = time.time()
    whole = start(linchpin, mpirun, cache)  # and the object is compiled, and kept: later jobs have no compiler that could be killed
    right = answer(finish(whole)[0][0])
    length = time.time() - begun
    wrong, killed, ended = 0 if whole.returncode == 0 and len(right) == 2 else 1, [], 0
    for number in range(times):
        job = start(linchpin, mpirun, cache)
        time.sleep(chance.uniform(0.2, 1) * length)
        kind = kill_one(job, chance)
        (text, _), hangs = finish(job)
        why = "it hangs" if hangs else fault(job.returncode, text, right, kind)
        if why:
            wrong += 1
            print(f"seed {seed}, number {number}, {kind} was killed: {why}: status {job.returncode}\n{text}")
        killed += [kind] if kind else []
        ended += job.returncode != 0
    counts = ", ".join(f"{killed.count(kind)} {kind}" for kind in sorted(set(killed)))
    print(f"{times} jobs, killed: {counts}; {ended} jobs lost, {wrong} wrong")
    return 1 if wrong or not killed else 0


def main():
    linchpin, mpirun, times, *seed = sys.argv[1:]
    with tempfile.TemporaryDirectory() as cache:
        return judge(linchpin, mpirun, int(times), int(seed[0]) if seed else 1, cache)


if __name__ == "__main__":
    sys.exit(main())
