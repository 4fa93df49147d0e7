/* refines.c -- the search for a client order with which no run of the specification goes (refines.h). */
#include "check/refine/refines.h"

#include <string.h>

#include "check/clients/place.h"
#include "check/clients/relations_allow.h"
#include "check/refine/spec_runs.h"

struct search {
	struct lp_refines *r;
	const struct lp_observation *o;
	bool asks;                            /* asks the model whether an order is possible */
	uint32_t returned;
	uint32_t reached[LP_OBSERVED_CALLS];  /* o->reaches turned round */
	uint32_t fixed[LP_OBSERVED_CALLS];    /* bit b of [a]: b before a alone is impossible */
	uint32_t excluded[LP_OBSERVED_CALLS]; /* bit b of [a]: every order with b before a was tried */
	struct { LP_VEC(const struct lp_run *); } runs; /* the runs with the same results */
	struct lp_fingerprints seen;          /* orders that were tried */
	uint32_t *before;                     /* the violation, when found */
};

void lp_refines_begin(struct lp_refines *r, const struct lp_runs *runs)
{
	r->runs = runs;
	lp_fingerprints_clear(&r->right);
}

void lp_refines_close(struct lp_refines *r)
{
	lp_fingerprints_close(&r->right);
}

static bool must_stop(struct lp_refines *r)
{
	if (!r->stopped && r->go_on && (++r->turns & 1023) == 0)
		r->stopped = !r->go_on(r->closure);
	return r->stopped;
}

static bool is_possible(struct search *s, const uint32_t *before)
{
	s->r->counts.orders++;
	for (uint32_t a = 0; a < s->o->count; a++)
		if (before[a] & s->fixed[a])
			return false;
	return lp_relations_allow(s->o, s->reached, before) && (!s->asks || s->o->possible(s->o->closure, before));
}

/* G ; (h ; G)* of the object's execution. */
static void find_given(const struct lp_observation *o, const uint32_t *before, uint32_t *given)
{
	uint32_t after[LP_OBSERVED_CALLS], own[LP_OBSERVED_CALLS], paths[LP_OBSERVED_CALLS];

	lp_relation_turn(before, o->count, after);
	for (uint32_t a = 0; a < o->count; a++)
		own[a] = lp_observed_given(o, a) | UINT32_C(1) << a;
	lp_relation_paths(after, own, o->count, paths);
	for (uint32_t a = 0; a < o->count; a++) {
		given[a] = own[a];
		for LP_EACH_CALL(b, own[a])
			for LP_EACH_CALL(c, paths[b])
				given[a] |= own[c];
	}
}

static uint32_t missing_pairs(const struct lp_run *run, const uint32_t *given)
{
	uint32_t missing = 0;

	for (uint32_t a = 0; a < run->o.count; a++)
		missing += (uint32_t)__builtin_popcount(run->given[a] & ~given[a]);
	return missing;
}

static bool goes_with(const struct lp_run *run, const uint32_t *before, const uint32_t *given)
{
	return !missing_pairs(run, given) && lp_relations_allow(&run->o, run->reached, before);
}

/* Finds the pairs that an order larger than h could have: bit a of after[b]. */
static void find_open(const struct search *s, const uint32_t *before, uint32_t *after)
{
	memset(after, 0, sizeof *after * s->o->count);
	for (uint32_t a = 0; a < s->o->count; a++)
		for LP_EACH_CALL(b, s->returned & ~s->fixed[a] & ~s->excluded[a] & ~(UINT32_C(1) << a))
			if (!(before[b] >> a & 1))
				after[b] |= UINT32_C(1) << a;
	for (uint32_t a = 0; a < s->o->count; a++)
		for LP_EACH_CALL(b, before[a])
			after[b] |= UINT32_C(1) << a;
}

/* Adds to `against` (bit b of [a]) the pairs that are on a path h ; (middle ; h)* into `bad`, where h is any of `after`. */
static void find_against(const uint32_t *after, const uint32_t *middle, const uint32_t *bad, uint32_t n, uint32_t *against)
{
	uint32_t paths[LP_OBSERVED_CALLS];

	lp_relation_paths(after, middle, n, paths);
	for (uint32_t b = 0; b < n; b++) {
		uint32_t wrong = bad[b]; /* where paths through b must not end */
		for (uint32_t x = 0; x < n; x++)
			for LP_EACH_CALL(y, paths[x])
				if (middle[y] >> b & 1)
					wrong |= bad[x];
		for LP_EACH_CALL(a, after[b]) {
			uint32_t ends = UINT32_C(1) << a;
			for LP_EACH_CALL(c, middle[a])
				ends |= paths[c];
			against[a] |= (uint32_t)((ends & wrong) != 0) << b;
		}
	}
}

