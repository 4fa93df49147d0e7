# SPDX-License-Identifier: MIT
"""Functions: attributes, callbacks, ways to get into one and out of it, and the C library's own accesses."""
from kind import Kinds

KINDS = Kinds()
add, quiet = KINDS.add, KINDS.quiet

X = "static int x; "
GET = X + "static %s int get(void) { return x; }"
USE, WRITE, READ = "out = get();", "x = 1;", "out = x;"

# ---- attributes ----
for name, attribute, why in [
        ("noinline", "__attribute__((noinline))", "the function reads x"),
        ("always_inline", "inline __attribute__((always_inline))", "the function reads x"),
        ("optnone", "__attribute__((noinline, optnone))", "the function reads x"),
        ("cold", "__attribute__((cold))", "the function reads x"),
        ("flatten", "__attribute__((flatten))", "the function reads x"),
        ("no_sanitize", "__attribute__((noinline, no_sanitize(\"thread\")))", "not instrumented by a sanitizer, but the function reads x"),
        ("no_sanitize_thread", "__attribute__((noinline, no_sanitize_thread))", "not instrumented by a sanitizer, but the function reads x"),
        ("no_instrument", "__attribute__((noinline, disable_sanitizer_instrumentation))", "not instrumented by a sanitizer, but the function reads x"),
        ("pure", "__attribute__((noinline, pure))", "a pure function reads memory"),
        ("const", "__attribute__((noinline, const))", "the promise not to read memory is wrong: the function reads x"),
        ("leaf", "__attribute__((noinline, leaf))", "the function reads x"),
        ("artificial", "inline __attribute__((always_inline, artificial))", "the function reads x")]:
    add(f"attribute_{name}", why, GET % attribute, USE, WRITE)
add("attribute_pure_unused", "a pure function is called though its result is unused", GET % "__attribute__((noinline, pure))", "(void)get();", WRITE)
add("attribute_pure_twice", "the second call reads x after the release; the first is ordered", GET % "__attribute__((noinline, pure))" +
    "static atomic_int flag;", "out = get(); atomic_store_explicit(&flag, 1, memory_order_release); LOCK out += get(); UNLOCK",
    "if (atomic_load_explicit(&flag, memory_order_acquire)) { LOCK x = 1; UNLOCK }")
add("attribute_noreturn", "the function writes x, then ends the thread",
    X + "static __attribute__((noinline, noreturn)) void leave(void) { x = 5; pthread_exit(NULL); }", "leave();", READ, twin="join")
add("attribute_malloc", "the function reads x, whatever it returns",
    X + "static __attribute__((noinline, malloc)) void *make(void) { int *p = malloc(4); *p = x; return p; }", "free(make());", WRITE)
add("attribute_cleanup", "the cleanup function writes x at the end of the scope", X + "static void end(int *l) { x = *l; }",
    "{ int l __attribute__((cleanup(end))) = 5; (void)l; }", READ)
add("attribute_alias", "two names of one function", X + "NOINLINE int get(void) { return x; } int same(void) __attribute__((alias(\"get\")));",
    "out = same();", WRITE)
add("attribute_weak", "the function reads x", X + "__attribute__((weak)) int get(void) { return x; }", USE, WRITE)
add("attribute_transparent_union", "the function reads x", X + "union u { int *i; long *l; } __attribute__((transparent_union)); "
    "static NOINLINE int take(union u v) { return *v.i; }", "out = take(&x);", WRITE)

# ---- ways into a function ----
add("tail_call", "the function at the end of the chain reads x", X + "static NOINLINE int last(int *p) { return *p; } "
    "static NOINLINE int middle(int *p) { return last(p); }", "out = middle(&x);", WRITE)
add("tail_call_in_loop", "the function calls itself until it reads x",
    X + "static NOINLINE int again(int n, int *p) { if (!n) return *p; return again(n - 1, p); }", "out = again(5, &x);", WRITE)
add("recursion", "the innermost activation reads x", X + "static NOINLINE int deep(int n) { return n ? deep(n - 1) + 1 : x; }", "out = deep(4);", WRITE)
add("recursion_unused", "the innermost activation reads x", X + "static NOINLINE int deep(int n) { return n ? deep(n - 1) * 0 : x; }",
    "(void)deep(4);", WRITE)
