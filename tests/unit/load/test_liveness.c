/* test_liveness.c -- is what the analysis calls dead really dead, and is enough of it?
 *
 *     test_liveness [programs [seed]]     more random programs, from another seed
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "liveness_bench.h"

static const char *const compilers[] = { "gcc", "clang" };
static const char *const levels[] = { "-O0", "-O1", "-O2" };
static char folder[] = "/tmp/lp-liveness-XXXXXX";
static unsigned failures;
static const char *context = "";

static void fail(const char *what, unsigned long long detail)
{
	printf("FAILED: %s (%llu)   [%s]\n", what, detail, context);
	failures++;
}

#define EXPECT(condition, detail)                                  \
	do {                                                       \
		if (!(condition))                                  \
			fail(#condition, (unsigned long long)(detail)); \
	} while (0)

typedef uint64_t entry_fn(uint64_t, uint64_t);

static const char *const spin_text =
	"#include <stdatomic.h>\n"
	"typedef unsigned long u64;\n"
	"_Atomic int x; _Atomic u64 y;\n"
	"struct node { struct node *_Atomic next; u64 value; };\n"
	"struct node nodes[4]; struct node *_Atomic top, *_Atomic head, *_Atomic tail;\n"
	"void ready(void) { top = head = tail = &nodes[0]; nodes[0].next = 0; }\n"
	/* The environment lets the first loads give 0. */
	"u64 spin(u64 a, u64 b) { while (!atomic_load(&x)); return a + b; }\n"
	"__attribute__((noinline)) static int look(u64 a) { return atomic_load(&x) + (int)(a * 0); }\n"
	"u64 spin_in_call(u64 a, u64 b) { while (!look(a)); return b; }\n"
	"u64 push(u64 a, u64 b) {\n"
	"  struct node *n = &nodes[1], *old;\n"
	"  do { old = atomic_load(&top); n->next = old; }\n"
	"  while (!atomic_compare_exchange_strong(&top, &old, n));\n"
	"  return 0; }\n"
	"u64 pop(u64 a, u64 b) {\n"
	"  for (;;) {\n"
	"    struct node *old = atomic_load(&top), *next;\n"
	"    if (!old) return 0;\n"
	"    next = atomic_load_explicit(&old->next, memory_order_relaxed);\n"
	"    if (atomic_compare_exchange_weak(&top, &old, next)) return old->value; } }\n"
	"u64 enqueue(u64 a, u64 b) {\n"
	"  struct node *n = &nodes[1], *last, *next;\n"
	"  for (;;) {\n"
	"    last = atomic_load(&tail); next = atomic_load(&last->next);\n"
	"    if (last != atomic_load(&tail)) continue;\n"
	"    if (next) { atomic_compare_exchange_strong(&tail, &last, next); continue; }\n"
	"    if (atomic_compare_exchange_strong(&last->next, &next, n)) break; }\n"
	"  atomic_compare_exchange_strong(&tail, &last, n);\n"
	"  return 0; }\n"
	"u64 dequeue(u64 a, u64 b) {\n"
	"  for (;;) {\n"
	"    struct node *first = atomic_load(&head), *last = atomic_load(&tail);\n"
	"    struct node *next = atomic_load(&first->next);\n"
	"    if (first != atomic_load(&head)) continue;\n"
	"    if (first == last) {\n"
	"      if (!next) { if (atomic_fetch_add(&y, 1) > 8) return 0; continue; }\n"
	"      atomic_compare_exchange_strong(&tail, &last, next);\n"
	"    } else { u64 v = next->value;\n"
	"      if (atomic_compare_exchange_strong(&head, &first, next)) return v; } } }\n"
	"u64 count(u64 a, u64 b) { for (u64 i = 0; i < 8; i++) atomic_load(&x); return 0; }\n"
	"u64 count_in_frame(u64 a, u64 b) { for (u64 i = 0; i < 8; i++) look(i); return 0; }\n"
	"u64 once(u64 a, u64 b) { return atomic_load(&x); }\n"
	"__attribute__((noinline)) static u64 down(u64 n) { return n ? atomic_load(&x) + down(n - 1) * 2 : 0; }\n"
	"u64 recurse(u64 a, u64 b) { return down(4); }\n"
	"u64 ext_call(u64 (*)(u64), u64);\n"
	"u64 back(u64 a) { return atomic_load(&x) + a; }\n"
	"u64 called_back(u64 a, u64 b) { return ext_call(back, a); }\n";

