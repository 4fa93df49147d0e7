#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A linchpin-fe that serves one request after the other makes the same objects as new processes.

usage: objects.py LINCHPIN-FE TREE SHARD SHARDS

Programs of examples/ and zoo/ are sent to one process, in this order; between them what does not compile, in several ways.  Objects, messages, exit
statuses and lists of undefined symbols are compared, byte by byte, with those of a process for each of them.
"""
import glob
import os
import select
import socket
import subprocess
import sys
import tempfile

import wire

CLANG = ("-g -include linchpin/builtins.h -O1 -Xclang -disable-llvm-passes -emit-llvm -c -fPIC -fno-builtin -fno-stack-protector "
         "-fstrict-aliasing -D__linchpin__=1 -o -").split()
WRONG = {
    "syntax.c": "int f(void) { return 1 }\n",
    "header.c": '#include "there_is_none.h"\nint main(void) { return 0; }\n',
    "warned.c": "#warning from here\nint main(void) { int x; return x; }\n",
    "template.cc": "template <class T> struct S { T x; };\nint main() { S<void> s; return s.x; }\n",
    "asm.c": 'int main(void) { __asm__("no such instruction"); return 0; }\n',
}
ENDS = "asm.c"  # LLVM ends the process; clients then take a new one


def command(instrumenter, tree, source, folder):
    clang = "clang++-19" if source.endswith(".cc") else "clang-19"
    words = [clang, "-I", os.path.join(tree, "include"), *CLANG, source]
    client = [] if os.path.basename(source) in WRONG else ["--client"]
    return [instrumenter, "-O", "1", "--report", os.path.join(folder, "report"), "-o", os.path.join(folder, "object"), *client,
            "--source", str(len(words)), *words]


def contents(folder):
    found = {}
    for name in ("object", "report", "messages"):
        path = os.path.join(folder, name)
        if os.path.exists(path):
            with open(path, "rb") as file:
                found[name] = file.read()
            os.unlink(path)
    return found


class Server:
    """One process of linchpin-fe, started by its first request as keepers do it; then another one if that has grown large."""

    def __init__(self, instrumenter):
        self.instrumenter = instrumenter
        self.shared, self.other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.process = None
        self.started = 0

    def run(self, words, messages, folder):
        own = wire.ask(self.shared, words, dict(os.environ), messages, folder)
        answered = []
        while not answered: # a process that has just answered for the last time may still be about to end
            if not self.process or self.process.poll() is not None:
                self.start()
            answered, _, _ = select.select([own], [], [], 0.02)
        return wire.status_of(own)

    def start(self):
        """Starts a process with the request that nobody has taken, if there is one."""
        if not select.select([self.other], [], [], 0)[0]:
            return
        _, parts, _, _ = socket.recv_fds(self.other, 1, 3)
        numbers = [self.other.fileno(), *parts]
        self.process = subprocess.Popen([self.instrumenter, "--serve", *map(str, numbers)], pass_fds=numbers)
        self.started += 1
        for part in parts:
            os.close(part)


def main():
    instrumenter, tree, shard, shards = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    sources = sorted(glob.glob(tree + "/examples/*.c") + glob.glob(tree + "/examples/*.cc") + glob.glob(tree + "/zoo/*.c"))[shard::shards]
    server = Server(instrumenter)
    different, ended = [], 0
    with tempfile.TemporaryDirectory(prefix="linchpin-serve-") as folder:
        for name, text in WRONG.items():
            with open(os.path.join(folder, name), "w") as out:
                out.write(text)
        wrong = [os.path.join(folder, name) for name in WRONG]
        for i, source in enumerate(s for n, s in enumerate(sources) for s in (wrong[n % len(wrong)], s)):
            words = command(instrumenter, tree, source, folder)
            with open(os.path.join(folder, "messages"), "wb") as messages:
                status = subprocess.run(words, stdout=messages, stderr=messages, cwd=tree).returncode
            if status == 2 and not i:
                print("this linchpin-fe has no clang of its own")
                return 77
            expected = contents(folder)
            with open(os.path.join(folder, "messages"), "wb") as messages:
                served = server.run(words, messages.fileno(), tree)
            found = contents(folder)
            if os.path.basename(source) == ENDS:
                ended += 1
                status, expected = None, found
            if (served, found) != (status, expected):
                different.append(f"{source}: status {served} instead of {status}")
            if source not in wrong and served != 0:
                different.append(f"{source}: status {served}: " + found["messages"].decode())
    server.shared.close()
    server.other.close()
    status = server.process.wait(10)
    print("\n".join(different))
    print(f"{len(sources)} programs by {server.started} processes, of which {ended} were ended by a program")
    return 1 if different or status or not sources or server.started > ended + 1 + len(sources) // 10 else 0


if __name__ == "__main__":
    sys.exit(main())
