# SPDX-License-Identifier: MIT
"""Random abstract programs, out of idioms.

An idiom is something that a few threads do together: hand over data, protect a counter, help each
other.  A careful program has them as they should be; in others orders are weakened, locks left
out, and frees come too early.
"""
from language import Program, own_blocks

LOADS = ["relaxed", "acquire", "seq_cst"]
STORES = ["relaxed", "release", "seq_cst"]
UPDATES = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]


class Maker:
    def __init__(self, r):
        self.r = r
        self.careful = r.random() < .62
        self.seq_cst = r.random() < .2
        self.count = r.choice([2, 2, 2, 3, 3, 3, 4])
        self.threads = [[] for _ in range(self.count + 1)]
        self.free = {k: [f"{k}{i}" for i in range(n)] for k, n in
                     (("x", 4), ("q", 2), ("g", 4), ("m", 2), ("c", 2), ("s", 2), ("rw", 1), ("b", 1))}
        self.blocks = 0
        self.used = set()
        self.semaphores = [0, 0]
        self.joined = set()  # by other threads than main()
        self.alike = r.random() < .25  # do threads have code in common?

    # ---- what idioms are made of ----

    def slip(self, chance=.3):
        """Should the program have a mistake here?"""
        return not self.careful and self.r.random() < chance

    def maybe(self, *statements, chance=.5):
        return list(statements) if self.r.random() < chance else []

    def take(self, kind):
        """An object that no idiom uses yet, or one that some idioms use."""
        free = self.free[kind]
        if free and (self.careful or self.r.random() < .85):
            name = free.pop(0)
        elif self.careful:
            return None
        else:
            name = f"{kind}{self.r.randrange({'x': 4, 'q': 2, 'g': 4, 'm': 2, 'c': 2, 's': 2, 'rw': 1, 'b': 1}[kind])}"
        self.used.add(name)
        return name

    def order(self, strong, all_of):
        if self.seq_cst:
            return "seq_cst"
        if self.slip():
            return self.r.choice(all_of)
        return self.r.choice([strong, strong, "seq_cst"])

    def acq(self):
        return self.order("acquire", LOADS)

    def rel(self):
        return self.order("release", STORES)

    def both(self):
        return self.order("acq_rel", UPDATES)

    def any(self, orders):
        return "seq_cst" if self.seq_cst else self.r.choice(orders)

    def cas(self, result, obj, old, new, weak=None):
        weak = self.r.random() < .3 if weak is None else weak
        success = self.both()
        failure = "relaxed" if success in ("relaxed", "release") else self.acq()
        if failure == "seq_cst" and success != "seq_cst":
            failure = "acquire"
        return ("cas", result, obj, old, new, weak, success, failure)

    def keep(self, reg):
        return [("inc", "r0", reg)] * self.r.choice([1, 1, 2, 3])

    def some(self, n):
        """Threads, main() among them now and then."""
        threads = list(range(1, self.count + 1))
        self.r.shuffle(threads)
        if self.r.random() < .1:
            threads[self.r.randrange(len(threads))] = 0
        return (threads * n)[:n] if len(threads) < n else threads[:n]

    def add(self, t, *statements):
        self.threads[t] += statements

    def block(self):
        if self.blocks == 4:
            return None
        self.blocks += 1
        return self.blocks - 1

    # ---- idioms ----

    def counter(self):
        g, m = self.take("g"), self.take("m")
        if not g or not m:
            return
        for t in self.some(self.r.randint(2, 3)):
            body = [("read", "r1", g), *self.maybe(*self.keep("r1")), ("inc", "r1", 1), ("write", g, "r1")]
            if self.r.random() < .25:
                self.add(t, ("try", "t", m), ("if", "t", "==", 1, [*body, ("unlock", m)]), *self.maybe(*self.keep("t")))
            elif self.slip(.15):
                self.add(t, *body)
            else:
                self.add(t, ("lock", m), *body, ("unlock", m))

    def spin_lock(self):
        g, x = self.take("g"), self.take("x")
        if not g or not x:
            return
        for t in self.some(2):
            body = [("read", "r1", g), ("inc", "r1", 1), ("write", g, "r1"), *self.maybe(*self.keep("r1"))]
            give = ("store", x, 0, self.rel())
            look = self.maybe(("read", "r3", g), chance=.15) if not self.careful else []
            if self.r.random() < .5:
                test = self.maybe(("load", "r2", x, self.any(LOADS)), chance=.4)
                self.add(t, ("loop", None, True, [*test, self.cas("t", x, 0, 1), ("break", "t", "==", 1), *look]), *body, give)
            elif self.r.random() < .5:
                self.add(t, ("loop", None, True, [("xchg", "r2", x, 1, self.both()), ("break", "r2", "==", 0), *look]), *body, give)
            else:
                self.add(t, self.cas("t", x, 0, 1), ("if", "t", "==", 1, [*body, give]))

    def message(self):
        g, x = self.take("g"), self.take("x")
        if not g or not x:
            return
        writer, *readers = self.some(self.r.randint(2, 3))
        flag = [("fence", "release"), ("store", x, 1, "relaxed")] if not self.seq_cst and self.r.random() < .15 else \
            [("store", x, 1, self.rel())]
        if self.r.random() < .15:
            flag = [("xchg", "r3", x, 1, self.both())]
        after = [("write", g, 2)] if self.slip(.2) else []
        self.add(writer, ("write", g, 1), *flag, *after)
        for t in readers:
            use = [("read", "r2", g), *self.keep("r2")]
            if not self.seq_cst and self.r.random() < .15:
                load, use = ("load", "r1", x, "relaxed"), [("fence", "acquire"), *use]
            else:
                load = ("load", "r1", x, self.acq())
            way = self.r.random()
            if way < .3:
                waits = self.maybe(("read", "r3", g), chance=.1) if not self.careful else []
                self.add(t, ("loop", None, True, [load, ("break", "r1", "==", 1), *waits]), *use)
            elif way < .45:
                self.add(t, load, ("assume", "r1", 1), *use)
            elif way < .6:
                self.add(t, ("loop", self.r.randint(2, 3), False, [load, ("break", "r1", "==", 1)]),
                         ("if", "r1", "==", 1, use))
            else:
                self.add(t, load, ("if", "r1", "==", 1, use))

    def polled_reads(self):
        """A loop that reads plainly, depending on what it sees, until it sees something else."""
        g, x, y = self.take("g"), self.take("x"), self.take("x")
        if not g or not x or not y:
            return
        a, b = self.some(2)
        wanted = 2 if self.r.random() < .7 else 1
        self.add(a, ("loop", self.r.choice([None, None, 3]), True,
                     [("load", "r1", x, self.acq()), ("if", "r1", "==", 1, [("read", "r2", g)]),
                      ("break", "r1", "==", wanted)]),
                 ("store", y, 1, self.rel()), *self.maybe(*self.keep("r2")))
        wait = [("loop", None, True, [("load", "r1", y, self.acq()), ("break", "r1", "==", 1)])]
        self.add(b, ("store", x, 1, self.rel()), *self.maybe(("store", x, 2, self.rel()), chance=.9),
                 *([] if self.slip(.3) else wait), *self.maybe(("write", g, 1), chance=.8))

    def polled_block(self):
        """A loop that looks into a block until it is told to stop; the owner frees it when that may be known."""
        q, x, y, n = self.take("q"), self.take("x"), self.take("x"), self.block()
        if not q or not x or not y or n is None:
            return
        owner, reader = self.some(2)
        look = self.r.choice([[("pread", "r2", "p1", "v")], [("aload", "r2", "p1", self.any(LOADS))],
                              [("plock", "p1"), ("pread", "r2", "p1", "v"), ("punlock", "p1")]])
        poll = [("load", "p1", q, self.acq()), ("if", "p1", "!=", 0, look),
                ("load", "r1", x, self.acq()), ("break", "r1", "==", 1)]
        if self.r.random() < .3:
            poll = [*poll[2:], *poll[:2]]
        self.add(reader, ("loop", None, True, poll), ("store", y, 1, self.rel()), *self.maybe(*self.keep("r2"), chance=.2))
        wait = [("loop", None, True, [("load", "r1", y, self.acq()), ("break", "r1", "==", 1)])]
        steps = [*self.maybe(("store", q, "NULL", self.rel())), ("store", x, 1, self.rel())]
        if self.slip(.5):
            self.r.shuffle(steps)
        self.add(owner, ("alloc", "p0", n), ("store", q, "p0", self.rel()), *steps,
                 *([] if self.slip(.5) else wait), self.r.choice([("free", "p0"), ("pwrite", "p0", "v", 2)]))

    def pop(self):
        """Threads that take what others push, and free it or not."""
        q, n = self.take("q"), self.block()
        if not q or n is None:
            return
        one, *others = self.some(self.r.randint(2, 3))
        self.add(one, ("alloc", "p0", n), ("pwrite", "p0", "v", 1), ("store", q, "p0", self.rel()))
        frees = not self.careful and self.r.random() < .5
        for t in others:
            self.add(t, ("loop", self.r.choice([None, 2]), True,
                         [("load", "p1", q, self.acq()), ("break", "p1", "==", 0), ("pread", "p0", "p1", "next"),
                          self.cas("t", q, "p1", "p0"), ("break", "t", "==", 1)]),
                     ("if", "p1", "!=", 0, [("pread", "r1", "p1", "v"), *self.keep("r1"), *([("free", "p1")] if frees else [])]))

    def publish(self):
        q, n = self.take("q"), self.block()
        if not q or n is None:
            return
        owner, *others = self.some(self.r.randint(2, 3))
        self.add(owner, ("alloc", "p0", n), ("pwrite", "p0", "v", self.r.randint(1, 2)),
                 *self.maybe(("astore", "p0", 1, self.any(STORES)), chance=.3), ("store", q, "p0", self.rel()))
        if self.slip(.25):
            self.add(owner, *self.r.choice([[("pwrite", "p0", "v", 3)], [("free", "p0")],
                                            [("aload", "r1", "p0", self.any(LOADS)), *self.keep("r1")]]))
        taken = self.r.random() < .5
        for t in others:
            use = [*self.maybe(("pread", "r1", "p1", "v"), *self.keep("r1"), chance=.8),
                   *self.maybe(("aload", "r2", "p1", self.any(LOADS)), *self.keep("r2"), chance=.3),
                   *self.maybe(("astore", "p1", 2, self.any(STORES)), chance=.2)]
            if taken and not self.slip(.2):
                self.add(t, ("xchg", "p1", q, "NULL", self.both()), ("if", "p1", "!=", 0, [*use, ("free", "p1")]))
            else:
                end = [("free", "p1")] if self.slip(.3) else []
                self.add(t, ("load", "p1", q, self.acq()), ("if", "p1", "!=", 0, [*use, *end]))

    def retire(self):
        """An owner frees when those who looked have said that they are done."""
        q, x, n = self.take("q"), self.take("x"), self.block()
        if not q or not x or n is None:
            return
        owner, reader = self.some(2)
        wait = [("loop", None, True, [("load", "r1", x, self.acq()), ("break", "r1", "==", 1)])]
        self.add(owner, ("alloc", "p0", n), ("pwrite", "p0", "v", 1), ("store", q, "p0", self.rel()),
                 *([] if self.slip(.3) else wait), ("free", "p0"))
        look = [("pread", "r2", "p1", "v"), *self.keep("r2")]
        done = ("store", x, 1, self.rel())
        self.add(reader, ("load", "p1", q, self.acq()), ("if", "p1", "!=", 0, look), *([done] if self.r.random() < .9 else []))

    def locked_block(self):
        """A block with a lock; the last thread that uses it frees it."""
        q, x, n = self.take("q"), self.take("x"), self.block()
        if not q or not x or n is None:
            return
        one, two = self.some(2)

        def use(p):
            inside = [("pread", "r1", p, "v"), ("inc", "r1", 1), ("pwrite", p, "v", "r1"), *self.keep("r1")]
            signal = [("psignal", p)] if self.r.random() < .3 else []
            last = [("add", "r2", x, 1, self.both()), ("if", "r2", "==", 1, [("free", p)])]
            if self.slip(.3):
                return [("plock", p), *inside, *last[:1], ("punlock", p), *signal, *last[1:]]
            return [("plock", p), *inside, ("punlock", p), *signal, *last]

        self.add(one, ("alloc", "p0", n), ("store", q, "p0", self.rel()), *use("p0"))
        self.add(two, ("load", "p1", q, self.acq()), ("if", "p1", "!=", 0, use("p1")))

    def on_stack(self):
        q, x, n = self.take("q"), self.take("x"), self.block()
        if not q or not x or n is None:
            return
        owner, reader = self.some(2)
        if owner == 0:
            return
        self.add(owner, ("local", "p0", n), ("pwrite", "p0", "v", 1), ("store", q, "p0", self.rel()))
        if not self.slip(.3):
            self.add(owner, ("loop", None, True, [("load", "r1", x, self.acq()), ("break", "r1", "==", 1)]),
                     *self.maybe(("pread", "r2", "p0", "v"), *self.keep("r2")))
        self.add(reader, ("load", "p1", q, self.acq()),
                 ("if", "p1", "!=", 0, [("pread", "r2", "p1", "v"), *self.keep("r2"), *self.maybe(("pwrite", "p1", "v", 2))]),
                 ("store", x, 1, self.rel()))

    def push(self):
        q = self.take("q")
        if not q:
            return
        for t in self.some(2):
            n = self.block()
            if n is None:
                return
            bound = self.r.choice([None, 2])
            self.add(t, ("alloc", "p0", n), ("pwrite", "p0", "v", self.r.randint(1, 2)),
                     ("loop", bound, True, [("load", "p1", q, self.acq()), ("pwrite", "p0", "next", "p1"),
                                            self.cas("t", q, "p1", "p0"), ("break", "t", "==", 1)]))
            if self.r.random() < .5:
                self.add(t, ("load", "p1", q, self.acq()),
                         ("if", "p1", "!=", 0, [("pread", "r1", "p1", "v"), *self.keep("r1")]))
            if self.slip(.2):
                self.add(t, ("free", "p0"))

    def helping(self):
        """One thread links and then moves on; another that sees the link moves on for it."""
        following, tail, g = self.take("x"), self.take("x"), self.take("g")
        if not following or not tail or not g:
            return
        stores = self.r.random() < .4
        n = self.block() if self.r.random() < .25 else None
        q = self.take("q") if n is not None else None

        def move():
            return ("store", tail, 1, self.rel()) if stores else self.cas(None, tail, 0, 1, weak=self.r.random() < .1)

        def between():
            if q:
                return self.r.choice([[("free", "p0")], [("pwrite", "p0", "v", 2)], []])
            return [("write", g, 5)] if self.r.random() < .6 else []

        helped, *helpers = self.some(self.r.randint(2, 3))
        self.add(helped, *([("alloc", "p0", n), ("pwrite", "p0", "v", 1), ("store", q, "p0", self.rel())] if q else []),
                 *self.maybe(("write", g, 1), chance=.3), *self.maybe(("load", "r1", tail, self.acq()), chance=.2))
        link = ("store", following, 1, self.rel()) if self.r.random() < .7 else self.cas("t", following, 0, 1, weak=False)
        self.add(helped, link, *between(), move(), *self.maybe(*between(), chance=.3))
        for t in helpers:
            use = [("pread", "r2", "p1", "v"), *self.keep("r2")] if q else [("read", "r2", g), *self.keep("r2")]
            if self.r.random() < .2:
                use = [("write", g, 3)]
            if q:
                use = [("load", "p1", q, self.acq()), ("if", "p1", "!=", 0, use)]
            look = [("load", "r1", tail, self.acq()), *self.keep("r1"),
                    ("if", "r1", "==", 1, use if self.r.random() < .7 else [])]
            help_it = [*(between()[:1] if self.r.random() < .1 and not q else []), move()]
            if self.r.random() < .4:
                bound = self.r.choice([None, 2, 3])
                done = self.r.choice([tail, tail, following])
                self.add(t, ("loop", bound, True,
                             [("load", "r1", following, self.acq()), ("if", "r1", "==", 1, help_it),
                              ("load", "r3", done, self.acq()), ("break", "r3", "==", 1)]), *look)
            else:
                self.add(t, ("load", "r1", following, self.acq()), ("if", "r1", "==", 1, [*help_it, *look]))

    def helped_retry(self):
        """As in a queue: an attempt that sees another's link helps and tries again."""
        following, tail, g = self.take("x"), self.take("x"), self.take("g")
        if not following or not tail or not g:
            return
        stores = self.r.random() < .3
        for t in self.some(2):
            move = ("store", tail, 1, self.rel()) if stores else self.cas(None, tail, 0, 1, weak=False)
            linked = [("write", g, 1)] if self.r.random() < .5 else []
            self.add(t, ("loop", self.r.choice([None, 2, 3]), True,
                         [("load", "r1", following, self.acq()),
                          ("if", "r1", "==", 1, [move]),
                          ("if", "r1", "==", 0, [self.cas("t", following, 0, 1, weak=False),
                                                 ("if", "t", "==", 1, [*linked, move])]),
                          ("load", "r2", tail, self.acq()), ("break", "r2", "==", 1)]),
                     *self.maybe(("read", "r3", g), *self.keep("r3")))

    def condition(self):
        g, m, c = self.take("g"), self.take("m"), self.take("c")
        if not g or not m or not c:
            return
        producer, *consumers = self.some(self.r.randint(2, 3))
        value = self.r.randint(1, 2)
        wake = ("broadcast", c) if len(consumers) > 1 and not self.slip(.4) else (self.r.choice(["signal", "broadcast"]), c)
        body, way = [("write", g, value)], self.r.random()
        if way < .45:
            self.add(producer, ("lock", m), *body, wake, ("unlock", m))
        elif way < .8 or self.careful:
            self.add(producer, ("lock", m), *body, ("unlock", m), wake)
        elif way < .9:
            self.add(producer, wake, ("lock", m), *body, ("unlock", m))
        else:
            self.add(producer, *body, wake)
        for t in consumers:
            if self.slip(.2):
                inner = [("read", "r1", g), ("if", "r1", "==", 0, [("wait", c, m)]), ("read", "r1", g)]
            else:
                inner = [("loop", None, False, [("read", "r1", g), ("break", "r1", "!=", 0), ("wait", c, m)])]
            self.add(t, ("lock", m), *inner, *self.keep("r1"), *self.maybe(("write", g, 0), chance=.15), ("unlock", m))

    def semaphore(self):
        g, s = self.take("g"), self.take("s")
        if not g or not s:
            return
        if self.r.random() < .5:
            giver, *takers = self.some(self.r.randint(2, 3))
            self.add(giver, ("write", g, 1), *[("sempost", s)] * (len(takers) if not self.slip(.3) else 1))
            for t in takers:
                use = [("read", "r1", g), *self.keep("r1")]
                if self.r.random() < .25:
                    self.add(t, ("semtry", "t", s), ("if", "t", "==", 1, use), *self.keep("t"))
                else:
                    self.add(t, ("semwait", s), *use)
        else:
            self.semaphores[int(s[1])] = 2 if self.slip(.3) else 1
            for t in self.some(2):
                self.add(t, ("semwait", s), ("read", "r1", g), ("inc", "r1", 1), ("write", g, "r1"), ("sempost", s))

    def rwlock(self):
        g, rw = self.take("g"), self.take("rw")
        if not g or not rw:
            return
        for t in self.some(self.r.randint(2, 3)):
            write = self.r.random() < .5
            body = [("read", "r1", g), *([("inc", "r1", 1), ("write", g, "r1")] if write else self.keep("r1"))]
            if self.slip(.2):
                write = not write
            if self.r.random() < .25:
                self.add(t, ("trywr" if write else "tryrd", "t", rw), ("if", "t", "==", 1, [*body, ("rwunlock", rw)]),
                         *self.keep("t"))
            else:
                self.add(t, ("wrlock" if write else "rdlock", rw), *body, ("rwunlock", rw))

    def meet(self):
        g, h, b = self.take("g"), self.take("g"), self.take("b")
        if not g or not h or not b:
            return
        one, two = self.some(2)
        if one == two:
            return
        for t, mine, yours in ((one, g, h), (two, h, g)):
            self.add(t, ("write", mine, self.r.randint(1, 2)), *([] if self.slip(.1) else [("barrier", b)]),
                     ("read", "r1", yours), *self.keep("r1"))

    def crowd(self):
        """Arrivals at a barrier for two: of two or three threads, once or twice, with accesses before and after."""
        x, b = self.take("x"), self.take("b")
        if not x or not b:
            return
        for t in self.some(self.r.choice([2, 2, 3])):
            for _ in range(self.r.choice([1, 1, 2])):
                self.add(t, *self.maybe(("store", x, self.r.randint(1, 2), self.rel())), ("barrier", b))
            self.add(t, ("load", "r1", x, self.acq()), *self.keep("r1"))

    def poll(self):
        g, m = self.take("g"), self.take("m")
        if not g or not m:
            return
        setter, *waiters = self.some(self.r.randint(2, 3))
        if self.r.random() < .2:
            # Not without bound: those who poll could have the lock whenever it is tried, forever.
            self.add(setter, ("loop", 2, False, [("try", "t", m), ("break", "t", "==", 1)]),
                     ("if", "t", "==", 1, [("write", g, 1), ("unlock", m)]))
        else:
            self.add(setter, ("lock", m), ("write", g, 1), ("unlock", m))
        for t in waiters:
            bound = self.r.choice([None, None, 2])
            self.add(t, ("loop", bound, True, [("lock", m), ("read", "r1", g), ("unlock", m), ("break", "r1", "==", 1)]),
                     *self.maybe(*self.keep("r1")))
            if self.slip(.15):
                self.add(t, ("read", "r2", g))

    def count_up(self):
        x = self.take("x")
        if not x:
            return
        for t in self.some(2):
            bound = self.r.choice([None, 2])
            weak = self.r.random() < .4
            self.add(t, ("loop", bound, True, [("load", "r1", x, self.any(LOADS)), ("mov", "r2", "r1"), ("inc", "r2", 1),
                                               self.cas("t", x, "r1", "r2", weak), ("break", "t", "==", 1)]),
                     *self.maybe(*self.keep("r1")))

    def noise(self):
        """A few accesses to one or two variables, of any order: a litmus program."""
        names = [x for x in (self.take("x"), self.take("x")) if x]
        if not names:
            return
        for t in self.some(self.r.randint(2, 3)):
            for _ in range(self.r.randint(1, 2)):
                x, way = self.r.choice(names), self.r.random()
                if way < .4:
                    self.add(t, ("load", "r1", x, self.any(LOADS)), *self.keep("r1"))
                elif way < .7:
                    self.add(t, ("store", x, self.r.randint(1, 2), self.any(STORES)))
                elif way < .8:
                    self.add(t, ("add", "r1", x, 1, self.any(UPDATES)), *self.keep("r1"))
                elif way < .87 and not self.seq_cst:
                    self.add(t, ("fence", self.r.choice(UPDATES[1:])))
                else:
                    self.add(t, self.cas("t", x, self.r.randint(0, 1), 2), *self.maybe(*self.keep("t")))

    def ends(self):
        """A thread that ends early, or the program; or one that waits for another."""
        x = self.take("x")
        if not x:
            return
        a, b = self.some(2)
        way = self.r.random()
        if way < .35:
            last = [("leave",)] if way < .2 and b else [("exit",)]
            self.add(b, ("load", "r1", x, self.any(LOADS)), ("if", "r1", "==", 1, last), ("inc", "r0", 1))
        elif way < .6:
            self.add(b, ("choose", "r1", 2), ("if", "r1", "==", 1, [("store", x, 2, self.any(STORES))]), *self.maybe(*self.keep("r1")))
        elif 0 < a < b and not self.joined and self.alike is False:
            self.joined.add(a)
            self.add(b, ("join", "t", a), ("load", "r1", x, self.any(LOADS)), *self.keep("r1"))
        self.add(a, ("store", x, 1, self.any(STORES)))

    def looks(self):
        """A look at what an idiom works with."""
        names = sorted(x for x in self.used if x[0] == "x")
        if not names:
            return
        t = self.r.randint(1, self.count)
        x = self.r.choice(names)
        self.add(t, ("load", "r3", x, self.any(LOADS)), *self.keep("r3"))
        if self.r.random() < .15:
            self.add(t, ("assume", "r3", self.r.randint(0, 1)))
        if not self.careful and self.r.random() < .2:
            self.add(t, ("check", "r3", self.r.randint(1, 2)))


