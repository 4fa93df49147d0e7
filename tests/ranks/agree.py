#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Several ranks give the answer of a single process: verdict, counts, outcomes, and the violation to the last step.

usage: agree.py LINCHPIN MPIRUN RANKS WORDS...     `linchpin WORDS... --json` alone and with each of RANKS ("2,4"), both as ranks of one
                                                   host and each as a machine of its own
"""
import json
import os
import signal
import subprocess
import sys
import time

# What depends on time and memory; each of several processes counts its own orders; how many executions are given up early depends on what a
# process has seen before.
VARIES = ("seconds", "peak_rss_kb", "orders", "abandoned")
PATIENCE, SPUN = 120, 60  # seconds on the clock, then of CPU time
MANY = 10000  # blocked executions: their number, too, may depend on when processes have told each other what they know


def stable(value):
    if isinstance(value, dict):
        return {key: stable(v) for key, v in value.items() if key not in VARIES and not (key == "blocked" and isinstance(v, int) and v > MANY)}
    return [stable(v) for v in value] if isinstance(value, list) else value


def environment(apart):
    """For mpirun, as any user and with few processors; `apart` is LINCHPIN_RANKS_APART, or None."""
    values = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1", NO_COLOR="1")
    values.pop("LINCHPIN_RANKS_APART", None)
    return dict(values, LINCHPIN_RANKS_APART=apart) if apart else values


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


def finish(job):
    """What the job has written to its pipes, and whether it hangs; then it is killed.

    On a busy machine a job may take any time.  So after a while this process uses its own share of the processors: a job that
    has not ended when it has used as much as several jobs need hangs.
    """
    try:
        return job.communicate(timeout=PATIENCE), False
    except subprocess.TimeoutExpired:
        pass
    until = time.process_time() + SPUN
    while time.process_time() < until:
        try:
            return job.communicate(timeout=0.01), False
        except subprocess.TimeoutExpired:
            sum(range(1000000))
    for pid, _ in descendants(job.pid):
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass
    job.kill()
    return job.communicate(), True


def run(command, apart, **options):
    """As subprocess.run(), with the output as text."""
    job = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(apart), **options)
    (out, err), hangs = finish(job)
    return subprocess.CompletedProcess(command, job.returncode, out, err + "it hangs" * hangs)


def result(command, apart):
    done = run(command, apart)
    try:
        return done.returncode, stable(json.loads(done.stdout)), done.stderr
    except ValueError:
        return done.returncode, done.stdout, done.stderr


def difference(one, many, path=""):
    """Where two results differ first."""
    if type(one) is type(many) and isinstance(one, dict) and one.keys() == many.keys():
        return next(filter(None, (difference(one[k], many[k], f"{path}.{k}") for k in one)), None)
    if type(one) is type(many) and isinstance(one, list) and len(one) == len(many):
        return next(filter(None, (difference(a, b, f"{path}[{i}]") for i, (a, b) in enumerate(zip(one, many)))), None)
    return None if one == many else f"{path}: {str(one)[:200]} and {str(many)[:200]}"


def differences(linchpin, mpirun, ways, words, flags=()):
    """How many of the ways, which are (ranks, apart), give something else than one process; they are printed."""
    command = [linchpin, *words, "--json", *(["--", *flags] if flags else [])]
    one = result(command, None)
    wrong = 0 if one[0] in (0, 1, 3) else 1
    for count, apart in ways:
        many = result([mpirun, "-n", str(count), *command], apart)
        where = difference(list(one[:2]), list(many[:2]))
        if where:
            wrong += 1
            print(f"{' '.join(words)}: {count} ranks, apart: {apart}: {where}\n{many[2][:2000]}", flush=True)
    print(f"{' '.join([*words, *flags])}: status {one[0]}, {wrong} differences", flush=True)
    return wrong


def main():
    linchpin, mpirun, ranks, *words = sys.argv[1:]
    return 1 if differences(linchpin, mpirun, [(n, apart) for n in ranks.split(",") for apart in (None, "1", "now")], words) else 0


if __name__ == "__main__":
    sys.exit(main())
