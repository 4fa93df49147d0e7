/* relax.c -- a specification relaxed by quasi factors.
 *
 *     count, state (count words), what is owed (sorted)
 *
 * One that is owed is a word: number << 24 | method << 16 | age << 8 | kind.
 */
#include "check/relax.h"

#include <string.h>

#include "check/place.h"
#include "spec/spec.h"

enum { LATER, SOONER }; /* its place is yet to come; it is yet to come, its place was before */

static int64_t owed(uint32_t number, uint32_t method, unsigned kind)
{
	return (int64_t)number << 24 | (int64_t)method << 16 | (int64_t)kind;
}

static unsigned kind_of(int64_t word) { return (unsigned)(word & 0xff); }
static unsigned age_of(int64_t word) { return (unsigned)(word >> 8 & 0xff); }
static uint32_t method_of(int64_t word) { return (uint32_t)(word >> 16 & 0xff); }
static uint32_t number_of(int64_t word) { return (uint32_t)(word >> 24); }

void lp_relax_begin(struct lp_state *s)
{
	lp_state_insert(s, 0, s->count);
}

bool lp_relax_owes(const struct lp_state *s)
{
	return s->count > (uint32_t)s->at[0] + 1;
}

bool lp_relax_relaxes(const struct lp_relax *q, uint32_t method, int64_t value)
{
	const struct lp_method *m = &q->spec->kind->methods[method];

	return q->factor[method] && value != LP_EMPTY && value != LP_FULL && value != LP_NIL &&
	       (m->result != LP_SUCCESS || value);
}

/* The event takes the place: the states that this leads to, with what is owed in `debts`. */
static void take_place(const struct lp_relax *q, const struct lp_state *from,
		       const struct lp_relax_event *e, const struct lp_state *debts)
{
	const struct lp_method *method = &q->spec->kind->methods[e->method];
	struct lp_state *inner = &q->scratch[0], *out = &q->scratch[1];
	struct lp_spec_call call = { .arg = e->arg, .args = e->args, .result = &e->value,
				     .results = method->result != LP_NOTHING };

	for (uint32_t i = 0; i < debts->count; i++)
		if (age_of(debts->at[i]) >= q->factor[method_of(debts->at[i])])
			return; /* the place next to come is too far away */
	do {
		inner->count = 0;
		for (int64_t i = 0; i < from->at[0]; i++)
			lp_state_push(inner, from->at[1 + i]);
		if (lp_spec_step(q->spec, e->method, inner, &call) != LP_ACCEPTS)
			return;
		out->count = 0;
		lp_state_push(out, inner->count);
		for (uint32_t i = 0; i < inner->count; i++)
			lp_state_push(out, inner->at[i]);
		for (uint32_t i = 0; i < debts->count; i++)
			lp_state_push(out, debts->at[i]);
		q->then(q->closure, out);
		call.choice++;
	} while (method->roles & LP_CHOOSES);
}

static void add_debt(struct lp_state *debts, int64_t word)
{
	lp_state_insert(debts, lp_state_place(debts, word), word);
}

static bool event_of(const struct lp_relax *q, int64_t word, struct lp_relax_event *e)
{
	for (uint32_t i = 0; q->nth(q->closure, method_of(word), i, e); i++)
		if (e->number == number_of(word))
			return true;
	return false;
}

/* The place goes to another call than the one that is made: to one that waits for a place,
 * or to one that is yet to come. */
static void let_others(const struct lp_relax *q, const struct lp_state *from, uint32_t method,
		       const struct lp_state *debts)
{
	struct lp_state *rest = &q->scratch[2];
	struct lp_relax_event other;

	for (uint32_t i = 0; i < debts->count; i++) {
		if (method_of(debts->at[i]) != method || kind_of(debts->at[i]) != LATER ||
		    !event_of(q, debts->at[i], &other))
			continue;
		lp_state_copy(rest, debts);
		lp_state_remove(rest, i);
		take_place(q, from, &other, rest);
	}
	for (uint32_t i = 0; q->nth(q->closure, method, i, &other); i++) {
		if (!lp_relax_relaxes(q, method, other.value))
			continue;
		lp_state_copy(rest, debts);
		add_debt(rest, owed(other.number, method, SOONER));
		take_place(q, from, &other, rest);
	}
}

void lp_relax_step(const struct lp_relax *q, const struct lp_state *from,
		   const struct lp_relax_event *e)
{
	const uint32_t first = (uint32_t)from->at[0] + 1;
	struct lp_state debts;

	lp_state_open(&debts);
	for (uint32_t i = first; i < from->count; i++)
		add_debt(&debts, from->at[i] +
				 (method_of(from->at[i]) == e->method ? INT64_C(1) << 8 : 0));

	/* It is one that was to come. */
	for (uint32_t i = 0; i < debts.count; i++) {
		const int64_t word = debts.at[i];
		if (kind_of(word) != SOONER || number_of(word) != e->number ||
		    method_of(word) != e->method || (i && debts.at[i - 1] == word))
			continue;
		lp_state_remove(&debts, i);
		let_others(q, from, e->method, &debts);
		add_debt(&debts, word);
	}
	take_place(q, from, e, &debts);
	add_debt(&debts, owed(e->number, e->method, LATER));
	let_others(q, from, e->method, &debts);
	lp_state_close(&debts);
}
