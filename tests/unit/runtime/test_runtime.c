/* test_runtime.c -- native programs obey the contract of program.h.
 *
 * Each case is a small program, compiled as the user's would be, and the expected result of its round-robin execution.
 */
#include "driver.h"
#include "expect.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct driver d;
static const char *compiler; /* under test */

#define INCLUDES                                                        \
	"#include <pthread.h>\n#include <stdatomic.h>\n"                \
	"#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\n" \
	"#include <assert.h>\n#include <linchpin.h>\n"

static bool load(const char *source, const char *suffix, const char *const *flags)
{
	struct lp_error error = { .text = "" };
	const bool done = driver_open(&d, source, suffix, compiler, flags, &error);

	EXPECT(done, "%s", error.text);
	return done;
}

static const char *outcome(void)
{
	const char *text = d.program->class->outcome(d.program);
	return text ? text : "(none)";
}

/* The program ends well, twice, with that outcome. */
static void ends_with(const char *name, const char *source, const char *suffix,
		      const char *const *flags, const char *expected)
{
	if (!load(source, suffix, flags))
		return;
	for (int i = 0; i < 2; i++) {
		driver_reset(&d);
		EXPECT(driver_run(&d, 0), "%s: %s: %s at %s", name, d.kind, d.text, d.where);
		EXPECT(!strcmp(outcome(), expected), "%s: '%s'", name, outcome());
	}
	driver_close(&d);
}

/* The program fails twice, in that way; `line` is where, 0 for anywhere. */
static void goes_wrong(const char *name, const char *source, const char *kind,
		       const char *text, int line)
{
	char file_line[16];

	if (!load(source, ".c", NULL))
		return;
	for (int i = 0; i < 2; i++) {
		driver_reset(&d);
		EXPECT(!driver_run(&d, 0), "%s: no error", name);
		EXPECT(d.kind && !strcmp(d.kind, kind), "%s: %s: %s", name, d.kind, d.text);
		EXPECT(strstr(d.text, text), "%s: '%s'", name, d.text);
		snprintf(file_line, sizeof file_line, ".c:%d", line);
		EXPECT(!line || strstr(d.where, file_line), "%s: at %s", name, d.where);
	}
	driver_close(&d);
}

static void atomics(void)
{
	ends_with("sizes", INCLUDES
		  "_Atomic unsigned char a; _Atomic unsigned short b; _Atomic unsigned c;\n"
		  "_Atomic unsigned long e; _Atomic unsigned __int128 f; atomic_flag g;\n"
		  "int main(void) {\n"
		  "  a = 255; a++; b = 65535; b++; c = 7; e = 1; e -= 2; f = 1;\n"
		  "  atomic_fetch_or(&c, 8); atomic_fetch_and(&c, 13); atomic_fetch_xor(&c, 1);\n"
		  "  atomic_store(&f, (unsigned __int128)3 << 64);\n"
		  "  unsigned __int128 w = (unsigned __int128)3 << 64;\n"
		  "  int cas = atomic_compare_exchange_strong(&f, &w, 9);\n"
		  "  cas = cas * 2 + atomic_compare_exchange_strong(&f, &w, 10);\n"
		  "  int set = atomic_flag_test_and_set(&g); set = set * 2 + atomic_flag_test_and_set(&g);\n"
		  "  unsigned x = 12; cas = cas * 2 + atomic_compare_exchange_weak(&c, &x, 99);\n"
		  "  atomic_thread_fence(memory_order_seq_cst);\n"
		  "  char t[99]; snprintf(t, 99, \"%d %d %u %lx %d w%d cas%d set%d\", a, b, c, e,\n"
		  "    (int)(unsigned long)atomic_load(&f), (int)w, cas, set); lp_outcome(t); return 0; }\n",
		  ".c", NULL, "0 0 99 ffffffffffffffff 9 w9 cas5 set1");
	ends_with("builtins", INCLUDES
		  "int a; long b; struct three { char x[3]; } p = { { 1, 2, 3 } };\n"
		  "int main(void) {\n"
		  "  __sync_fetch_and_add(&a, 5); __sync_bool_compare_and_swap(&a, 5, 6);\n"
		  "  int old = __sync_lock_test_and_set(&a, 8); __atomic_add_fetch(&b, 4, 2);\n"
		  "  struct three q = { { 4, 5, 6 } }, r; __atomic_exchange(&p, &q, &r, 5);\n"
		  "  struct three s; __atomic_load(&p, &s, 5);\n"
		  "  char t[99]; snprintf(t, 99, \"%d %d %ld %d %d\", old, __atomic_load_n(&a, 0),\n"
		  "    __atomic_load_n(&b, 5), r.x[2], s.x[0]); lp_outcome(t); return 0; }\n",
		  ".c", NULL, "6 8 4 3 4");
	ends_with("volatile", INCLUDES
		  "volatile int stop, data; static void *f(void *a) { data = 5; stop = 1; return 0; }\n"
		  "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);\n"
		  "  while (!stop) ; char s[9]; snprintf(s, 9, \"%d\", data); lp_outcome(s);\n"
		  "  pthread_join(t, 0); return 0; }\n", ".c", NULL, "5");
}

