/* test_product.c -- the determinised specification, against sets that are written out.
 *
 * usage: test_product [RUNS [SEED]]
 *
 * A naive set holds every way that is possible, nothing left out: a state of the specification, and for each thread whether its
 * call has taken effect, with which result.  From random sets that were reached, random calls, returns and renamings lead to further
 * ones.  For all that were reached in a run:
 *
 *   - a set is empty if, and only if, the product says that it is wrong;
 *   - two sets have the same number if, and only if, they are equal;
 *   - one is within another if, and only if, all of its ways are;
 *   - the look of a thread does not change with its name;
 *   - a call may wait if, and only if, the specification blocks it in some way.
 *
 * With `contended`, a set also says which calls others have overlapped with: those may fail without taking effect.
 *
 * Where the two differ, the steps that lead to the sets are printed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vec.h"
#include "check/clients/place.h"
#include "check/product/product.h"
#include "spec/spec.h"

#include "../history/random_history.h"

enum { THREADS = 6, CALLS = 3, RESULTS = 5, SETS = 24, OPEN = RESULTS };
enum { IDLE = 0, PENDING = 1, DONE = 1 + CALLS }; /* codes: PENDING + call; DONE + call * (RESULTS + 1) + result, which may be OPEN */

struct way {
	uint16_t state;
	uint8_t code[THREADS];
};

struct set {
	struct way *ways; /* ascending */
	uint32_t count;
	uint32_t overlapped; /* a bit for each thread */
	uint32_t id; /* the product's */
	uint32_t from; /* the set before, by a step: */
	enum { BEGINS, CALLS_ONE, RETURNS, RENAMES } step;
	uint32_t thread, what;
	uint8_t to[THREADS];
};

struct test {
	struct lp_spec spec;
	struct lp_product *product;
	struct lp_product_call menu[CALLS];
	uint32_t menu_count, threads;
	int64_t results[CALLS][RESULTS];
	uint32_t result_count[CALLS];
	struct { LP_VEC(struct lp_state); } states;
	struct { LP_VEC(struct way); } found;
	struct set sets[SETS];
	uint32_t count;
	struct random_source random;
	uint64_t seed, empty, renamed, within, equal, waits, excused;
	bool failed;
};

/* ---- naive sets ---- */

static uint16_t number_of(struct test *t, const struct lp_state *s)
{
	struct lp_state copy;

	for (uint32_t i = 0; i < t->states.count; i++)
		if (lp_state_equal(&t->states.at[i], s))
			return (uint16_t)i;
	lp_state_open(&copy);
	lp_state_copy(&copy, s);
	LP_PUSH(&t->states, copy);
	return (uint16_t)(t->states.count - 1);
}

static void add(struct test *t, const struct way *w)
{
	for (uint32_t i = 0; i < t->found.count; i++)
		if (!memcmp(&t->found.at[i], w, sizeof *w))
			return;
	LP_PUSH(&t->found, *w);
}

static uint8_t done(uint32_t call, uint32_t result) { return (uint8_t)(DONE + call * (RESULTS + 1) + result); }

/* The states that a call leads to with a result (OPEN: any), one for each choice. */
static enum lp_answer step(struct test *t, uint32_t from, uint32_t call, uint32_t result, uint32_t choice, struct lp_state *to)
{
	const struct lp_product_call *c = &t->menu[call];
	int64_t value = 0;
	struct lp_spec_call made = { .arg = c->arg, .args = c->args, .choice = choice };

	if (result != OPEN) {
		made.results = lp_place_shaped(&t->spec.kind->methods[c->method], t->results[call][result], &value);
		made.result = &value;
	}
	lp_state_copy(to, &t->states.at[from]);
	return lp_spec_step(&t->spec, c->method, to, &made);
}

