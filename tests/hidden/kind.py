# SPDX-License-Identifier: MIT
"""A kind of hidden access, and the programs that are made of it.

A kind names two bodies: `hide`, which runs in one thread and has the access that an instrumenter or an
optimiser may lose, and `partner`, which runs in another and conflicts with it by an access that is easy to see.
Its `expect` says what the two are without synchronisation:

    race    a data race
    named   a data race through something that linchpin may refuse to judge: "inconclusive" or an error is
            right if the answer names it
    none    no race, because there is no access, or none to the same memory location: "verified"

A kind that is a race has a twin, with the same accesses ordered, which must be "verified": by `lock`, a mutex
around both bodies (or where they say LOCK and UNLOCK), or by `join`, one thread joined before the other starts.
"""
import re
from dataclasses import dataclass, field

HEAD_C = """#include <alloca.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
"""

HEAD_CXX = """#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
"""

COMMON = """
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#define NOINLINE __attribute__((noinline))
/* The twin's synchronisation; a racing program has none. */
#if TWIN
#define LOCK pthread_mutex_lock(&mutex);
#define UNLOCK pthread_mutex_unlock(&mutex);
#else
#define LOCK
#define UNLOCK
#endif
int out; /* where a partner that only reads puts what it has read */

"""

BODY = """
static void *%s(void *arg)
{
	(void)arg;
	%s
	return NULL;
}
"""

MAIN = """
int main(void)
{
	pthread_t first, second;
	%s
	pthread_create(&first, NULL, ORDER ? partner : hider, NULL);
%s	pthread_create(&second, NULL, ORDER ? hider : partner, NULL);
%s	pthread_join(second, NULL);
	return 0;
}
"""

JOIN = "\tpthread_join(first, NULL);\n"
MARK = "/* PARTNER */"


@dataclass
class Kind:
    name: str
    why: str                # why the bodies race, or why they do not
    code: str               # declarations
    hide: str
    partner: str            # becomes one line, which reports must name
    expect: str = "race"
    twin: str = "lock"
    setup: str = ""         # in main(), before the threads start
    main: str = ""          # instead of the usual main(); TWIN and ORDER are macros
    errors: tuple = ("race",)
    names: tuple = ()       # named: one of these words is in the answer
    flags: tuple = ()
    headers: tuple = ()
    files: dict = field(default_factory=dict)  # further files, by name; a source is compiled, too
    cxx: bool = False
    needs: tuple = ()       # of the machine: its name, features of its processor
    marked: bool = True     # a race must be reported at the partner's line
    orders: tuple = (0, 1)  # in which the threads may be created in the twin

    @property
    def suffix(self):
        return ".cpp" if self.cxx else ".c"

    def program(self, order, twin):
        """The source: `order` 0 creates the thread with the hidden access first."""
        hide, partner = self.hide.strip(), " ".join(self.partner.split())
        partner += f" {MARK}"
        if twin and self.twin == "lock" and not re.search(r"\bLOCK\b", hide + self.code):
            hide = f"LOCK\n\t{hide}\n\tUNLOCK"
        if twin and self.twin == "lock" and not re.search(r"\bLOCK\b", partner):
            partner = f"LOCK\n\t{partner}\n\tUNLOCK"
        joined = twin and self.twin == "join"
        text = f"/* {self.name}: {self.why} */\n#define ORDER {order}\n#define TWIN {int(twin)}\n"
        text += HEAD_CXX if self.cxx else HEAD_C
        text += "".join(f"#include <{h}>\n" for h in self.headers) + COMMON + self.code.strip() + "\n"
        text += BODY % ("partner", partner) + BODY % ("hider", hide)
        return text + (self.main or MAIN % (self.setup.strip(), JOIN if joined else "", "" if joined else JOIN))


class Kinds(list):
    """Kinds by their lines: add(name, why, code, hide, partner, ...)."""

    def __init__(self, **defaults):
        super().__init__()
        self.defaults = defaults

    def add(self, name, why, code, hide, partner, expect="race", **more):
        if any(k.name == name for k in self):
            raise ValueError(f"two kinds are called {name}")
        self.append(Kind(name, why, code, hide, partner, expect, **{**self.defaults, **more}))

    def quiet(self, name, why, code, hide, partner, **more):
        """No race."""
        self.add(name, why, code, hide, partner, "none", **more)
