# SPDX-License-Identifier: MIT
"""Abstract programs: what they are made of, as C and as code for the naive judge.

A program has threads, each a list of statements; thread 0 is what main() does between the
creation of the others and their joins.  A statement is a tuple:

    ("load", reg, object, order)  ("store", object, value, order)  ...   as in naive.h
    ("if", reg, "==" or "!=", value, [statements])
    ("loop", times or None, spins, [statements])     times None: until a break
    ("break", reg, "==" or "!=", value)              out of the innermost loop

Registers are named r0 .. r3 (integers), p0, p1 (pointers) and t (whether the last attempt was
successful); r0 is the thread's result.  A value is a register or a number.
"""
import re

REGISTERS = {"r0": 0, "r1": 1, "r2": 2, "r3": 3, "p0": 5, "p1": 6, "t": 7, "k": 8}
ORDERS = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]
FIELDS = {"v": 0, "next": 1}
OBJECTS = {"x0": 0, "x1": 1, "x2": 2, "x3": 3, "q0": 4, "q1": 5}
THREADS = 5

HEAD = """#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>
void __VERIFIER_assume(int);
int __VERIFIER_nondet_bool(void);
void lp_outcome(const char *);
struct node { int v; struct node *next; atomic_int a; pthread_mutex_t m; pthread_cond_t c; };
static __attribute__((noipa)) void keep(int value) { (void)value; }
"""
GLOBALS = {
    r"x\d": "static atomic_int {};", r"q\d": "static _Atomic(struct node *) {};", r"g\d": "static int {};",
    r"m\d": "static pthread_mutex_t {} = PTHREAD_MUTEX_INITIALIZER;",
    r"c\d": "static pthread_cond_t {} = PTHREAD_COND_INITIALIZER;",
    r"s\d": "static sem_t {};", r"rw\d": "static pthread_rwlock_t {} = PTHREAD_RWLOCK_INITIALIZER;",
    r"b\d": "static pthread_barrier_t {};", "id": "static pthread_t {}[5];",
}
NAMES = re.compile(r"\b([xqgmcsb]\d|rw\d|run\d|id|main)\b")


class Program:
    """threads: lists of statements; like[t]: a thread whose code t shares, or t."""

    def __init__(self, threads, like=None, joins=None, after=(), semaphores=(0, 0), barrier=2, c11=False):
        self.threads = threads
        self.like = like or list(range(len(threads)))
        self.joins = list(range(1, len(threads))) if joins is None else joins
        self.after = list(after)  # statements of main() after the joins
        self.semaphores, self.barrier, self.c11 = semaphores, barrier, c11

    def replaced(self, **changes):
        copy = Program(self.threads, self.like, self.joins, self.after, self.semaphores, self.barrier, self.c11)
        copy.__dict__.update(changes)
        return copy

    def statements(self):
        def walk(body):
            for s in body:
                yield s
                if s[0] in ("if", "loop"):
                    yield from walk(s[-1])
        for body in [*self.threads, self.after]:
            yield from walk(body)

    def spins(self):
        """Is there a loop that without its reduction never ends?"""
        return any(s[0] == "loop" and s[1] is None and s[2] for s in self.statements())

    def is_ordered(self):
        """Does a thread rely on another one having been created before it?"""
        return any(s[0] == "join" for s in self.statements())

    def is_seq_cst(self):
        """Are all atomics seq_cst, and do no failed attempts tell of others?"""
        return all(s[0] not in ("try", "semtry", "tryrd", "trywr", "fence") and
                   not any(a in ORDERS[:4] for a in s[1:]) for s in self.statements())


# ---- as C ----

def order(name):
    return "memory_order_" + name


def pointer(reg):
    return reg[0] == "p"


