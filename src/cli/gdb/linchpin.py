# SPDX-License-Identifier: MIT
"""linchpin.py -- for gdb: goes through the execution of a trace, event by event.

linchpin runs the threads of the user's program as coroutines, each on its own stack, in
one thread of its own process.  So gdb sees one thread; this script knows where the others
are, from a table that the process exports (src/runtime/coroutines/debug.c), and what the execution is,
from the result of a replay before (result.json, beside this file).

A thread that goes on with an event of the trace passes by a breakpoint, on its own stack, as
if it was called by the hook in which the thread was waiting: the event is what happens next.
Another breakpoint is where threads stop that have gone wrong, a third at the end.
"""
import collections
import json
import os
import struct

import gdb

FOLDER = os.path.dirname(os.path.abspath(__file__))
SESSION = "LINCHPIN_GDB_SESSION"

# What a suspended context keeps on its stack, from the stack pointer up (context.S), and how
# many words it takes off when it goes on.
CONTEXTS = {
    "i386:x86-64": ("r15 r14 r13 r12 rbx rbp pc".split(), 7),
    "aarch64": (["x%d" % n for n in range(19, 30)] + ["pc"], 20),
}


class Failure(gdb.GdbError):
    """What the user is told when a command cannot be obeyed."""


# ---- the process ----


def read(address, size):
    return bytes(gdb.selected_inferior().read_memory(address, size))


def word(address):
    return struct.unpack("=Q", read(address, 8))[0]


def text(address):
    return gdb.Value(address).cast(gdb.lookup_type("char").pointer()).string(errors="replace")


def is_alive():
    return gdb.selected_inferior().pid != 0


def address_of(symbol):
    return int(gdb.parse_and_eval("(long)&" + symbol)) & (1 << 64) - 1


def read_table():
    names = text(address_of("lp_debug_names")).split()
    words = struct.unpack("=%dQ" % len(names), read(address_of("lp_debug_words"), 8 * len(names)))
    table = collections.namedtuple("Table", names)(*words)
    if table.version != 1:
        raise Failure("this script is not for that version of linchpin")
    return table


def select_level(level):
    """Selects a frame by its number, and prints nothing."""
    frame = gdb.newest_frame()
    while level and frame.older():
        frame, level = frame.older(), level - 1
    frame.select()


class Thread:
    """A thread of the user's program, as the runtime has it now."""

    def __init__(self, table, number):
        self.table = table
        self.number = number
        self.record = table.threads + number * table.thread_size
        self.state = struct.unpack("=I", read(self.record + table.state_at, 4))[0]
        self.kind = read(self.record + table.kind_at, 1)[0]
        self.sp = word(self.record + table.sp_at)

    def is_current(self):
        return word(self.table.self) == self.record

    def error(self):
        """Kind and text of what it has done wrong, or None."""
        if self.state != self.table.absent and self.kind == self.table.kind_error:
            record = word(self.record + self.table.error_at)
            kind = struct.unpack("=I", read(record + self.table.error_kind_at, 4))[0]
            return (text(word(self.table.error_names + 8 * kind)),
                    text(record + self.table.error_text_at))
        return None

    def status(self):
        """Why it is not running, or ''."""
        error = self.error()
        if error:
            return "=> %s: %s" % error
        if self.is_current():
            return ""
        if self.state == self.table.new:
            return "has not begun"
        if self.state != self.table.waiting:
            return "has ended" if self.kind == self.table.kind_end else "can never go on"
        return "waits for a thread to end" if self.kind == self.table.kind_join else ""


class Switched:
    """with Switched(thread): gdb shows the frames of a thread that is not running.

    The registers are set to what they will be when it goes on, and put back afterwards."""

    def __init__(self, thread):
        self.thread = thread
        self.saved = None

    def __enter__(self):
        if not self.thread.is_current() and self.thread.state != self.thread.table.waiting:
            raise Failure("T%d has no frames: it %s" % (self.thread.number, self.thread.status()))
        self.level = gdb.selected_frame().level()
        frame = gdb.newest_frame()
        frame.select()
        if self.thread.is_current():
            return self
        names, words = CONTEXTS[frame.architecture().name()]
        values = struct.unpack("=%dQ" % len(names), read(self.thread.sp, 8 * len(names)))
        new = dict(zip(names, values), sp=self.thread.sp + 8 * words)
        self.saved = {name: int(frame.read_register(name)) & (1 << 64) - 1 for name in new}
        self.put(new)
        return self

    def put(self, registers):
        for name, value in registers.items():
            gdb.execute("set $%s = 0x%x" % (name, value), to_string=True)

    def __exit__(self, *unused):
        if self.saved:
            gdb.newest_frame().select()
            self.put(self.saved)
        select_level(self.level)


