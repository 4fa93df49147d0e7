#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checkpoints that several machines have written: those of another command, and damaged ones, are refused with one message and status 2.

usage: refused.py LINCHPIN MPIRUN ROOT [SEED]
"""
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import agree

FILE, DAMAGED, TIMES = "job.ckpt", "damaged.ckpt", 16
SUBJECT = ["check", "examples/hwqueue.c", "--ops", "9"]
FOREIGN = [
    (["check", "examples/hwqueue.c", "--ops", "8"], "it was written with --ops 9, not --ops 8"),
    (["check", "examples/hwqueue.c", "--ops", "9", "--model", "sc"], "it was written without --model sc"),
    (["check", "examples/msqueue.c", "--ops", "9"], "the program was another one, or compiled in another way"),
    (["run", "examples/ring.c"], "it was written by `linchpin check`"),
]


def run(command, apart=False):
    return agree.run(command, "now" if apart else None)


def damage(whole, chance):
    """Cut off, or with some bits changed."""
    if chance.random() < 0.5:
        return whole[:chance.randrange(len(whole))]
    changed = bytearray(whole)
    for _ in range(chance.randrange(1, 4)):
        at, bit = chance.randrange(len(changed)), chance.randrange(8)
        changed[at] ^= 1 << bit
    return bytes(changed) if changed != whole else whole[:-1]


class Refusals:
    def __init__(self, linchpin, mpirun, seed):
        self.one, self.several = [linchpin], [mpirun, "-n", "3", linchpin]
        self.seed, self.wrong, self.tried = seed, 0, 0

    def expect(self, several, words, file, text):
        done = run([*(self.several if several else self.one), *words, "--resume", file], several)
        said = [line for line in done.stderr.splitlines() if line.startswith("linchpin: ")]
        self.tried += 1
        # Lines are broken on a terminal only.
        if done.returncode == 2 and not done.stdout and len(said) == 1 and text in said[0]:
            return
        self.wrong += 1
        print(f"FAIL (seed {self.seed}): {' '.join(words)}, {'3 ranks' if several else 'alone'}: status {done.returncode}, not '{text}'\n{done.stderr[:1500]}")


def main():
    linchpin, mpirun, root, *seed = sys.argv[1:]
    linchpin, root, seed = os.path.realpath(linchpin), os.path.realpath(root), int(seed[0]) if seed else 1
    chance, refusals = random.Random(seed), Refusals(linchpin, mpirun, seed)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.symlink(os.path.join(root, "examples"), "examples")
        run([mpirun, "-n", "3", linchpin, *SUBJECT, "--executions", "5000", "--checkpoint", FILE], True)
        with open(FILE, "rb") as checkpoint:
            whole = checkpoint.read()
        for words, text in FOREIGN:
            for several in (False, True):
                refusals.expect(several, words, FILE, text)
        for number in range(TIMES):
            with open(DAMAGED, "wb") as out:
                out.write(damage(whole, chance))
            refusals.expect(number % 4 == 0, SUBJECT, DAMAGED, f"'{DAMAGED}'")
        # It has not changed.
        done = run([linchpin, *SUBJECT, "--resume", FILE])
        refusals.wrong += done.returncode != 0 or "34,577 complete, which is all of them" not in done.stdout
    print(f"seed {seed}: {refusals.tried} refusals expected, of a checkpoint of {len(whole)} bytes; {refusals.wrong} wrong")
    return 1 if refusals.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
