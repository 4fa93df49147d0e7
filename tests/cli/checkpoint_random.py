#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Explorations that are interrupted at random, and resumed, give what one without interruptions gives.

usage: checkpoint_random.py LINCHPIN ROOT [SEED]

Each subject is run once without interruption.  Then it is killed (SIGKILL to the whole group, as if the machine was lost), or asked to stop
(SIGINT, SIGTERM), or limited (--executions), at random, and resumed with another -j each time, until there is a verdict.  The
result must be the same, to the last step of a violation.  Nothing may be refused, and no checkpoint be left.
"""
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define N 4
static atomic_int x[N];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static void *thread(void *p)
{
	const int i = *(int *)p;
	int seen = 0;
	atomic_store_explicit(&x[i], 1, memory_order_relaxed);
	for (int k = 0; k < 3; k++)
		seen += atomic_load_explicit(&x[(i + k) % N], memory_order_relaxed) << 2 * k;
	atomic_store_explicit(&x[i], 2, memory_order_relaxed);
	pthread_mutex_lock(&lock);
	sum = sum * 64 + seen;
	pthread_mutex_unlock(&lock);
	return NULL;
}
int main(void)
{
	static int number[N] = { 0, 1, 2, 3 };
	pthread_t t[N];
	for (int i = 0; i < N; i++)
		pthread_create(&t[i], NULL, thread, &number[i]);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	assert(WHAT);
}
"""

# Arguments, and how often.
SUBJECTS = [
    (["check", "examples/hwqueue.c", "--ops", "9"], 3),
    (["check", "examples/treiber.c", "--ops", "8", "--model", "tso"], 2),
    (["check", "examples/msqueue.c", "--ops", "9", "--model", "sc"], 2),
    (["check", "examples/elimination.c", "--ops", "4", "--coverage"], 2),
    (["check", "examples/bug_lazylist.c", "--ops", "5", "--no-suggest"], 2),
    (["check", "examples/bug_hwqueue.c", "--ops", "8", "--no-suggest"], 2),
    (["check", "zoo/michaellist.c", "--ops", "3"], 2),
    (["run", "right.c"], 3),
    (["run", "right.c", "--model", "tso"], 1),
    (["run", "wrong.c"], 3),
    (["run", "wrong.c", "--model", "sc"], 1),
]


def kept(result):
    """The part of a result that must be the same: all but costs, and numbers that only a single process counts."""
    scope = {name: text for name, text in result.get("scope", {}).items() if name not in ("resumed", "orders")}
    dropped = ("seconds", "peak_rss_kb", "scope", "abandoned") # which executions are given up early depends on what a process has seen
    return {"scope": scope, **{name: value for name, value in result.items() if name not in dropped}}


class Trial:
    def __init__(self, linchpin, arguments, rng):
        self.command, self.rng, self.log = [linchpin, *arguments, "--json"], rng, []
        start = time.time()
        self.want = kept(json.loads(subprocess.run(self.command, capture_output=True, text=True, check=False).stdout))
        self.seconds = time.time() - start
        self.file = "trial.ckpt"

    def start(self):
        """Runs one process, and returns its status and output."""
        rng, resumed = self.rng, os.path.exists(self.file)
        jobs, how = rng.choice("123"), rng.choice(["KILL", "KILL", "INT", "TERM", "limit"])
        words = ["-j", jobs, "--checkpoint", self.file, "--every", rng.choice(["0.05", "0.3"])]
        words += ["--resume", self.file] if resumed else []
        if how == "limit":
            words += ["--executions", str(rng.randrange(1, 1 + max(2, self.want.get("executions", 2))))]
        after = rng.uniform(0.02, 0.05 + self.seconds / 2) if how != "limit" and len(self.log) < 10 else 300
        child = subprocess.Popen(self.command + words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        try:
            out, err = child.communicate(timeout=after)
            how = how if how == "limit" else "none"
        except subprocess.TimeoutExpired:
            if how == "KILL":
                os.killpg(child.pid, signal.SIGKILL)
            else:
                child.send_signal(getattr(signal, "SIG" + how))
            out, err = child.communicate(timeout=100)
        self.log.append(f"-j {jobs} {'resumed' if resumed else 'begun'}, {how} after {after:.2f} s: status {child.returncode} {err.strip()}")
        return child.returncode, out

    def run(self):
        """Returns an error message or None, and how many processes were needed."""
        self.log = []
        status, out = self.start()
        while status not in (0, 1, 2) and len(self.log) < 40:
            status, out = self.start()
        if status not in (0, 1):
            return "no verdict"
        got = kept(json.loads(out))
        if os.path.exists(self.file):
            return "the checkpoint is left"
        for name in sorted(set(got) | set(self.want)):
            if got.get(name) != self.want.get(name):
                return f"{name}: {str(got.get(name))[:300]} instead of {str(self.want.get(name))[:300]}"
        return None


def main():
    linchpin, root = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    rng, failures, interruptions = random.Random(seed), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in ("examples", "zoo", "include"):
            os.symlink(os.path.join(root, name), name)
        for name, text in (("right", "1"), ("wrong", "sum % 1009")):
            with open(name + ".c", "w", encoding="utf-8") as out:
                out.write(PROGRAM.replace("WHAT", text))
        for arguments, times in SUBJECTS:
            trial = Trial(linchpin, arguments, rng)
            print(" ".join(arguments), trial.want["verdict"], trial.want.get("executions"), f"{trial.seconds:.1f} s", flush=True)
            # On a fast machine most are done before they are interrupted.
            before = interruptions
            for attempt in range(8 * times):
                if attempt >= times and interruptions - before >= 2 * times:
                    break
                wrong = trial.run()
                interruptions += len(trial.log) - 1
                if wrong:
                    failures += 1
                    print(f"FAIL (seed {seed}): {' '.join(arguments)}: {wrong}", *trial.log, sep="\n  ")
                for left in (trial.file, trial.file + ".new"):
                    if os.path.exists(left):
                        os.unlink(left)
    print(f"seed {seed}: {interruptions} interruptions, {failures} failures")
    return failures > 0 or interruptions < 20


if __name__ == "__main__":
    sys.exit(main())
