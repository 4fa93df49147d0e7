#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A process of a job is killed at a random moment: the job ends, with a message or with the right answer, and never with a wrong one.

usage: killed.py LINCHPIN MPIRUN TIMES [SEED]

A worker is replaced, so the answer is the usual one.  Without a rank, or its linchpin-mpi, there is no answer.
"""
import os
import random
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
from agree import environment

COMMAND = ["check", "examples/elimination.c", "--ops", "push=3,pop=2"]
RANKS, PATIENCE = 3, 120


def descendants(pid):
    """(pid, name) of all processes below one."""
    found = []
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as children:
            pids = children.read().split()
    except OSError:
        return found
    for child in pids:
        try:
            with open(f"/proc/{child}/comm") as name:
                found.append((int(child), name.read().strip()))
        except OSError:
            continue
        found += descendants(child)
    return found


def answer(text):
    return [line.strip() for line in text.splitlines() if line.strip().startswith(("executions", "verified", "violation", "inconclusive"))]


def start(linchpin, mpirun):
    return subprocess.Popen([mpirun, "-n", str(RANKS), linchpin, *COMMAND], env=environment("now"), stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True)


def finish(job):
    try:
        return job.communicate(timeout=PATIENCE)[0]
    except subprocess.TimeoutExpired:
        for pid, _ in descendants(job.pid):
            os.kill(pid, signal.SIGKILL)
        job.kill()
        job.communicate()
        return None


def main():
    linchpin, mpirun, times, *seed = sys.argv[1:]
    seed = int(seed[0]) if seed else 1
    chance = random.Random(seed)
    begun = time.time()
    whole = start(linchpin, mpirun)
    right = answer(finish(whole) or "")
    length = time.time() - begun
    wrong, hit, ended = 0 if whole.returncode == 0 else 1, 0, 0
    for number in range(int(times)):
        job = start(linchpin, mpirun)
        time.sleep(chance.uniform(0.2, 1) * length)
        victims = [v for v in descendants(job.pid) if v[1].startswith(("linchpin", "exe"))]  # it begins again as /proc/self/exe
        victim = chance.choice(victims) if victims and job.poll() is None else None
        if victim:
            try:
                os.kill(victim[0], signal.SIGKILL)
                hit += 1
            except OSError:
                pass
        text = finish(job)
        if text is None or (job.returncode == 0 and answer(text) != right) or (job.returncode and "verified" in text and "no verdict" not in text):
            wrong += 1
            print(f"seed {seed}, number {number}, {victim} was killed: status {job.returncode}\n{text}")
        ended += job.returncode != 0
    print(f"{times} jobs, {hit} killed processes, {ended} without an answer, {wrong} wrong")
    return 1 if wrong or not hit else 0


if __name__ == "__main__":
    sys.exit(main())
