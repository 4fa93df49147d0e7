/* test_settled.c -- sequential and quiescent consistency of calls as they happen, against all permutations.
 *
 * usage: test_settled [RUNS [SEED]]
 *
 * Random calls of two or three threads on small specifications.  Results are mostly those of a run in which calls take effect
 * when they return, in another order now and then.  Whenever no call is open, the monitor says "wrong" if, and only if, no permutation of
 * all calls so far that keeps the orders of the definition is one of the specification; and so with threads renamed on the way.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "check/clients/place.h"
#include "check/product/settled.h"
#include "spec/spec.h"

#include "../history/random_history.h"

enum { MOST = 7, CALLS = 6 };

struct call {
	uint32_t thread, what; /* what: of the menu */
	uint32_t start, end;   /* events */
	int64_t result;
};

struct test {
	struct lp_spec spec;
	struct lp_product_call menu[CALLS];
	uint32_t menu_count, threads;
	bool quiescent;
	struct call calls[MOST];
	uint32_t count, event;
	uint32_t quiet[2 * MOST + 2], quiet_count; /* events after which no call was open */
	struct random_source random;
};

static const int64_t pool[] = { 0, 1, 2, LP_EMPTY, LP_VOID, LP_NIL };

static bool accepts(struct test *t, struct lp_state *s, uint32_t what, int64_t result)
{
	const struct lp_product_call *c = &t->menu[what];
	int64_t value;
	struct lp_spec_call call = { .arg = c->arg, .args = c->args, .result = &value };

	call.results = lp_place_shaped(&t->spec.kind->methods[c->method], result, &value);
	return lp_spec_step(&t->spec, c->method, s, &call) == LP_ACCEPTS;
}

/* ---- the definition ---- */

static bool must_precede(const struct test *t, const struct call *a, const struct call *b)
{
	if (!t->quiescent)
		return a->thread == b->thread && a->end < b->start;
	for (uint32_t i = 0; i < t->quiet_count; i++)
		if (a->end <= t->quiet[i] && t->quiet[i] < b->start)
			return true;
	return false;
}

static bool extends(struct test *t, const struct lp_state *s, uint32_t placed)
{
	bool good = placed == (UINT32_C(1) << t->count) - 1;

	for (uint32_t i = 0; i < t->count && !good; i++) {
		bool first = !(placed >> i & 1);
		for (uint32_t k = 0; k < t->count && first; k++)
			first = k == i || placed >> k & 1 || !must_precede(t, &t->calls[k], &t->calls[i]);
		if (!first)
			continue;
		struct lp_state next;
		lp_state_open(&next);
		lp_state_copy(&next, s);
		good = accepts(t, &next, t->calls[i].what, t->calls[i].result) && extends(t, &next, placed | UINT32_C(1) << i);
		lp_state_close(&next);
	}
	return good;
}

static bool is_right(struct test *t)
{
	struct lp_state s;

	lp_state_open(&s);
	lp_state_begin(&s, &t->spec);
	const bool good = extends(t, &s, 0);
	lp_state_close(&s);
	return good;
}

/* ---- random calls ---- */

/* What the call returns if it takes effect now; sometimes anything. */
static int64_t some_result(struct test *t, struct lp_state *s, uint32_t what)
{
	if (below(&t->random, 5))
		for (size_t i = 0; i < sizeof pool / sizeof *pool; i++) {
			struct lp_state next;
			lp_state_open(&next);
			lp_state_copy(&next, s);
			const bool good = accepts(t, &next, what, pool[i]);
			if (good && below(&t->random, 6)) /* otherwise its effect is lost */
				lp_state_copy(s, &next);
			lp_state_close(&next);
			if (good)
				return pool[i];
		}
	return pool[below(&t->random, sizeof pool / sizeof *pool)];
}

static void show(const struct test *t, bool expected, uint64_t seed)
{
	printf("WRONG seed %llu: %s: %s expected\n", (unsigned long long)seed, t->quiescent ? "quiescent" : "sequential",
	       expected ? "right" : "wrong");
	for (uint32_t i = 0; i < t->count; i++)
		printf("  T%u call %u -> %lld, from %u to %u\n", t->calls[i].thread, t->calls[i].what, (long long)t->calls[i].result,
		       t->calls[i].start, t->calls[i].end);
}

