/* product_spec.c -- the specification, as the product sees it: states are numbers, and what a
 * call does in a state is computed once. */
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "check/clients/place.h"
#include "check/product/product_parts.h"

_Static_assert((int)LP_PRODUCT_ARGS == (int)LP_MAX_ARGS, "calls have as many arguments");

/* ---- results ---- */

uint32_t lp_product_result(struct lp_product *p, uint32_t call, int64_t value, bool *learnt)
{
	const uint32_t seen = p->seen[call].count;
	uint32_t i = 0;

	while (i < seen && p->results.at[p->seen[call].at[i]].value != value)
		i++;
	*learnt = i == seen;
	if (*learnt) {
		if (p->results.count > LP_MOST_RESULTS)
			LP_BUG("more than %d different results", LP_MOST_RESULTS);
		LP_PUSH(&p->seen[call], p->results.count);
		LP_PUSH(&p->results, ((struct lp_product_result){ call, value }));
	}
	return p->seen[call].at[i];
}

void lp_product_unlearn(struct lp_product *p)
{
	const uint32_t call = p->results.at[--p->results.count].call;

	p->seen[call].count--;
}

/* ---- quasi-linearizability ---- */

/* The other side of relax.h: what was seen, and where states go. */
struct relaxed {
	struct lp_product *p;
	void (*then)(struct lp_product *, void *, uint32_t);
	void *closure;
};

static bool nth_event(void *closure, const struct lp_relax_event *e, uint32_t i,
		      struct lp_relax_event *other)
{
	const struct lp_product *p = ((const struct relaxed *)closure)->p;

	(void)e;
	if (i < p->effect.events.count)
		*other = p->effect.events.at[i];
	return i < p->effect.events.count;
}

static bool is_hopeless(struct lp_product *p, const struct lp_state *state)
{
	struct lp_fingerprint print = LP_FINGERPRINT;

	lp_fingerprint_bytes(&print, state->at, sizeof *state->at * state->count);
	if (lp_fingerprints_have(&p->effect.hopeless, print))
		return true;
	if (lp_relax_can_settle(&p->effect.relax, state))
		return false;
	lp_fingerprints_add(&p->effect.hopeless, print);
	return true;
}

static void note_relaxed(void *closure, const struct lp_state *state)
{
	struct relaxed *r = closure;

	if (!is_hopeless(r->p, state))
		r->then(r->p, r->closure, lp_spec_states_number(&r->p->effect.states, state));
}

/* Results as events; those that were there before may have moved. */
static void find_events(struct lp_product *p)
{
	if (p->effect.events.count == p->results.count)
		return;
	p->effect.events.count = 0;
	for (uint32_t n = 0; n < p->results.count; n++) {
		const struct lp_product_result *r = &p->results.at[n];
		const struct lp_product_call *c = &p->calls[r->call];
		const struct lp_method *m = &p->spec->kind->methods[c->method];
		LP_PUSH(&p->effect.events, ((struct lp_relax_event){
			n, c->method, { .arg = c->arg, .args = c->args, .result = &r->value,
					.results = m->result != LP_NOTHING } }));
	}
	p->effect.relax.events = p->effect.events.at;
}

/* A call takes effect, with a result that was seen, or with another one: then in its place. */
static void after_relaxed(struct lp_product *p, uint32_t state, uint32_t call, const uint32_t *number,
			  void (*then)(struct lp_product *, void *, uint32_t), void *closure)
{
	const struct lp_product_call *c = &p->calls[call];
	const struct lp_relax_event open = { LP_RELAX_UNSEEN + c->method, c->method,
					     { .arg = c->arg, .args = c->args } };
	struct relaxed r = { p, then, closure };
	struct lp_state from;

	find_events(p);
	p->effect.relax.nth = nth_event;
	p->effect.relax.then = note_relaxed;
	p->effect.relax.closure = &r;
	lp_state_open(&from);
	lp_state_copy(&from, &p->effect.states.at[state]); /* those may move */
	if (number)
		lp_relax_step(&p->effect.relax, &from, &p->effect.events.at[*number]);
	else
		lp_relax_step_in_place(&p->effect.relax, &from, &open);
	lp_state_close(&from);
}

