#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Synchronisation objects whose lifetime ends while another thread uses them.

usage: primitives.py LINCHPIN [--language c|c++] [--model M] [--only PATTERN] [--keep DIR] [-j N]

For every primitive, operation and ending, in both orders of creating the threads:

    user:   BEFORE; ready = 1 (release); OPERATION; done = 1 (release)
    ender:  if (READY OR DONE is seen, acquire) ENDING

An ender that looks at `done` is right, and must be "verified"; one that looks at `ready` ends the
object during the operation, and must be a violation.  The right programs of a primitive are one
program, which chooses operation, ending and order; of the wrong ones each is a program of its own,
because one error would hide the next.  Besides, there are programs of what POSIX allows: the last
use of an object may be the operation that tells the other thread to end it.
"""
import argparse
import concurrent.futures
import fnmatch
import json
import os
import subprocess
import sys
import tempfile

KINDS = {"race", "use after free", "mutex misuse"}

COMMON = """#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern unsigned lp_choose(unsigned);

static struct timespec when = { 1, 0 };
static void nothing(void) { }
"""

COMMON_CXX = """#include <pthread.h>
#include <cstdlib>
#include <cstring>
#include <new>
%s
extern "C" unsigned lp_choose(unsigned);
"""


class Primitive:
    """A field, how it begins and ends, and its operations: name -> (before, operation)."""

    def __init__(self, name, field, init, destroy, operations, headers=None, flags=()):
        self.name, self.field, self.init, self.destroy = name, field, init, destroy
        self.operations, self.headers, self.flags = operations, headers, list(flags)

    @property
    def cxx(self):
        return self.headers is not None

    def endings(self):
        """Of an object in the heap."""
        found = {"memset": "memset((void *)o, 0, sizeof *o);", "init": self.init}
        if self.cxx:
            found = {"free": "o->~object(); free(o);"}
        else:
            found["free"] = "free(o);"
        if self.destroy:
            found["destroy"] = self.destroy
        return found


def lock(take, let_go, *others):
    operations = {name: ("", f"{call}") for name, call in others}
    operations["lock"] = ("", f"{take} {let_go}")
    operations["unlock"] = (take, let_go)
    return operations


PRIMITIVES = [
    Primitive("mutex", "pthread_mutex_t p", "pthread_mutex_init(&o->p, NULL);", "pthread_mutex_destroy(&o->p);",
              lock("pthread_mutex_lock(&o->p);", "pthread_mutex_unlock(&o->p);",
                   ("trylock", "if (!pthread_mutex_trylock(&o->p)) pthread_mutex_unlock(&o->p);"),
                   ("timedlock", "if (!pthread_mutex_timedlock(&o->p, &when)) pthread_mutex_unlock(&o->p);"))),
    Primitive("spin", "pthread_spinlock_t p", "pthread_spin_init(&o->p, 0);", "pthread_spin_destroy(&o->p);",
              lock("pthread_spin_lock(&o->p);", "pthread_spin_unlock(&o->p);",
                   ("trylock", "if (!pthread_spin_trylock(&o->p)) pthread_spin_unlock(&o->p);"))),
    Primitive("rwlock", "pthread_rwlock_t p", "pthread_rwlock_init(&o->p, NULL);", "pthread_rwlock_destroy(&o->p);",
              dict(lock("pthread_rwlock_wrlock(&o->p);", "pthread_rwlock_unlock(&o->p);",
                        ("rdlock", "pthread_rwlock_rdlock(&o->p); pthread_rwlock_unlock(&o->p);"),
                        ("tryrdlock", "if (!pthread_rwlock_tryrdlock(&o->p)) pthread_rwlock_unlock(&o->p);"),
                        ("trywrlock", "if (!pthread_rwlock_trywrlock(&o->p)) pthread_rwlock_unlock(&o->p);"),
                        ("timedwrlock",
                         "if (!pthread_rwlock_timedwrlock(&o->p, &when)) pthread_rwlock_unlock(&o->p);")),
                   rdunlock=("pthread_rwlock_rdlock(&o->p);", "pthread_rwlock_unlock(&o->p);"))),
    Primitive("cond", "pthread_cond_t p", "pthread_cond_init(&o->p, NULL);", "pthread_cond_destroy(&o->p);",
              {"signal": ("", "pthread_cond_signal(&o->p);"),
               "broadcast": ("", "pthread_cond_broadcast(&o->p);"),
               "timedwait": ("pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m);",
                             "pthread_cond_timedwait(&o->p, &m, &when); pthread_mutex_unlock(&m);")}),
    Primitive("sem", "sem_t p", "sem_init(&o->p, 0, 1);", "sem_destroy(&o->p);",
              {"post": ("", "sem_post(&o->p);"), "wait": ("", "sem_wait(&o->p);"),
               "trywait": ("", "sem_trywait(&o->p);"), "timedwait": ("", "sem_timedwait(&o->p, &when);"),
               "timedwait0": ("sem_wait(&o->p);", "sem_timedwait(&o->p, &when);"),
               "trywait0": ("sem_wait(&o->p);", "sem_trywait(&o->p);"),
               "getvalue": ("", "int v; sem_getvalue(&o->p, &v);")}),
    Primitive("barrier", "pthread_barrier_t p", "pthread_barrier_init(&o->p, NULL, 1);", "pthread_barrier_destroy(&o->p);",
              {"wait": ("", "pthread_barrier_wait(&o->p);")}),
    Primitive("once", "pthread_once_t p", "o->p = PTHREAD_ONCE_INIT;", None,
              {"first": ("", "pthread_once(&o->p, nothing);"),
               "second": ("pthread_once(&o->p, nothing);", "pthread_once(&o->p, nothing);")}),
    Primitive("mtx", "mtx_t p", "mtx_init(&o->p, mtx_timed);", "mtx_destroy(&o->p);",
              lock("mtx_lock(&o->p);", "mtx_unlock(&o->p);",
                   ("trylock", "if (mtx_trylock(&o->p) == thrd_success) mtx_unlock(&o->p);"),
                   ("timedlock", "if (mtx_timedlock(&o->p, &when) == thrd_success) mtx_unlock(&o->p);"))),
    Primitive("cnd", "cnd_t p", "cnd_init(&o->p);", "cnd_destroy(&o->p);",
              {"signal": ("", "cnd_signal(&o->p);"), "broadcast": ("", "cnd_broadcast(&o->p);")}),
    Primitive("once_flag", "once_flag p", "o->p = (once_flag)ONCE_FLAG_INIT;", None,
              {"first": ("", "call_once(&o->p, nothing);"),
               "second": ("call_once(&o->p, nothing);", "call_once(&o->p, nothing);")}),
    Primitive("cxx_mutex", "std::mutex p", "", None,
              lock("o->p.lock();", "o->p.unlock();", ("try_lock", "if (o->p.try_lock()) o->p.unlock();")), ["mutex"]),
    Primitive("cxx_shared", "std::shared_timed_mutex p", "", None,
              lock("o->p.lock();", "o->p.unlock();",
                   ("shared", "o->p.lock_shared(); o->p.unlock_shared();"),
                   ("try_lock_for", "if (o->p.try_lock_for(std::chrono::seconds(1))) o->p.unlock();")),
              ["shared_mutex", "chrono"]),
    Primitive("cxx_condition", "std::condition_variable p", "", None,
              {"notify_one": ("", "o->p.notify_one();"), "notify_all": ("", "o->p.notify_all();")},
              ["condition_variable"]),
    Primitive("cxx_latch", "std::latch p{1}", "", None,
              {"count_down": ("", "o->p.count_down();"), "try_wait": ("", "(void)o->p.try_wait();")},
              ["latch"], ["-std=c++20"]),
    Primitive("cxx_semaphore", "std::counting_semaphore<> p{1}", "", None,
              {"acquire": ("", "o->p.acquire();"), "release": ("", "o->p.release();"),
               "try_acquire": ("", "(void)o->p.try_acquire();")}, ["semaphore"], ["-std=c++20"]),
]

# What tells the ender is the operation itself.  name -> (object, init, user, ender, expected).
ALLOWED = {
    # "a mutex can be destroyed immediately after it is unlocked" (POSIX, pthread_mutex_destroy)
    "mutex_count": ("pthread_mutex_t p; int count;", "pthread_mutex_init(&o->p, NULL); o->count = 2;",
                    *["pthread_mutex_lock(&o->p); int left = --o->count; pthread_mutex_unlock(&o->p);"
                      "if (!left) { pthread_mutex_destroy(&o->p); free(o); }"] * 2, True),
    "mtx_count": ("mtx_t p; int count;", "mtx_init(&o->p, mtx_plain); o->count = 2;",
                  *["mtx_lock(&o->p); int left = --o->count; mtx_unlock(&o->p);"
                    "if (!left) { mtx_destroy(&o->p); free(o); }"] * 2, True),
    "rwlock_count": ("pthread_rwlock_t p; int count;", "pthread_rwlock_init(&o->p, NULL); o->count = 2;",
                     *["pthread_rwlock_wrlock(&o->p); int left = --o->count; pthread_rwlock_unlock(&o->p);"
                       "if (!left) { pthread_rwlock_destroy(&o->p); free(o); }"] * 2, True),
    "spin_count": ("pthread_spinlock_t p; int count;", "pthread_spin_init(&o->p, 0); o->count = 2;",
                   *["pthread_spin_lock(&o->p); int left = --o->count; pthread_spin_unlock(&o->p);"
                     "if (!left) { pthread_spin_destroy(&o->p); free(o); }"] * 2, True),
    # The same, but the object goes before the lock is given back.
    "mutex_count_inside": ("pthread_mutex_t p; int count;", "pthread_mutex_init(&o->p, NULL); o->count = 2;",
                           *["pthread_mutex_lock(&o->p); int left = --o->count;"
                             "if (!left) free(o); else pthread_mutex_unlock(&o->p);"] * 2, True),
    "mutex_count_late": ("pthread_mutex_t p; atomic_int count;", "pthread_mutex_init(&o->p, NULL); o->count = 2;",
                         *["pthread_mutex_lock(&o->p); int left = --o->count;"
                           "if (!left) free(o); pthread_mutex_unlock(&o->p);"] * 2, False),
    # A semaphore's waiter may destroy and free it as soon as sem_wait() has returned.
    "sem_hand_over": ("sem_t p;", "sem_init(&o->p, 0, 0);", "sem_post(&o->p);",
                      "sem_wait(&o->p); sem_destroy(&o->p); free(o);", True),
    "sem_hand_over_timed": ("sem_t p;", "sem_init(&o->p, 0, 0);", "sem_post(&o->p);",
                            "while (sem_timedwait(&o->p, &when)) ; sem_destroy(&o->p); free(o);", True),
    "sem_post_twice": ("sem_t p;", "sem_init(&o->p, 0, 0);", "sem_post(&o->p); sem_post(&o->p);",
                       "sem_wait(&o->p); sem_destroy(&o->p); free(o);", False),
    # "The first thread that leaves": the others of the round may not have noticed yet.
    "barrier_free": ("pthread_barrier_t p;", "pthread_barrier_init(&o->p, NULL, 2);", "pthread_barrier_wait(&o->p);",
                     "pthread_barrier_wait(&o->p); pthread_barrier_destroy(&o->p); free(o);", True),
    "barrier_again": ("pthread_barrier_t p;", "pthread_barrier_init(&o->p, NULL, 2);", "pthread_barrier_wait(&o->p);",
                      "pthread_barrier_wait(&o->p); pthread_barrier_destroy(&o->p);"
                      "pthread_barrier_init(&o->p, NULL, 1); pthread_barrier_wait(&o->p);", True),
    "barrier_both": ("pthread_barrier_t p;", "pthread_barrier_init(&o->p, NULL, 2);",
                     "pthread_barrier_wait(&o->p); pthread_barrier_wait(&o->p);",
                     "pthread_barrier_wait(&o->p); pthread_barrier_destroy(&o->p);", False),
    "barrier_init_waited": ("pthread_barrier_t p;", "pthread_barrier_init(&o->p, NULL, 2);", "pthread_barrier_wait(&o->p);",
                            "pthread_barrier_init(&o->p, NULL, 2); pthread_barrier_wait(&o->p);", False),
    # The rationale of pthread_cond_destroy(): woken up, if not yet out of the wait.
    "cond_woken": ("pthread_mutex_t m; pthread_cond_t p; int state;",
                   "pthread_mutex_init(&o->m, NULL); pthread_cond_init(&o->p, NULL);",
                   "pthread_mutex_lock(&o->m); o->state = 1; pthread_cond_wait(&o->p, &o->m); pthread_mutex_unlock(&o->m);",
                   "pthread_mutex_lock(&o->m); if (o->state) { pthread_cond_broadcast(&o->p);"
                   "pthread_cond_destroy(&o->p); } else { pthread_mutex_unlock(&o->m); exit(0); } pthread_mutex_unlock(&o->m);",
                   True),
    "cond_waited_on": ("pthread_mutex_t m; pthread_cond_t p; int state;",
                       "pthread_mutex_init(&o->m, NULL); pthread_cond_init(&o->p, NULL);",
                       "pthread_mutex_lock(&o->m); o->state = 1; pthread_cond_timedwait(&o->p, &o->m, &when); pthread_mutex_unlock(&o->m);",
                       "pthread_mutex_lock(&o->m); if (o->state) pthread_cond_destroy(&o->p); pthread_mutex_unlock(&o->m);",
                       False),
    "cond_init_waited_on": ("pthread_mutex_t m; pthread_cond_t p; int state;",
                            "pthread_mutex_init(&o->m, NULL); pthread_cond_init(&o->p, NULL);",
                            "pthread_mutex_lock(&o->m); o->state = 1; pthread_cond_timedwait(&o->p, &o->m, &when); pthread_mutex_unlock(&o->m);",
                            "pthread_mutex_lock(&o->m); if (o->state) pthread_cond_init(&o->p, NULL); pthread_mutex_unlock(&o->m);",
                            False),
}


def signal(prefix, holds):
    """The waiter frees mutex and condition variable; the signal is sent with the mutex held, or after."""
    mutex = {"pthread": "pthread_mutex", "C11": "mtx"}[prefix]
    cond = {"pthread": "pthread_cond", "C11": "cnd"}[prefix]
    types = {"pthread": "pthread_mutex_t m; pthread_cond_t p;", "C11": "mtx_t m; cnd_t p;"}[prefix]
    init = {"pthread": "pthread_mutex_init(&o->m, NULL); pthread_cond_init(&o->p, NULL);",
            "C11": "mtx_init(&o->m, mtx_plain); cnd_init(&o->p);"}[prefix]
    user = f"{mutex}_lock(&o->m); o->state = 1; "
    user += f"{cond}_signal(&o->p); {mutex}_unlock(&o->m);" if holds else f"{mutex}_unlock(&o->m); {cond}_signal(&o->p);"
    ender = (f"{mutex}_lock(&o->m); while (!o->state) {cond}_wait(&o->p, &o->m); {mutex}_unlock(&o->m);"
             f"{cond}_destroy(&o->p); {mutex}_destroy(&o->m); free(o);")
    return types + " int state;", init, user, ender, holds


for family in ("pthread", "C11"):
    ALLOWED[f"{family}_signal_inside"] = signal(family, True)
    ALLOWED[f"{family}_signal_outside"] = signal(family, False)


def head(primitive, fields):
    text = COMMON_CXX % "\n".join(f"#include <{h}>" for h in primitive.headers) if primitive and primitive.cxx else COMMON
    if primitive and primitive.cxx:
        text += "#include <atomic>\nusing std::atomic_int; using std::memory_order_acquire; using std::memory_order_release;\n"
    else:
        text += "#include <stdatomic.h>\n"
    return text + f"struct object {{ {fields} }};\n"


def program(primitive, bodies, order, stack=False):
    """Two threads, started in that order; -1: either."""
    text = head(primitive, f"{primitive.field};" if primitive else bodies["fields"])
    if stack:
        text += "static struct object *_Atomic shared;\n" if not primitive.cxx else "static std::atomic<object *> shared;\n"
    else:
        text += "static struct object *o;\n"
    text += "static atomic_int ready, done, after;\nstatic unsigned op, ending;\n"
    text += bodies["user"] + bodies["ender"]
    text += "int main(void)\n{\n\tpthread_t a, b;\n" + bodies["main"]
    first, second = ("user", "ender") if order == 0 else ("ender", "user")
    create = "\tpthread_create(&a, NULL, %s, NULL);\n\tpthread_create(&b, NULL, %s, NULL);\n"
    if order < 0:
        text += "\tif (lp_choose(2)) {\n" + create % ("user", "ender") + "\t} else {\n" + create % ("ender", "user") + "\t}\n"
    else:
        text += create % (first, second)
    return text + "\tpthread_join(a, NULL);\n\tpthread_join(b, NULL);\n\treturn 0;\n}\n"


def make(primitive):
    """How main() makes the object."""
    if primitive.cxx:
        return "\to = new (malloc(sizeof *o)) object;\n"
    return f"\to = (struct object *)malloc(sizeof *o);\n\t{primitive.init}\n"


def switch(variable, cases):
    return "switch (%s) {\n" % variable + "".join(f"\tcase {i}: {{ {c} break; }}\n" for i, c in enumerate(cases)) + "\t}\n"


def right_program(p):
    operations = [before + " " + operation for before, operation in p.operations.values()]
    endings = list(p.endings().values())
    return program(p, {
        "user": "static void *user(void *u)\n{\n\t" + switch("op", operations) +
                "\tatomic_store_explicit(&done, 1, memory_order_release);\n\treturn u;\n}\n",
        "ender": "static void *ender(void *u)\n{\n\tif (atomic_load_explicit(&done, memory_order_acquire))\n\t" +
                 switch("ending", endings) + "\treturn u;\n}\n",
        "main": make(p) + f"\top = lp_choose({len(operations)}); ending = lp_choose({len(endings)});\n",
    }, -1)


def wrong_program(p, operation, ending, order):
    before, operation = p.operations[operation]
    return program(p, {
        "user": f"static void *user(void *u)\n{{\n\t{before}\n\tatomic_store_explicit(&ready, 1, memory_order_release);\n"
                f"\t{operation}\n\treturn u;\n}}\n",
        "ender": "static void *ender(void *u)\n{\n\tif (atomic_load_explicit(&ready, memory_order_acquire)) {\n\t\t" +
                 p.endings()[ending] + "\n\t}\n\treturn u;\n}\n",
        "main": make(p),
    }, order)


def stack_program(p, operations, order, right, ends):
    """The object is a local variable of the ender: of a function that returns, or of the whole thread."""
    init = "" if p.cxx else p.init
    wait = "while (!atomic_load_explicit(&done, memory_order_acquire)) ;" if right else ""
    scope = (f"struct object local, *o = &local; {init} "
             f"atomic_store_explicit(&shared, o, memory_order_release); {wait}")
    body = [before + " " + operation for before, operation in operations]
    text = ("static __attribute__((noinline)) void frame(void)\n{\n\t" + scope + "\n}\n" if ends == "function" else "")
    text += "static void *ender(void *u)\n{\n\t"
    text += "frame();\n\tatomic_store_explicit(&after, 1, memory_order_release);" if ends == "function" else scope
    text += "\n\treturn u;\n}\n"
    return program(p, {
        "user": "static void *user(void *u)\n{\n\tstruct object *o = atomic_load_explicit(&shared, memory_order_acquire);\n"
                "\tif (o) {\n\t" + switch("op", body) +
                "\t}\n\tatomic_store_explicit(&done, 1, memory_order_release);\n\treturn u;\n}\n",
        "ender": text, "main": f"\top = lp_choose({len(body)});\n",
    }, order, True)


def allowed_program(fields, init, user, ender, order):
    body = "static void *%s(void *u)\n{\n\t%s\n\treturn u;\n}\n"
    return program(None, {"fields": fields, "user": body % ("user", user), "ender": body % ("ender", ender),
                          "main": f"\to = (struct object *)malloc(sizeof *o);\n\tmemset((void *)o, 0, sizeof *o);\n\t{init}\n"},
                   order)


def cases():
    """Name, source, suffix, compiler flags, whether it is right."""
    for p in PRIMITIVES:
        suffix = ".cpp" if p.cxx else ".c"
        yield f"{p.name}-right", right_program(p), suffix, p.flags, True
        for operation in p.operations:
            for ending in p.endings():
                for order in 0, 1:
                    yield (f"{p.name}-{operation}-{ending}-{order}", wrong_program(p, operation, ending, order), suffix,
                           p.flags, False)
        for ends in ("function",) if p.cxx else ("function", "thread"):
            every = list(p.operations.values())
            yield f"{p.name}-right-{ends}", stack_program(p, every, -1, True, ends), suffix, p.flags, True
            for operation, pair in p.operations.items():
                for order in 0, 1:
                    yield (f"{p.name}-{operation}-{ends}-{order}", stack_program(p, [pair], order, False, ends), suffix,
                           p.flags, False)
    for name, (fields, init, user, ender, right) in ALLOWED.items():
        for order in 0, 1:
            yield f"{name}-{order}", allowed_program(fields, init, user, ender, order), ".c", [], right


def answer(tool, case, model, folder):
    name, source, suffix, flags, right = case
    path = os.path.join(folder, name + suffix)
    with open(path, "w") as f:
        f.write(source)
    # Clocks, of timed locks, are choices.
    command = [tool, "run", path, "--model", model, "--nondet", "0..1", "--json"]
    command += ["--", *flags] if flags else []
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    try:
        got = json.loads(done.stdout)
    except ValueError:
        got = {"verdict": "none", "reason": (done.stdout + done.stderr).strip()}
    verdict, kind = got.get("verdict"), got.get("kind")
    fits = verdict == "verified" if right else verdict == "violation" and kind in KINDS
    said = f"{verdict} {kind or got.get('reason') or got.get('error') or ''}"
    return fits, f"{name}: {said}, but it is {'right' if right else 'wrong'}\n\t{' '.join(command)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--language", choices=["c", "c++"])
    parser.add_argument("--model", default="rc11")
    parser.add_argument("--only", default="*")
    parser.add_argument("--keep", help="leave the programs there")
    parser.add_argument("-j", type=int, default=1)
    arguments = parser.parse_args()
    suffix = {"c": ".c", "c++": ".cpp", None: ""}[arguments.language]
    chosen = [c for c in cases() if fnmatch.fnmatch(c[0], arguments.only) and c[2].endswith(suffix)]
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        folder = arguments.keep or scratch
        os.makedirs(folder, exist_ok=True)
        answers = list(pool.map(lambda c: answer(arguments.tool, c, arguments.model, folder), chosen))
    bad = [text for fits, text in answers if not fits]
    print("\n".join(bad + [f"{len(answers) - len(bad)} passed, {len(bad)} failed"]))
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
