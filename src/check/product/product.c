/* product.c -- a specification, determinised (product.h): calls, returns, and which set is
 * within which. */
#include "check/product/product.h"

#include <string.h>

#include "base/hash.h"
#include "check/clients/place.h"
#include "check/product/product_parts.h"

enum { BELOW = 1 }; /* a mark: another way of the set can become it */

/* What a way must look like to be of any use: the codes that processes may have that are not
 * pending, a bit each.  With more than 64 codes, all of them may be. */
struct wanted {
	uint64_t codes[LP_PRODUCT_THREADS];
};

static uint64_t code_bit(uint32_t code) { return UINT64_C(1) << code % 64; }

static void want(const struct lp_product *p, struct wanted *w, const uint64_t *way)
{
	for (uint32_t t = 0; t < p->threads; t++)
		w->codes[t] |= code_bit(lp_way_code(p, way, t));
}

/* Puts the normal form of the way into the gathering. */
static uint32_t add_way(struct lp_product *p, const uint64_t *from)
{
	uint64_t way[LP_WAY_WORDS];

	memcpy(way, from, sizeof *way * p->words);
	lp_alike_sort(p, &p->alike, way);
	return lp_gathering_add(p, &p->gathering, way);
}

/* Puts into the gathering what the way, in its normal form, becomes when the call of the process takes effect, and
 * marks it.  Only with that code, unless 0. */
static void let_take_effect(struct lp_product *p, const uint64_t *way, uint32_t thread,
			    uint32_t only, const struct wanted *wanted, uint8_t mark)
{
	const uint32_t code = lp_way_code(p, way, thread);
	const uint32_t before = p->alike.before[thread];
	uint64_t next[LP_WAY_WORDS];
	uint32_t count;

	if (!lp_code_is_pending(p, code) || (before != LP_NOT_ALIKE && lp_way_code(p, way, before) == code))
		return;
	const struct lp_effect *e = lp_product_effects(p, lp_way_state(way), code - 1, &count);
	memcpy(next, way, sizeof *way * p->words);
	for (uint32_t i = 0; i < count; i++) {
		if ((only && e[i].code != only) ||
		    (wanted && !(wanted->codes[thread] & code_bit(e[i].code))))
			continue;
		next[0] = (next[0] & ~(uint64_t)UINT32_MAX) | e[i].state;
		lp_way_set_code(p, next, thread, e[i].code);
		const uint32_t at = add_way(p, next);
		p->gathering.marks.at[at] |= mark;
	}
}

/* The i-th way of the gathering; a copy, for those move. */
static void take_way(const struct lp_product *p, uint32_t i, uint64_t *way)
{
	memcpy(way, lp_gathering_way(p, &p->gathering, i), sizeof *way * p->words);
}

/* ---- calls and returns ---- */

uint32_t lp_product_calls(struct lp_product *p, uint32_t set, uint32_t thread, uint32_t call)
{
	const uint64_t what = lp_step_name(LP_STEP_CALLS, thread, call);
	const uint32_t *known = lp_product_known(p, set, what);

	if (known)
		return *known;
	for (uint32_t i = 0; i < p->sets.at[set].count; i++) {
		uint64_t way[LP_WAY_WORDS];
		memcpy(way, lp_set_way(p, set, i), sizeof *way * p->words);
		lp_way_set_code(p, way, thread, lp_code_pending(call));
		lp_product_find(p, way);
	}
	return lp_product_remember(p, set, what, lp_product_found(p));
}

/* All ways agree on which call the process is in. */
static uint32_t call_of(const struct lp_product *p, uint32_t set, uint32_t thread)
{
	const uint32_t code = lp_way_code(p, lp_set_way(p, set, 0), thread);

	if (lp_code_is_pending(p, code))
		return code - 1;
	if (code < lp_code_open(p, 0))
		return p->results.at[code - lp_code_done(p, 0)].call;
	return code - lp_code_open(p, 0);
}

/* The call of the process has taken effect with that code: every way in which it can have, others
 * having before it.  Where others do after it, they can do so later, too: a way that
 * another can become is BELOW it. */
