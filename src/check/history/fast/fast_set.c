/* fast_set.c -- one key of a set, or of a multiset in which the key is inserted once.
 *
 * A key is present or absent.  A successful insertion or removal is called a switch: it changes
 * the key to present or to absent.  All other operations (contains, failed insertions and
 * removals) are looks: each says that the key is in one of the two states, so the key must be in
 * this state at some moment of the operation's interval.
 *
 * One pass over time decides.  A switch takes effect as late as possible, at the end of an
 * operation:
 *   - When a switch ends that has not taken effect, it takes effect now.  If the key is already
 *     in the state to which it leads, a switch to the other state must take effect before it.
 *   - When a look ends, and the key has not been in the state that the look reports since the
 *     look started, a switch to this state must take effect now.
 * If several open switches to the required state have not taken effect, the one that ends first
 * is chosen.  If there is none, the history is wrong.
 *
 * Why this is exact.  Every solution can be changed step by step into the one that the pass
 * finds.  If two switches to the same state can take effect now, they can be exchanged so that
 * the one with the earlier end takes effect first.  And a switch that takes effect earlier than
 * it must can be delayed.  The reason is that between two ends only looks can observe it, and a
 * look needs only one moment of its interval.  So a switch that the solution makes for a look
 * can still be made when the look ends.
 *
 * A pending insertion or removal is a switch that never ends, and may be left out.
 */
#include "check/history/fast/fast.h"

#include <assert.h>

#include "spec/traits.h"

enum role { SWITCH_OFF, SWITCH_ON, LOOK_OFF, LOOK_ON, NOTHING, UNCLEAR };

/* Operations by their ends: a binary heap. */
struct heap {
	LP_VEC(uint32_t);
};

struct key {
	const struct lp_problem *p;
	struct heap waiting[2];   /* the switches to off, and to on, that have started */
	bool *done;
	bool is_on;
	uint32_t last[2];         /* 1 + the latest moment at which the key was off, or on; 0:
				   * never */
};

static void heap_push(const struct lp_problem *p, struct heap *h, uint32_t op)
{
	uint32_t at = h->count;

	LP_PUSH(h, op);
	while (at && p->ops[h->at[(at - 1) / 2]].end > p->ops[op].end) {
		h->at[at] = h->at[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	h->at[at] = op;
}

static uint32_t heap_pop(const struct lp_problem *p, struct heap *h)
{
	const uint32_t top = h->at[0], moving = h->at[--h->count];
	uint32_t at = 0;

	for (;;) {
		uint32_t child = 2 * at + 1;
		if (child >= h->count)
			break;
		if (child + 1 < h->count && p->ops[h->at[child + 1]].end < p->ops[h->at[child]].end)
			child++;
		if (p->ops[h->at[child]].end >= p->ops[moving].end)
			break;
		h->at[at] = h->at[child];
		at = child;
	}
	if (h->count)
		h->at[at] = moving;
	return top;
}

/* Results say whether an operation switched or looked; a pending one that may have
 * switched counts as a switch, since it may be left out. */
static enum role role_of(const struct lp_problem *p, const struct lp_history_op *op)
{
	const struct lp_method *m = lp_op_method(p, op);
	const bool known = op->results != LP_RESULT_UNKNOWN;
	const bool inserts = m->roles & LP_INSERTS;

	if (m->roles & LP_WHOLE)
		return UNCLEAR;
	if (inserts && m->result == LP_NOTHING)
		return SWITCH_ON; /* an insertion into a multiset always succeeds */
	if (m->result != LP_TRUTH)
		return UNCLEAR;
	if (!(m->roles & (LP_INSERTS | LP_REMOVES)))
		return !known ? NOTHING : op->result ? LOOK_ON : LOOK_OFF;
	if (!known && !lp_op_is_pending(op))
		return UNCLEAR;
	if (known && !op->result)
		return inserts ? LOOK_ON : LOOK_OFF;
	return inserts ? SWITCH_ON : SWITCH_OFF;
}

/* Switches to `on` at this moment, by the waiting switch that ends first; false if there is none. */
static bool switch_to(struct key *k, bool on, uint32_t moment)
{
	struct heap *h = &k->waiting[on];

	if (!h->count)
		return false;
	k->done[heap_pop(k->p, h)] = true;
	k->last[k->is_on] = moment + 1;
	k->is_on = on;
	k->last[on] = moment + 1;
	return true;
}

static bool end(struct key *k, uint32_t op, enum role role, uint32_t moment)
{
	const bool on = role == SWITCH_ON || role == LOOK_ON;

	if (role == SWITCH_ON || role == SWITCH_OFF) {
		if (k->done[op])
			return true;
		if (k->is_on == on && !switch_to(k, !on, moment))
			return false;
		const bool switched = switch_to(k, on, moment);
		assert(k->done[op]); /* the operation ends now, so it was the first in the
				      * heap */
		return switched;
	}
	if (role == NOTHING || k->is_on == on || k->last[on] > k->p->ops[op].start)
		return true;
	return switch_to(k, on, moment);
}

/* The operations of the problem all concern one key. */
static bool check_key(const struct lp_problem *p, enum lp_finding *finding,
		      struct lp_witness *w)
{
	struct key k = { .p = p, .done = lp_alloc_zero(p->count, sizeof *k.done) };
	const bool once = lp_kind_traits(p->spec.kind)->repeats;
	uint32_t insertions = 0;
	bool applies = true, right = true;

	for (uint32_t i = 0; i < p->count && applies; i++) {
		const enum role role = role_of(p, &p->ops[i]);
		insertions += role == SWITCH_ON;
		applies = role != UNCLEAR && !(once && insertions > 1);
	}
	for (uint32_t rank = 0; rank < p->ranks && applies && right; rank++) {
		const uint32_t op = p->events[rank] / 2;
		const enum role role = role_of(p, &p->ops[op]);
		applies = lp_problem_is_wanted(p, rank);
		if (p->events[rank] & 1)
			right = end(&k, op, role, rank);
		else if (role == SWITCH_ON || role == SWITCH_OFF)
			heap_push(p, &k.waiting[role == SWITCH_ON], op);
		if (!right) {
			w->why = "a key is present or absent at the wrong time";
			for (uint32_t i = 0; i < p->count; i++)
				LP_PUSH(w, i);
		}
	}
	*finding = right ? LP_CORRECT : LP_WRONG;
	lp_free(k.waiting[0].at);
	lp_free(k.waiting[1].at);
	lp_free(k.done);
	return applies;
}

bool lp_fast_set(const struct lp_problem *p, enum lp_finding *finding, struct lp_witness *w)
{
	for (uint32_t i = 1; i < p->count; i++)
		if (p->ops[i].arg != p->ops[0].arg)
			return false; /* the history must be split by key first */
	if (!p->count) {
		*finding = LP_CORRECT;
		return true;
	}
	return check_key(p, finding, w);
}
