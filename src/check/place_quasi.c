/* place_quasi.c -- two orders of few calls that are close to each other. */
#include "check/place_quasi.h"

#include <string.h>

#include "check/quasi.h"

struct pair {
	struct lp_place *p;
	const struct lp_observation *o;
	const uint32_t *before;
	uint32_t *order;                     /* P */
	uint32_t run[LP_OBSERVED_CALLS];     /* R */
	uint32_t all;                        /* calls that returned */
	uint32_t in_p, in_r;                 /* those placed */
	uint32_t placed_p, placed_r;
	uint32_t past_p[LP_OBSERVED_CALLS];  /* what came before the call there */
	uint32_t past_r[LP_OBSERVED_CALLS];
	uint32_t class[LP_MAX_CLASSES];      /* its calls */
};

static uint32_t size_of(uint32_t set)
{
	return (uint32_t)__builtin_popcount(set);
}

static uint32_t calls_of_class(const struct lp_quasi *q, const struct lp_observation *o, uint32_t c)
{
	uint32_t calls = 0;

	for (uint32_t a = 0; a < o->count; a++)
		calls |= (uint32_t)(!o->call[a].stuck && q->classes[c].methods >> o->call[a].method & 1) << a;
	return calls;
}

/* Would the call, with those before it in P and in R, be close enough in every class?  If it
 * is in one of them only, `later` is what the other one has by now: it can only come after. */
static bool is_close(const struct pair *s, uint32_t call, uint32_t past, uint32_t other, bool later)
{
	const struct lp_quasi *q = s->p->quasi;

	for (uint32_t c = 0; c < q->count; c++) {
		const uint32_t here = size_of(past & s->class[c]), there = size_of(other & s->class[c]);
		if (!(s->class[c] >> call & 1))
			continue;
		if (there > here ? there - here > q->classes[c].factor :
				   !later && here - there > q->classes[c].factor)
			return false;
	}
	return true;
}

/* Can all that is in one order only still become close? */
static bool has_hope(const struct pair *s)
{
	for (uint32_t a = 0; a < s->o->count; a++) {
		const bool left = s->in_p >> a & 1, right = s->in_r >> a & 1;
		if (left != right && !is_close(s, a, left ? s->past_p[a] : s->past_r[a],
					       left ? s->in_r : s->in_p, true))
			return false;
	}
	return true;
}

static struct lp_fingerprint position(const struct pair *s)
{
	const struct lp_state *state = &s->p->state[s->placed_r];
	struct lp_fingerprint f = LP_FINGERPRINT;

	lp_fingerprint_word(&f, s->in_p | (uint64_t)s->in_r << 32);
	for (uint32_t a = 0; a < s->o->count; a++) {
		if (!((s->in_p ^ s->in_r) >> a & 1))
			continue;
		const uint32_t past = s->in_p >> a & 1 ? s->past_p[a] : s->past_r[a];
		for (uint32_t c = 0; c < s->p->quasi->count; c++)
			if (s->class[c] >> a & 1)
				lp_fingerprint_word(&f, size_of(past & s->class[c]));
	}
	lp_fingerprint_bytes(&f, state->at, sizeof *state->at * state->count);
	return f;
}

static bool place_next(struct pair *s);

static bool extend_p(struct pair *s)
{
	for (uint32_t a = 0; a < s->o->count; a++) {
		const uint32_t bit = UINT32_C(1) << a;
		if (!(s->all & ~s->in_p & bit) || s->before[a] & s->all & ~s->in_p)
			continue;
		if (s->in_r & bit && !is_close(s, a, s->in_p, s->past_r[a], false))
			continue;
		s->past_p[a] = s->in_p;
		s->order[s->placed_p++] = a;
		s->in_p |= bit;
		if (has_hope(s) && place_next(s))
			return true;
		s->in_p &= ~bit;
		s->placed_p--;
	}
	return false;
}

static void note_best(struct pair *s)
{
	struct lp_place *p = s->p;

	if (s->placed_r <= p->best_count)
		return;
	p->best_count = s->placed_r;
	memcpy(p->best, s->run, sizeof *p->best * s->placed_r);
}

static bool run_next(struct pair *s, uint32_t a)
{
	struct lp_place *p = s->p;
	const struct lp_observed *call = &s->o->call[a];
	const unsigned roles = p->spec->kind->methods[call->method].roles;
	const uint32_t bit = UINT32_C(1) << a;

	if (s->in_p & bit && !is_close(s, a, s->in_r, s->past_p[a], false))
		return false;
	for (uint32_t choice = 0; !choice || roles & LP_CHOOSES; choice++) {
		struct lp_state *now = &p->state[s->placed_r], *then = now + 1;
		lp_state_copy(then, now);
		if (lp_place_step(p, call, then, choice) != LP_ACCEPTS)
			break;
		s->past_r[a] = s->in_r;
		s->run[s->placed_r++] = a;
		s->in_r |= bit;
		note_best(s);
		if (has_hope(s) && place_next(s))
			return true;
		s->in_r &= ~bit;
		s->placed_r--;
	}
	return false;
}

/* What P has and R has not comes first: then R follows P as long as it can. */
static bool extend_r(struct pair *s)
{
	for (int known = 1; known >= 0; known--)
		for (uint32_t a = 0; a < s->o->count; a++)
			if ((s->all & ~s->in_r) >> a & 1 && (int)(s->in_p >> a & 1) == known &&
			    run_next(s, a))
				return true;
	return false;
}

/* Whose turn it is depends on the lengths alone, so that every pair is built in one way. */
static bool place_next(struct pair *s)
{
	if (s->in_p == s->all && s->in_r == s->all)
		return lp_place_rests(s->p, s->o, s->placed_r);
	if (!lp_fingerprints_add(&s->p->failed, position(s)))
		return false;
	return s->placed_r < s->placed_p ? extend_r(s) : extend_p(s);
}

bool lp_place_quasi(struct lp_place *p, const struct lp_observation *o, const uint32_t *before,
		    uint32_t *order)
{
	struct pair s = { .p = p, .o = o, .before = before, .order = order };

	for (uint32_t a = 0; a < o->count; a++)
		s.all |= (uint32_t)!o->call[a].stuck << a;
	for (uint32_t c = 0; c < p->quasi->count; c++)
		s.class[c] = calls_of_class(p->quasi, o, c);
	lp_fingerprints_clear(&p->failed);
	lp_state_begin(&p->state[0], p->spec);
	return place_next(&s);
}

bool lp_place_quasi_ties(const struct lp_place *p, const struct lp_observation *o,
			 const uint32_t *order, uint32_t count, uint32_t *against)
{
	uint32_t tied[LP_OBSERVED_CALLS] = { 0 }; /* to each other, as P has them */
	bool from[LP_OBSERVED_CALLS] = { false }, to[LP_OBSERVED_CALLS] = { false }, any = false;

	for (uint32_t c = 0; c < p->quasi->count; c++) {
		const uint32_t calls = calls_of_class(p->quasi, o, c);
		/* Where every place is close enough nothing is. */
		for (uint32_t a = 0; a < o->count && size_of(calls) > p->quasi->classes[c].factor + UINT64_C(1); a++)
			tied[a] |= calls >> a & 1 ? calls : 0;
	}
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = i + 1; k < count; k++)
			if (tied[order[i]] >> order[k] & 1)
				from[i] = to[k] = true;
	memset(against, 0, sizeof *against * LP_OBSERVED_CALLS);
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = i + 1; k < count; k++)
			if (from[i] && to[k]) {
				against[order[i]] |= UINT32_C(1) << order[k];
				any = true;
			}
	return any;
}