add("mutual_recursion", "the innermost activation reads x", X + "static int odd(int n); static NOINLINE int even(int n) { return n ? odd(n - 1) : x; } "
    "static NOINLINE int odd(int n) { return n ? even(n - 1) : 0; }", "out = even(4);", WRITE)
add("function_pointer", "the function reads x", GET % "" + "static int (*call)(void) = get;", "out = call();", WRITE)
add("function_pointer_read", "the pointer is read to be called", "static int a(void) { return 1; } static int b(void) { return 2; } "
    "static int (*call)(void) = a;", "out = call();", "call = b;")
add("function_table", "the entry is read to be called", "static int a(void) { return 1; } static int b(void) { return 2; } "
    "static int (*table[2])(void) = { a, a };", "out = table[1]();", "table[1] = b;")
add("function_table_written", "the entry is written", "static int a(void) { return 1; } static int b(void) { return 2; } "
    "static int (*table[2])(void) = { a, a };", "table[1] = b;", "out = table[1]();")
add("varargs_pointer", "the function reads through the pointer that it gets", X +
    "static NOINLINE int many(int n, ...) { va_list l; va_start(l, n); int *p = va_arg(l, int *); va_end(l); return *p; }", "out = many(1, &x);", WRITE)
add("varargs_value", "the argument reads x", X + "static NOINLINE int many(int n, ...) { (void)n; return 0; }", "out = many(1, x);", WRITE)
add("varargs_list_passed", "the function reads through the pointer that it gets", X +
    "static NOINLINE int in(va_list l) { return *va_arg(l, int *); } "
    "static NOINLINE int many(int n, ...) { va_list l; va_start(l, n); int v = in(l); va_end(l); return v; }", "out = many(1, &x);", WRITE)
add("setjmp_before", "the write is before the jump, and is not undone", X, "jmp_buf b; if (!setjmp(b)) { x = 5; longjmp(b, 1); }", READ)
add("setjmp_after", "the read is after the jump", X, "jmp_buf b; if (!setjmp(b)) longjmp(b, 1); int v = x; (void)v;", WRITE)
add("longjmp_from_below", "the read is before the jump out of the function", X +
    "static jmp_buf b; static NOINLINE void below(void) { int v = x; (void)v; longjmp(b, 1); }", "if (!setjmp(b)) below();", WRITE)
OTHER = "extern int x; static inline int peek(void) { return x; } int other(void) { return peek(); }\n"
add("other_unit", "a static inline function of another source reads x", "int x; int other(void);", "out = other();", WRITE,
    files={"other.c": OTHER}, flags=("{folder}/other.c",))
add("other_unit_unused", "a static inline function of another source reads x", "int x; int other(void);", "(void)other();", WRITE,
    files={"other.c": OTHER}, flags=("{folder}/other.c",))
add("header_inline", "an inline function of a header reads x", "int x;\n#include \"peek.h\"", "out = peek();", WRITE,
    files={"peek.h": "static inline int peek(void) { return x; }\n"})
add("system_header_inline", "an inline function of a system header reads x", "int x;\n#include <peek.h>", "out = peek();", WRITE,
    files={"system/peek.h": "static inline int peek(void) { return x; }\n"}, flags=("-isystem", "{folder}/system"))
FLAGS = {  # that ask for something that the front end cannot or need not do
    "no_debug": "-g0", "lto": "-flto", "whole_program": "-flto -fwhole-program-vtables -fvirtual-function-elimination",
    "sanitizers": "-fsanitize=address,undefined", "thread_sanitizer": "-fsanitize=thread", "profile": "-fprofile-instr-generate -fcoverage-mapping",
    "profile_use": "-fprofile-generate", "coverage": "--coverage", "hidden": "-fvisibility=hidden", "fortified": "-D_FORTIFY_SOURCE=3",
    "fast": "-Ofast -ffast-math", "instrumented": "-finstrument-functions -pg"}
