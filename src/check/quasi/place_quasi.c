/* place_quasi.c -- finds an order of a few calls that is close to a correct run: the
 * search of place.c, on a relaxed specification (relax.h). */
#include "check/quasi/place_quasi.h"

#include <string.h>

#include "base/tuples.h"
#include "check/quasi/relax.h"
#include "check/quasi/unseen_calls.h"

struct outcome {
	uint32_t first, count; /* in `words` */
};

struct placing {
	struct lp_place *p;
	const struct lp_observation *o;
	const uint32_t *before;
	uint32_t *order;     /* P */
	uint32_t placed;
	uint32_t done, left; /* two sets of calls: those in P; those that returned and are not in P */
	struct lp_relax relax;
	struct lp_relax_event event[LP_OBSERVED_CALLS];
	int64_t value[LP_OBSERVED_CALLS]; /* their results */
	struct lp_unseen_calls unseen;
	struct {
		LP_VEC(struct outcome);
	} outcomes; /* the outcomes of all calls so far */
	struct {
		LP_VEC(int64_t);
	} words;
};

static struct lp_relax_event event_of(struct placing *s, uint32_t a)
{
	const struct lp_observed *c = &s->o->call[a];
	const struct lp_method *m = &s->p->spec->kind->methods[c->method];
	struct lp_relax_event e = { a, c->method,
				    { .arg = c->arg, .args = m->args, .thread = c->thread,
				      .results = lp_place_shaped(m, c->result, &s->value[a]) } };

	e.call.result = &s->value[a];
	if (m->result == LP_VALUES) {
		const int64_t *values = lp_tuples_values(s->p->tuples, c->result, &e.call.results);
		e.call.result = values ? values : &s->value[a];
	}
	return e;
}

/* Gives the calls that are not in P, then unseen calls. */
static bool nth_other(void *closure, const struct lp_relax_event *e, uint32_t i,
		      struct lp_relax_event *other)
{
	const struct placing *s = closure;

	for (uint32_t a = 0; a < s->o->count; a++)
		if (s->left >> a & 1 && a != e->number && !i--) {
			*other = s->event[a];
			return true;
		}
	return lp_unseen_calls_nth(&s->unseen, &s->relax, i, other);
}

static void keep_outcome(void *closure, const struct lp_state *state)
{
	struct placing *s = closure;

	LP_PUSH(&s->outcomes, (struct outcome){ s->words.count, state->count });
	for (uint32_t i = 0; i < state->count; i++)
		LP_PUSH(&s->words, state->at[i]);
}

static void note_best(struct placing *s)
{
	struct lp_place *p = s->p;

	if (s->placed <= p->best_count)
		return;
	p->best_count = s->placed;
	memcpy(p->best, s->order, sizeof *p->best * s->placed);
}

static bool is_new(struct placing *s, const struct lp_state *state)
{
	struct lp_fingerprint f = LP_FINGERPRINT;

	lp_fingerprint_word(&f, s->done);
	lp_fingerprint_bytes(&f, state->at, sizeof *state->at * state->count);
	return lp_fingerprints_add(&s->p->failed, f);
}

/* All calls are in P.  Can the owed calls still be made, and do the stuck calls wait? */
static bool is_end(struct placing *s)
{
	struct lp_state *state = &s->p->state[s->placed];

	if (!lp_relax_can_settle(&s->relax, state))
		return false;
	lp_relax_inner(state, &s->p->state[s->placed + 1]);
	return lp_place_rests(s->p, s->o, s->placed + 1);
}

static bool place_rest(struct placing *s);

static bool place_call(struct placing *s, uint32_t a)
{
	const uint32_t bit = UINT32_C(1) << a;
	struct lp_state *then = &s->p->state[s->placed + 1];
	const uint32_t first = s->outcomes.count, words = s->words.count;
	bool found = false;

	lp_relax_step(&s->relax, &s->p->state[s->placed], &s->event[a]);
	s->order[s->placed++] = a;
	s->done |= bit;
	s->left &= ~bit;
	for (uint32_t i = first; i < s->outcomes.count && !found; i++) {
		const struct outcome *o = &s->outcomes.at[i];
		then->count = 0;
		for (uint32_t w = 0; w < o->count; w++)
			lp_state_push(then, s->words.at[o->first + w]);
		note_best(s);
		found = place_rest(s);
	}
	s->placed--;
	s->done &= ~bit;
	s->left |= bit;
	s->outcomes.count = first;
	s->words.count = words;
	return found;
}

static bool place_rest(struct placing *s)
{
	if (lp_place_must_stop(s->p))
		return false;
	if (!s->left)
		return is_end(s);
	if (!is_new(s, &s->p->state[s->placed]))
		return false;
	for (uint32_t a = 0; a < s->o->count; a++)
		if (s->left >> a & 1 && !(s->before[a] & s->left) && place_call(s, a))
			return true;
	return false;
}

bool lp_place_quasi(struct lp_place *p, const struct lp_observation *o, const uint32_t *before,
		    uint32_t *order)
{
	struct placing s = { .p = p, .o = o, .before = before, .order = order };

	lp_relax_open(&s.relax, p->spec, p->close.rule);
	s.relax.events = s.event;
	s.relax.nth = nth_other;
	s.relax.then = keep_outcome;
	s.relax.closure = &s;
	for (uint32_t a = 0; a < o->count; a++) {
		s.event[a] = event_of(&s, a);
		s.left |= (uint32_t)!o->call[a].stuck << a;
		p->together[a] = UINT32_C(1) << a;
	}
	lp_unseen_calls_find(&s.unseen, &s.relax, s.event, o->count);
	lp_fingerprints_clear(&p->failed);
	lp_state_begin(&p->state[0], p->spec);
	lp_relax_begin(&p->state[0]);
	p->best_count = 0;
	const bool found = place_rest(&s);
	p->close.tired |= s.relax.tired;
	lp_relax_close(&s.relax);
	lp_free(s.unseen.at);
	lp_free(s.outcomes.at);
	lp_free(s.words.at);
	return found;
}