IDIOMS = [("counter", 3), ("spin_lock", 2), ("message", 5), ("polled_reads", 3), ("publish", 4), ("polled_block", 3), ("pop", 2), ("retire", 3),
          ("on_stack", 2), ("locked_block", 2), ("push", 2), ("helping", 7), ("helped_retry", 3), ("condition", 4), ("semaphore", 2),
          ("rwlock", 2), ("meet", 1), ("crowd", 1), ("poll", 3), ("count_up", 2), ("noise", 5), ("ends", 3), ("looks", 3)]


def shared(maker):
    """Gives threads the same code as another thread."""
    like = list(range(maker.count + 1))
    r = maker.r
    if maker.alike:
        source, *others = r.sample(range(1, maker.count + 1), r.randint(2, min(3, maker.count)))
        first = min(source, *others)
        threads = [maker.threads[source] if t in (source, *others) else b for t, b in enumerate(maker.threads)]
        if own_blocks(Program(threads)):
            maker.threads = threads
            for t in (source, *others):
                like[t] = first
    return like


def generate(r, idioms=()):
    """A program of some of these idioms, or of all there are."""
    maker = Maker(r)
    names, weights = zip(*(i for i in IDIOMS if not idioms or i[0] in idioms))
    for _ in range(r.choice([1, 1, 2, 2, 2, 3])):
        getattr(maker, r.choices(names, weights)[0])()
    if not maker.careful and r.random() < .25:
        for body in maker.threads:
            if len(body) > 1 and r.random() < .3:
                cut = r.randrange(len(body))
                body[:] = body[cut:] + body[:cut]
    like = shared(maker)
    joins = [t for t in range(1, maker.count + 1) if t not in maker.joined]
    r.shuffle(joins)
    left = joins.pop() if r.random() < .06 else None
    if left and like.count(like[left]) == 1 and r.random() < .5:
        maker.threads[left].insert(0, ("detach",))
    after = []
    if left is None and not maker.joined:
        for g in sorted(x for x in maker.used if x[0] == "g"):
            after += [("read", "t", g), *[("inc", "r0", "t")] * r.choice([1, 2])]
        if r.random() < .15 and not maker.careful:
            after.append(("check", "r0", r.randint(1, 4)))
    return Program(maker.threads, like, joins, after, tuple(maker.semaphores), 2, not maker.joined and left is None and r.random() < .15)