static const char counting[] = INCLUDES
	"static atomic_int x; static _Thread_local int mine = 7; static _Thread_local long more;\n"
	"static void *f(void *a) {\n"
	"  for (int i = 0; i < 5; i++) atomic_fetch_add(&x, 1);\n"
	"  int *p = malloc(12); p[0] = 1; mine += (int)(long)a; p[1] = mine; more = p[1] + p[0];\n"
	"  free(p); return (void *)more; }\n"
	"int main(void) { pthread_t t[3]; void *r[3]; long sum = 0;\n"
	"  for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, f, (void *)i);\n"
	"  for (int i = 0; i < 3; i++) { pthread_join(t[i], &r[i]); sum = sum * 100 + (long)r[i]; }\n"
	"  char s[40]; snprintf(s, 40, \"%d %ld %d\", x, sum, mine); printf(\"%s\\n\", s); lp_outcome(s); return 0; }\n";

static void threads(void)
{
	size_t size;

	ends_with("thread-locals", counting, ".c", NULL, "15 80910 7");
	ends_with("nesting", INCLUDES
		  "static void *g(void *a) { return a; }\n"
		  "static void *f(void *a) { pthread_t t; void *r; pthread_create(&t, 0, g, a);\n"
		  "  pthread_join(t, &r); return r; }\n"
		  "int main(void) { pthread_t t[60]; long sum = 0; void *r;\n"
		  "  for (long i = 0; i < 60; i++) pthread_create(&t[i], 0, f, (void *)i);\n"
		  "  for (int i = 0; i < 60; i++) { pthread_join(t[i], &r); sum += (long)r; }\n"
		  "  lp_outcome(sum == 60 * 59 / 2 ? \"yes\" : \"no\"); return 0; }\n",
		  ".c", NULL, "yes");
	goes_wrong("too many", INCLUDES
		   "static void *f(void *a) { return a; }\n"
		   "int main(void) { pthread_t t;\n"
		   "  for (int i = 0; i < 1024; i++) pthread_create(&t, 0, f, 0); return 0; }\n",
		   "unsupported", "more than 1024 threads", 10);
	if (load(counting, ".c", NULL)) {
		driver_reset(&d);
		driver_run(&d, 0);
		const char *output = lp_native_output(&d.native, &size);
		EXPECT(size == 11 && !memcmp(output, "15 80910 7\n", 11), "%zu bytes", size);
		driver_close(&d);
	}
}

/* The same steps after going back give the same operations, to the byte. */
static void saving(void)
{
	static struct cell cells[4096];
	struct lp_op before[64], *after;
	uint32_t marks[20];
	unsigned cell_count;

	if (!load(counting, ".c", NULL))
		return;
	const struct lp_program_class *class = d.program->class;
	for (unsigned long at = 0; at < 18; at += 3) {
		driver_reset(&d);
		driver_run(&d, at + 1);
		const uint32_t mark = class->save(d.program);
		cell_count = d.cell_count;
		memcpy(cells, d.cells, sizeof cells);
		for (int round = 0; round < 3; round++) {
			unsigned n = 0;
			for (unsigned k = 0; k < 10; k++) {
				driver_run(&d, 1);
				for (lp_tid t = 0; t < 4; t++) {
					const struct lp_op *op = class->pending(d.program, t);
					const struct lp_op none = { .kind = LP_OP_END };
					if (!op)
						op = &none;
					after = &before[n++];
					if (round && n < 40)
						EXPECT(!memcmp(after, op, sizeof *op),
						       "round %d, step %lu+%u, thread %u", round, at,
						       k, t);
					*after = *op;
				}
			}
			driver_run(&d, 0);
			EXPECT(!strcmp(outcome(), "15 80910 7"), "'%s'", outcome());
			class->restore(d.program, mark);
			d.cell_count = cell_count;
			memcpy(d.cells, cells, sizeof cells);
			EXPECT(!strcmp(outcome(), "(none)"), "'%s'", outcome());
		}
		class->forget(d.program, mark);
	}
	/* Marks nest, and stay valid. */
	driver_reset(&d);
	for (int i = 0; i < 20; i++) {
		marks[i] = class->save(d.program);
		driver_run(&d, 1);
	}
	for (int i = 19; i >= 0; i--) {
		class->restore(d.program, marks[i]);
		class->restore(d.program, marks[i / 2]);
		class->restore(d.program, marks[i]);
	}
	d.cell_count = 0;
	EXPECT(driver_run(&d, 0) && !strcmp(outcome(), "15 80910 7"), "'%s'", outcome());
	driver_close(&d);
}

