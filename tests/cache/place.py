# SPDX-License-Identifier: MIT
"""A folder to run linchpin in, with a cache of its own.

run() returns the answer of a command, and whether something was compiled: clang is by far the largest
process, so the peak memory of all children tells.
"""
import os
import subprocess
import time

LARGE_KB = 25000  # between linchpin (below 15 MB) and linchpin-fe (above 35 MB)


class Place:
    """A folder with a cache beside it."""

    def __init__(self, root, linchpin):
        self.linchpin = linchpin
        self.root = root
        self.folder = os.path.join(root, "work")
        self.cache = os.path.join(root, "cache")
        os.mkdir(self.folder)
        self.environment = dict(os.environ, LINCHPIN_CACHE=self.cache, PWD=self.folder)
        self.errors = ""

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        """Files that are younger than the compilation are not trusted: wait for a tick of the clock."""
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as out:
            out.write(text)
        time.sleep(0.03)

    def run(self, *words, command="run", stdin=None, linchpin=None, cwd=None):
        """(exit status, was something compiled?)"""
        process = subprocess.Popen([linchpin or self.linchpin, command, *words], cwd=cwd or self.folder,
                                   env=self.environment, text=True, stdout=subprocess.PIPE,
                                   stderr=open(self.root + "/errors", "w"), stdin=stdin or subprocess.DEVNULL)
        self.output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        with open(self.root + "/errors") as errors:
            self.errors = errors.read()
        return process.returncode, usage.ru_maxrss > LARGE_KB

    def expect(self, status, compiled, *words, **more):
        found = self.run(*words, **more)
        if found != (status, compiled):
            raise AssertionError(f"{' '.join(words)}: exit status and compilation are {found}, not {(status, compiled)}\n"
                                 + self.output + self.errors)

    def compiles(self, status, *words, **more):
        self.expect(status, True, *words, **more)

    def hits(self, status, *words, **more):
        self.expect(status, False, *words, **more)

    def never_kept(self, status, *words, **more):
        self.compiles(status, *words, **more)
        self.compiles(status, *words, **more)

    def files(self):
        return [os.path.join(folder, name) for folder, _, names in os.walk(self.cache) for name in names]