# ---- the execution ----


class Execution:
    """The steps, as the report numbers them: from 1 for people, from 0 here."""

    def __init__(self, result):
        self.result = result
        self.violation = result["violation"]
        self.steps = self.violation["steps"]
        self.client = self.violation.get("client")
        self.index = {(s["thread"], s["event"]): i for i, s in enumerate(self.steps)
                      if s["action"] != "end" and "event" in s} # plain accesses are not events
        self.reasons = [self.why(i) for i in range(len(self.steps))]

    def call(self, step):
        if "call" in step and self.client:
            return self.client["calls"][step["call"]]["call"]
        return step.get("function", "")

    def others(self, i, j):
        """Is step j another thread's?  What was set up before all calls belongs to every thread."""
        before = self.client and self.steps[j]["thread"] == 0
        return self.steps[j]["thread"] != self.steps[i]["thread"] and not before

    def latest_write(self, i):
        for j in range(i - 1, -1, -1):
            if "wrote" in self.steps[j] and self.steps[j].get("place") == self.steps[i]["place"]:
                return j
        return None

    def why(self, i):
        """Why the step is decisive: threads meet there.  None if they do not."""
        s = self.steps[i]
        origin, before = s.get("reads_from"), s.get("overwrites")
        if "place" not in s:
            return None
        if isinstance(origin, int) and "read" not in s: # of a mutex, say
            return "comes after step %d of T%d" % (origin + 1, self.steps[origin]["thread"]) if (
                self.others(i, origin)) else None
        if origin is not None:
            latest = self.latest_write(i)
            if latest is not None and latest != origin and self.others(i, latest):
                return "reads an old value: T%d has written another in step %d" % (
                    self.steps[latest]["thread"], latest + 1)
            if isinstance(origin, int) and self.others(i, origin):
                return "reads what T%d has written" % self.steps[origin]["thread"]
        elif isinstance(before, int) and self.others(i, before):
            seen = [k for k in range(i) if self.steps[k]["thread"] == s["thread"] and
                    self.steps[k].get("reads_from") == before]
            if not seen:
                return "overwrites what T%d has written, and no thread here has read" % (
                    self.steps[before]["thread"])
        return None

    def words(self, i):
        """ "compare-exchange head: 0 -> 1 (release), failed  <- step 4 (T1 queue.c:31)" """
        s = self.steps[i]
        out = s["action"]
        if "location" in s:
            out += " " + s["location"].split(" (")[0]
        if "read" in s and "wrote" in s:
            out += ": %s -> %s" % (s["read"], s["wrote"])
        elif "read" in s or "wrote" in s:
            out += " = %s" % s.get("read", s.get("wrote"))
        if "order" in s:
            out += " (%s)" % s["order"]
        if "note" in s:
            out += ", " + s["note"]
        origin = s.get("reads_from")
        if isinstance(origin, int):
            out += "  <- step %d (T%d %s)" % (origin + 1, self.steps[origin]["thread"],
                                              self.steps[origin].get("where", "?"))
        elif origin:
            out += "  <- initial value"
        return out

    def line(self, i):
        s = self.steps[i]
        return "T%d  %s  %s  %s" % (s["thread"], self.call(s), s.get("where", ""), self.words(i))

    def call_now(self, thread, at):
        """The call that a thread is in when the execution is at step `at`."""
        if self.client and thread == 0:
            return ""
        steps = [s for s in self.steps[max(at, 0):] if s["thread"] == thread]
        steps = steps or [s for s in self.steps if s["thread"] == thread][-1:]
        return self.call(steps[0]) if steps else ""


# ---- going through it ----