/* In every execution globals begin with their initial values, whichever thread wrote them before. */
static void globals(void)
{
	ends_with("small", INCLUDES
		  "int a = 3, b; static char text[] = \"abc\";\n"
		  "int main(void) { a++; b--; text[1]++; char s[40];\n"
		  "  snprintf(s, 40, \"%d %d %s\", a, b, text); lp_outcome(s); return 0; }\n",
		  ".c", NULL, "4 -1 acc");
	const char *big = INCLUDES
		"static int zero[300000], one[300000] = { 1 }; struct s { int v[30]; };\n"
		"struct s make(void) { struct s s = { { 5 } }; return s; } struct s got;\n"
		"static void *f(void *a) { zero[70000]++; return 0; }\n"
		"int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0);\n"
		"  struct s *p = (struct s *)&zero[100000]; int before = p->v[0]; *p = make();\n"
		"  one[299999] += 2; zero[5] = 1; char s[60]; snprintf(s, 60, \"%d %d %d %d %d\",\n"
		"  zero[70000], zero[100000], before, one[299999], one[0]); lp_outcome(s); return 0; }\n";
	ends_with("large", big, ".c", NULL, "1 5 0 2 1");
	if (load(big, ".c", NULL)) {
		driver_reset(&d);
		driver_run(&d, 1);
		const uint32_t mark = d.program->class->save(d.program);
		driver_run(&d, 0);
		EXPECT(d.program->class->save_cost(d.program) < 60000, "%zu bytes",
		       d.program->class->save_cost(d.program));
		d.program->class->restore(d.program, mark);
		EXPECT(driver_run(&d, 0) && !strcmp(outcome(), "1 5 0 2 1"), "'%s'", outcome());
		driver_close(&d);
	}
	ends_with("constructors", INCLUDES
		  "static int order, a, b; static int *heap; static _Thread_local int t = 1;\n"
		  "__attribute__((constructor)) static void last(void) { b = ++order; t = 5; }\n"
		  "__attribute__((constructor(200))) static void first(void) { a = ++order;\n"
		  "  heap = malloc(4); *heap = 7; }\n"
		  "int main(void) { ++*heap; ++t; char s[40];\n"
		  "  snprintf(s, 40, \"%d %d %d %d\", a, b, *heap, t); lp_outcome(s); free(heap); return 0; }\n",
		  ".c", NULL, "1 2 8 6");
}

static void memory_errors(void)
{
	goes_wrong("overrun", INCLUDES
		   "int *p; int main(void) { p = malloc(40);\n"
		   "  p[10] = 1; return 0; }\n",
		   "out of bounds", "0 bytes behind a block of 40 bytes allocated at", 9);
	goes_wrong("underrun", INCLUDES
		   "int main(void) { malloc(8); int *p = malloc(40);\n"
		   "  return p[-1]; }\n", "out of bounds", "read of 4 bytes", 9);
	goes_wrong("use after free", INCLUDES
		   "int main(void) { int *p = malloc(40); p[3] = 1;\n"
		   "  free(p);\n  return p[3]; }\n", "use after free", ".c:9", 10);
	goes_wrong("atomic use after free", INCLUDES
		   "int main(void) { atomic_int *p = malloc(40); *p = 1;\n"
		   "  free(p);\n  return *p; }\n", "use after free", "freed at", 10);
	goes_wrong("double free", INCLUDES
		   "int main(void) { int *p = malloc(40); free(p);\n"
		   "  free(p); return 0; }\n", "double free", ".c:8", 9);
	goes_wrong("invalid free", INCLUDES
		   "int main(void) { char *p = malloc(40);\n"
		   "  free(p + 8); return 0; }\n", "invalid free", "did not return", 9);
	goes_wrong("uninitialised", INCLUDES
		   "int main(void) { int *p = malloc(40); p[0] = 1;\n"
		   "  return p[1]; }\n", "uninitialised", "never written", 9);
	goes_wrong("atomic uninitialised", INCLUDES
		   "int main(void) { atomic_int *p = malloc(40);\n"
		   "  return *p; }\n", "uninitialised", "never written", 9);
	goes_wrong("without end", INCLUDES
		   "int main(void) {\n  for (;;) malloc(1000); }\n", "out of memory", "more bytes", 9);
	ends_with("fine", INCLUDES
		  "int main(void) { char *p = calloc(3, 5), *q = malloc(3); q[0] = q[1] = q[2] = p[14];\n"
		  "  char *r = realloc(q, 30); int *a = aligned_alloc(64, 64); *a = r[2];\n"
		  "  lp_outcome((unsigned long)a % 64 ? \"bad\" : \"good\"); free(p); free(r); free(a); return 0; }\n",
		  ".c", NULL, "good");
}