for name, flags in FLAGS.items():
    add(f"flags_{name}", "the loop reads a[13], whatever the compiler is told", "static int a[16];",
        "for (int i = 0; i < 16; i++) out += a[i];", "a[13] = 1;", flags=tuple(flags.split()))
add("flags_split_stack", "the loop reads a[13], whatever the compiler is told", "static int a[16];",
    "for (int i = 0; i < 16; i++) out += a[i];", "a[13] = 1;", flags=("-fsplit-stack",), needs=("x86_64",))
CHOICE = X + "static int which = 1; static NOINLINE int get(void) { return x; } static NOINLINE int other(void) { return 0; } " \
    "static int (*choose(void))(void) { return which ? get : other; } int chosen(void) __attribute__((ifunc(\"choose\")));"
add("ifunc", "the function that is chosen when the program is loaded reads x", CHOICE, "out = chosen();", WRITE)
add("ifunc_address", "the function that is chosen when the program is loaded reads x", CHOICE + "static int (*volatile p)(void) = chosen;",
    "out = p();", WRITE)
add("target_clones", "each version of the function reads x", X + "__attribute__((target_clones(\"avx2\", \"default\"))) int get(void) { return x; }",
    USE, WRITE, needs=("x86_64",))
add("cpu_supports", "x is read on every processor", X, "out = __builtin_cpu_supports(\"avx2\") ? x : x + 1;", WRITE, needs=("x86_64",))
add("macro", "the macro reads x", X + "\n#define PEEK (x)", "int v = PEEK; (void)v;", WRITE)

# ---- callbacks ----
add("qsort_comparison", "the comparison reads x", X + "static int by(const void *a, const void *b) { return (*(const int *)a - *(const int *)b) * (x + 1); }",
    "int l[3] = { 3, 1, 2 }; qsort(l, 3, sizeof *l, by);", WRITE)
add("qsort_elements", "qsort() moves the elements", "static int a[3] = { 3, 1, 2 }; "
    "static int by(const void *p, const void *q) { return *(const int *)p - *(const int *)q; }", "qsort(a, 3, sizeof *a, by);", "out = a[2];")
add("bsearch_comparison", "the comparison reads the element", "static int a[3] = { 1, 2, 3 }; "
    "static int by(const void *p, const void *q) { return *(const int *)p - *(const int *)q; }",
    "int key = 2; out = bsearch(&key, a, 3, sizeof *a, by) != NULL;", "a[1] = 4;")
add("key_destructor", "the destructor of the key's value reads x when the thread ends", X + "static pthread_key_t key; "
    "static void end(void *v) { (void)v; out = x; }", "pthread_setspecific(key, &key);", WRITE, setup="pthread_key_create(&key, end);", twin="join")
add("cleanup_handler", "the handler writes x when it is popped", X + "static void end(void *v) { (void)v; x = 5; }",
    "pthread_cleanup_push(end, NULL); pthread_cleanup_pop(1);", READ)
add("once_routine", "the routine reads x", X + "static pthread_once_t once = PTHREAD_ONCE_INIT; static void first(void) { out = x; }",
    "pthread_once(&once, first);", WRITE)
add("thread_result", "pthread_join() writes the result", "static void *result; static void *nothing(void *a) { return a; }",
    "pthread_t t; pthread_create(&t, NULL, nothing, NULL); pthread_join(t, &result);", "out = result != NULL;", setup="")
add("thread_id", "pthread_create() writes the identifier", "static pthread_t id; static void *nothing(void *a) { return a; }",
    "pthread_create(&id, NULL, nothing, NULL); pthread_join(id, NULL);", "out = id != 0;")
AT_EXIT = """
int main(void)
{
	pthread_t thread;
	%s
	pthread_create(&thread, NULL, partner, NULL);
#if TWIN
	pthread_join(thread, NULL);
#endif
	return 0;
}
"""
AFTER = "it runs at exit, while the thread, which is not joined, may still run"
add("atexit_handler", AFTER, X + "static void end(void) { int v = x; (void)v; }", "", WRITE, main=AT_EXIT % "atexit(end);", twin="join", orders=(0,))
add("destructor_function", AFTER, X + "__attribute__((destructor)) static void end(void) { int v = x; (void)v; }", "", WRITE, main=AT_EXIT % "",
    twin="join", orders=(0,))