/* Runs `name`, and returns the moments at the first atomic load that it makes:
 * `*same` of them have the fingerprint of the first. */
static unsigned at_first_load(struct bench_object *object, const char *name, unsigned *same)
{
	entry_fn *function = (entry_fn *)(uintptr_t)dlsym(object->handle, name);
	void (*ready)(void) = (void (*)(void))(uintptr_t)dlsym(object->handle, "ready");
	unsigned count = 0, first = 0;

	*same = 0;
	bench.fuel = 1000;
	bench.garble = false;
	ready();
	EXPECT(bench_run(function, 1, 2), 0);
	while (first < bench.count && bench.moments[first].op != BENCH_LOAD)
		first++;
	for (unsigned i = first; i < bench.count; i++) {
		const struct bench_moment *m = &bench.moments[i], *reference = &bench.moments[first];
		if (m->rip != reference->rip)
			continue;
		EXPECT(m->known, i);
		count++;
		*same += m->live.a == reference->live.a && m->live.b == reference->live.b;
	}
	return count;
}

static void test_loops(struct bench_object *object)
{
	static const struct {
		const char *name;
		unsigned zeros, failing, visits;
	} repeating[] = {
		{ "spin", 6, 0, 7 }, { "spin_in_call", 6, 0, 7 }, { "push", 0, 5, 6 },
		{ "pop", 0, 5, 6 }, { "enqueue", 0, 5, 6 }, { "dequeue", 0, 0, 10 },
	};
	unsigned same, count;

	for (unsigned i = 0; i < sizeof repeating / sizeof *repeating; i++) {
		int *x = dlsym(object->handle, "x");
		char text[200];
		const char *outer = context;

		snprintf(text, sizeof text, "%s %s", outer, repeating[i].name);
		context = text;
		*x = 1;
		*(uint64_t *)dlsym(object->handle, "y") = 0;
		bench.seed = 0;
		bench.zero_loads = repeating[i].zeros;
		bench.failing = repeating[i].failing;
		count = at_first_load(object, repeating[i].name, &same);
		EXPECT(count == repeating[i].visits, count);
		EXPECT(same == count, same);
		for (unsigned m = 0; m < bench.count; m++)
			if (bench.moments[m].op == BENCH_LOAD)
				EXPECT(bench.moments[m].on_loop, m);
		context = outer;
	}
	count = at_first_load(object, "count", &same);
	EXPECT(same == 1, same);
	count = at_first_load(object, "count_in_frame", &same);
	EXPECT(same == 1, same);
	count = at_first_load(object, "recurse", &same);
	EXPECT(same == 1, same);
	EXPECT(!bench.count || bench.moments[bench.count / 2].on_loop, 0);
	count = at_first_load(object, "once", &same);
	EXPECT(count == 1, count);
	for (unsigned m = 0; m < bench.count; m++)
		EXPECT(!bench.moments[m].on_loop, m);
}

/* A user's function called by somebody else's: the outer frames are out of reach. */
static void test_called_back(struct bench_object *object)
{
	entry_fn *function = (entry_fn *)(uintptr_t)dlsym(object->handle, "called_back");

	bench.fuel = 100;
	EXPECT(bench_run(function, 1, 2), 0);
	for (unsigned i = 0; i < bench.count; i++)
		if (bench.moments[i].op == BENCH_LOAD)
			EXPECT(!bench.moments[i].known && bench.moments[i].on_loop, i);
}

