#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The commands on a page of the manual print what the page shows.

usage: shown.py LINCHPIN ROOT FILE.md            run what the page shows, compare
       shown.py LINCHPIN ROOT FILE.md --update   write the output into the page
       shown.py --self                           show that differences are found

A fenced block of a page is one of these:

    ```                    a terminal: after "$ " a command (a line that ends in \\ goes on),
    $ linchpin ...         then what it prints, standard error included.  A line "..." stands
    verified: ...          for any number of lines.  "$ echo $?" prints the status of the
    ```                    command before.  After "(gdb) " is what is typed into a debugger,
                           which is skipped where there is none; so is mpirun.

    ```c queue.c           a file.  If the repository has it (examples/treiber.c, or beside the
    ...                    page), the block is lines of it, in their order, "..." for what
    ```                    is left out; else it is written, for commands to use.

Commands run in an empty folder with links to what is at the top of the repository, and to the
files of the page's own folder of the same name (docs/tutorial/ for docs/tutorial.md).  Times,
rates, memory, addresses of a loaded object or a stack, and the column of functions (a compiler may
inline them) differ from run to run, and are not compared; nor is how far an exploration got, or how many
states there are.

Commands of `linchpin` on files of the repository that stand in the text, between backquotes, are
run, too: they must not be refused.
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```")
MASKS = [
    (re.compile(r"^( *\d* +T\d+ +\S*:\d+)  +[\w()]+  +(?=\S)"), r"\1  "),
    (re.compile(r"\b\d+ min( \d+ s)?\b|\b\d+(\.\d+)? m?s\b"), "TIME"),
    (re.compile(r"\b[\d.,]+ (million |thousand )?a second\b"), "RATE"),
    (re.compile(r"\b\d+(\.\d+)? [kMG]B\b"), "MEMORY"),
    (re.compile(r"\b0x(0000)?[57][0-9a-f]{11}\b|\b0x20000[0-9a-f]{7}\b"), "ADDRESS"), # code and globals, stacks
    (re.compile(r"^#\d+ (.* at )(?:\S*/)?"), r"# \1"),
    (re.compile(r'"(seconds|peak_rss_kb)":[\d.]+'), r'"\1":N'),
    (re.compile(r' time="[\d.]+"'), ""),
    # How far it got, what it did not have to look at, and how many states that is (tests/states
    # has them) is not what is promised.
    (re.compile(r"^( +states +)[\d,]+"), r"\1N"),
    (re.compile(r"^( +orders +).*"), r"\1"),
    (re.compile(r"[\d,]+ complete so far|; [\d,]+ (blocked|given up early)|; about .* in all"), ""),
    (re.compile(r"\s+"), " "),
]

SKIPPED = 77  # the status, if nothing of a page can be run here


def masked(line):
    for pattern, word in MASKS:
        line = pattern.sub(word, line)
    return line.strip()


def is_debugger(command):
    return " --gdb" in command


def has_debugger():
    """Is there one, and may it run processes here?"""
    return shutil.which("gdb") and "exited normally" in subprocess.run(
        ["gdb", "-nx", "-batch", "-ex", "run", "/bin/true"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout


def has_ranks(linchpin):
    """Can commands be started by mpirun?"""
    return shutil.which("mpirun") and os.path.exists(os.path.join(os.path.dirname(os.path.realpath(linchpin)), "linchpin-mpi"))


def without_prompts(lines):
    """What a debugger prints, without its prompts, and with its frames in one line each."""
    out = []
    for line in lines:
        line = re.sub(r"^(\(gdb\) )+", "", line)
        if line.startswith("    ") and out and out[-1].startswith("#"):
            out[-1] = f"{out[-1].rstrip()} {line.strip()}"
        else:
            out.append(line)
    return out


class Block:
    """Lines `first` to `last` of a page, the fences not among them."""

    def __init__(self, info, first, lines):
        self.info, self.first, self.lines = info, first, lines
        self.last = first + len(lines)

    def is_terminal(self):
        return bool(self.lines) and self.lines[0].startswith("$ ")

    def file(self):
        words = self.info.split()
        return words[1] if len(words) > 1 else None

    def commands(self):
        """(command, the first line of what it prints, those lines)"""
        i = 0
        while i < len(self.lines):
            command = self.lines[i][2:]
            i += 1
            while command.endswith("\\"):
                command = command[:-1] + self.lines[i].lstrip()
                i += 1
            start = i
            while i < len(self.lines) and not self.lines[i].startswith("$ "):
                i += 1
            yield command, start, self.lines[start:i]


def blocks_of(lines):
    blocks, start = [], None
    for number, line in enumerate(lines):
        if not FENCE.match(line):
            continue
        if start is None:
            start = number
        else:
            blocks.append(Block(lines[start][3:].strip(), start + 1, lines[start + 1:number]))
            start = None
    if start is not None:
        raise SystemExit(f"line {start + 1}: a block without end")
    return blocks


def matches(shown, got):
    """Do the lines fit, where "..." is any number of them?"""
    if not shown:
        return not got
    if shown[0] == "...":
        return any(matches(shown[1:], got[i:]) for i in range(len(got) + 1))
    return bool(got) and shown[0] == got[0] and matches(shown[1:], got[1:])


def shortened(shown, got):
    """What was printed, with parts left out where they were: a part that is shown begins and ends
    with the same lines as before, if they are still there, or is as long as before."""
    parts, at, out = [[]], 0, []
    for line in shown:
        if line.strip() == "...":
            parts.append([])
        else:
            parts[-1].append(line)
    same = [masked(line) for line in got]
    for number, part in enumerate(parts):
        if number:
            out.append("...")
        if not part:
            continue
        first, last = masked(part[0]), masked(part[-1])
        start = next((i for i in range(at, len(got)) if same[i] == first), at) if number else at
        end = next((i + 1 for i in range(start, len(got)) if same[i] == last and (last or i >= start + len(part) - 1)),
                   min(len(got), start + len(part)))
        out, at = out + got[start:end], end
    return out


def first_difference(shown, got):
    for a, b in zip(shown, got):
        if a == "...":
            break
        if a != b:
            return f"shown: {a}\n  is:    {b}"
    return f"{len(shown)} lines are shown, {len(got)} printed"


def is_excerpt(shown, lines):
    """The lines of `shown` are among `lines`, in order, one after the other but where "..." is."""
    at, anywhere = 0, True
    for line in shown:
        if line.strip() in ("...", "/* ... */"):
            anywhere = True
            continue
        while anywhere and at < len(lines) and lines[at] != line:
            at += 1
        if at == len(lines) or lines[at] != line:
            return line
        at, anywhere = at + 1, False
    return None


class Page:
    def __init__(self, linchpin, root, path):
        self.linchpin, self.root, self.path = linchpin, root, path
        with open(path) as text:
            self.lines = text.read().split("\n")
        self.blocks = blocks_of(self.lines)
        self.own = os.path.splitext(path)[0]  # the folder with the page's files
        self.status, self.ran, self.skipped, self.failures, self.came_out = 0, 0, 0, [], {}

    def fail(self, line, what):
        self.failures.append(f"{os.path.relpath(self.path, self.root)}:{line + 1}: {what}")

    def furnish(self, folder):
        os.mkdir(os.path.join(folder, ".bin"))
        os.symlink(self.linchpin, os.path.join(folder, ".bin", "linchpin"))
        for name in os.listdir(self.root):
            if not name.startswith((".", "build")):
                os.symlink(os.path.join(self.root, name), os.path.join(folder, name))
        if os.path.isdir(self.own):
            for name in os.listdir(self.own):
                os.symlink(os.path.join(self.own, name), os.path.join(folder, name))

    def run(self, command, folder, typed=""):
        """Its lines; the status is kept for `$?`."""
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith("GITHUB_") and name != "LP_SEED"}
        environment["PATH"] = os.path.join(folder, ".bin") + ":" + environment["PATH"]
        if command.startswith("mpirun "):  # its processes have a terminal
            environment.update(NO_COLOR="1", OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                               OMPI_MCA_rmaps_base_oversubscribe="1")
        done = subprocess.run(["bash", "-c", f"(exit {self.status}); {command}"], cwd=folder, env=environment,
                              input=typed.encode(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
        self.status = done.returncode
        self.ran += 1
        return done.stdout.decode(errors="replace").rstrip("\n").split("\n") if done.stdout.strip() else []

    def check_terminal(self, block, folder):
        alone = False
        for command, start, shown in block.commands():
            while shown and not shown[-1].strip():
                shown = shown[:-1]
            if is_debugger(command):
                if not has_debugger():
                    print(f"skipped, for gdb cannot run here: {command}")
                    self.skipped += 1
                    continue
                typed = "".join(f"{line[6:]}\n" for line in shown if line.startswith("(gdb) "))
                shown = [line for line in shown if not line.startswith("(gdb) ")]
                got = without_prompts(self.run(command, folder, typed))
            elif alone or (command.startswith("mpirun ") and not has_ranks(self.linchpin)):
                print(f"skipped, for there is no MPI: {command}")
                self.skipped += 1
                alone = True  # what follows may need what this leaves
                continue
            else:
                got = self.run(command, folder)
            there, here = [masked(line) for line in shown], [masked(line) for line in got]
            if not matches(there, here):
                self.fail(block.first + start - 1, f"$ {command}\n  {first_difference(there, here)}")
                if is_debugger(command): # what is typed would be lost
                    continue
                self.came_out[block.first + start] = (len(shown), shortened(shown, got))
            if self.status in (2, 70) and "exit" not in command:
                self.fail(block.first + start - 1, f"$ {command}\n  status {self.status}")

    def check_file(self, block, folder):
        name = block.file()
        for original in (os.path.join(self.root, name), os.path.join(self.own, name)):
            if os.path.exists(original):
                with open(original) as text:
                    line = is_excerpt(block.lines, text.read().split("\n"))
                if line is not None:
                    self.fail(block.first, f"{name} does not have, there: {line}")
                return
        if "/" in name:
            self.fail(block.first, f"the repository has no file {name}")
            return
        with open(os.path.join(folder, name), "w") as out:
            out.write("\n".join(block.lines) + "\n")

    def check_text(self, folder):
        """Commands between backquotes, outside of blocks."""
        inside = {i for block in self.blocks for i in range(block.first - 1, block.last + 1)}
        text = "\n".join("" if i in inside else line for i, line in enumerate(self.lines))
        for match in re.finditer(r"`((?:build/)?linchpin [^`]+)`", text):
            words = shlex.split(match.group(1).replace("\n", " "))
            if is_debugger(match.group(1)) and not has_debugger():
                continue
            if any(os.path.isfile(os.path.join(folder, word)) for word in words[1:]):
                line = text.count("\n", 0, match.start())
                words[0] = "linchpin"
                self.run(shlex.join(words), folder)
                if self.status not in (0, 1):
                    self.fail(line, f"`{match.group(1)}`: status {self.status}")

    def check(self):
        with tempfile.TemporaryDirectory() as folder:
            self.furnish(folder)
            for block in self.blocks:
                if block.is_terminal():
                    self.check_terminal(block, folder)
                elif block.file():
                    self.check_file(block, folder)
            self.check_text(folder)

    def update(self):
        """Puts in what came out.  Look at the difference before you keep it."""
        for start in sorted(self.came_out, reverse=True):
            count, got = self.came_out[start]
            self.lines[start:start + count] = [line.rstrip() for line in got]
        with open(self.path, "w") as out:
            out.write("\n".join(self.lines))


def test_self():
    step = "    3  T1  ring.c:15  {}  load tail = 0 (relaxed)  <- initial value"
    claims = [
        masked("  cost         0.28 s, 2.6 MB") == masked("  cost         1 min 3 s, 12 MB"),
        masked("7 executions, 0.1 s") != masked("8 executions, 0.1 s"),
        masked("  executions   47 complete, which is all of them; 3 blocked") ==
        masked("  executions   47 complete, which is all of them"),
        masked("  executions   47 complete, which") != masked("  executions   48 complete, which"),
        masked("  states       3,958, which is all of them") == masked("  states       3,957, which is all of them"),
        masked("x = 0x7f12a4b3c068") == masked("x = 0x7fffa4b3c000"),
        masked("#4  0x00007ffff7fbc260 in f (x=1) at /a/b/q.c:59") == masked("#5  0x00007ffff7fbc261 in f (x=1) at q.c:59"),
        masked("#4  0x00007ffff7fbc260 in f (x=1) at q.c:59") != masked("#4  0x00007ffff7fbc260 in f (x=2) at q.c:59"),
        without_prompts(["(gdb) (gdb) #1 f (x=1,", "    y=2) at q.c:1", "1\ttext"]) == ["#1 f (x=1, y=2) at q.c:1", "1\ttext"],
        masked("x = 0x210004000000") != masked("x = 0x210008000000"),
        masked(step.format("producer")) == masked(step.format("put")),
        masked(step.format("producer")) != masked(step.format("put").replace("T1", "T2")),
        masked(step.format("put")) != masked(step.format("put").replace("tail", "head")),
        matches(["a", "...", "d"], ["a", "b", "c", "d"]),
        matches(["a", "...", "b"], ["a", "b"]),
        not matches(["a", "...", "d"], ["a", "b", "c"]),
        not matches(["a"], ["a", "b"]),
        not matches(["a", "b"], ["a"]),
        shortened(["a", "...", "d"], ["a", "x", "y", "d", "e"]) == ["a", "...", "d"],
        shortened(["a", "b", "..."], ["a", "new", "b", "c"]) == ["a", "new", "b", "..."],
        shortened(["a", "b"], ["a", "c"]) == ["a", "c"],
        is_excerpt(["b", "c"], ["a", "b", "c"]) is None,
        is_excerpt(["a", "...", "c"], ["a", "b", "c"]) is None,
        is_excerpt(["a", "c"], ["a", "b", "c"]) == "c",
        is_excerpt(["c", "...", "a"], ["a", "b", "c"]) == "a",
        [c[0] for c in blocks_of(["```", "$ a \\", "  b", "out", "$ c", "```"])[0].commands()] == ["a b", "c"],
    ]
    for number, claim in enumerate(claims):
        if not claim:
            print(f"claim {number + 1} does not hold")
    return 0 if all(claims) else 1


def main():
    if sys.argv[1:] == ["--self"]:
        return test_self()
    linchpin, root, path = (os.path.realpath(word) for word in sys.argv[1:4])
    page = Page(linchpin, root, path)
    page.check()
    for failure in page.failures:
        print(failure)
    updating = "--update" in sys.argv[4:]
    if updating:
        page.update()
    print(f"{page.ran} commands, {len(page.failures)} failures")
    if updating:
        return 0
    if page.skipped and not page.ran and not page.failures:
        return SKIPPED
    return 1 if page.failures or not page.ran else 0


if __name__ == "__main__":
    sys.exit(main())