/* The outcome of one history: -1 the two differ, 0 it is wrong, 1 right. */
static int try_one(struct test *t, uint64_t seed)
{
	const uint32_t most = t->threads == 2 ? 4 : 3;
	struct lp_settled *j = lp_settled_open(&t->spec, t->threads, t->menu, most, t->quiescent);
	uint32_t set = lp_settled_begin(j), open[4] = { 0 }, opened = 0; /* open: 1 + call */
	uint8_t name[4] = { 0, 1, 2, 3 };
	int outcome = 1;
	struct lp_state s;

	t->count = t->event = t->quiet_count = 0;
	lp_state_open(&s);
	lp_state_begin(&s, &t->spec);
	while (outcome == 1 && (opened || t->count < MOST)) {
		const uint32_t thread = below(&t->random, t->threads);
		t->event++;
		if (!open[thread]) {
			const uint32_t what = below(&t->random, t->menu_count);
			const uint32_t next = t->count < MOST ? lp_settled_calls(j, set, name[thread], what) : LP_SETTLED_BARRED;
			if (next == LP_SETTLED_BARRED) {
				if (!opened)
					break; /* perhaps no thread may call any more */
				continue;
			}
			set = next;
			t->calls[t->count++] = (struct call){ .thread = thread, .what = what, .start = t->event };
			open[thread] = t->count;
			opened++;
			continue;
		}
		struct call *c = &t->calls[open[thread] - 1];
		c->result = some_result(t, &s, c->what);
		c->end = t->event;
		open[thread] = 0;
		set = lp_settled_returns(j, set, name[thread], c->result);
		if (!--opened) {
			const bool right = is_right(t);
			outcome = right != (set != LP_SETTLED_WRONG) ? -1 : right;
			if (outcome < 0)
				show(t, right, seed);
			t->quiet[t->quiet_count++] = t->event;
		} else if (set == LP_SETTLED_WRONG) {
			show(t, true, seed);
			outcome = -1;
		}
		if (outcome == 1 && !below(&t->random, 3)) { /* exchange two threads */
			uint8_t to[4] = { 1, 0, 2, 3 };
			set = lp_settled_rename(j, set, to);
			for (uint32_t i = 0; i < t->threads; i++)
				name[i] = to[name[i]];
		}
	}
	lp_state_close(&s);
	lp_settled_close(j);
	return outcome;
}

static void add_calls(struct test *t)
{
	t->menu_count = 0;
	for (uint32_t m = 0; m < t->spec.kind->method_count && t->menu_count < CALLS; m++)
		for (int64_t v = 1; v <= (t->spec.kind->methods[m].args ? 2 : 1) && t->menu_count < CALLS; v++)
			t->menu[t->menu_count++] = (struct lp_product_call){ .method = m, .args = t->spec.kind->methods[m].args,
									     .arg = { v } };
}

int main(int argc, char **argv)
{
	static const char *const kinds[] = { "queue", "stack", "register", "set", "counter", "queue:bounded=1" };
	const uint64_t runs = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000, seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	uint64_t outcomes[3] = { 0 };

	printf("%llu runs from seed %llu\n", (unsigned long long)runs, (unsigned long long)seed);
	for (uint64_t i = 0; i < runs; i++) {
		struct test t = { .threads = 2 + (uint32_t)(i % 2), .quiescent = i / 2 % 2 };
		struct lp_error error;
		if (!lp_spec_parse(&t.spec, kinds[i / 4 % (sizeof kinds / sizeof *kinds)], &error))
			LP_BUG("%s", error.text);
		t.random = (struct random_source){ (seed + i) * UINT64_C(0x9e3779b97f4a7c15) | 1 };
		add_calls(&t);
		outcomes[1 + try_one(&t, seed + i)]++;
	}
	printf("%llu right, %llu wrong, %llu differ\n", (unsigned long long)outcomes[2], (unsigned long long)outcomes[1],
	       (unsigned long long)outcomes[0]);
	return outcomes[0] || !outcomes[1] || !outcomes[2];
}