static void gather_returns(struct lp_product *p, uint32_t set, uint32_t thread, uint32_t done)
{
	struct lp_gathering *g = &p->gathering;
	struct wanted wanted = { { 0 } };
	uint64_t way[LP_WAY_WORDS];
	uint32_t candidates = 0;

	lp_gathering_clear(g);
	lp_alike_find(p, set, thread, &p->alike);
	for (uint32_t i = 0; i < p->sets.at[set].count; i++) {
		const uint32_t code = lp_way_code(p, lp_set_way(p, set, i), thread);
		if (code == done || lp_code_is_pending(p, code))
			add_way(p, lp_set_way(p, set, i));
	}
	for (uint32_t i = 0; i < g->marks.count; i++) {
		take_way(p, i, way);
		if (lp_way_code(p, way, thread) == done) {
			want(p, &wanted, way);
			candidates++;
			continue;
		}
		for (uint32_t t = 0; t < p->threads; t++)
			let_take_effect(p, way, t, t == thread ? done : 0, NULL, 0);
	}
	lp_alike_spread(p, &p->alike, wanted.codes);
	for (uint32_t i = 0; candidates > 1 && i < g->marks.count; i++) {
		take_way(p, i, way);
		if (lp_way_code(p, way, thread) == done)
			for (uint32_t t = 0; t < p->threads; t++)
				let_take_effect(p, way, t, 0, &wanted, BELOW);
	}
}

uint32_t lp_product_returns(struct lp_product *p, uint32_t set, uint32_t thread, int64_t result)
{
	const uint32_t call = call_of(p, set, thread);
	const struct lp_method *method = &p->spec->kind->methods[p->calls[call].method];
	int64_t value;
	bool learnt;

	if (!lp_place_shaped(method, result, &value))
		value = LP_VOID;
	const uint32_t number = lp_product_result(p, call, value, &learnt);
	if (learnt)
		return LP_PRODUCT_LEARNT;
	const uint64_t what = lp_step_name(LP_STEP_RETURNS, thread, number);
	const uint32_t *known = lp_product_known(p, set, what);
	if (known)
		return *known;
	const uint32_t done = lp_code_done(p, number);
	gather_returns(p, set, thread, done);
	for (uint32_t i = 0; i < p->gathering.marks.count; i++) {
		uint64_t way[LP_WAY_WORDS];
		take_way(p, i, way);
		if (lp_way_code(p, way, thread) != done || p->gathering.marks.at[i] & BELOW)
			continue;
		lp_way_set_code(p, way, thread, 0);
		lp_alike_find_all(p, &p->alike, way);
	}
	const uint32_t next = lp_product_found(p);
	return lp_product_remember(p, set, what, next == LP_PRODUCT_WRONG && p->doubts ?
						 LP_PRODUCT_DOUBTS : next);
}

/* All that the ways of the set are or can become, as far as wanted; in their normal forms. */
static void gather_all(struct lp_product *p, uint32_t set, struct wanted *wanted)
{
	uint64_t way[LP_WAY_WORDS];

	lp_gathering_clear(&p->gathering);
	lp_alike_find(p, set, LP_NOT_ALIKE, &p->alike);
	if (wanted)
		lp_alike_spread(p, &p->alike, wanted->codes);
	for (uint32_t i = 0; i < p->sets.at[set].count; i++)
		add_way(p, lp_set_way(p, set, i));
	for (uint32_t i = 0; i < p->gathering.marks.count; i++) {
		take_way(p, i, way);
		for (uint32_t t = 0; t < p->threads; t++)
			let_take_effect(p, way, t, 0, wanted, 0);
	}
}

/* The code of the process in the way or one of its permutations, if it is pending there; or 0. */
static uint32_t pending_code(const struct lp_product *p, const uint64_t *way, uint32_t thread)
{
	for (uint32_t t = 0; t < p->threads; t++) {
		uint32_t u = t;
		while (u != LP_NOT_ALIKE && u != thread)
			u = p->alike.before[u];
		uint32_t v = thread;
		while (v != LP_NOT_ALIKE && v != t)
			v = p->alike.before[v];
		if ((u == thread || v == t) && lp_code_is_pending(p, lp_way_code(p, way, t)))
			return lp_way_code(p, way, t);
	}
	return 0;
}

bool lp_product_may_wait(struct lp_product *p, uint32_t set, uint32_t thread)
{
	gather_all(p, set, NULL);
	for (uint32_t i = 0; i < p->gathering.marks.count; i++) {
		const uint64_t *way = lp_gathering_way(p, &p->gathering, i);
		const uint32_t code = pending_code(p, way, thread);
		if (code &&
		    lp_product_after(p, lp_way_state(way), &p->calls[code - 1], NULL, NULL, NULL) ==
			    LP_BLOCKS)
			return true;
	}
	return false;
}