class Session:
    def __init__(self):
        with open(os.path.join(FOLDER, "result.json"), encoding="utf-8") as file:
            self.execution = Execution(json.load(file))
        self.count = sum(s["action"] != "end" for s in self.execution.steps)
        self.table = None
        self.at = -1          # the step that is about to happen; -1 before the first
        self.target = None    # a command of ours is on its way to that step
        self.moving = False   # a command of ours says where we are, not the handler
        self.breakpoints = []
        self.begin = Begin(self)
        Frames()
        gdb.events.stop.connect(self.stopped)

    def arm(self):
        """The program is loaded: now addresses are known."""
        table, self.at = read_table(), -1
        if table == self.table:
            return # not where addresses are randomised: breakpoints are where they were
        for b in self.breakpoints:
            if b.is_valid():
                b.delete()
        self.table = table
        self.breakpoints = [Event(self), Error(self), End(self), Decisive(self)]
        print("  it stops where threads meet")

    def is_at(self, place):
        return is_alive() and gdb.newest_frame().pc() == getattr(self.table, place)

    def threads(self):
        if not is_alive() or not self.table:
            raise Failure("nothing is running: lp-goto 1 starts again")
        count = struct.unpack("=I", read(self.table.thread_count, 4))[0]
        threads = [Thread(self.table, n) for n in range(count)]
        return [t for t in threads if t.state != self.table.absent]

    def thread(self, number):
        for t in self.threads():
            if t.number == number:
                return t
        raise Failure("there is no T%d now" % number)

    def step_now(self):
        """The step that the runtime was told of last; None if the report does not show it."""
        return self.execution.index.get(struct.unpack("=QQ", read(self.table.now, 16)))

    def start(self):
        """Starts again, up to where the program is loaded."""
        confirm = gdb.parameter("confirm")
        gdb.execute("set confirm off")
        try:
            out = gdb.execute("run", to_string=True)
        finally:
            gdb.execute("set confirm %s" % ("on" if confirm else "off"))
        if not is_alive() or gdb.newest_frame().pc() not in self.begin.addresses():
            raise Failure(out + "the execution cannot be begun")
        self.arm()

    def advance(self, target):
        """On to that step; or to what comes before it: an error, the end, a breakpoint of the
        user's."""
        if not is_alive() or not self.table:
            raise Failure("the execution is over: lp-goto 1 starts again")
        if self.is_at("end"):
            raise Failure("this is the end: lp-goto 1 starts again, continue ends the process")
        self.target = target
        out = self.quietly("continue")
        self.target = None
        self.tell(out)

    def quietly(self, command):
        self.moving = True
        try:
            return gdb.execute(command, to_string=True)
        finally:
            self.moving = False

    def go_to(self, target):
        self.moving = True
        users = [b for b in gdb.breakpoints() or []
                 if b.enabled and not isinstance(b, (Begin, Place))]
        back = not is_alive() or not self.table or self.at >= target
        try:
            if back: # over what was there before: the user has seen it
                for b in users:
                    b.enabled = False
                self.start()
            self.advance(target)
        finally:
            self.moving = False
            for b in users if back else []:
                b.enabled = True

    def stopped(self, event):
        """A stop that no command of ours has asked for."""
        if self.moving or not is_alive():
            return
        if gdb.newest_frame().pc() in self.begin.addresses():
            self.arm()
            print("before the first step; lp-next goes there")
        elif self.table and any(self.is_at(place) for place in ("here", "stop", "end")):
            self.tell("")

    def tell(self, out):
        """Says where we are; `out` is what gdb says of it."""
        if not is_alive():
            print(out + "the execution is over")
        elif self.is_at("here"):
            self.show_step()
        elif self.is_at("stop"):
            self.show_error()
        elif self.is_at("end"):
            self.show_end()
        else:
            print(out, end="")

    def select_user_frame(self):
        frame = user_frame(self)
        if frame:
            frame.select()
            gdb.execute("frame")

    def show_step(self):
        i = self.at
        print("step %d of %d: %s" % (i + 1, self.count, self.execution.line(i)))
        if self.execution.reasons[i]:
            print("  decisive: " + self.execution.reasons[i])
        self.select_user_frame()

    def show_error(self):
        result = self.execution.result
        for t in self.threads():
            if t.is_current():
                kind, words = t.error()
                if kind == result.get("kind"): # the report says it with all places
                    words = result.get("text", words)
                print("T%d => %s: %s" % (t.number, kind, words))
        self.select_user_frame()

    def show_end(self):
        last, result = self.step_now(), self.execution.result
        if last is not None and last > self.at: # the explorer did not let it happen
            self.at = last
            print("step %d of %d: %s" % (last + 1, self.count, self.execution.line(last)))
            with Switched(self.thread(self.execution.steps[last]["thread"])):
                self.select_user_frame()
        print("the end: %s: %s" % (result.get("kind", result["verdict"]), result.get("text", "")))
        print("lp-threads shows where the threads are; continue ends the process")


    def leave_hook(self):
        """Before `next' and `step', which would go through our frames: lets the event happen,
        back to the line of the user's that it is part of."""
        if not is_alive() or not self.table or not self.is_at("here"):
            return
        user = user_frame(self)
        if user:
            there = Return(user)
            self.quietly("continue")
            there.delete()