def text_of(s, local):
    """The lines of a statement; `local` has the names of stack objects."""
    op, a = s[0], s[1:]
    if op == "if":
        return [f"if ({a[0]} {a[1]} {a[2]}) {{", *["\t" + l for x in a[3] for l in text_of(x, local)], "}"]
    if op == "loop":
        head = "for (;;) {" if a[0] is None else f"for (int k = 0; k < {a[0]}; k++) {{"
        return [head, *["\t" + l for x in a[2] for l in text_of(x, local)], "}"]
    if op == "break":
        return [f"if ({a[0]} {a[1]} {a[2]})", "\tbreak;"]
    if op == "load":
        return [f"{a[0]} = atomic_load_explicit(&{a[1]}, {order(a[2])});"]
    if op == "store":
        return [f"atomic_store_explicit(&{a[0]}, {a[1]}, {order(a[2])});"]
    if op in ("add", "xchg"):
        name = "fetch_add" if op == "add" else "exchange"
        return [f"{a[0]} = atomic_{name}_explicit(&{a[1]}, {a[2]}, {order(a[3])});"]
    if op == "cas":
        kind = "weak" if a[4] else "strong"
        typ = "struct node *" if a[1][0] == "q" else "int "
        result = "(void)" if a[0] is None else f"{a[0]} = "
        return [f"{{ {typ}e = {a[2]}; {result}atomic_compare_exchange_{kind}_explicit(&{a[1]}, &e, {a[3]}, "
                f"{order(a[5])}, {order(a[6])}); }}"]
    if op == "local":
        local.append(f"n{a[1]}")
        return [f"struct node n{a[1]} = {{ 0 }};", f"{a[0]} = &n{a[1]};"]
    if op in ("try", "semtry", "tryrd", "trywr"):
        name = {"try": "pthread_mutex_trylock", "semtry": "sem_trywait", "tryrd": "pthread_rwlock_tryrdlock",
                "trywr": "pthread_rwlock_trywrlock"}[op]
        return [f"{a[0]} = !{name}(&{a[1]});"]
    return [{
        "fence": "atomic_thread_fence(memory_order_{0});", "read": "{0} = {1};", "write": "{0} = {1};",
        "alloc": "{0} = calloc(1, sizeof *{0});", "pread": "{0} = {1}->{2};", "pwrite": "{0}->{1} = {2};",
        "aload": "{0} = atomic_load_explicit(&{1}->a, memory_order_{2});",
        "astore": "atomic_store_explicit(&{0}->a, {1}, memory_order_{2});", "free": "free({0});",
        "plock": "pthread_mutex_lock(&{0}->m);", "punlock": "pthread_mutex_unlock(&{0}->m);",
        "psignal": "pthread_cond_signal(&{0}->c);",
        "lock": "pthread_mutex_lock(&{0});", "unlock": "pthread_mutex_unlock(&{0});",
        "wait": "pthread_cond_wait(&{0}, &{1});", "signal": "pthread_cond_signal(&{0});",
        "broadcast": "pthread_cond_broadcast(&{0});", "semwait": "sem_wait(&{0});", "sempost": "sem_post(&{0});",
        "rdlock": "pthread_rwlock_rdlock(&{0});", "wrlock": "pthread_rwlock_wrlock(&{0});",
        "rwunlock": "pthread_rwlock_unlock(&{0});", "barrier": "pthread_barrier_wait(&{0});",
        "mov": "{0} = {1};", "inc": "{0} += {1};", "check": "assert({0} != {1});",
        "assume": "__VERIFIER_assume({0} == {1});", "choose": "{0} = __VERIFIER_nondet_bool();",
        "leave": "pthread_exit(NULL);", "exit": "exit(0);", "detach": "pthread_detach(pthread_self());",
        "join": "pthread_join(id[{1}], NULL);",
    }[op].format(*a)]


def variables(lines):
    text = "\n".join(lines)
    used = [r for r in ("r1", "r2", "r3", "t") if re.search(rf"\b{r}\b", text)]
    pointers = [f"*{r} = NULL" for r in ("p0", "p1") if re.search(rf"\b{r}\b", text)]
    return ["\tint " + ", ".join(f"{r} = 0" for r in ["r0", *used]) + ";",
            *(["\tstruct node " + ", ".join(pointers) + ";"] if pointers else [])]


def kept(statement):
    """Uses what it has read plainly: the compiler leaves out other reads."""
    read = {s[1] for s in Program([[statement]]).statements() if s[0] in ("read", "pread") and not pointer(s[1])}
    return [f"keep({reg});" for reg in sorted(read - {"r0"})]


def lines_of(statements):
    local = []
    return ["\t" + l for s in statements for l in [*text_of(s, local), *kept(s)]]


def body_of(statements):
    lines = lines_of(statements)
    return [*variables(lines), *lines]


def functions(program):
    lines = []
    for t in range(1, len(program.threads)):
        if program.like[t] == t:
            kind, back = ("int", "r0") if program.c11 else ("void *", "(void *)(long)r0")
            lines += [f"static {kind}{' ' if program.c11 else ''}run{t}(void *arg)", "{",
                      *body_of(program.threads[t]), "\t(void)arg;", f"\treturn {back};", "}"]
    return lines


def main_of(program, backwards, used):
    count = len(program.threads)
    lines = ["int main(void)", "{"]
    inner = []
    inner += [f"\tsem_init(&s{i}, 0, {program.semaphores[i]});" for i in range(2) if f"s{i}" in used]
    if "b0" in used:
        inner.append(f"\tpthread_barrier_init(&b0, NULL, {program.barrier});")
    created = list(range(1, count))
    for t in reversed(created) if backwards else created:
        run = f"run{program.like[t]}"
        inner.append(f"\tthrd_create(&id[{t}], {run}, NULL);" if program.c11 else
                     f"\tpthread_create(&id[{t}], NULL, {run}, NULL);")
    inner += lines_of(program.threads[0])
    for t in program.joins:
        inner.append(f"\tthrd_join(id[{t}], &result[{t}]);" if program.c11 else
                     f"\tpthread_join(id[{t}], &result[{t}]);")
    inner += lines_of(program.after)
    kind, read = ("int result[5]", "result[i]") if program.c11 else ("void *result[5]", "(long)result[i]")
    ids = [] if "id" in used else ["\tthrd_t id[5];" if program.c11 else "\tpthread_t id[5];"]
    return [*lines, *ids, f"\t{kind} = {{ 0 }};", "\tchar text[11] = { 0 };", *variables(inner), *inner,
            "\tfor (int i = 0; i < 5; i++) {", f"\t\tconst int v = (int)(i ? {read} : r0);",
            "\t\ttext[2 * i] = (char)('a' + (v >> 4 & 15));", "\t\ttext[2 * i + 1] = (char)('a' + (v & 15));", "\t}",
            "\tlp_outcome(text);", "\treturn 0;", "}"]