/* ---- comparing sets ---- */

uint32_t lp_product_rename(struct lp_product *p, uint32_t set, const uint8_t *to)
{
	uint64_t what = 0;

	/* Where all but the last go says where that one goes. */
	for (uint32_t t = 0; t + 1 < p->threads; t++)
		what = what << 4 | to[t];
	what = what << 3 | LP_STEP_RENAME;
	const uint32_t *known = lp_product_known(p, set, what);
	if (known)
		return *known;
	for (uint32_t i = 0; i < p->sets.at[set].count; i++) {
		const uint64_t *from = lp_set_way(p, set, i);
		uint64_t way[LP_WAY_WORDS] = { lp_way_state(from) };
		for (uint32_t t = 0; t < p->threads; t++)
			lp_way_set_code(p, way, to[t], lp_way_code(p, from, t));
		lp_product_find(p, way);
	}
	return lp_product_remember(p, set, what, lp_product_found(p));
}

static uint64_t look_at(const struct lp_product *p, uint32_t set, uint32_t thread)
{
	uint64_t look = 0;

	for (uint32_t i = 0; i < p->sets.at[set].count; i++) {
		const uint64_t *way = lp_set_way(p, set, i);
		uint64_t others = 0;
		for (uint32_t t = 0; t < p->threads; t++)
			others += lp_mix(lp_way_code(p, way, t) + 1u);
		look += lp_mix(others ^ lp_mix(p->state_hashes.at[lp_way_state(way)] * 31 +
					       lp_way_code(p, way, thread)));
	}
	return look ? look : 1;
}

uint64_t lp_product_look(struct lp_product *p, uint32_t set, uint32_t thread)
{
	while (p->looks.count < p->sets.count * p->threads)
		LP_PUSH(&p->looks, 0);
	uint64_t *known = &p->looks.at[set * p->threads + thread];
	if (!*known)
		*known = look_at(p, set, thread);
	return *known;
}

/* Can `from` become `to`, as far as codes say?  What has taken effect stays so. */
static bool might_become(const struct lp_product *p, const uint64_t *from, const uint64_t *to)
{
	for (uint32_t t = 0; t < p->threads; t++) {
		const uint32_t code = lp_way_code(p, from, t);
		if (code != lp_way_code(p, to, t) && !lp_code_is_pending(p, code))
			return false;
	}
	return true;
}

static bool might_be_within(const struct lp_product *p, uint32_t a, uint32_t b)
{
	for (uint32_t i = 0; i < p->sets.at[a].count; i++) {
		uint32_t k = 0;
		while (k < p->sets.at[b].count &&
		       !might_become(p, lp_set_way(p, b, k), lp_set_way(p, a, i)))
			k++;
		if (k == p->sets.at[b].count)
			return false;
	}
	return true;
}

static bool find_within(struct lp_product *p, uint32_t a, uint32_t b)
{
	const uint32_t count = p->sets.at[a].count;
	struct lp_gathering *g = &p->gathering;
	struct wanted wanted = { { 0 } };
	uint32_t before;

	if (!might_be_within(p, a, b))
		return false;
	for (uint32_t i = 0; i < count; i++)
		want(p, &wanted, lp_set_way(p, a, i));
	gather_all(p, b, &wanted);
	before = g->marks.count;
	for (uint32_t i = 0; i < count && g->marks.count == before; i++)
		add_way(p, lp_set_way(p, a, i));
	return g->marks.count == before;
}

bool lp_product_within(struct lp_product *p, uint32_t a, uint32_t b)
{
	if (a == b)
		return true;
	const uint64_t what = lp_step_name(LP_STEP_WITHIN, 0, b);
	const uint32_t *known = lp_product_known(p, a, what);
	if (known)
		return *known;
	return lp_product_remember(p, a, what, find_within(p, a, b));
}

/* ---- the whole ---- */

static void drop_states(struct lp_state *at, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		lp_state_close(&at[i]);
	lp_free(at);
}

void lp_product_again(struct lp_product *p)
{
	lp_gathering_clear(&p->gathering);
	lp_product_forget_sets(p);
	lp_product_forget_effects(p);
}