/* Local variables whose addresses escape: writes take effect, by whatever function. */
static void stack_errors(void)
{
	goes_wrong("uninitialised local", INCLUDES
		   "int use(int *p) {\n  return *p; }\n"
		   "int (*volatile f)(int *) = use; int main(void) { int x; return f(&x); }\n",
		   "uninitialised", "local variable", 9);
	goes_wrong("uninitialised atomic local", INCLUDES
		   "static void *f(void *p) {\n  atomic_load((atomic_int *)p); return 0; }\n"
		   "int main(void) { atomic_int x; pthread_t t; pthread_create(&t, 0, f, &x);\n"
		   "  pthread_join(t, 0); return 0; }\n", "uninitialised", "local variable", 9);
	ends_with("written locals", INCLUDES
		  "struct s { long a, b; }; struct s make(void) { struct s s = { 1, 2 }; return s; }\n"
		  "int use(int *p) { return p[0] + p[1]; } long both(struct s *s) { return s->a + s->b; }\n"
		  "int (*volatile f)(int *) = use; long (*volatile g)(struct s *) = both;\n"
		  "int main(void) { int x[2] = { 3, 4 }; struct s s = make(); int z[2] = { 0 }; char b[16];\n"
		  "  memset(b, 0, 16); snprintf(b, 16, \"%d %ld %d\", f(x), g(&s), f(z)); lp_outcome(b); return 0; }\n",
		  ".c", NULL, "7 3 0");
}

static void leaks(void)
{
	static const char source[] = INCLUDES
		"struct node { struct node *next; } *list; int main(void) {\n"
		"  list = malloc(sizeof *list); list->next = malloc(sizeof *list);\n"
		"  list->next->next = 0;\n  if (lp_choose(2)) list = 0; return 0; }\n";

	if (!load(source, ".c", NULL))
		return;
	driver_reset(&d);
	EXPECT(driver_run(&d, 0), "%s", d.kind);
	d.choice = 1;
	driver_reset(&d);
	EXPECT(!driver_run(&d, 0) && !strcmp(d.kind, "leak") && strstr(d.text, "2 blocks") &&
	       strstr(d.text, ".c:9"), "%s: %s", d.kind, d.text);
	driver_close(&d);
}

static void sections(void)
{
	/* Without atomicity, round robin loses updates. */
	ends_with("atomic functions", INCLUDES
		  "int n; void __VERIFIER_atomic_add(int *p) { int v = *p; sched_yield(); *p = v + 1; }\n"
		  "static void *f(void *a) { for (int i = 0; i < 3; i++) __VERIFIER_atomic_add(&n); return 0; }\n"
		  "int main(void) { pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, f, 0);\n"
		  "  for (int i = 0; i < 3; i++) pthread_join(t[i], 0); lp_outcome(n == 9 ? \"9\" : \"less\");\n"
		  "  return 0; }\n", ".c", NULL, "9");
}

/* Several files, and flags: each goes where it belongs. */
static void several_files(void)
{
	char second[] = "/tmp/lp-test-XXXXXX.c", define[] = "-DVALUE=5";
	const int fd = mkstemps(second, 2);
	static const char text[] = "int shared = VALUE; int usleep(unsigned n) { return shared += (int)n; }\n";

	if (fd < 0 || write(fd, text, sizeof text - 1) < 0)
		abort();
	close(fd);
	ends_with("two files", INCLUDES
		  "extern int shared; int usleep(unsigned); static int squared(int x) { return x * x; }\n"
		  "int main(void) { usleep(2); char s[9]; snprintf(s, 9, \"%d %d\", shared, squared(VALUE));\n"
		  "  lp_outcome(s); return 0; }\n", ".c",
		  (const char *const[]){ second, define, "-O2", "-I", "/tmp", "-lm", NULL }, "7 25");
	unlink(second);
}