/* The pairs that could be part of an order above h with which the run is not possible; how many. */
static uint32_t pairs_against(const struct search *s, const struct lp_run *run, const uint32_t *before, uint32_t *against)
{
	const uint32_t n = s->o->count;
	uint32_t after[LP_OBSERVED_CALLS], count = 0;

	memset(against, 0, sizeof *against * LP_OBSERVED_CALLS);
	find_open(s, before, after);
	find_against(after, run->o.happens, run->o.clashes, n, against);
	find_against(after, run->o.reaches, run->reached, n, against);
	for (uint32_t a = 0; a < n; a++) {
		against[a] &= ~before[a];
		count += (uint32_t)__builtin_popcount(against[a]);
	}
	return count;
}

/* Returns a run that goes with h and has the fewest pairs against it; NULL if no run goes with h. */
static const struct lp_run *best_run(struct search *s, const uint32_t *before, uint32_t *against, uint32_t *count)
{
	uint32_t given[LP_OBSERVED_CALLS], other[LP_OBSERVED_CALLS];
	const struct lp_run *best = NULL;

	s->r->counts.linearizations++;
	find_given(s->o, before, given);
	for (uint32_t i = 0; i < s->runs.count && !(best && !*count); i++) {
		if (!goes_with(s->runs.at[i], before, given))
			continue;
		const uint32_t pairs = pairs_against(s, s->runs.at[i], before, other);
		if (best && pairs >= *count)
			continue;
		best = s->runs.at[i];
		*count = pairs;
		memcpy(against, other, sizeof other);
	}
	return best;
}

static bool was_tried(struct search *s, const uint32_t *before)
{
	struct lp_fingerprint f = LP_FINGERPRINT;

	lp_fingerprint_bytes(&f, before, sizeof *before * s->o->count);
	return !lp_fingerprints_add(&s->seen, lp_fingerprint_end(f));
}

/* Is there an order, `before` or a larger one, with which no run goes? */
static bool refute(struct search *s, const uint32_t *before)
{
	uint32_t against[LP_OBSERVED_CALLS], excluded[LP_OBSERVED_CALLS], count = 0;
	bool refuted = false;

	if (must_stop(s->r))
		return false;
	if (!best_run(s, before, against, &count)) {
		memcpy(s->before, before, sizeof *before * LP_OBSERVED_CALLS);
		return true;
	}
	if (!count || s->r->one_client)
		return false;
	memcpy(excluded, s->excluded, sizeof excluded);
	for (uint32_t a = 0; a < s->o->count && !refuted; a++) {
		for LP_EACH_CALL(b, against[a]) {
			uint32_t h[LP_OBSERVED_CALLS], tried = 0;
			memcpy(h, before, sizeof h);
			lp_add_before(h, s->o->count, b, a);
			for (uint32_t x = 0; x < s->o->count; x++)
				tried |= h[x] & s->excluded[x];
			if (!tried && is_possible(s, h) && !was_tried(s, h) && refute(s, h)) {
				refuted = true;
				break;
			}
			s->excluded[a] |= UINT32_C(1) << b;
		}
	}
	memcpy(s->excluded, excluded, sizeof excluded);
	return refuted;
}

static void describe(struct search *s)
{
	const struct lp_observation *o = s->o;
	const struct lp_fingerprint results = lp_runs_results(o);

	s->returned = lp_runs_returned(o);
	lp_relation_turn(o->reaches, o->count, s->reached);
	memcpy(s->fixed, o->reaches, sizeof *s->fixed * o->count);
	for (uint32_t b = 0; b < o->count; b++)
		for LP_EACH_CALL(a, o->clashes[b])
			s->fixed[a] |= UINT32_C(1) << b;
	struct lp_hash_probe probe = lp_hash_probe(&s->r->runs->by_results, results.a);
	const struct lp_run *run;
	while ((run = lp_runs_next(s->r->runs, results, &probe)))
		LP_PUSH(&s->runs, run);
}

/* What the answer depends on. */
static struct lp_fingerprint name_of(const struct lp_observation *o)
{
	struct lp_fingerprint f = lp_runs_results(o);

