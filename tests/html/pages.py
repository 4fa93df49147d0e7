"""pages.py -- the pages that the tests of this folder look at, made by linchpin.

Each is made together with what --json says of the same run, which the page is compared with.
"""
import html.parser
import json
import os
import random
import subprocess
import sys
import tempfile

COUNTER = """#include <linchpin.h>
#include <stdatomic.h>
static atomic_int n; /* </script><script>document.title = "broken"</script><!-- */
LP_SPEC("counter")
LP_METHOD(increment) { atomic_store(&n, atomic_load(&n) + 1); return LP_VOID; }
LP_METHOD(read) { return atomic_load(&n); }
"""
GOOD = COUNTER.replace("atomic_store(&n, atomic_load(&n) + 1)", "atomic_fetch_add(&n, 1)")
SET_UP = COUNTER.replace("LP_METHOD(inc", "LP_SETUP { for (int i = 3; i >= 0; i--) atomic_store(&n, i); }\nLP_METHOD(inc")
RACY = """#include <linchpin.h>
static int n;
LP_SPEC("counter:k=4")
LP_METHOD(increment) { n = (n + 1) % 4; return LP_VOID; }
LP_METHOD(read) { return n; }
"""
THREADS, CALLS = 8, 100000
failures = []


def expect(claim, what):
    if not claim:
        failures.append(what)


def report(made):
    for failure in failures:
        print(failure)
    print(f"{len(made)} pages, {len(failures)} failures")
    return 1 if failures else 0


def long_history():
    """A queue, as if by a lock, but that two values are swapped near the end."""
    rng, queue, value, now = random.Random(1), [], 0, 0
    busy, lines = [0] * THREADS, []
    while len(lines) < CALLS:
        thread = rng.randrange(THREADS)
        start = max(busy[thread], now - rng.randrange(1, 40))
        now = max(now, start) + rng.randrange(1, 10)
        end = now + rng.randrange(1, 40)
        busy[thread] = end + 1
        if queue and rng.random() < 0.5:
            gives = queue.pop(0)
            lines.append((thread, "dequeue", [], gives, start, end))
        else:
            value += 1
            queue.append(value)
            lines.append((thread, "enqueue", [value], None, start, end))
    taken = [i for i, line in enumerate(lines) if line[1] == "dequeue"]
    a, b = taken[-2000], taken[-1000]
    lines[a], lines[b] = (lines[a][:3] + (lines[b][3],) + lines[a][4:],
                          lines[b][:3] + (lines[a][3],) + lines[b][4:])
    return "".join(json.dumps({"thread": t, "method": c, "args": args, "start": s, "end": e}
                              | ({} if r is None else {"result": r})) + "\n"
                   for t, c, args, r, s, e in lines)


def counted_history():
    """One call after the other; two values overtake others, the further apart the earlier."""
    lines, value = [], 0

    def call(method, argument="-", result="-"):
        at = 2 * len(lines)
        lines.append(f"{len(lines) % 3} {at} {at + 1} {method} {argument} {result}\n")

    for block in range(300):
        a, b, value = value + 1, value + 2, value + 2
        fillers = {100: 1, 200: 0}.get(block)
        call("enqueue", a)
        call("enqueue", b)
        for _ in range(fillers or 0):
            call("is_empty", "-", "false")
        first, second = (a, b) if fillers is None else (b, a)
        call("dequeue", "-", first)
        call("dequeue", "-", second)
    return "".join(lines)


def run(command, want):
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if done.returncode != want:
        sys.exit(f"{command}: status {done.returncode} instead of {want}\n{done.stdout}{done.stderr}")
    return done.stdout


class Page(html.parser.HTMLParser):
    """What is in a page: its data, its scripts, its style, and everything that could be a link."""

    def __init__(self, text):
        super().__init__()
        self.inside, self.data, self.script, self.style, self.links, self.tags = None, "", "", "", [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.append(tag)
        self.links += [value for name, value in attrs.items() if name in ("src", "href", "action", "srcset")]
        if tag == "script":
            self.inside = "data" if attrs.get("id") == "data" else "script"
        elif tag == "style":
            self.inside = "style"

    def handle_endtag(self, tag):
        if tag in ("script", "style"):
            self.inside = None

    def handle_data(self, text):
        if self.inside:
            setattr(self, self.inside, getattr(self, self.inside) + text)


class Made:
    """A page, its text, its parts, and the JSON of the same run."""

    def __init__(self, name, text, told):
        self.name, self.text, self.json = name, text, json.loads(told)
        self.page = Page(text)
        self.data = json.loads(self.page.data)


def make(linchpin, root):
    """All pages, by name."""
    folder = tempfile.TemporaryDirectory()
    here = folder.name

    def write(name, text):
        with open(os.path.join(here, name), "w") as out:
            out.write(text)

    def one(name, want, *words):
        told = run([linchpin, words[0], "--html", f"{name}.html", "--json", *words[1:]], want)
        with open(f"{name}.html") as page:
            return Made(name, page.read(), told)

    os.chdir(here)
    write("counter.c", COUNTER)
    write("good.c", GOOD)
    write("set_up.c", SET_UP)
    write("racy.c", RACY)
    write("long.json", long_history())
    write("counted.tab", counted_history())
    write("skew.jsonl", '{"thread":0,"start":1,"end":5,"txn":[["r","x",null],["append","y",1]]}\n'
          '{"thread":1,"start":2,"end":6,"txn":[["append","x",2],["r","y",[]]]}\n'
          '{"thread":2,"start":7,"end":9,"txn":[["r","x",[2]],["r","y",[1]]]}\n')
    os.mkdir("deep")
    write("deep/shared.h", "/* a file elsewhere */\nstatic atomic_int x;\nstatic void step(void) { atomic_store(&x, 1); }\n")
    write("far.c", '#include <assert.h>\n#include <stdatomic.h>\n#include "shared.h"\nint main(void) { step(); assert(!x); }\n')
    write("good.tab", "0 0 1 enqueue 1 -\n1 2 3 dequeue - 1\n")
    pages = [
        one("run", 1, "run", f"{root}/examples/ring_bug.c"),
        one("check", 1, "check", "counter.c", "--trace", "counter.trace"),
        one("race", 1, "check", f"{root}/examples/bug_msqueue_link.c"),
        one("seven", 1, "check", f"{root}/examples/bug_hwqueue.c", "--ops", "enqueue=4,dequeue=3"),
        one("far", 1, "run", "far.c", "--", "-Ideep"),
        one("verified", 0, "check", "good.c", "--ops", "2"),
        one("history", 1, "history", "long.json", "--spec", "queue"),
        one("counted", 1, "history", "counted.tab", "--spec", "queue", "--ak", "3"),
        one("circle", 1, "history", "skew.jsonl", "--spec", "transactions"),
        one("states", 1, "states", "counter.c"),
        one("folded", 1, "check", "set_up.c"),
        one("states-race", 1, "states", "racy.c"),
        one("grown", 0, "states", f"{root}/zoo/counter.c", "--threads", "3"),
        one("covered", 0, "check", f"{root}/docs/coverage/tickets.c", "--coverage"),
        one("wrong-covered", 1, "check", "counter.c", "--coverage"),
        one("both", 1, "history", "good.tab", "long.json", "--spec", "queue"),
    ]
    run([linchpin, "report", "counter.trace", "-o", "report.html"], 1)
    with open("report.html") as page:
        pages.append(Made("report", page.read(), run([linchpin, "replay", "counter.trace", "--json"], 1)))
    os.chdir(root)
    folder.cleanup()
    return {page.name: page for page in pages}