/* Where states are relaxed, the specification's own is inside: takes it out into `scratch`,
 * and afterwards puts it back. */
static void take_out(struct lp_product *p, uint32_t state)
{
	const struct lp_state *from = &p->effect.states.at[state];

	lp_state_copy(&p->effect.scratch, from);
	if (!p->rule)
		return;
	p->effect.scratch.count = (uint32_t)from->at[0];
	memmove(p->effect.scratch.at, p->effect.scratch.at + 1, sizeof *from->at * p->effect.scratch.count);
}

static void put_back(struct lp_product *p, uint32_t state)
{
	const struct lp_state *from = &p->effect.states.at[state];

	if (!p->rule)
		return;
	const uint32_t count = p->effect.scratch.count;
	lp_state_insert(&p->effect.scratch, 0, count);
	for (uint32_t i = (uint32_t)from->at[0] + 1; i < from->count; i++)
		lp_state_push(&p->effect.scratch, from->at[i]);
}

/* ---- effects ---- */

enum lp_answer lp_product_after(struct lp_product *p, uint32_t state, const struct lp_product_call *c,
				const int64_t *result,
				void (*then)(struct lp_product *, void *, uint32_t), void *closure)
{
	const struct lp_method *method = &p->spec->kind->methods[c->method];
	int64_t value = 0;
	struct lp_spec_call call = { .arg = c->arg, .args = c->args };
	enum lp_answer answer = LP_REJECTS;

	if (result) {
		call.results = lp_place_shaped(method, *result, &value);
		call.result = &value;
	}
	do {
		take_out(p, state);
		const enum lp_answer now = lp_spec_step(p->spec, c->method, &p->effect.scratch, &call);
		if (now != LP_ACCEPTS)
			return call.choice ? LP_ACCEPTS : now;
		answer = now;
		put_back(p, state);
		if (then)
			then(p, closure, lp_spec_states_number(&p->effect.states, &p->effect.scratch));
		call.choice++;
	} while (method->roles & LP_CHOOSES);
	return answer;
}

static void note_effect(struct lp_product *p, void *closure, uint32_t state)
{
	const uint16_t code = *(const uint16_t *)closure;

	if (lp_code_pending(p->call_count) <= code && code < lp_code_open(p, 0)) {
		LP_PUSH(&p->effect.reached, state);
	} else {
		/* Where a result that was seen leads as well, that will do. */
		for (uint32_t i = 0; i < p->effect.reached.count; i++)
			if (p->effect.reached.at[i] == state)
				return;
	}
	LP_PUSH(&p->effect.all, ((struct lp_effect){ state, code }));
}

static void find_effects(struct lp_product *p, uint32_t state, uint32_t call)
{
	uint16_t code;

	p->effect.reached.count = 0;
	for (uint32_t r = 0; r < p->seen[call].count; r++) {
		const uint32_t number = p->seen[call].at[r];
		const int64_t value = p->results.at[number].value;
		code = (uint16_t)lp_code_done(p, number);
		if (p->rule)
			after_relaxed(p, state, call, &number, note_effect, &code);
		else
			lp_product_after(p, state, &p->calls[call], &value, note_effect, &code);
	}
	code = (uint16_t)lp_code_open(p, call);
	if (p->rule)
		after_relaxed(p, state, call, NULL, note_effect, &code);
	else
		lp_product_after(p, state, &p->calls[call], NULL, note_effect, &code);
}

void lp_product_work_out(struct lp_product *p, uint32_t state, uint32_t call)
{
	const uint32_t first = p->effect.all.count;

	find_effects(p, state, call);
	const uint32_t needed = p->effect.states.count * p->call_count;
	LP_RESERVE(&p->effect.of, needed - p->effect.of.count);
	memset(p->effect.of.at + p->effect.of.count, 0,
	       sizeof *p->effect.of.at * (needed - p->effect.of.count));
	p->effect.of.count = needed;
	p->effect.of.at[state * p->call_count + call] =
		(struct lp_effects_of){ first + 1, p->effect.all.count - first };
}

void lp_product_forget_effects(struct lp_product *p)
{
	p->effect.of.count = p->effect.all.count = 0;
}
