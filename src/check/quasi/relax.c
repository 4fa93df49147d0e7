/* relax.c -- a specification relaxed by quasi factors. */
#include "check/quasi/relax.h"

#include <string.h>

#include "check/quasi/relax_parts.h"

/* ---- classes ---- */

void lp_relax_open(struct lp_relax *q, const struct lp_spec *spec, const struct lp_quasi *rule)
{
	*q = (struct lp_relax){ .spec = spec, .rule = rule };
	for (uint32_t c = 0; c < rule->count; c++)
		if (rule->classes[c].factor && rule->classes[c].factor != LP_ANY_DISTANCE)
			q->aged[q->ages++] = c;
	for (size_t i = 0; i < sizeof q->scratch / sizeof *q->scratch; i++)
		lp_state_open(&q->scratch[i]);
}

void lp_relax_close(struct lp_relax *q)
{
	for (size_t i = 0; i < sizeof q->scratch / sizeof *q->scratch; i++)
		if (q->spec)
			lp_state_close(&q->scratch[i]);
}

bool lp_relax_same_group(const struct lp_relax *q, uint32_t method, uint32_t other)
{
	for (uint32_t c = 0; c < q->rule->count; c++)
		if (lp_relax_in_class(q, c, method) != lp_relax_in_class(q, c, other))
			return false;
	return true;
}

static bool is_failure(const struct lp_method *m, int64_t value)
{
	return value == LP_EMPTY || value == LP_FULL || value == LP_NIL ||
	       (m->result == LP_SUCCESS && !value);
}

bool lp_relax_fails(const struct lp_relax *q, const struct lp_relax_event *e)
{
	return e->call.result && e->call.results == 1 &&
	       is_failure(&q->spec->kind->methods[e->method], *e->call.result);
}

bool lp_relax_moves(const struct lp_relax *q, const struct lp_relax_event *e)
{
	bool moves = false;

	for (uint32_t c = 0; c < q->rule->count; c++) {
		if (!lp_relax_in_class(q, c, e->method))
			continue;
		if (!q->rule->classes[c].factor)
			return false;
		moves = true;
	}
	return moves && !lp_relax_fails(q, e);
}

/* ---- what is owed ---- */

void lp_relax_begin(struct lp_state *s)
{
	lp_state_insert(s, 0, s->count);
}

void lp_relax_inner(const struct lp_state *s, struct lp_state *inner)
{
	inner->count = 0;
	for (int64_t i = 0; i < s->at[0]; i++)
		lp_state_push(inner, s->at[1 + i]);
}

void lp_owed_take(const struct lp_state *from, struct lp_state *owed)
{
	owed->count = 0;
	for (uint32_t i = (uint32_t)from->at[0] + 1; i < from->count; i++)
		lp_state_push(owed, from->at[i]);
}

static bool is_below(const int64_t *a, const int64_t *b, uint32_t words)
{
	for (uint32_t i = 0; i < words; i++)
		if (a[i] != b[i])
			return a[i] < b[i];
	return false;
}

static void insert(const struct lp_relax *q, struct lp_state *owed, const int64_t *words)
{
	const uint32_t size = lp_owed_words(q);
	uint32_t at = 0;

	while (at < owed->count && is_below(owed->at + at, words, size))
		at += size;
	for (uint32_t i = 0; i < size; i++)
		lp_state_insert(owed, at + i, words[i]);
}

void lp_owed_add(const struct lp_relax *q, struct lp_state *owed, uint32_t number, enum lp_owed kind)
{
	const int64_t words[1 + LP_MAX_CLASSES] = { (int64_t)number << 1 | kind };

	insert(q, owed, words);
}

void lp_owed_remove(const struct lp_relax *q, struct lp_state *owed, uint32_t at)
{
	for (uint32_t i = 0; i < lp_owed_words(q); i++)
		lp_state_remove(owed, at);
}

/* Equal calls all get older, so the owed calls stay sorted: the number of a call comes
 * before its ages. */
void lp_owed_age(const struct lp_relax *q, struct lp_state *owed, uint32_t method)
{
	for (uint32_t at = 0; at < owed->count; at += lp_owed_words(q))
		for (uint32_t i = 0; i < q->ages; i++)
			owed->at[at + 1 + i] +=
				lp_relax_in_class(q, q->aged[i], method) &&
				lp_relax_in_class(q, q->aged[i], lp_owed_method(q, owed->at + at));
}

/* Is the next place too far from a call that waits for it? */
static bool is_too_late(const struct lp_relax *q, const struct lp_state *owed)
{
	for (uint32_t at = 0; at < owed->count; at += lp_owed_words(q))
		for (uint32_t i = 0; i < q->ages; i++)
			if (owed->at[at + 1 + i] >= (int64_t)q->rule->classes[q->aged[i]].factor)
				return true;
	return false;
}

/* ---- one call ---- */

/* The i-th result with which the call would have failed; false if there are no more. */
static bool nth_failure(const struct lp_relax *q, const struct lp_relax_event *e, uint32_t i,
			struct lp_relax_event *failed)
{
	static const int64_t failures[] = { LP_EMPTY, LP_FULL, LP_NIL };
	static const int64_t no = 0;
	const enum lp_shape shape = q->spec->kind->methods[e->method].result;