# ---- the C library: name, shared object, call, the partner's conflict; `named` where it may be refused ----
S = "static char s[16] = \"abc\"; "
CHANGE = "s[1] = 'x';"
SEE = "out = s[1];"
for name, code, call, partner in [
        ("memcpy_from", S, "char l[16]; memcpy(l, s, 16);", "s[15] = 1;"),
        ("memcpy_to", S, "char l[16] = \"\"; memcpy(s, l, 16);", "out = s[15];"),
        ("memcpy_variable", S + "static size_t n = 13;", "char l[16]; memcpy(l, s, n);", "s[12] = 1;"),
        ("memmove", S, "memmove(s, s + 1, 8);", "s[8] = 1;"),
        ("memset", S, "memset(s, 0, 16);", "out = s[15];"),
        ("memset_one", S, "memset(s + 1, 0, 1);", SEE),
        ("memcmp", S, "char l[16] = \"abc\"; out = memcmp(s, l, 16);", CHANGE),
        ("memcmp_unused", S, "char l[16] = \"abc\"; (void)memcmp(s, l, 16);", CHANGE),
        ("memchr", S, "out = memchr(s, 'c', 16) != NULL;", CHANGE),
        ("strlen", S, "out = (int)strlen(s);", CHANGE),
        ("strlen_unused", S, "(void)strlen(s);", CHANGE),
        ("strlen_end", S, "out = (int)strlen(s);", "s[3] = 'd';"),
        ("strnlen", S, "out = (int)strnlen(s, 16);", CHANGE),
        ("strcpy_from", S, "char l[16]; strcpy(l, s);", CHANGE),
        ("strcpy_to", S, "strcpy(s, \"xyz\");", SEE),
        ("strncpy_padding", S, "strncpy(s, \"x\", 16);", "out = s[15];"),
        ("strcat", S, "strcat(s, \"d\");", "out = s[3];"),
        ("strcmp", S, "out = strcmp(s, \"abc\");", CHANGE),
        ("strncmp", S, "out = strncmp(s, \"abc\", 2);", CHANGE),
        ("strchr", S, "out = strchr(s, 'c') != NULL;", CHANGE),
        ("strrchr", S, "out = strrchr(s, 'a') != NULL;", "s[2] = 'x';"),
        ("strstr", S, "out = strstr(s, \"bc\") != NULL;", CHANGE),
        ("strspn", S, "out = (int)strspn(s, \"abc\");", CHANGE),
        ("strtol_reads", "static char s[4] = \"123\";", "out = (int)strtol(s, NULL, 10);", "s[1] = '5';"),
        ("strtol_end", "static char *end;", "out = (int)strtol(\"12\", &end, 10);", "end = NULL;"),
        ("atoi", "static char s[4] = \"123\";", "out = atoi(s);", "s[1] = '5';"),
        ("strtod", "static char s[4] = \"1.5\";", "double d = strtod(s, NULL); (void)d;", "s[2] = '7';"),
        ("snprintf_reads_string", S, "char l[16]; snprintf(l, sizeof l, \"%s\", s);", CHANGE),
        ("snprintf_reads_value", X, "char l[16]; snprintf(l, sizeof l, \"%d\", x);", WRITE),
        ("snprintf_writes", S, "snprintf(s, sizeof s, \"%d\", 77);", SEE),
        ("printf_string", S, "printf(\"%s\\n\", s);", CHANGE),
        ("puts", S, "puts(s);", CHANGE),
        ("fputs", S, "fputs(s, stdout);", CHANGE),
        ("fwrite", S, "fwrite(s, 1, 3, stdout);", CHANGE),
        ("strtok_r", S, "char *save; (void)strtok_r(s, \"b\", &save);", SEE),
        ("strtok_r_save", "static char *save;", "char l[] = \"a b\"; out = strtok_r(l, \" \", &save) != NULL;", "save = NULL;")]:
    add(f"c_{name}", "the function accesses the byte that the partner accesses", code, call, partner)