/* A call takes effect.  With a result that was never seen only where no other leads to the same state. */
static void add_effects(struct test *t, const struct way *from, uint32_t thread, uint32_t call)
{
	const bool chooses = t->spec.kind->methods[t->menu[call].method].roles & LP_CHOOSES;
	uint16_t reached[64];
	uint32_t count = 0;
	struct lp_state to;

	lp_state_open(&to);
	for (uint32_t n = 0; n <= t->result_count[call]; n++) {
		const uint32_t result = n < t->result_count[call] ? n : OPEN;
		for (uint32_t choice = 0; choice == 0 || chooses; choice++) {
			struct way w = *from;
			uint32_t i = 0;
			if (step(t, from->state, call, result, choice, &to) != LP_ACCEPTS)
				break;
			w.state = number_of(t, &to);
			w.code[thread] = done(call, result);
			while (i < count && reached[i] != w.state)
				i++;
			if (result != OPEN && count < 64)
				reached[count++] = w.state;
			if (result != OPEN || i == count)
				add(t, &w);
		}
	}
	lp_state_close(&to);
}

static int by_bytes(const void *a, const void *b) { return memcmp(a, b, sizeof(struct way)); }

/* The set of those found, and all that they can become. */
static void close_set(struct test *t, struct set *s)
{
	for (uint32_t i = 0; i < t->found.count; i++)
		for (uint32_t k = 0; k < t->threads; k++) {
			const struct way w = t->found.at[i];
			if (w.code[k] >= PENDING && w.code[k] < DONE)
				add_effects(t, &w, k, w.code[k] - PENDING);
		}
	s->count = t->found.count;
	s->ways = lp_alloc(sizeof *s->ways * (s->count + 1));
	for (uint32_t i = 0; i < s->count; i++)
		s->ways[i] = t->found.at[i];
	if (s->count)
		qsort(s->ways, s->count, sizeof *s->ways, by_bytes);
	t->found.count = 0;
}

static bool is_within(const struct set *a, const struct set *b)
{
	if (a->overlapped & ~b->overlapped)
		return false;
	for (uint32_t i = 0; i < a->count; i++)
		if (!bsearch(&a->ways[i], b->ways, b->count, sizeof *b->ways, by_bytes))
			return false;
	return true;
}

static bool blocks(struct test *t, const struct set *s, uint32_t thread)
{
	struct lp_state to;
	bool blocked = false;

	lp_state_open(&to);
	for (uint32_t i = 0; i < s->count && !blocked; i++) {
		const uint8_t code = s->ways[i].code[thread];
		blocked = code >= PENDING && code < DONE &&
			  step(t, s->ways[i].state, code - PENDING, OPEN, 0, &to) == LP_BLOCKS;
	}
	lp_state_close(&to);
	return blocked;
}

/* ---- comparing ---- */

static void show_steps(const struct test *t, uint32_t i)
{
	const struct set *s = &t->sets[i];

	if (s->step != BEGINS)
		show_steps(t, s->from);
	if (s->step == CALLS_ONE)
		printf(" T%u: call %u;", s->thread, s->what);
	else if (s->step == RETURNS)
		printf(" T%u returns %u;", s->thread, s->what);
	else if (s->step == RENAMES)
		printf(" renamed to %u %u %u %u %u %u;", s->to[0], s->to[1], s->to[2], s->to[3], s->to[4], s->to[5]);
}

static void fail(struct test *t, const char *what, uint32_t a, uint32_t b)
{
	printf("WRONG seed %llu, %u threads: %s\n  first:", (unsigned long long)t->seed, t->threads, what);
	show_steps(t, a);
	printf("\n  second:");
	show_steps(t, b);
	printf("\n");
	t->failed = true;
}

static void compare_two(struct test *t, uint32_t a, uint32_t b)
{
	const struct set *x = &t->sets[a], *y = &t->sets[b];
	const bool within = is_within(x, y), equal = within && x->count == y->count && x->overlapped == y->overlapped;

	t->within += within && !equal;
	t->equal += equal && a != b;
	if (equal != (x->id == y->id))
		fail(t, equal ? "equal sets have different numbers" : "different sets have the same number", a, b);
	else if (lp_product_within(t->product, x->id, y->id) != within)
		fail(t, within ? "the first is within the second" : "the first is not within the second", a, b);
}