def is_library(frame):
    """Is it made of a header that came with the compiler: std::atomic, say?"""
    symtab = frame.find_sal().symtab
    return symtab is not None and symtab.fullname().startswith("/usr/")


def user_frame(session):
    """The innermost frame of the user's program, and rather not of a library's header."""
    start, end = struct.unpack("=QQ", read(session.table.image, 16))
    frame, first = gdb.newest_frame(), None
    while frame:
        if start <= frame.pc() < end:
            first = first or frame
            if not is_library(frame):
                return frame
        frame = frame.older()
    return first


class Begin(gdb.Breakpoint):
    def __init__(self, session):
        super().__init__("lp_debug_begin", internal=True)
        self.silent = True
        self.session = session

    def addresses(self):
        start = address_of("lp_debug_begin")
        return range(start, start + 16) # perhaps after a prologue


class Place(gdb.Breakpoint):
    """At an address of the table."""
    place = None

    def __init__(self, session, internal=True):
        super().__init__("*0x%x" % getattr(session.table, self.place), internal=internal)
        self.silent = True
        self.session = session


class Event(Place):
    """A thread is about to do what the trace says."""
    place = "here"

    def stop(self):
        step = self.session.step_now()
        if step is not None:
            self.session.at = step
        return step is not None and self.session.target is not None and step >= self.session.target


class Decisive(Place):
    """The same, for the user to keep: stops at the steps in which threads meet."""
    place = "here"

    def __init__(self, session):
        super().__init__(session, internal=False)

    def stop(self):
        step = self.session.step_now()
        return (self.session.target is None and step is not None and
                self.session.execution.reasons[step] is not None)


class Error(Place):
    """Threads stop there forever; most of them because they have ended."""
    place = "stop"

    def stop(self):
        return any(t.is_current() and t.error() for t in self.session.threads())


class End(Place):
    place = "end"

    def stop(self):
        return True


class Return(gdb.Breakpoint):
    """Where a frame goes on; other threads may pass by there, too, on their stacks."""

    def __init__(self, frame):
        super().__init__("*0x%x" % frame.pc(), internal=True)
        self.silent = True
        self.sp = int(frame.read_register("sp"))

    def stop(self):
        return int(gdb.newest_frame().read_register("sp")) == self.sp


class Frames:
    """Backtraces begin and end with the user's frames, as far as there are any."""

    def __init__(self):
        self.name = "linchpin"
        self.priority = 100
        self.enabled = True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        frames = list(frames)
        start, end = struct.unpack("=QQ", read(session.table.image, 16)) if session.table else (0, 0)
        return iter([f for f in frames if start <= f.inferior_frame().pc() < end] or frames)


# ---- commands ----


def number(argument, default=None):
    if not argument.strip() and default is not None:
        return default
    try:
        return int(argument)
    except ValueError:
        raise Failure("a number is expected, not '%s'" % argument) from None


class Next(gdb.Command):
    """lp-next [N]: goes to the next event of the trace, or to the N-th from here.

The event has not happened yet: it is what the thread does next.  Threads take their turns
in the order of the trace."""

    def __init__(self):
        super().__init__("lp-next", gdb.COMMAND_RUNNING)

    def invoke(self, argument, _):
        session.advance(session.at + max(number(argument, 1), 1))