for name, function, code, call, partner, headers in [
        ("sscanf_reads", "sscanf", "static char s[4] = \"123\";", "int v; sscanf(s, \"%d\", &v);", "s[1] = '5';", ()),
        ("snprintf_counts", "snprintf", X, "char l[16]; snprintf(l, sizeof l, \"ab%n\", &x);", READ, ()),
        ("sscanf_writes", "sscanf", X, "sscanf(\"12\", \"%d\", &x);", READ, ()),
        ("frexp", "frexp", X, "double d = frexp(8.0, &x); (void)d;", READ, ("math.h",)),
        ("modf", "modf", "static double x;", "volatile double v = 1.5; double d = modf(v, &x); (void)d;", "out = (int)x;", ("math.h",)),
        ("clock_gettime", "clock_gettime", "static struct timespec x;", "clock_gettime(CLOCK_MONOTONIC, &x);", "out = (int)x.tv_nsec;", ("time.h",)),
        ("nanosleep", "nanosleep", "static struct timespec x;", "nanosleep(&x, NULL);", "x.tv_nsec = 1;", ("time.h",)),
        ("select", "select", "static struct timeval x;", "select(0, NULL, NULL, NULL, &x);", "x.tv_usec = 1;", ("sys/select.h",)),
        ("sem_getvalue", "sem_getvalue", X + "static sem_t s;", "sem_getvalue(&s, &x);", READ, ("semaphore.h",)),
        ("wcslen", "wcslen", "static wchar_t s[4] = L\"abc\";", "out = (int)wcslen(s);", "s[1] = L'x';", ("wchar.h",)),
        ("gmtime_r", "gmtime_r", "static time_t x; static struct tm t;", "gmtime_r(&x, &t);", WRITE, ("time.h",)),
        ("asprintf", "asprintf", "static char *p;", "out = asprintf(&p, \"%d\", 5);", "p = NULL;", ()),
        ("write", "write", S, "out = (int)write(1, s, 3);", CHANGE, ("unistd.h",)),
        ("lfind", "lfind", "static int a[3] = { 1, 2, 3 }; static int by(const void *p, const void *q) { return *(const int *)p - *(const int *)q; }",
         "size_t n = 3; int key = 2; out = lfind(&key, a, &n, sizeof *a, by) != NULL;", "a[1] = 4;", ("search.h",)),
        ("swab", "swab", S, "char l[4]; swab(s, l, 4);", CHANGE, ("unistd.h",)),
        ("strcasecmp", "strcasecmp", S, "out = strcasecmp(s, \"abc\");", CHANGE, ("strings.h",)),
        ("memmem", "memmem", S, "out = memmem(s, 16, \"bc\", 2) != NULL;", CHANGE, ()),
        ("rand_r", "rand_r", "static unsigned x = 1;", "out = rand_r(&x);", "x = 2;", ()),
        ("mbstowcs", "mbstowcs", S, "wchar_t l[8]; out = (int)mbstowcs(l, s, 8);", CHANGE, ()),
        ("strxfrm", "strxfrm", S, "char l[16]; out = (int)strxfrm(l, s, 16);", CHANGE, ())]:
    add(f"c_{name}", "the function accesses the object that the partner accesses", code, call, partner, "named", names=(function,), headers=headers,
        flags=("-D_GNU_SOURCE",))
quiet("c_memcpy_nothing", "no byte is copied", S + "static size_t n;", "char l[4]; memcpy(l, s, n);", CHANGE)
quiet("c_strlen_beyond", "nothing behind the end of the string is read", S, "out = (int)strlen(s);", "s[5] = 'x';")
quiet("c_snprintf_beyond", "nothing behind the end of the string is written", S, "snprintf(s, sizeof s, \"%d\", 7);", "s[5] = 'x';")
quiet("c_memchr_beyond", "memchr() reads as if in order, and stops", S, "out = memchr(s, 'b', 16) != NULL;", "s[2] = 'x';")
quiet("c_strncmp_beyond", "only the first two bytes are compared", S, "out = strncmp(s, \"abc\", 2);", "s[2] = 'x';")
quiet("c_memset_neighbour", "the neighbour is not written", S, "memset(s, 0, 3);", "s[3] = 'x';")