/* A copy of the process goes on by itself. */
static void forking(void)
{
	int status = -1;

	if (!load(counting, ".c", NULL))
		return;
	driver_reset(&d);
	driver_run(&d, 7);
	const pid_t child = fork();
	if (!child)
		_exit(driver_run(&d, 0) && !strcmp(outcome(), "15 80910 7") ? 0 : 1);
	waitpid(child, &status, 0);
	EXPECT(status == 0, "status %d", status);
	EXPECT(driver_run(&d, 0) && !strcmp(outcome(), "15 80910 7"), "'%s'", outcome());
	driver_close(&d);
}

static void crashes(void)
{
	goes_wrong("NULL", INCLUDES
		   "int *p; int main(void) {\n  *p = 1; return 0; }\n",
		   "out of bounds", "NULL", 9);
	goes_wrong("wild atomic", INCLUDES
		   "atomic_int *p = (atomic_int *)0x123450; int main(void) {\n"
		   "  return *p; }\n", "crash", "segmentation fault at address 0x123450", 9);
	goes_wrong("wild plain", INCLUDES
		   "int *p = (int *)0x123450; int main(void) {\n  *p = 1; return 0; }\n", "crash",
		   "segmentation fault", 9);
	goes_wrong("division", INCLUDES
		   "int zero, a = 5; int main(void) {\n  return a / zero; }\n", "crash", "division", 9);
	goes_wrong("recursion", INCLUDES
		   "int f(volatile int *a) { int b[4] = { a[0] }; return f(b) + b[1]; }\n"
		   "int main(void) { volatile int a[2] = { 1, 2 }; return f(a); }\n",
		   "stack overflow", "64 KB", 0);
	goes_wrong("long", INCLUDES /* a shift register of 64 bits */
		   "int main(void) { unsigned long i = 1;\n"
		   "  do { i ^= i << 13; i ^= i >> 7; i ^= i << 17; } while (i != 1);\n  return 0; }\n",
		   "unsupported", "has computed", 0);
	goes_wrong("endless with accesses", INCLUDES
		   "int a[10], b; int main(void) {\n"
		   "  for (unsigned i = 0;; i++) a[i % 10] += b; return 0; }\n",
		   "unsupported", "plain accesses", 0);
	goes_wrong("endless, and reads only", INCLUDES
		   "int a; int main(void) {\n  while (!a)\n    ;\n  return 0; }\n",
#if defined(__x86_64__)
		   "endless loop", "comes back", 0);
#else
		   "unsupported", "plain accesses", 0);
#endif
	goes_wrong("assertion", INCLUDES
		   "int main(void) {\n  assert(1 == 2); return 0; }\n", "assertion", "1 == 2", 9);
	goes_wrong("text segment", INCLUDES
		   "int main(void) {\n  *(int *)main = 1; return 0; }\n", "out of bounds", "where no variable is", 9);
}

/* A crash must leave nothing behind: many crashes in a row, and then a program without error. */
static void recovery(void)
{
	if (!load(INCLUDES
		  "int *p; static void *f(void *a) { if (lp_choose(2)) *(int *)8 = 1; return 0; }\n"
		  "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0);\n"
		  "  lp_outcome(\"fine\"); return 0; }\n", ".c", NULL))
		return;
	for (int i = 0; i < 1000; i++) {
		d.choice = i % 2;
		driver_reset(&d);
		const bool done = driver_run(&d, 0);
		if (done != !(i % 2)) {
			EXPECT(false, "round %d: %s", i, d.kind);
			break;
		}
	}
	EXPECT(d.kind, "no crash at all");
	driver_close(&d);
}