/* What random programs seldom do: something is live, but not to the naked eye. */
static const char *const pitfall_text =
	"#include <stdatomic.h>\n"
	"typedef unsigned long u64;\n"
	"#define N __attribute__((noinline)) static\n"
	"_Atomic u64 ga[4]; u64 gp[8], *kept;\n"
	"struct big { u64 a[6]; };\n"
	"N u64 hook(void) { return atomic_load(&ga[0]); }\n"
	/* stack arguments, used late; passed on; of a tail call */
	"N u64 eight(u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g, u64 h) {\n"
	"  u64 x = atomic_load(&ga[1]); x += hook(); return x + a + f + 3 * g + 5 * h; }\n"
	"N u64 tail(u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g, u64 h) {\n"
	"  atomic_store(&ga[2], a); return eight(b, a, c, d, e, f, g, h); }\n"
	/* a structure on the stack, indexed, with a bias */
	"N u64 indexed(struct big s, u64 n) { u64 x = 0;\n"
	"  for (u64 i = 3; i < 3 + n; i++) x = x * 3 + s.a[i - 3] + atomic_load(&ga[1]); return x; }\n"
	/* a local that only others read */
	"N void keep(u64 *p) { kept = p; atomic_store(&ga[3], 1); }\n"
	"N u64 read_kept(void) { u64 x = hook(); return x + *kept; }\n"
	"N u64 escapes(u64 a) { u64 local = a * 7; keep(&local); a = hook(); return read_kept() + a; }\n"
	/* a pointer to one of two locals; the other way to lose sight of an address */
	"N u64 either(u64 a) { u64 x = a, y = a + 1, *p = atomic_load(&ga[2]) & 1 ? &x : &y;\n"
	"  hook(); *p += 3; hook(); return x * 3 + y; }\n"
	/* a part of a register and of a slot */
	"N u64 parts(u64 a) { union { u64 w; unsigned char b[8]; unsigned short h[4]; } u; u.w = a;\n"
	"  u.b[2] = (unsigned char)hook(); u.h[3] = (unsigned short)hook(); return hook() + u.w; }\n"
	/* leaf functions that a caller may know to spare its registers */
	"N u64 leaf(u64 a) { return a * 3 + 1; }\n"
	"N u64 spared(u64 a, u64 b, u64 c) { u64 x = hook(); b = leaf(a + x); return b + a * c + hook(); }\n"
	"u64 sized(u64 n) { char text[n % 32 + 1]; text[n % 32] = 5; hook(); return text[n % 32] + hook(); }\n"
	"u64 entry(u64 a, u64 b) {\n"
	"  struct big s = { { a, b, 3, 4, 5, 6 } }; u64 x = eight(a, b, 1, 2, 3, 4, a + 5, b + 6);\n"
	"  x = x * 3 + tail(a, b, 1, 2, 3, 4, x, b); x = x * 3 + indexed(s, 4) + escapes(x);\n"
	"  return x + either(a) * 5 + parts(x) + spared(a, b, x) + sized(a); }\n";

static const char *const handler_text =
	"#include <atomic>\n"
	"std::atomic<long> a;\n"
	"struct guard { long *p; ~guard() { *p += a.load(); } };\n"
	"__attribute__((noinline)) static long risky(long v) { if (a.load() == 77) throw v; return v + 1; }\n"
	"extern \"C\" long entry(long x, long y) {\n"
	"  long kept = a.load() + x, t = 0;\n"
	"  for (int i = 0; i < 3; i++) {\n"
	"    try { long more = a.load(); guard g{&t}; if (i == 1) a.store(77); t += risky(more); }\n"
	"    catch (long v) { a.store(1); t += kept + v; } }\n"
	"  return t + y; }\n";

/* Same trace with and without what is dead? */
static bool survives_garbling(struct bench_object *object, uint64_t seed)
{
	entry_fn *entry = (entry_fn *)(uintptr_t)dlsym(object->handle, "entry");
	uint64_t *ga = dlsym(object->handle, "ga"), *gp = dlsym(object->handle, "gp");
	struct lp_fingerprint traces[2];

	bench.zero_loads = bench.failing = 0;
	bench.seed = seed | 1;
	for (unsigned i = 0; i < 2; i++) {
		if (ga)
			memset(ga, 0, 4 * sizeof *ga);
		if (gp)
			memset(gp, 0, 8 * sizeof *gp);
		bench.garble = i;
		bench.fuel = 200000;
		if (!bench_run(entry, seed % 17, seed % 5)) {
			/* A program that runs for too long proves nothing, unless it is our doing. */
			if (!i && bench.fuel + 1 == 0)
				return true;
			printf("%s (run %u)\n", bench.failure, i);
			return false;
		}
		traces[i] = bench.trace;
	}
	return traces[0].a == traces[1].a && traces[0].b == traces[1].b;
}