struct lp_product *lp_product_open(const struct lp_spec *spec, uint32_t threads,
				   const struct lp_product_call *calls, uint32_t count)
{
	struct lp_product *p = lp_alloc_zero(1, sizeof *p);
	struct lp_state begin;

	p->spec = spec;
	p->threads = threads;
	p->calls = calls;
	p->call_count = count;
	p->seen = lp_alloc_zero(count + 1, sizeof *p->seen);
	lp_state_open(&p->scratch);
	lp_state_open(&begin);
	lp_state_begin(&begin, spec);
	LP_PUSH(&p->before, begin);
	return p;
}

void lp_product_close(struct lp_product *p)
{
	if (!p)
		return;
	drop_states(p->before.at, p->before.count);
	drop_states(p->states.at, p->states.count);
	for (uint32_t i = 0; i < p->call_count; i++)
		lp_free(p->seen[i].at);
	lp_free(p->seen);
	lp_free(p->results.at);
	lp_hash_close(&p->by_state);
	lp_free(p->effects.at);
	lp_free(p->effects_of.at);
	lp_free(p->reached.at);
	lp_free(p->sets.at);
	lp_free(p->members.at);
	lp_hash_close(&p->by_set);
	lp_free(p->looks.at);
	lp_free(p->state_hashes.at);
	lp_free(p->alikes.at);
	lp_free(p->steps);
	lp_gathering_close(&p->gathering);
	lp_free(p->found.at);
	lp_state_close(&p->scratch);
	lp_relax_close(&p->relax);
	lp_fingerprints_close(&p->hopeless);
	lp_free(p->events.at);
	lp_free(p);
}

/* A call can return that, as far as one knows without having seen it. */
static void expect_result(struct lp_product *p, uint32_t call, int64_t result)
{
	const struct lp_method *method = &p->spec->kind->methods[p->calls[call].method];
	int64_t value;
	bool learnt;

	if (!lp_place_shaped(method, result, &value))
		value = LP_VOID;
	lp_product_result(p, call, value, &learnt);
}

void lp_product_relax(struct lp_product *p, const struct lp_quasi *rule)
{
	p->rule = rule;
	p->doubts = p->spec->kind->data == LP_DATA_NONE;
	lp_relax_open(&p->relax, p->spec, rule);
	for (uint32_t i = 0; i < p->before.count; i++)
		lp_relax_begin(&p->before.at[i]);
	for (uint32_t c = 0; c < p->call_count; c++) {
		const struct lp_relax_event e = { .method = p->calls[c].method };
		if (!lp_relax_moves(&p->relax, &e))
			continue;
		expect_result(p, c, 1); /* success, or so it is */
		for (uint32_t d = 0; d < p->call_count; d++)
			for (uint32_t a = 0; a < p->calls[d].args; a++)
				expect_result(p, c, p->calls[d].arg[a]);
	}
}

bool lp_product_is_tired(const struct lp_product *p)
{
	return p->relax.tired;
}

void lp_product_settle(struct lp_product *p)
{
	p->doubts = false;
}

static void note_state(struct lp_product *p, void *closure, uint32_t state)
{
	struct lp_state copy;

	(void)closure;
	for (uint32_t i = 0; i < p->before.count; i++)
		if (lp_state_equal(&p->before.at[i], &p->states.at[state]))
			return;
	lp_state_open(&copy);
	lp_state_copy(&copy, &p->states.at[state]);
	LP_PUSH(&p->before, copy);
}

bool lp_product_before(struct lp_product *p, const struct lp_product_call *call, int64_t result)
{
	const uint32_t count = p->before.count;
	struct lp_state *old = p->before.at;

	p->doubts |= p->rule != NULL; /* values were put in that no call has */
	p->before.at = NULL;
	p->before.count = p->before.room = 0;
	for (uint32_t i = 0; i < count; i++)
		lp_product_after(p, lp_product_state(p, &old[i]), call, &result, note_state, NULL);
	drop_states(old, count);
	return p->before.count > 0;
}

uint32_t lp_product_begin(struct lp_product *p)
{
	lp_product_lay_out(p);
	for (uint32_t i = 0; i < p->before.count; i++) {
		const uint64_t way[LP_WAY_WORDS] = { lp_product_state(p, &p->before.at[i]) };
		lp_product_find(p, way);
	}
	return lp_product_found(p);
}

struct lp_product_counts lp_product_counts(const struct lp_product *p)
{
	return (struct lp_product_counts){ p->sets.count, p->ways_made, p->states.count };
}