/* The last set that was reached, with all others. */
static void compare(struct test *t)
{
	const uint32_t last = t->count - 1;
	const struct set *s = &t->sets[last];

	for (uint32_t i = 0; i <= last && !t->failed; i++) {
		compare_two(t, i, last);
		compare_two(t, last, i);
	}
	for (uint32_t k = 0; k < t->threads && !t->failed; k++) {
		const bool blocked = blocks(t, s, k);
		t->waits += blocked;
		if (lp_product_may_wait(t->product, s->id, k) != blocked)
			fail(t, blocked ? "a call may wait" : "no call may wait", last, last);
		if (s->step == RENAMES && lp_product_look(t->product, s->id, s->to[k]) !=
						  lp_product_look(t->product, t->sets[s->from].id, k))
			fail(t, "a thread looks different when renamed", s->from, last);
	}
}

/* ---- random steps ---- */

static uint32_t call_of(uint8_t code)
{
	return (uint32_t)(code < DONE ? code - PENDING : (code - DONE) / (RESULTS + 1));
}

/* May other calls fail because of this one? */
static bool disturbs(const struct test *t, uint32_t call)
{
	return lp_spec_value(&t->spec, "contended") && (t->spec.kind->methods[t->menu[call].method].roles & LP_READS) != LP_READS;
}

static bool call_one(struct test *t, struct set *s, const struct set *from)
{
	s->step = CALLS_ONE;
	s->what = below(&t->random, t->menu_count);
	for (uint32_t k = 0; k < t->threads; k++) {
		const uint8_t code = from->ways[0].code[k];
		if (k == s->thread || code == IDLE)
			continue;
		s->overlapped |= (uint32_t)disturbs(t, s->what) << k | (uint32_t)disturbs(t, call_of(code)) << s->thread;
	}
	s->id = lp_product_calls(t->product, from->id, s->thread, s->what);
	for (uint32_t i = 0; i < from->count; i++) {
		struct way w = from->ways[i];
		w.code[s->thread] = (uint8_t)(PENDING + s->what);
		add(t, &w);
	}
	return true;
}

static bool return_one(struct test *t, struct set *s, const struct set *from)
{
	const uint32_t call = call_of(from->ways[0].code[s->thread]);

	s->step = RETURNS;
	s->what = below(&t->random, t->result_count[call]);
	const struct lp_spec_call returned = { .result = &t->results[call][s->what], .results = 1 };
	const bool excused = from->overlapped >> s->thread & 1 &&
			     lp_method_failed(t->spec.kind, t->menu[call].method, &returned);
	s->overlapped &= ~(1u << s->thread);
	t->excused += excused;
	s->id = lp_product_returns(t->product, from->id, s->thread, t->results[call][s->what]);
	for (uint32_t i = 0; i < from->count; i++) {
		struct way w = from->ways[i];
		if (w.code[s->thread] != done(call, s->what) && !(excused && w.code[s->thread] == PENDING + call))
			continue;
		w.code[s->thread] = IDLE;
		add(t, &w);
	}
	if (!t->found.count == (s->id == LP_PRODUCT_WRONG))
		return t->found.count;
	fail(t, t->found.count ? "a return that is right" : "a return that is wrong", s->from, s->from);
	printf("  then T%u returns %u\n", s->thread, s->what);
	return false;
}

static bool rename_all(struct test *t, struct set *s, const struct set *from)
{
	s->step = RENAMES;
	for (uint32_t k = 0; k < t->threads; k++) {
		const uint32_t other = below(&t->random, k + 1);
		s->to[k] = s->to[other];
		s->to[other] = (uint8_t)k;
	}
	s->overlapped = 0;
	for (uint32_t k = 0; k < t->threads; k++)
		s->overlapped |= (from->overlapped >> k & 1) << s->to[k];
	s->id = lp_product_rename(t->product, from->id, s->to);
	for (uint32_t i = 0; i < from->count; i++) {
		struct way w = from->ways[i];
		for (uint32_t k = 0; k < t->threads; k++)
			w.code[s->to[k]] = from->ways[i].code[k];
		add(t, &w);
	}
	t->renamed++;
	return true;
}

static void go_on(struct test *t)
{
	struct set *s = &t->sets[t->count];
	const uint32_t last = t->count - 1, from = below(&t->random, 4) ? last : below(&t->random, t->count);

	*s = (struct set){ .from = from, .thread = below(&t->random, t->threads), .overlapped = t->sets[from].overlapped };
	const bool idle = t->sets[from].ways[0].code[s->thread] == IDLE;
	const bool reached = !below(&t->random, 4) ? rename_all(t, s, &t->sets[from]) :
			     idle ? call_one(t, s, &t->sets[from]) : return_one(t, s, &t->sets[from]);
	if (!reached) {
		t->found.count = 0;
		t->empty++;
		return;
	}
	close_set(t, s);
	t->count++;
	compare(t);
}

