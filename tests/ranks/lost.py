#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ranks are killed at random, and the job is resumed from its checkpoint: the answer is that of one process.

usage: lost.py LINCHPIN MPIRUN ROOT KILLS [SEED]

A job has 1, 2, 4 or 7 ranks, on one machine or each on its own, and writes a checkpoint several times a second.  One of its processes is killed
(SIGKILL), mostly a rank; or mpirun is asked to stop (SIGINT, SIGTERM).  Then it is resumed with another number of ranks, and in the end by one process.  The
result must be that of one process to the last step of a violation.  No checkpoint is refused, and none is left.
"""
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "cli")]
from agree import descendants, difference, environment, finish, result, run, stable
from checkpoint_random import PROGRAM
from killed import parent_of

# Arguments.  Those without a violation take some seconds; the others may end before they are disturbed.
SUBJECTS = [
    ["check", "examples/elimination.c", "--ops", "5", "--no-undone"],
    ["check", "examples/bug_lazylist.c", "--ops", "5", "--no-suggest"],
    ["check", "examples/hwqueue.c", "--ops", "9"],
    ["run", "wrong.c"],
    ["run", "right.c"],
]
FILE, MOST = "job.ckpt", 4


def resumed():
    return ["--checkpoint", FILE, "--every", "0.2", *(["--resume", FILE] if os.path.exists(FILE) else [])]


def verdict(text):
    """The result without costs, or None if there is no verdict."""
    try:
        value = stable(json.loads(text))
    except ValueError:
        return None
    value.get("scope", {}).pop("resumed", None)
    return value if value["verdict"] in ("verified", "violation") else None


class Trial:
    def __init__(self, linchpin, mpirun, words, chance):
        self.command, self.mpirun, self.chance, self.log = [linchpin, *words, "--json"], mpirun, chance, []
        begun = time.time()
        self.want = result(self.command, None)
        self.length = time.time() - begun

    def job(self):
        """One job, which is disturbed.  Its output, and what was killed or None.  If mpirun is stopped, its status says nothing."""
        count, apart = self.chance.choice([1, 2, 4, 7]), self.chance.choice(["now", "1", "1", None])
        how = self.chance.choice(["rank", "rank", "rank", "any", "TERM", "INT"])
        job = subprocess.Popen([self.mpirun, "-n", str(count), *self.command, *resumed()], env=environment(apart), stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
        hit = self.disturb(job, how)
        (out, err), hangs = finish(job)
        err += "linchpin hangs" * hangs
        self.log.append(f"{count} ranks, apart {apart}, {how} {hit}: status {job.returncode}, output {out[:60]!r} {' '.join(l for l in err.splitlines() if 'linchpin' in l)[:300]}")
        return out, hit

    def disturb(self, job, how):
        """Waits until the job explores, and then for a random time.  Returns what was killed, or None."""
        until = time.time() + 60
        age = os.path.getmtime(FILE) if os.path.exists(FILE) else 0
        while job.poll() is None and time.time() < until and (not os.path.exists(FILE) or os.path.getmtime(FILE) == age):
            time.sleep(0.02)
        time.sleep(self.chance.uniform(0, self.length / 4))
        if job.poll() is not None:
            return None
        if how in ("TERM", "INT"):
            job.send_signal(getattr(signal, "SIG" + how))
            return "mpirun"
        victims = [v for v in descendants(job.pid) if v[1].startswith(("linchpin", "exe"))]
        if how == "rank":
            victims = [v for v in victims if parent_of(v[0]) == job.pid] or victims
        try:
            victim = self.chance.choice(victims)
            os.kill(victim[0], signal.SIGKILL)
            return victim
        except (IndexError, OSError):
            return None

    def run(self):
        """How many processes were killed, and what is wrong, or None."""
        self.log, kills = [], 0
        for _ in range(self.chance.randint(1, MOST)):
            out, hit = self.job()
            kills += hit is not None
            many = verdict(out)
            if many:
                break
        else:
            done = run(self.command + resumed(), None)
            many = verdict(done.stdout)
            self.log.append(f"alone: status {done.returncode} {done.stderr.strip()[:300]}")
        wrong = difference(self.want[1], many) if many else "no verdict"
        return kills, wrong or ("the checkpoint is left" if os.path.exists(FILE) else None)


def main():
    linchpin, mpirun, root, kills, *seed = sys.argv[1:]
    linchpin, root, seed = os.path.realpath(linchpin), os.path.realpath(root), int(seed[0]) if seed else 1
    chance, hit, failures = random.Random(seed), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in ("examples", "zoo", "include"):
            os.symlink(os.path.join(root, name), name)
        for name, text in (("right", "1"), ("wrong", "sum % 1009")):
            with open(name + ".c", "w", encoding="utf-8") as out:
                out.write(PROGRAM.replace("WHAT", text))
        number = 0
        while hit < int(kills) and number < 6 * int(kills):
            words = SUBJECTS[number % len(SUBJECTS)]
            trial, number = Trial(linchpin, mpirun, words, chance), number + 1
            more, wrong = trial.run()
            hit += more
            print(f"{' '.join(words)}: status {trial.want[0]}, {len(trial.log)} runs, {more} killed", flush=True)
            if wrong:
                failures += 1
                print(f"FAIL (seed {seed}): {wrong}", *trial.log, sep="\n  ", flush=True)
            for left in (FILE, FILE + ".new"):
                if os.path.exists(left):
                    os.unlink(left)
    print(f"seed {seed}: {hit} killed in {number} explorations, {failures} failures")
    return 1 if failures or hit < int(kills) else 0


if __name__ == "__main__":
    sys.exit(main())