class Continue(gdb.Command):
    """lp-continue: goes to the next decisive event, where threads meet, or to the end.

A thread reads what another has written, or an old value, or overwrites what it has not
read.  `continue' stops there, too, as long as the breakpoint for it is there."""

    def __init__(self):
        super().__init__("lp-continue", gdb.COMMAND_RUNNING)

    def invoke(self, argument, _):
        reasons = session.execution.reasons
        after = [i for i in range(session.at + 1, len(reasons)) if reasons[i]]
        session.advance(after[0] if after else len(reasons))


class Previous(gdb.Command):
    """lp-prev: goes to the event before, by running the execution again up to there."""

    def __init__(self):
        super().__init__("lp-prev", gdb.COMMAND_RUNNING)

    def invoke(self, argument, _):
        if session.at < 1:
            raise Failure("this is the first step")
        session.go_to(session.at - 1)


class GoTo(gdb.Command):
    """lp-goto N: goes to step N of the trace, as lp-steps numbers them; backwards, too."""

    def __init__(self):
        super().__init__("lp-goto", gdb.COMMAND_RUNNING)

    def invoke(self, argument, _):
        target = number(argument) - 1
        if not 0 <= target < session.count:
            raise Failure("steps are 1 .. %d" % session.count)
        if is_alive() and target == session.at and session.is_at("here"):
            session.show_step()
        else:
            session.go_to(target)


class Steps(gdb.Command):
    """lp-steps: lists the steps of the trace; => is where we are, * is a decisive event."""

    def __init__(self):
        super().__init__("lp-steps", gdb.COMMAND_STATUS)

    def invoke(self, argument, _):
        execution = session.execution
        for i in sorted(execution.index.values()):
            print("%s%4d%s %s" % ("=>" if i == session.at else "  ", i + 1,
                                  "*" if execution.reasons[i] else " ", execution.line(i)))
        print("       => %s" % execution.result.get("kind", execution.result["verdict"]))


class Threads(gdb.Command):
    """lp-threads: each thread of the program, the call that it is in, and its frames.

Also of threads that wait for their turn; * is the one that is running."""

    def __init__(self):
        super().__init__("lp-threads", gdb.COMMAND_STACK)

    def invoke(self, argument, _):
        for t in session.threads():
            call = session.execution.call_now(t.number, session.at)
            words = [("*" if t.is_current() else " ") + " T%d" % t.number, call, t.status()]
            print("  ".join(w for w in words if w))
            if t.is_current() or t.state == session.table.waiting:
                with Switched(t):
                    out = gdb.execute("backtrace", to_string=True)
                print("".join("      %s\n" % line for line in out.splitlines()), end="")


class OneThread(gdb.Command):
    """lp-thread N [COMMAND]: runs a command of gdb's in the innermost frame of thread N.

Without a command, shows its frames.  lp-thread 2 print *node; lp-thread 2 info locals."""

    def __init__(self):
        super().__init__("lp-thread", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        words = argument.split(None, 1)
        thread = session.thread(number(words[0].lstrip("T") if words else ""))
        with Switched(thread):
            frame = user_frame(session)
            if frame:
                frame.select()
            gdb.execute(words[1] if len(words) > 1 else "backtrace", from_tty)


# ---- the beginning ----


def set_up():
    gdb.execute("set startup-with-shell off")
    gdb.execute("set breakpoint pending on")
    gdb.execute("set print inferior-events off")
    gdb.execute("set filename-display basename")
    gdb.execute("set environment %s %s" % (SESSION, FOLDER))
    # Some are how the runtime sees writes to globals; for the others it has an Error.
    for signal in ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT", "SIGVTALRM"):
        gdb.execute("handle %s nostop noprint pass" % signal, to_string=True)
    # `step' does not go into what the compiler put in, and what stands for libraries.
    gdb.execute("skip -rfunction ^(lp_(load|store|atomic_|rmw|cas|fence|read|write|copy|fill|object_|stack_|"
                "arguments_|private_|not_|foreign_|shim_)|rt_)", to_string=True)
    for command in ("next", "step"):
        gdb.execute("define hook-%s\npython session.leave_hook()\nend" % command)
    for command in (Next, Continue, Previous, GoTo, Steps, Threads, OneThread):
        command()


set_up()
session = Session()
session.moving = True
session.start()
session.moving = False
print("%d steps; lp-next, lp-prev, lp-goto N, lp-continue, lp-steps, lp-threads, lp-thread N "
      "COMMAND; help lp-next" % session.count)
session.advance(0)