def source(program, backwards=False):
    """The program without its head."""
    run = functions(program)
    used = set(NAMES.findall("\n".join([*run, *lines_of(program.threads[0]), *lines_of(program.after)])))
    declared = [form.format(name) for pattern, form in GLOBALS.items() for name in sorted(used)
                if re.fullmatch(pattern, name)]
    return "\n".join([*declared, *run, *main_of(program, backwards, used)]) + "\n"


def renamed(text, suffix):
    return NAMES.sub(lambda m: m.group(1) + suffix, text)


def batch(programs):
    """One file: number 2n is program n, 2n + 1 is n with its threads created in reverse order."""
    parts = [HEAD, "int native_selected(void);\n"]
    for n, program in enumerate(programs):
        text = source(program)
        parts.append(renamed(text, f"_{n}"))
        backwards = source(program, backwards=True)
        parts.append(renamed(backwards[backwards.index("int main("):], f"_{n}").replace("main_", "niam_"))
    parts.append("int main(void)\n{\n\tswitch (native_selected()) {")
    for n in range(len(programs)):
        parts.append(f"\tcase {2 * n}: return main_{n}();\n\tcase {2 * n + 1}: return niam_{n}();")
    parts.append("\tdefault: return 1;\n\t}\n}\n")
    return "\n".join(parts)


# ---- for the naive judge ----

def word(a):
    if a in REGISTERS:
        return f"r{REGISTERS[a]}"
    if a in ORDERS:
        return str(ORDERS.index(a))
    if a in OBJECTS:
        return str(OBJECTS[a])
    if a in FIELDS:
        return str(FIELDS[a])
    if a is None:
        return "r9"  # not asked for
    if a == "NULL":
        return "0"
    if isinstance(a, str):  # any other object: its number among its like
        return a[-1]
    return str(int(a))


def assemble(statements, out, exits=None):
    for s in statements:
        if s[0] == "if":
            jump = ["jne" if s[2] == "==" else "jeq", word(s[1]), word(s[3]), None]
            out.append(jump)
            assemble(s[4], out, exits)
            jump[3] = str(len(out))
        elif s[0] == "break":
            jump = ["jeq" if s[2] == "==" else "jne", word(s[1]), word(s[3]), None]
            out.append(jump)
            exits.append(jump)
        elif s[0] == "loop":
            mine = []
            if s[1] is not None:
                out.append(["mov", "r8", "0"])
            start = len(out)
            if s[1] is not None:
                mine.append(["jeq", "r8", str(s[1]), None])
                out.append(mine[0])
            assemble(s[3], out, mine)
            if s[1] is not None:
                out.append(["inc", "r8", "1"])
            out.append(["jmp", str(start)])
            for jump in mine:
                jump[3] = str(len(out))
        elif s[0] == "detach":
            continue  # no difference to threads that are never joined
        else:
            out.append([s[0], *map(word, s[1:])])


BLOCKS = 6


def blocks(body):
    return [s[2] for s in Program([body]).statements() if s[0] in ("alloc", "local")]


def with_blocks(body, number):
    """The same with other blocks: {old: new}."""
    return [(*s[:2], number[s[2]]) if s[0] in ("alloc", "local") else
            (*s[:-1], with_blocks(s[-1], number)) if s[0] in ("if", "loop") else s for s in body]


def own_blocks(program):
    """Threads that have code in common do not have blocks in common.  None: there are too many."""
    used, bodies = set(), []
    for body in program.threads:
        number = {}
        for b in blocks(body):
            left = [n for n in range(BLOCKS) if n not in used]
            if not left:
                return None
            number[b] = b if b in left else left[-1]
            used.add(number[b])
        bodies.append(with_blocks(body, number))
    return bodies


def code(program):
    count = len(program.threads)
    lines = ["program %d %d %d" % (*program.semaphores, program.barrier)]
    for t, body in enumerate(own_blocks(program)):
        out = [["create", str(u)] for u in range(1, count)] if t == 0 else []
        assemble(body, out)
        if t == 0:
            out += [["mov", f"r{u}", "0"] for u in range(1, THREADS)]
            out += [["join", f"r{u}", str(u)] for u in program.joins]
            assemble(program.after, out)
            out.append(["outcome"])
        out.append(["end"])
        lines += [f"thread {t}", *(" ".join(i) for i in out)]
    return "\n".join(lines) + "\n"
