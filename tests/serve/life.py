#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Processes of linchpin-fe that are kept for several requests: how they begin and end, and that rows of a study do not notice.

usage: life.py LINCHPIN ZOO [MPIRUN]

A table of small rows is studied, with compilers that are killed, crash, do not answer or are not there.  The rows have the same answers each time.
"""
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import wire

LINCHPIN, ZOO = sys.argv[1], sys.argv[2]
COLUMNS = "file flags spec property sync model options verdict kind calls seconds source note".split()
ROWS = [
    ("treiber.c", "--ops 2", "verified"),
    ("wrong.c", "--ops 2", "error"),
    ("treiber.c", "--ops 3", "verified"),
    ("crash.c", "--ops 2", "error"),
    ("treiber.c", "--ops 2", "verified"),
    ("fatal.c", "--ops 2", "error"),
    ("treiber.c", "--ops 3", "verified"),
    ("treiber.c", "--ops 2", "verified"),
]
TRIES = 20  # a study may end before it is looked at, on a busy machine
OFF = dict(os.environ, LINCHPIN_CACHE="off")


def make_zoo(folder):
    os.mkdir(os.path.join(folder, "expected.d"))
    shutil.copy(os.path.join(ZOO, "..", "examples", "treiber.c"), folder)
    with open(os.path.join(ZOO, "..", "examples", "treiber.c")) as source:
        text = source.read()
    for name, first in (("wrong.c", "no such type\n"), ("crash.c", "#pragma clang __debug crash\n"),
                        ("fatal.c", "#pragma clang __debug llvm_fatal_error\n")):
        with open(os.path.join(folder, name), "w") as out:
            out.write(first + text)
    with open(os.path.join(folder, "expected.d", "rows.tsv"), "w") as out:
        out.write("\t".join(COLUMNS) + "\n")
        for file, options, verdict in ROWS:
            row = {"file": file, "options": options, "verdict": verdict, "model": "rc11", "seconds": "fast"}
            out.write("\t".join(row.get(c, "-") for c in COLUMNS) + "\n")


def study(folder, *words, prefix=(), **more):
    return subprocess.Popen([*prefix, LINCHPIN, "study", "--zoo", folder, "--json", *words], env=OFF, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, **more)


def answers(process):
    out, err = process.communicate(timeout=300)
    try:
        found = [(r["found"]["verdict"], r["found"].get("executions"), r["found"].get("text")) for r in json.loads(out)["results"]]
    except ValueError as error:
        raise AssertionError(f"{error}\n{out}\n{err}") from None
    assert [f[0] for f in found] == [r[2] for r in ROWS], found
    return found


def children(process):
    """All processes below it, with their commands."""
    found, last = {}, [process]
    while last:
        try:
            with open(f"/proc/{last[0]}/task/{last[0]}/children") as file:
                own = [int(number) for number in file.read().split()]
        except OSError:
            own = []
        last = last[1:] + own
        for number in own:
            try:
                with open(f"/proc/{number}/cmdline", "rb") as file:
                    found[number] = file.read().split(b"\0")
            except OSError:
                pass
    return found


def servers(process):
    return [number for number, words in children(process).items() if b"--serve" in words]


def same_answers(folder):
    """Rows that do not compile, and rows with which clang crashes, do not affect other rows; one row at a time, and several."""
    with tempfile.TemporaryDirectory() as alone:
        expected = []
        for file, options, _ in ROWS: # nothing is kept here: each has a process of its own
            run = subprocess.run([LINCHPIN, "check", os.path.join(folder, file), *options.split(), "--json"], env=OFF, cwd=alone,
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            r = json.loads(run.stdout)
            expected.append((r["verdict"], r.get("message") or r.get("text")))
    for jobs in ("1", "2", "5"):
        found = answers(study(folder, "-j", jobs))
        for (verdict, text), (own, _, said) in zip(expected, found):
            assert verdict == own and (not said or not text or said in text or text in said), (verdict, text, own, said)


def kill_compilers(folder, pause):
    """How many were killed."""
    killed = 0
    process = study(folder, "-j", "2")
    while process.poll() is None:
        for number in servers(process.pid):
            try:
                os.kill(number, signal.SIGKILL)
                killed += 1
            except ProcessLookupError:
                pass
        time.sleep(pause)
    answers(process)
    return killed


def killed_compilers(folder):
    """Compilers that are killed at any time cost no row."""
    killed = sum(kill_compilers(folder, pause) for pause in (0, 0.005, 0.02))
    for _ in range(TRIES):
        if killed > 3:
            break
        killed += kill_compilers(folder, 0)
    assert killed > 3, killed


def kill_keepers(folder):
    """Whether one was killed."""
    process = study(folder, "-j", "2")
    killed = 0
    while process.poll() is None and killed < 2:
        for number, words in children(process.pid).items():
            if b"study" in words and number != process.pid:
                try:
                    os.kill(number, signal.SIGKILL)
                    killed += 1
                except ProcessLookupError:
                    pass
        time.sleep(0.002)
    found = [r["found"]["verdict"] for r in json.loads(process.communicate(timeout=300)[0])["results"]]
    # A row is for a moment a process with the same name, before it runs linchpin again: it may have been hit.
    assert sum(a == r[2] for a, r in zip(found, ROWS)) >= len(ROWS) - 2, found
    return killed > 0


def killed_keepers(folder):
    """Keepers that are killed cost no row either: compilers are not kept then."""
    assert any(kill_keepers(folder) for _ in range(TRIES)), "every study ended too soon"


def is_there(number):
    try:
        with open(f"/proc/{number}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def begun_study(folder):
    """A study with processes below it, and these."""
    for _ in range(TRIES):
        process = study(folder, "-j", "2", start_new_session=True)
        while not servers(process.pid) and process.poll() is None:
            time.sleep(0.002)
        below = children(process.pid)
        if below:
            return process, below
        answers(process)
    raise AssertionError("every study ended too soon")


def killed_study(folder):
    """No process outlives the study, however it ends."""
    for how in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
        process, below = begun_study(folder)
        if how == signal.SIGINT:
            os.killpg(process.pid, how)  # as Ctrl-C does
        else:
            os.kill(process.pid, how)
        process.communicate(timeout=300)
        end = time.monotonic() + 120
        while any(is_there(number) for number in below) and time.monotonic() < end:
            time.sleep(0.01)
        left = {number: below[number] for number in below if is_there(number)}
        assert not left, (how, left)


def check(folder, shared, **more):
    return subprocess.run([LINCHPIN, "check", os.path.join(folder, "treiber.c"), "--ops", "2"],
                          env={**OFF, "LINCHPIN_FE_SOCKET": str(shared.fileno()), **more}, pass_fds=[shared.fileno()],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300)


def served_here(folder):
    """A server of our own gets the request; one that goes away, lies, or says nothing does not matter."""
    seen = []

    def work(other, how):
        own, messages, place, words = wire.take(other)
        seen.append(how)
        if how == "gone":
            os.write(messages, b"half a message\n")
            own.send(wire.BEGUN)
        elif how == "late":
            own.send(wire.BEGUN + b"\0\0")
        elif how == "lies":
            own.send(b"?")
        elif how == "works":
            own.send(wire.BEGUN)
            status = subprocess.run(words, stdout=messages, stderr=messages, cwd=f"/proc/self/fd/{place}", pass_fds=[place]).returncode
            own.send(status.to_bytes(4, sys.byteorder))
        own.close()
        os.close(messages)
        os.close(place)

    for how in ("works", "gone", "late", "lies", "closed"):
        shared, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        thread = threading.Thread(target=work, args=(other, how))
        thread.start()
        run = check(folder, shared)
        assert run.returncode == 0 and "half" not in run.stderr, (how, run)
        thread.join()
        shared.close()
        other.close()
    assert len(seen) == 5, seen


def not_served(folder):
    """A socket that does not answer, a socket on which no process listens, a file that is not a socket."""
    shared, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    begin = time.monotonic()
    assert check(folder, shared).returncode == 0
    assert time.monotonic() - begin > 4, "there is no server, but somebody has answered"
    other.close()
    assert check(folder, shared).returncode == 0
    assert check(folder, shared, LINCHPIN_FE_SOCKET="0").returncode == 0
    assert check(folder, shared, LINCHPIN_FE_SOCKET="999").returncode == 0


def not_there(folder):
    """Without linchpin-fe, the message is the usual one."""
    own = os.path.join(folder, "bin")
    os.mkdir(own)
    broken = os.path.join(own, "linchpin-fe")
    shutil.copy(LINCHPIN, os.path.join(own, "linchpin"))
    with open(broken, "w") as out:
        out.write("#!/no/such/interpreter\n")
    os.chmod(broken, 0o755)
    run = subprocess.run([os.path.join(own, "linchpin"), "study", "--zoo", folder, "--json", "-j", "2"], env=OFF, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True, timeout=300)
    found = [r["found"] for r in json.loads(run.stdout)["results"]]
    assert all(f["verdict"] == "error" for f in found), found


def many_files(folder):
    """Several files."""
    names = [os.path.join(folder, name) for name in ("treiber.c", "wrong.c", "treiber.c")]
    run = subprocess.run([LINCHPIN, "check", *names, "--ops", "2", "-q"], env=OFF, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         text=True, timeout=300)
    assert run.returncode == 2 and run.stderr.count("unknown type name 'no'") == 1, run


def ranks(folder):
    for jobs in ("1", "2"):
        prefix = (sys.argv[3], "--allow-run-as-root", "--oversubscribe", "-n", "2")
        answers(study(folder, "-j", jobs, prefix=prefix))


def main():
    tests = [same_answers, killed_compilers, killed_keepers, killed_study, served_here, not_served, not_there, many_files]
    if len(sys.argv) > 3:
        tests = [ranks]
    for test in tests:
        with tempfile.TemporaryDirectory(prefix="linchpin-life-") as folder:
            make_zoo(folder)
            test(folder)
        print(f"{test.__name__}: good", flush=True)


if __name__ == "__main__":
    main()