/* Plain accesses as events: loads get the answer, stores present what they wrote. */
static void plain_events(void)
{
	static const char source[] = INCLUDES
		"static int x, y; static struct big { long a, b, c; } g = { 1, 2, 3 }, h;\n"
		"static void *f(void *a) { x++; x += 2; y = x; h = g; h.b++; g = h; return 0; }\n"
		"int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0);\n"
		"  char s[60]; snprintf(s, 60, \"%d %d %ld %ld %ld\", x, y, g.a, g.b, g.c);\n"
		"  lp_outcome(s); return 0; }\n";

	if (!load(source, ".c", NULL))
		return;
	for (int i = 0; i < 2; i++) {
		driver_reset(&d);
		d.plain_events = true;
		EXPECT(driver_run(&d, 0), "%s %s at %s", d.kind, d.text, d.where);
		EXPECT(!strcmp(outcome(), "3 3 1 3 3"), "'%s'", outcome());
		EXPECT(d.steps > 20, "%lu steps", d.steps);
		/* What was presented is what is in memory; stacks are gone. */
		for (unsigned c = 0; c < d.cell_count; c++) {
			struct lp_value v;
			char name[80];
			d.program->class->describe_loc(d.program, d.cells[c].loc, 0, name, sizeof name);
			if (strstr(name, "local variable"))
				continue;
			d.program->class->initial(d.program, d.cells[c].loc, d.cells[c].size, &v);
			EXPECT(lp_value_equal(v, d.cells[c].value), "cell %u of size %u: %llx, "
			       "presented %llx", c, d.cells[c].size, (unsigned long long)v.lo,
			       (unsigned long long)d.cells[c].value.lo);
		}
	}
	d.plain_events = false;
	d.race_at_writes = true;
	driver_reset(&d);
	EXPECT(!driver_run(&d, 0) && !strcmp(d.kind, "race") && !strcmp(d.text, "said so"), "%s",
	       d.kind);
	driver_close(&d);
}

static void cplusplus(void)
{
	ends_with("C++", "#include <atomic>\n#include <thread>\n#include <mutex>\n#include <vector>\n"
		  "#include <string>\n#include <memory>\n#include <linchpin.h>\n"
		  "static std::atomic<int> n; static std::mutex m; static std::vector<int> v(2, 1);\n"
		  "thread_local std::string name = \"local\";\n"
		  "struct base { virtual int f() { return 1; } virtual ~base() {} };\n"
		  "struct derived : base { int f() override { return 2; } };\n"
		  "int main() { { std::unique_ptr<base> b(new derived); n += b->f();\n"
		  "  std::thread t([] { std::lock_guard<std::mutex> l(m); v.push_back(n++); name += \"x\"; });\n"
		  "  std::thread u([] { std::lock_guard<std::mutex> l(m); v.push_back(n++); });\n"
		  "  t.join(); u.join(); }\n"
		  "  try { throw 5; } catch (int i) { n += i; }\n"
		  "  std::string s = std::to_string(v.size()) + name + std::to_string(n.load());\n"
		  "  lp_outcome(s.c_str()); }\n", ".cc", NULL, "4local9");
}

/* Accesses that libstdc++ makes without hooks are seen nevertheless. */
static void containers(void)
{
	ends_with("containers",
		  "#include <list>\n#include <map>\n#include <set>\n#include <string>\n"
		  "#include <memory>\n#include <linchpin.h>\n"
		  "static std::list<int> a, b; static std::map<int, std::string> m;\n"
		  "int main() { for (int i = 0; i < 9; i++) { a.push_back(i * 7 % 9); m[i * 5 % 9] = \"x\"; }\n"
		  "  a.sort(); b.push_back(3); b.swap(a); a.splice(a.begin(), b, b.begin()); b.reverse();\n"
		  "  m.erase(4); m.erase(m.begin()); std::string s; std::shared_ptr<int> p(new int(2)), q = p;\n"
		  "  for (auto &e : m) s += std::to_string(e.first); s += '-';\n"
		  "  for (int i : a) s += std::to_string(i); s += '-';\n"
		  "  for (int i : b) s += std::to_string(i); lp_outcome(s.c_str());\n"
		  "  a.clear(); b.clear(); m.clear(); }\n",
		  ".cc", NULL, "1235678-03-87654321");
}

