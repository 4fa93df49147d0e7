/* product.c -- a specification, determinised (product.h): calls and returns. */
#include "check/product/product.h"

#include <string.h>

#include "base/hash.h"
#include "check/clients/place.h"
#include "check/product/product_parts.h"

/* ---- calls and returns ---- */

static struct lp_seated sit(const struct lp_product *p, uint32_t set, uint32_t thread)
{
	struct lp_seated s = { .set = p->known.sets.at[set] };
	const uint32_t seat = lp_seat(s.set.seats, thread);
	uint32_t t = 0;

	s.seat = lp_shape_class(&p->known.shapes.at[s.set.shape], seat);
	while (lp_seat(s.set.seats, t) != s.seat)
		t++;
	s.set.seats ^= lp_seat_is(t, s.seat ^ seat); /* the two exchange their seats */
	s.set.seats ^= lp_seat_is(thread, s.seat ^ seat);
	return s;
}

static uint64_t step_name(const struct lp_seated *s, uint32_t argument, bool excused)
{
	return (uint64_t)argument << 8 | (uint64_t)excused << 4 | s->seat;
}

/* All ways agree on which call a process is in. */
static uint32_t call_in(const struct lp_product *p, uint32_t code)
{
	if (lp_code_is_pending(p, code))
		return code - 1;
	if (code < lp_code_open(p, 0))
		return p->results.at[code - lp_code_done(p, 0)].call;
	return code - lp_code_open(p, 0);
}

static bool only_reads(const struct lp_product *p, uint32_t call)
{
	return (p->spec->kind->methods[p->calls[call].method].roles & LP_READS) == LP_READS;
}

/* The call begins.  Returns the processes whose calls have overlapped with a call that may change the state. */
static uint32_t overlap(const struct lp_product *p, const struct lp_product_set *s, uint32_t thread, uint32_t call)
{
	uint32_t overlapped = s->overlapped;

	for (uint32_t t = 0; t < p->threads; t++) {
		const uint32_t code = lp_way_code(p, lp_shape_way(p, s->shape, 0), lp_seat(s->seats, t));
		if (t == thread || !code)
			continue;
		if (!only_reads(p, call))
			overlapped |= 1u << t;
		if (!only_reads(p, call_in(p, code)))
			overlapped |= 1u << thread;
	}
	return overlapped;
}

uint32_t lp_product_calls(struct lp_product *p, uint32_t set, uint32_t thread, uint32_t call)
{
	struct lp_seated s = sit(p, set, thread);
	const uint32_t shape = s.set.shape;
	const uint64_t what = step_name(&s, call, false);
	const struct lp_product_step *known = lp_product_known(p, shape, LP_STEP_CALLS, what);
	struct lp_alike alike;

	if (p->contended)
		s.set.overlapped = overlap(p, &s.set, thread, call);
	if (known)
		return lp_product_moved(p, known->next, s.set);
	for (uint32_t i = 0; i < p->known.shapes.at[shape].count; i++) {
		uint64_t way[LP_WAY_WORDS];
		memcpy(way, lp_shape_way(p, shape, i), sizeof *way * p->words);
		lp_way_set_code(p, way, s.seat, lp_code_pending(call));
		lp_product_find(p, way);
	}
	lp_alike_of(p, &p->known.shapes.at[shape], s.seat, &alike);
	const uint32_t move = lp_product_found(p, &alike);
	return lp_product_moved(p, lp_product_remember(p, shape, LP_STEP_CALLS, what, move), s.set);
}

/* Returns the set after the call, which has taken effect, has returned. */
static uint32_t let_return(struct lp_product *p, const struct lp_seated *s, uint32_t done, bool excused)
{
	lp_gather_returns(p, s, done, excused);
	for (uint32_t i = 0; i < p->draft.gathering.marks.count; i++) {
		uint64_t way[LP_WAY_WORDS];
		memcpy(way, lp_gathering_way(p, &p->draft.gathering, i), sizeof *way * p->words);
		if (lp_way_code(p, way, s->seat) != done || p->draft.gathering.marks.at[i] & LP_BELOW)
			continue;
		lp_way_set_code(p, way, s->seat, 0);
		lp_product_find(p, way);
	}
	const uint32_t move = lp_product_found(p, &p->draft.alike);
	if (p->doubts && p->taken.moves.at[move].shape == LP_PRODUCT_WRONG)
		p->taken.moves.at[move].shape = LP_PRODUCT_DOUBTS;
	return move;
}

uint32_t lp_product_returns(struct lp_product *p, uint32_t set, uint32_t thread, int64_t result)
{
	struct lp_seated s = sit(p, set, thread);
	const uint32_t call = call_in(p, lp_way_code(p, lp_shape_way(p, s.set.shape, 0), s.seat));
	const struct lp_method *method = &p->spec->kind->methods[p->calls[call].method];
	const uint32_t shape = s.set.shape;
	int64_t value;
	bool learnt;

	if (!lp_place_shaped(method, result, &value))
		value = LP_VOID;
	const uint32_t number = lp_product_result(p, call, value, &learnt);
	if (learnt)
		return LP_PRODUCT_LEARNT;
	const struct lp_spec_call returned = { .result = &value, .results = value != LP_VOID };
	const bool excused = s.set.overlapped >> thread & 1 && lp_method_failed(p->spec->kind, p->calls[call].method, &returned);
	const uint64_t what = step_name(&s, number, excused);
	const struct lp_product_step *known = lp_product_known(p, shape, LP_STEP_RETURNS, what);
	s.set.overlapped &= ~(1u << thread);
	if (known)
		return lp_product_moved(p, known->next, s.set);
	const uint32_t move = let_return(p, &s, lp_code_done(p, number), excused);
	return lp_product_moved(p, lp_product_remember(p, shape, LP_STEP_RETURNS, what, move), s.set);
}