	*failed = *e;
	failed->call.results = 1;
	failed->call.result = shape == LP_SUCCESS ? &no : &failures[i];
	return shape == LP_SUCCESS ? i < 1 :
	       (shape == LP_VALUE || shape == LP_VALUE_OR_EMPTY) && i < sizeof failures / sizeof *failures;
}

/* It is only known that the call succeeds.  Would it fail here? */
static bool would_fail(const struct lp_relax *q, const struct lp_state *from,
		       const struct lp_relax_event *e, struct lp_state *inner)
{
	struct lp_relax_event failed;

	for (uint32_t i = 0; nth_failure(q, e, i, &failed); i++) {
		lp_relax_inner(from, inner);
		if (lp_spec_step(q->spec, e->method, inner, &failed.call) == LP_ACCEPTS)
			return true;
	}
	return false;
}

void lp_relax_place(const struct lp_relax *q, const struct lp_state *from, const struct lp_relax_event *e,
		    const struct lp_state *owed, const struct lp_relax_sink *sink)
{
	struct lp_state *inner = sink->inner, *out = sink->out;
	const unsigned roles = q->spec->kind->methods[e->method].roles;
	struct lp_spec_call call = e->call;

	if (is_too_late(q, owed) ||
	    (!call.result && lp_relax_moves(q, e) && would_fail(q, from, e, inner)))
		return;
	for (call.choice = 0; !call.choice || roles & LP_CHOOSES; call.choice++) {
		lp_relax_inner(from, inner);
		if (lp_spec_step(q->spec, e->method, inner, &call) != LP_ACCEPTS)
			return;
		out->count = 0;
		lp_state_push(out, inner->count);
		for (uint32_t i = 0; i < inner->count; i++)
			lp_state_push(out, inner->at[i]);
		for (uint32_t i = 0; i < owed->count; i++)
			lp_state_push(out, owed->at[i]);
		sink->then(sink->closure, out);
	}
}

static void take_place(struct lp_relax *q, const struct lp_state *from,
		       const struct lp_relax_event *e, const struct lp_state *owed)
{
	const struct lp_relax_sink sink = { &q->scratch[0], &q->scratch[1], q->then, q->closure };

	lp_relax_place(q, from, e, owed, &sink);
}

/* Gives the place in R to a call other than the one in P: to a call that waits for a
 * place, or to a future call. */
static void let_others(struct lp_relax *q, const struct lp_state *from,
		       const struct lp_relax_event *e, const struct lp_state *owed)
{
	struct lp_state *rest = &q->scratch[2];
	struct lp_relax_event other;

	for (uint32_t at = 0; at < owed->count; at += lp_owed_words(q)) {
		if (lp_owed_kind(owed->at + at) != LP_LATER ||
		    !lp_relax_same_group(q, lp_owed_method(q, owed->at + at), e->method))
			continue;
		lp_state_copy(rest, owed);
		lp_owed_remove(q, rest, at);
		take_place(q, from, &q->events[lp_owed_number(owed->at + at)], rest);
	}
	for (uint32_t i = 0; q->nth(q->closure, e, i, &other); i++) {
		if (!lp_relax_moves(q, &other) || !lp_relax_same_group(q, other.method, e->method) ||
		    other.number == e->number) /* then it may as well be in its own place */
			continue;
		lp_state_copy(rest, owed);
		lp_owed_add(q, rest, other.number, LP_SOONER);
		take_place(q, from, &other, rest);
	}
}

void lp_relax_step_in_place(struct lp_relax *q, const struct lp_state *from,
			    const struct lp_relax_event *e)
{
	struct lp_state *owed = &q->scratch[3];
	struct lp_relax_event failed;

	lp_owed_take(from, owed);
	if (!e->call.result && lp_relax_moves(q, e)) /* it may have failed, too */
		for (uint32_t i = 0; nth_failure(q, e, i, &failed); i++)
			take_place(q, from, &failed, owed);
	if (!lp_relax_fails(q, e))
		lp_owed_age(q, owed, e->method);
	take_place(q, from, e, owed);
}

void lp_relax_step(struct lp_relax *q, const struct lp_state *from, const struct lp_relax_event *e)
{
	const uint32_t size = lp_owed_words(q);
	struct lp_state *owed = &q->scratch[3];

	lp_relax_step_in_place(q, from, e);
	if (!lp_relax_moves(q, e))
		return;

	/* The call may be one that is owed.  (Of several equal owed calls it is the
	 * oldest; all are tried.) */
	for (uint32_t at = 0; at < owed->count; at += size) {
		int64_t words[1 + LP_MAX_CLASSES];
		memcpy(words, owed->at + at, sizeof *words * size);
		if (lp_owed_kind(words) != LP_SOONER || lp_owed_number(words) != e->number ||
		    (at && !memcmp(words, owed->at + at - size, sizeof *words * size)))
			continue;
		lp_owed_remove(q, owed, at);
		let_others(q, from, e, owed);
		insert(q, owed, words);
	}
	/* Its place is yet to come. */
	lp_owed_add(q, owed, e->number, LP_LATER);
	let_others(q, from, e, owed);
}