/* Names and lines. */
static void descriptions(void)
{
	char text[160];
	uintptr_t address = 0;

	if (!load(INCLUDES
		  "struct { int a; atomic_int b[4]; } thing; atomic_int *h;\n"
		  "int main(void) { h = malloc(8);\n"
		  "  atomic_store(&thing.b[2], 1);\n"
		  "  atomic_store(&h[1], 1);\n  return 0; }\n", ".c", NULL))
		return;
	driver_reset(&d);
	const struct lp_op *op = lp_program_pending(d.program, 0);
	address = op->loc;
	d.program->class->describe_loc(d.program, address, 0, text, sizeof text);
	EXPECT(!strcmp(text, "thing.b[2]"), "'%s'", text);
	d.program->class->describe_pc(d.program, op->pc, text, sizeof text);
	EXPECT(strstr(text, ".c:10"), "'%s'", text);
	lp_native_function(&d.native, op->pc, text, sizeof text);
	EXPECT(!strcmp(text, "main"), "'%s'", text);
	driver_step(&d, 0);
	op = lp_program_pending(d.program, 0);
	d.program->class->describe_loc(d.program, op->loc, op->pc, text, sizeof text);
	EXPECT(strstr(text, "+4 (allocated at ") && strstr(text, ".c:9"), "'%s'", text);
	driver_close(&d);
}

static void note_doubt(void *unseen, const struct lp_doubt_met *met)
{
	const char *line = strchr(met->text, ':');

	if (met->doubt == LP_DOUBT_UNSEEN)
		strcat(strcat(unseen, line ? line : met->text), "\n");
}

/* Code that linchpin cannot see is named when it is executed; harmless functions are not named. */
static void findings(void)
{
	static char seen[3][1024];

	if (!load(INCLUDES "#include <math.h>\nint getgroups(int, unsigned *), getgid(void);\nvolatile int never;\n"
		  "int main(void) { __asm__ volatile(\"\" ::: \"memory\"); __asm__ volatile(\"pause\");\n"
		  "  if (never) { __asm__ volatile(\"sfence\" ::: \"memory\"); getgid(); }\n"
		  "  __asm__ volatile(\"fnop\" ::: \"memory\");\n"
		  "  return (int)sqrt(getgroups(0, 0)) + atoi(\"3\"); }\n", ".c", (const char *const[]){ "-lm", NULL }))
		return;
	lp_native_doubts(&d.native, note_doubt, seen[0]);
	driver_reset(&d);
	driver_run(&d, 0);
	lp_native_doubts(&d.native, note_doubt, seen[1]);
	lp_native_forget(&d.native);
	lp_native_doubts(&d.native, note_doubt, seen[2]);
	EXPECT(!seen[0][0] && strstr(seen[1], "calls 'getgroups'") && strstr(seen[1], ":13: inline assembly ('fnop')") &&
	       !strstr(seen[1], "getgid") && !strstr(seen[1], "sfence") && !seen[2][0], "%s", seen[1]);
	driver_close(&d);
}

/* Runs thread 0 for `steps` operations, every load and RMW answered by `value`,
 * and counts how often its live state is what it was at some operation before. */
static unsigned repetitions(unsigned steps, uint64_t value, bool *loop)
{
	uint64_t seen[64][2];
	unsigned known = 0, repeated = 0;

	*loop = false;
	driver_reset(&d);
	for (unsigned i = 0; i < steps; i++) {
		const struct lp_op op = *lp_program_pending(d.program, 0);
		struct lp_response answer = { .value = { value, 0 } };
		bool again = false;

		if (op.kind == LP_OP_END || op.kind == LP_OP_ERROR)
			break;
		*loop |= op.loop;
		if (op.loop && d.program->class->live_state(d.program, 0, seen[known])) {
			for (unsigned k = 0; k < known; k++)
				again |= !memcmp(seen[k], seen[known], sizeof seen[k]);
			known++;
		}
		repeated += again;
		answer.failed = op.kind == LP_OP_RMW && !lp_op_holds(&op, answer.value);
		if (op.kind == LP_OP_RMW && !answer.failed)
			answer.wrote = lp_op_result(&op, answer.value);
		lp_program_resume(d.program, 0, &answer);
	}
	return repeated;
}