bool lp_product_may_wait(struct lp_product *p, uint32_t set, uint32_t thread)
{
	const struct lp_seated s = sit(p, set, thread);

	lp_gather_all(p, s.set.shape);
	for (uint32_t i = 0; i < p->draft.gathering.marks.count; i++) {
		/* The first of the class has its least code: that is the pending one, if any process of the class is. */
		const uint64_t *way = lp_gathering_way(p, &p->draft.gathering, i);
		const uint32_t code = lp_way_code(p, way, s.seat);
		if (lp_code_is_pending(p, code) &&
		    lp_product_after(p, lp_way_state(way), &p->calls[code - 1], NULL, NULL, NULL) ==
			    LP_BLOCKS)
			return true;
	}
	return false;
}

/* ---- comparing sets ---- */

uint32_t lp_product_rename(struct lp_product *p, uint32_t set, const uint8_t *to)
{
	const struct lp_product_set s = p->known.sets.at[set];
	struct lp_product_set renamed = { .shape = s.shape };

	for (uint32_t t = 0; t < p->threads; t++) {
		renamed.seats |= lp_seat_is(to[t], lp_seat(s.seats, t));
		renamed.overlapped |= (s.overlapped >> t & 1) << to[t];
	}
	return lp_product_set(p, renamed);
}

uint64_t lp_product_look(struct lp_product *p, uint32_t set, uint32_t thread)
{
	const struct lp_product_set *s = &p->known.sets.at[set];

	return p->known.looks.at[s->shape * p->threads + lp_seat(s->seats, thread)] ^ (s->overlapped >> thread & 1);
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
	lp_gathering_clear(&p->draft.gathering);
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
	p->contended = lp_spec_only_contended(spec);
	p->seen = lp_alloc_zero(count + 1, sizeof *p->seen);
	lp_state_open(&p->effect.scratch);
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
	lp_spec_states_close(&p->effect.states);
	for (uint32_t i = 0; i < p->call_count; i++)
		lp_free(p->seen[i].at);
	lp_free(p->seen);
	lp_free(p->results.at);
	lp_free(p->effect.all.at);
	lp_free(p->effect.of.at);
	lp_free(p->effect.reached.at);
	lp_free(p->known.sets.at);
	lp_hash_close(&p->known.by_set);
	lp_free(p->taken.steps);
	lp_free(p->taken.moves.at);
	lp_free(p->known.shapes.at);
	lp_free(p->known.members.at);
	lp_free(p->known.looks.at);
	lp_hash_close(&p->known.by_shape);
	lp_gathering_close(&p->draft.gathering);
	lp_free(p->draft.ways.at);
	lp_state_close(&p->effect.scratch);
	lp_relax_close(&p->effect.relax);
	lp_fingerprints_close(&p->effect.hopeless);
	lp_free(p->effect.events.at);
	lp_free(p);
}

/* Adds a result that the call can have before it was seen in an execution. */
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
	lp_relax_open(&p->effect.relax, p->spec, rule);
	for (uint32_t i = 0; i < p->before.count; i++)
		lp_relax_begin(&p->before.at[i]);
	for (uint32_t c = 0; c < p->call_count; c++) {
		const struct lp_relax_event e = { .method = p->calls[c].method };
		if (!lp_relax_moves(&p->effect.relax, &e))
			continue;
		expect_result(p, c, 1); /* success is a likely result */
		for (uint32_t d = 0; d < p->call_count; d++)
			for (uint32_t a = 0; a < p->calls[d].args; a++)
				expect_result(p, c, p->calls[d].arg[a]);
	}
}

bool lp_product_is_tired(const struct lp_product *p)
{
	return p->effect.relax.tired;
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
		if (lp_state_equal(&p->before.at[i], &p->effect.states.at[state]))
			return;
	lp_state_open(&copy);
	lp_state_copy(&copy, &p->effect.states.at[state]);
	LP_PUSH(&p->before, copy);
}

bool lp_product_before(struct lp_product *p, const struct lp_product_call *call, int64_t result)
{
	const uint32_t count = p->before.count;
	struct lp_state *old = p->before.at;

	p->doubts |= p->rule != NULL; /* the object contains values that no call inserts */
	p->before.at = NULL;
	p->before.count = p->before.room = 0;
	for (uint32_t i = 0; i < count; i++)
		lp_product_after(p, lp_spec_states_number(&p->effect.states, &old[i]), call, &result, note_state, NULL);
	drop_states(old, count);
	return p->before.count > 0;
}

uint32_t lp_product_begin(struct lp_product *p)
{
	static const struct lp_set_shape idle = { .starts = 1 };
	struct lp_alike alike;
	struct lp_product_set begin = { .seats = 0 };

	lp_product_lay_out(p);
	lp_alike_of(p, &idle, LP_NOT_ALIKE, &alike);
	for (uint32_t t = 0; t < p->threads; t++)
		begin.seats |= lp_seat_is(t, t);
	for (uint32_t i = 0; i < p->before.count; i++) {
		const uint64_t way[LP_WAY_WORDS] = { lp_spec_states_number(&p->effect.states, &p->before.at[i]) };
		lp_product_find(p, way);
	}
	return lp_product_moved(p, lp_product_found(p, &alike), begin);
}

struct lp_product_counts lp_product_counts(const struct lp_product *p)
{
	return (struct lp_product_counts){ p->known.sets.count, p->known.ways_made, p->effect.states.count };
}