static bool is_installed(const char *compiler)
{
	char command[64];

	snprintf(command, sizeof command, "command -v %s >/dev/null", compiler);
	return system(command) == 0;
}

static void test_random(uint64_t seed, unsigned programs, const bool *installed)
{
	for (unsigned p = 0; p < programs; p++) {
		char *text = bench_random_program(seed + p);
		for (unsigned c = 0; c < 6; c++) {
			struct bench_object object;
			char name[100];

			if (!installed[c % 2])
				continue;
			snprintf(name, sizeof name, "random program %llu, %s %s",
				 (unsigned long long)(seed + p), compilers[c % 2], levels[c / 2]);
			context = name;
			if (!bench_compile(folder, compilers[c % 2], levels[c / 2], "c", text, &object)) {
				fail("it does not compile", p);
				continue;
			}
			for (unsigned n = 0; n < 12; n++)
				EXPECT(survives_garbling(&object, lp_mix(seed + p) + n), n);
			bench_drop(&object);
			if (!failures)
				unlink(object.path);
		}
		free(text);
	}
}

/* What a fingerprint costs; printed, not judged. */
static void measure(struct bench_object *object)
{
	entry_fn *function = (entry_fn *)(uintptr_t)dlsym(object->handle, "enqueue");
	void (*ready)(void) = (void (*)(void))(uintptr_t)dlsym(object->handle, "ready");
	struct timespec from, to;
	unsigned hooks = 0;

	ready();
	clock_gettime(CLOCK_MONOTONIC, &from);
	for (unsigned i = 0; i < 2000; i++) {
		bench.failing = 50;
		bench.fuel = 100000;
		bench_run(function, 1, 2);
		hooks += bench.count;
		ready();
	}
	clock_gettime(CLOCK_MONOTONIC, &to);
	printf("%s: %.0f ns a hook, with its fingerprint\n", context,
	       ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) / hooks);
}

int main(int argc, char **argv)
{
	const unsigned programs = argc > 1 ? (unsigned)atoi(argv[1]) : 6;
	const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	struct bench_object object;
	bool installed[2];

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!mkdtemp(folder))
		return 1;
	for (unsigned c = 0; c < 2; c++) {
		installed[c] = is_installed(compilers[c]);
		if (!installed[c])
			printf("no %s: not tested with it\n", compilers[c]);
	}
	for (unsigned c = 0; c < 6; c++) {
		char name[64];
		if (!installed[c % 2])
			continue;
		snprintf(name, sizeof name, "%s %s", compilers[c % 2], levels[c / 2]);
		context = name;
		if (!bench_compile(folder, compilers[c % 2], levels[c / 2], "c", spin_text, &object))
			return 1;
		test_loops(&object);
		test_called_back(&object);
		measure(&object);
		bench_drop(&object);
		if (!bench_compile(folder, compilers[c % 2], levels[c / 2], "c", pitfall_text, &object))
			return 1;
		for (unsigned n = 0; n < 20; n++)
			EXPECT(survives_garbling(&object, n), n);
		bench_drop(&object);
		if (!bench_compile(folder, c % 2 ? "clang++" : "g++", levels[c / 2], "cpp", handler_text,
				   &object))
			return 1;
		bench.no_addresses = true; /* an exception is on the heap */
		EXPECT(survives_garbling(&object, 4), 0);
		bench.no_addresses = false;
		bench_drop(&object);
	}
	test_random(seed, programs, installed);
	printf("%u random programs from seed %llu; frames known %llu, hooks in unknown frames %llu; "
	       "stack bytes and registers dead %llu, live %llu\n", programs, (unsigned long long)seed,
	       (unsigned long long)bench.frames_known, (unsigned long long)bench.frames_unknown,
	       (unsigned long long)bench.bytes_dead, (unsigned long long)bench.bytes_live);
	if (failures) {
		printf("%u failures; programs kept in %s\n", failures, folder);
		return 1;
	}
	char command[100];
	snprintf(command, sizeof command, "rm -r %s", folder);
	return system(command) != 0;
}
