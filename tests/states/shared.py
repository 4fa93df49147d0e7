#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`linchpin states -j N`: verdict, counts and violation are those of one process.

usage: shared.py LINCHPIN ZOO TABLE

All rows of the table, but for those of one process only, with 2, 4 and 7 processes, which share the states of all distances
that have at least two; and every twentieth row by mpirun, if there is one, with 1, 2, 4 and 7 ranks, and one object that only the first rank
has.  A process that is killed changes nothing, and leaves no other behind.  What needs one process is
refused.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from run import rows

os.environ["LINCHPIN_STATES_SHARED"] = "2"


def run(linchpin, path, options, flags, *more, ranks=0):
    before = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(ranks)] if ranks else []
    done = subprocess.run([*before, linchpin, "states", path, "--json", *options, *more, "--", *flags],
                          capture_output=True, text=True)
    try:
        return json.loads(done.stdout), done.returncode
    except ValueError:
        return {"verdict": f"{done.stdout}{done.stderr}"}, done.returncode


def essence(result):
    """What must not depend on the number of processes."""
    violation = result.get("violation") or {}
    return {"verdict": result["verdict"], "states": result.get("states"), "depths": result.get("states_by_depth"),
            "transitions": result.get("scope", {}).get("transitions"), "kind": result.get("kind"),
            "steps": violation.get("steps"), "text": violation.get("text"), "client": violation.get("client")}


def judge(name, good, result=""):
    print("ok   " if good else "WRONG", name, "" if good else result)
    return good


def needs_one_process(options):
    return any(option.startswith("quasi") or option in ("sequential", "quiescent") for option in options)


def same(linchpin, zoo, table):
    good = True
    for name, options, flags, verdict, kind, _ in rows(table):
        if needs_one_process(options):
            continue
        path = os.path.join(os.path.dirname(table) if name.startswith("./") else zoo, name)
        alone, _ = run(linchpin, path, options, flags)
        for jobs in (2, 4, 7):
            together, _ = run(linchpin, path, options, flags, "-j", str(jobs))
            differ = [key for key, value in essence(alone).items() if essence(together)[key] != value]
            good &= judge(f"{name} {' '.join(options + flags)} -j {jobs} {verdict} {alone.get('states')} states", not differ,
                          (differ, essence(alone), essence(together)))
    return good


def shipped(linchpin, folder):
    """Ranks but the first have neither the source nor a compiler.  The object has a specification of its own."""
    command = [linchpin, "states", "between.c", "--json", "--threads", "3", "--gc"]
    alone = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    with tempfile.TemporaryDirectory() as empty:
        together = subprocess.run(["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "1", *command, ":", "-n", "2", "-wdir", empty, "env",
                                   "PATH=" + empty, "LINCHPIN_CACHE=off", *command], capture_output=True, text=True, cwd=folder)
    if alone.returncode not in (0, 1) or together.returncode != alone.returncode:
        return judge("neither source nor compiler", False, (alone.returncode, together.returncode, together.stdout, together.stderr))
    one, many = essence(json.loads(alone.stdout)), essence(json.loads(together.stdout))
    return judge(f"neither source nor compiler, {one['states']} states", one == many, (one, many))


def ranks(linchpin, zoo, table):
    if not shutil.which("mpirun") or not os.path.exists(os.path.join(os.path.dirname(linchpin), "linchpin-mpi")):
        print("skip  there is no MPI")
        return True
    good, chosen = True, [row for row in rows(table) if not needs_one_process(row[1])][::20]
    for name, options, flags, verdict, *_ in chosen:
        path = os.path.join(os.path.dirname(table) if name.startswith("./") else zoo, name)
        alone, expected = run(linchpin, path, options, flags)
        for count in (1, 2, 4, 7):
            together, status = run(linchpin, path, options, flags, ranks=count)
            differ = [key for key, value in essence(alone).items() if essence(together)[key] != value]
            good &= judge(f"{name} {' '.join(options + flags)} mpirun -n {count} {verdict}", not differ and status == expected,
                          (differ, status, essence(together)))
    good &= shipped(linchpin, os.path.dirname(table))
    counter = os.path.join(zoo, "counter.c")
    result, status = run(linchpin, counter, ["--prop", "lock-free"], [], ranks=2)
    return good & judge("--prop lock-free by mpirun", status == 2 and "one process" in str(result), (status, result))


def children_of(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as f:
            return [int(child) for child in f.read().split()]
    except OSError:
        return []


def kill_one(pid):
    """Kills a process of the search; False if there is none.  One that has ended, and is not waited for yet, does not count."""
    for child in children_of(pid):
        try:
            with open(f"/proc/{child}/stat") as f:
                ended = f.read().rsplit(")", 1)[1].split()[0] in "ZX"
            if not ended:
                os.kill(child, signal.SIGKILL)
                return True
        except OSError:
            continue
    return False


def killed(linchpin, zoo):
    """With a process killed once, the result is the same; if one is always killed, there is none after some attempts.  The object is kept, so there is no compiler."""
    command = [linchpin, "states", os.path.join(zoo, "counter.c"), "--threads", "4", "--no-symmetry", "--json"]
    good = True
    with tempfile.TemporaryDirectory() as cache:
        env = dict(os.environ, LINCHPIN_CACHE=cache)
        alone = json.loads(subprocess.run(command, capture_output=True, text=True, env=env).stdout)
        for times in (1, 3, 1000000):
            p = subprocess.Popen([*command, "-j", "3"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env)
            done = 0
            while p.poll() is None and done < times:
                done += kill_one(p.pid)
                time.sleep(0.001)
            children = children_of(p.pid)
            result = json.loads(p.communicate()[0])
            left = [child for child in children if os.path.exists(f"/proc/{child}")]
            right = done and p.returncode == 0 and essence(result) == essence(alone)
            if times == 1000000:  # on a busy machine the last kills may come too late
                right = right or (p.returncode == 3 and "was lost" in result["reason"])
            good &= judge(f"{done} processes are killed", right and not left, (p.returncode, result, left))
    return good


def refused(linchpin, zoo):
    good = True
    for options in (["--prop", "lock-free"], ["--ltl", "[]<> return(pop)"], ["--exact"], ["--depth-first"]):
        result, status = run(linchpin, os.path.join(zoo, "counter.c"), options, [], "-j", "2")
        good &= judge(f"{options[0]} -j 2", status == 2 and "one process" in str(result), result)
    return good


def main():
    linchpin, zoo, table = sys.argv[1:4]
    good = same(linchpin, zoo, table)
    good &= ranks(linchpin, zoo, table)
    good &= killed(linchpin, zoo)
    good &= refused(linchpin, zoo)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