/* A wait repeats itself; a loop that counts, writes or advances does not. */
static void spinning(void)
{
	static const struct {
		const char *name, *body;
		bool repeats, loops;
	} loops[] = {
		{ "await", "while (!atomic_load(&x)) ;", true, true },
		{ "two locations", "while (!atomic_load(&x) && !atomic_load(&y)) ;", true, true },
		{ "volatile", "while (!v) ;", true, true },
		{ "in a function", "while (!look()) ;", true, true },
		{ "CAS", "int e = 1; while (!atomic_compare_exchange_weak(&x, &e, 2)) e = 1;", true,
		  true },
		{ "try lock", "while (pthread_mutex_trylock(&m)) ;", true, true },
		{ "counted", "for (int i = 0; i < 30 && !atomic_load(&x); i++) ;", false, true },
		{ "writing", "while (!atomic_load(&x)) p++;", false, true },
		{ "allocating", "while (!atomic_load(&x)) sink = malloc(1);", false, true },
		{ "thread-local", "while (!atomic_load(&x)) t++;", false, true },
		{ "array", "for (int i = 0; !atomic_load(&a[i]) && i < 30; i++) ;", false, true },
		{ "no loop", "atomic_load(&x); atomic_load(&x); look(); look();", false, false },
	};
	char source[1024];

	for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
		bool loop;
		snprintf(source, sizeof source, INCLUDES
			 "atomic_int x, y, a[40]; volatile int v; int p; _Thread_local int t;\n"
			 "void *sink; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
			 "__attribute__((noinline)) int look(void) { return atomic_load(&y); }\n"
			 "int main(void) { %s return 0; }\n", loops[i].body);
		if (!load(source, ".c", NULL))
			continue;
		const unsigned n = repetitions(20, !strcmp(loops[i].name, "try lock"), &loop);
		EXPECT(loops[i].repeats ? n >= 10 : n == 0, "%s: %u repetitions", loops[i].name, n);
		EXPECT(loop == loops[i].loops, "%s: loop is %d", loops[i].name, loop);
		driver_close(&d);
	}
}

static unsigned files_in(const char *path)
{
	DIR *folder = opendir(path);
	unsigned count = 0;

	for (struct dirent *e; folder && (e = readdir(folder));)
		count += e->d_name[0] != '.';
	if (folder)
		closedir(folder);
	return count;
}

static void failures_to_build(void)
{
	struct lp_error error = { .text = "" };
	char temporary[] = "/tmp/lp-test-XXXXXX";

	if (!mkdtemp(temporary))
		abort();
	setenv("TMPDIR", temporary, 1);

	EXPECT(!driver_open(&d, "int f(void) { return 0; }\n", ".c", compiler, NULL, &error) &&
	       strstr(error.text, "no function main"), "%s", error.text);
	EXPECT(!driver_open(&d, "int main(void) { return nothing; }\n", ".c", compiler,
			    (const char *const[]){ "-w", NULL }, &error) &&
	       strstr(error.text, "failed with status"), "%s", error.text);
	EXPECT(!driver_open(&d, "int g(void); int main(void) { return g(); }\n", ".c", compiler,
			    NULL, &error) && strstr(error.text, "cannot load"), "%s", error.text);
	EXPECT(!driver_open(&d, "int main(void) { return 0; }\n", ".c", "no-such-compiler", NULL,
			    &error) && strstr(error.text, "cannot run"), "%s", error.text);
	EXPECT(!driver_open(&d, "__attribute__((constructor)) void f(void) { *(int *)0 = 1; }\n"
			    "int main(void) { return 0; }\n", ".c", compiler, NULL, &error) &&
	       strstr(error.text, "constructor"), "%s", error.text);
	EXPECT(!files_in(temporary), "%u files left", files_in(temporary));
	rmdir(temporary);
	unsetenv("TMPDIR");
}

/* The program's own functions are its own, whatever they are called. */
static void own_names(void)
{
	ends_with("own names", INCLUDES
		  "static int hits; int usleep(unsigned n) { return hits += (int)n; }\n"
		  "long random(void) { return hits += 10; } int stack = 3;\n"
		  "int main(void) { usleep(1); random(); hits += stack;\n"
		  "  lp_outcome(hits == 14 ? \"own\" : \"other\"); return 0; }\n",
		  ".c", NULL, "own");
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} tests[] = {
		{ "atomics", atomics }, { "threads", threads }, { "saving", saving },
		{ "globals", globals }, { "memory errors", memory_errors },
		{ "stack errors", stack_errors }, { "leaks", leaks }, { "sections", sections },
		{ "several files", several_files }, { "forking", forking }, { "crashes", crashes }, { "recovery", recovery },
		{ "plain events", plain_events }, { "C++", cplusplus },
		{ "containers", containers }, { "spinning", spinning }, { "descriptions", descriptions }, { "findings", findings },
		{ "failures to build", failures_to_build }, { "own names", own_names },
	};

	compiler = argc > 1 ? argv[1] : "gcc";
	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
		const unsigned before = failures;
		if (argc > 2 && strcmp(argv[2], tests[i].name))
			continue;
		tests[i].run();
		printf("%s %s\n", failures == before ? "PASS" : "FAIL", tests[i].name);
		fflush(stdout);
	}
	printf("with %s\n", compiler);
	return expect_status();
}
