#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`linchpin states --spill`: the same states as in memory, and what happens when the disk is full.

usage: spill.py LINCHPIN ZOO

A search that needs more than its memory ends with the same verdict, states and transitions if it may spill.  A full
disk, as a limit on the size of files and as a small file system (if one can be mounted), is no verdict.  The
folder is empty during a run and after it, however that ends.
"""
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time


def command(linchpin, zoo, *options, threads=5):
    return [linchpin, "states", os.path.join(zoo, "counter.c"), "--json", "--no-symmetry", "--threads", str(threads), *options]


def run(arguments, file_size=None):
    def limit():
        if file_size:
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=300, preexec_fn=limit)
    try:
        return json.loads(done.stdout), done.returncode
    except ValueError:
        return {"verdict": f"{done.stdout}{done.stderr}"}, done.returncode


def judge(name, good, result=""):
    print("ok   " if good else "WRONG", name, "" if good else result)
    return good


def same_states(linchpin, zoo, folder):
    plain, _ = run(command(linchpin, zoo))
    tight, status = run(command(linchpin, zoo, "--memory", "24"))
    good = judge("--memory 24: too little", status == 3 and "memory limit" in tight["reason"], tight)
    spilled, status = run(command(linchpin, zoo, "--memory", "24", "--spill", folder))
    good &= judge("--memory 24 --spill: the same",
                  status == 0 and spilled["verdict"] == plain["verdict"] == "verified" and
                  spilled["states"] == plain["states"] > 100000 and
                  spilled["scope"]["transitions"] == plain["scope"]["transitions"] and
                  " MB to " in spilled["scope"]["spilled"], spilled)
    roomy, _ = run(command(linchpin, zoo, "--spill", folder))
    return good & judge("--spill with memory enough: says so", "nothing" in roomy["scope"].get("spilled", ""), roomy)


def full_disk(linchpin, zoo, folder):
    spill = command(linchpin, zoo, "--memory", "24", "--spill", folder)
    result, status = run(spill, file_size=1 << 20)
    good = judge("ulimit -f", status == 3 and "cannot spill to" in result.get("reason", ""), result)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "none", folder], capture_output=True).returncode:
        print("skip  a small file system cannot be mounted here")
        return good
    try:
        result, status = run(spill)
    finally:
        subprocess.run(["umount", folder], check=True)
    return good & judge("a small file system",
                        status == 3 and "No space left on device" in result.get("reason", ""), result)


def interrupted(linchpin, zoo, folder):
    good = True
    for number in (signal.SIGINT, signal.SIGKILL):
        huge = command(linchpin, zoo, "--memory", "24", "--spill", folder, threads=8)
        p = subprocess.Popen(huge, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        descriptors, began = f"/proc/{p.pid}/fd", time.monotonic()
        spilling = False
        while not spilling and p.poll() is None and time.monotonic() - began < 120:
            time.sleep(0.05)
            spilling = any(os.readlink(f"{descriptors}/{d}").startswith(folder) for d in os.listdir(descriptors)
                           if os.path.islink(f"{descriptors}/{d}"))
        during = os.listdir(folder)
        p.send_signal(number)
        p.wait(60)
        good &= judge(f"{number.name} leaves nothing behind", spilling and not during and not os.listdir(folder),
                      (spilling, during, os.listdir(folder)))
    return good


def refused(linchpin, zoo, folder):
    missing, status = run(command(linchpin, zoo, "--spill", os.path.join(folder, "missing")))
    good = judge("no such folder", status == 2 and "cannot spill to" in str(missing), missing)
    progress, status = run(command(linchpin, zoo, "--spill", folder, "--prop", "lock-free"))
    return good & judge("with a progress property", status == 2 and "--spill is for" in str(progress), progress)


def main():
    linchpin, zoo = sys.argv[1:3]
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for test in (same_states, full_disk, interrupted, refused):
            good &= test(linchpin, zoo, folder)
            good &= judge("the folder is empty", not os.listdir(folder))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