	for (uint32_t a = 0; a < o->count; a++) {
		lp_fingerprint_word(&f, o->reaches[a] | (uint64_t)o->happens[a] << 32);
		lp_fingerprint_word(&f, o->clashes[a] | (uint64_t)o->before[a] << 32);
		lp_fingerprint_word(&f, o->partial[a]);
	}
	return lp_fingerprint_end(f);
}

/* ---- what is wrong ---- */

static bool is_wrong(void *closure, const uint32_t *before)
{
	const struct search *s = closure;
	uint32_t given[LP_OBSERVED_CALLS];

	find_given(s->o, before, given);
	for (uint32_t i = 0; i < s->runs.count; i++)
		if (goes_with(s->runs.at[i], before, given))
			return false;
	return true;
}

/* Of the runs that are possible with h, the one that gives the least that the object does not. */
static void find_missing(struct search *s, struct lp_refutation *why)
{
	uint32_t given[LP_OBSERVED_CALLS], least = UINT32_MAX;

	find_given(s->o, why->before, given);
	for (uint32_t i = 0; i < s->runs.count; i++) {
		const struct lp_run *run = s->runs.at[i];
		const uint32_t missing = missing_pairs(run, given);
		if (missing >= least || !lp_relations_allow(&run->o, run->reached, why->before))
			continue;
		least = missing;
		s->r->closest = run;
		why->sync_missing = true;
		for (uint32_t a = 0; a < s->o->count; a++)
			if (run->given[a] & ~given[a]) {
				why->from = a;
				why->to = (uint32_t)__builtin_ctz(run->given[a] & ~given[a]);
			}
	}
}

/* Finds the closest run: the one with the most calls that have the same results, and among several of these, one that is
 * possible with h. */
static void find_closest(struct search *s, const uint32_t *before)
{
	uint32_t best = 0;

	s->r->closest = NULL;
	for (uint32_t i = 0; i < s->r->runs->count; i++) {
		const struct lp_run *run = &s->r->runs->at[i];
		uint32_t close = 1;
		if (run->o.count != s->o->count)
			continue;
		for (uint32_t a = 0; a < s->o->count; a++) {
			const struct lp_observed *x = &run->o.call[a], *y = &s->o->call[a];
			close += 2 * (x->stuck == y->stuck && (x->stuck || x->result == y->result));
		}
		close += lp_relations_allow(&run->o, run->reached, before);
		if (close > best) {
			best = close;
			s->r->closest = run;
		}
	}
}

static void explain(struct search *s, struct lp_refutation *why)
{
	lp_relation_reduce(why->before, s->o->before, s->o->count, is_wrong, s); /* less is possible, too */
	why->order_matters = memcmp(why->before, s->o->before, sizeof *why->before * s->o->count) != 0;
	s->r->alike = s->runs.count;
	find_closest(s, why->before);
	find_missing(s, why);
	for (uint32_t a = s->o->count; a-- > 0 && !s->runs.count;)
		if (s->o->call[a].stuck)
			why->stuck = a;
}

/* First with all orders that the relations allow, which is quick and enough for nearly all that are correct. */
static bool is_right(struct search *s)
{
	describe(s);
	if (!refute(s, s->o->before))
		return true;
	if (s->o->exact)
		return false;
	s->asks = true;
	lp_fingerprints_clear(&s->seen);
	return !refute(s, s->o->before);
}

enum lp_clients_answer lp_refines_judge(struct lp_refines *r, const struct lp_observation *o, struct lp_refutation *why)
{
	struct search s = { .r = r, .o = o, .before = why->before };
	const struct lp_fingerprint name = name_of(o);

	r->counts.observations++;
	r->stopped = false;
	/* By its relations alone: if these are not exact, what is correct with all orders that they allow is remembered. */
	if (lp_fingerprints_have(&r->right, name)) {
		r->counts.cached++;
		return LP_CLIENTS_RIGHT;
	}
	*why = (struct lp_refutation){ .stuck = LP_NO_CALL };
	const bool right = is_right(&s);
	if (!right)
		explain(&s, why);
	else if (!r->stopped && !s.asks)
		lp_fingerprints_add(&r->right, name);
	lp_free(s.runs.at);
	lp_fingerprints_close(&s.seen);
	return !right ? LP_CLIENTS_WRONG : r->stopped ? LP_CLIENTS_STOPPED : LP_CLIENTS_RIGHT;
}