/* ---- a run ---- */

/* The product learns all results before the run. */
static void learn(struct test *t)
{
	static const int64_t pool[RESULTS] = { 1, LP_EMPTY, 0, 2, LP_VOID };

	for (uint32_t c = 0; c < t->menu_count; c++)
		for (uint32_t i = 0; i < RESULTS; i++) {
			const uint32_t set = lp_product_calls(t->product, lp_product_begin(t->product), 0, c);
			int64_t value;
			if (!lp_place_shaped(&t->spec.kind->methods[t->menu[c].method], pool[i], &value))
				value = LP_VOID;
			if (lp_product_returns(t->product, set, 0, value) != LP_PRODUCT_LEARNT)
				continue;
			t->results[c][t->result_count[c]++] = value;
			lp_product_again(t->product);
		}
}

static void open_run(struct test *t)
{
	struct lp_state first;
	struct way w = { 0 };

	for (uint32_t i = 0; i < CALLS; i++) {
		const uint32_t m = below(&t->random, t->spec.kind->method_count);
		t->menu[t->menu_count++] = (struct lp_product_call){ .method = m, .args = t->spec.kind->methods[m].args,
								     .arg = { 1 + below(&t->random, 2), 1 } };
	}
	t->product = lp_product_open(&t->spec, t->threads, t->menu, t->menu_count);
	learn(t);
	lp_state_open(&first);
	lp_state_begin(&first, &t->spec);
	w.state = number_of(t, &first);
	lp_state_close(&first);
	add(t, &w);
	t->sets[0] = (struct set){ .step = BEGINS, .id = lp_product_begin(t->product) };
	close_set(t, &t->sets[t->count++]);
}

static void close_run(struct test *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		lp_free(t->sets[i].ways);
	for (uint32_t i = 0; i < t->states.count; i++)
		lp_state_close(&t->states.at[i]);
	lp_free(t->states.at);
	lp_free(t->found.at);
	lp_product_close(t->product);
}

int main(int argc, char **argv)
{
	static const char *const kinds[] = { "queue", "stack", "stack:bounded=2", "register", "set", "counter", "queue:bounded=1",
					     "multiset", "lock", "semaphore:init=1", "queue:blocking", "queue:contended", "lock:contended",
					     "stack:bounded=1,contended" };
	const uint64_t runs = argc > 1 ? strtoull(argv[1], NULL, 10) : 2000, seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	uint64_t empty = 0, renamed = 0, within = 0, equal = 0, waits = 0, excused = 0;

	printf("%llu runs from seed %llu\n", (unsigned long long)runs, (unsigned long long)seed);
	for (uint64_t i = 0; i < runs; i++) {
		struct test t = { .threads = 2 + (uint32_t)(i % (THREADS - 1)), .seed = seed + i };
		struct lp_error error;
		if (!lp_spec_parse(&t.spec, kinds[i / (THREADS - 1) % (sizeof kinds / sizeof *kinds)], &error))
			LP_BUG("%s", error.text);
		t.random = (struct random_source){ t.seed * UINT64_C(0x9e3779b97f4a7c15) | 1 };
		open_run(&t);
		for (uint32_t k = 0; k < 2 * SETS && t.count < SETS && !t.failed; k++)
			go_on(&t);
		close_run(&t);
		if (t.failed)
			return 1;
		empty += t.empty;
		renamed += t.renamed;
		within += t.within;
		equal += t.equal;
		waits += t.waits;
		excused += t.excused;
	}
	printf("%llu sets empty, %llu renamed, %llu pairs equal, %llu within, %llu calls may wait, %llu excused\n",
	       (unsigned long long)empty, (unsigned long long)renamed, (unsigned long long)equal, (unsigned long long)within,
	       (unsigned long long)waits, (unsigned long long)excused);
	return !empty || !renamed || !equal || !within || !waits || !excused;
}
