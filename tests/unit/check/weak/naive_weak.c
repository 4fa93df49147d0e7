/* naive_weak.c -- every relation, every set, every order.
 *
 * Causal consistency, causal memory and causal convergence are as in Bouajjani, Enea, Guerraoui and Hamza (POPL 2017): a
 * causal order of the calls, and for each call a run of its causal past of which some results count.  PRAM is a
 * run for each session.  Session guarantees and eventual consistency are about sets of updates that calls have seen.  Nothing
 * of src/check is used but the numbers that name a condition.
 */
#include "naive_weak.h"

#include <string.h>

enum { MOST = NAIVE_WEAK_MOST };
typedef uint32_t mask; /* of calls */

struct naive {
	const struct lp_history *h;
	const struct lp_spec *spec;
	const struct lp_weak *weak;
	uint32_t n;
	uint32_t method[MOST];
	mask po[MOST];      /* the calls before it in its session */
	mask updates;
	mask past[MOST];    /* the causal order, or (guarantees) what a call has seen */
	mask finals;
	struct lp_state state[MOST + 1];
};

static mask bit(uint32_t i)
{
	return (mask)1 << i;
}

/* One step of a run, from state[depth] to state[depth + 1]. */
static bool step(struct naive *v, uint32_t depth, uint32_t i, bool counts)
{
	const struct lp_call *c = &v->h->at[i];
	struct lp_spec_call call = { .arg = c->arg, .args = c->args, .thread = c->thread, .results = c->results,
				     .result = counts ? lp_call_results(v->h, c) : NULL };

	lp_state_copy(&v->state[depth + 1], &v->state[depth]);
	return lp_spec_step(v->spec, v->method[i], &v->state[depth + 1], &call) == LP_ACCEPTS;
}

/* Is there a run of the calls `left`, `before[i]` of them coming before i, in which the results of `counts` are correct? */
static bool runs(struct naive *v, uint32_t depth, mask left, const mask *before, mask counts)
{
	if (!left)
		return true;
	for (uint32_t i = 0; i < v->n; i++)
		if ((left & bit(i)) && !(before[i] & left) && step(v, depth, i, counts & bit(i)) &&
		    runs(v, depth + 1, left & ~bit(i), before, counts))
			return true;
	return false;
}

/* The run of these calls in this order, the result of the last one counting. */
static bool runs_as(struct naive *v, const uint32_t *order, uint32_t count, mask which, uint32_t last)
{
	uint32_t depth = 0;

	for (uint32_t i = 0; i < count; i++)
		if ((which & bit(order[i])) && order[i] != last && !step(v, depth++, order[i], false))
			return false;
	return step(v, depth, last, true);
}

/* --- causal orders --- */

/* All orders arb that keep the causal one. */
static bool arbitrates(struct naive *v, mask all, uint32_t *arb, uint32_t count)
{
	mask done = 0;

	for (uint32_t i = 0; i < count; i++)
		done |= bit(arb[i]);
	if (done == all)
		return true;
	for (uint32_t i = 0; i < v->n; i++) {
		if (!(all & ~done & bit(i)) || (v->past[i] & ~done))
			continue;
		arb[count] = i;
		/* Its past is there already: its result does not wait for the others. */
		if (runs_as(v, arb, count + 1, v->past[i], i) && arbitrates(v, all, arb, count + 1))
			return true;
	}
	return false;
}

static bool explains(struct naive *v, mask all)
{
	uint32_t arb[MOST];

	if (v->weak->agreement == LP_ALL_CALLS)
		return arbitrates(v, all, arb, 0);
	for (uint32_t i = 0; i < v->n; i++) {
		const mask counts = v->weak->agreement == LP_EACH_LINE ? v->po[i] | bit(i) : bit(i);
		if ((all & bit(i)) && !runs(v, 0, v->past[i] | bit(i), v->past, counts))
			return false;
	}
	return true;
}

/* Chooses the causal past of call i and of those after it. */
static bool causal_order(struct naive *v, mask all, uint32_t i)
{
	if (i == v->n)
		return explains(v, all);
	if (!(all & bit(i)))
		return causal_order(v, all, i + 1);
	for (mask past = 0; past < bit(v->n); past++) {
		bool good = !(past & ~all) && !(past & bit(i)) && !((v->po[i] & all) & ~past);
		for (uint32_t j = 0; j < i && good; j++) {
			if (!(all & bit(j)))
				continue;
			good = !(past & bit(j)) || !(v->past[j] & ~past); /* transitive, both ways */
			good = good && (!(v->past[j] & bit(i)) || (!(past & ~v->past[j]) && !(past & bit(j))));
		}
		if (!good)
			continue;
		v->past[i] = past;
		/* Some order of its past has to explain it, whatever the others are. */
		if (!runs(v, 0, past | bit(i), v->po, bit(i)))
			continue;
		if (causal_order(v, all, i + 1))
			return true;
	}
	return false;
}

/* Pending calls happened or did not. */
static bool is_causal(struct naive *v)
{
	const mask everything = bit(v->n) - 1;
	mask pending = 0;

	for (uint32_t i = 0; i < v->n; i++)
		if (lp_call_is_pending(&v->h->at[i]))
			pending |= bit(i);
	for (mask gone = pending;; gone = (gone - 1) & pending) {
		if (causal_order(v, everything & ~gone, 0))
			return true;
		if (!gone)
			return false;
	}
}

static bool is_pram(struct naive *v)
{
	for (uint32_t i = 0; i < v->n; i++)
		if (!runs(v, 0, bit(v->n) - 1, v->po, v->po[i] | bit(i)))
			return false;
	return true;
}

/* --- what calls have seen --- */

static bool is_acyclic(const struct naive *v)
{
	mask left = bit(v->n) - 1;

	for (bool moved = true; moved;) {
		moved = false;
		for (uint32_t i = 0; i < v->n; i++)
			if ((left & bit(i)) && !((v->po[i] | v->past[i]) & left)) {
				left &= ~bit(i);
				moved = true;
			}
	}
	return !left;
}

/* With an update that was seen goes what its session had seen. */
static bool follows(const struct naive *v)
{
	for (uint32_t c = 0; c < v->n; c++)
		for (uint32_t u = 0; u < v->n; u++)
			for (uint32_t r = 0; r < v->n && (v->past[c] & bit(u)); r++)
				if (((v->po[u] | bit(u)) & bit(r)) && (v->past[r] & ~v->past[c]))
					return false;
	return true;
}

/* Which updates have to come before update u in every order. */
static mask ordered_before(const struct naive *v, uint32_t u)
{
	mask before = v->weak->guarantees & LP_MW ? v->po[u] & v->updates : 0;

	for (uint32_t r = 0; (v->weak->guarantees & LP_WFR) && r < v->n; r++)
		if ((v->po[u] | bit(u)) & bit(r))
			before |= v->past[r];
	return before;
}

/* Is there an order of the updates, `done` of them being in it, with which all calls of the group are correct? */
static bool ordered(struct naive *v, mask group, uint32_t *order, uint32_t count, mask done)
{
	if (done == v->updates) {
		for (uint32_t i = 0; i < v->n; i++)
			if ((group & bit(i)) && !runs_as(v, order, count, v->past[i], i))
				return false;
		return true;
	}
	for (uint32_t u = 0; u < v->n; u++) {
		if (!(v->updates & ~done & bit(u)) || (ordered_before(v, u) & ~done))
			continue;
		order[count] = u;
		if (ordered(v, group, order, count + 1, done | bit(u)))
			return true;
	}
	return false;
}

/* The calls that have to agree with call i. */
static mask group_of(const struct naive *v, uint32_t i)
{
	mask group = 0;

	if (v->weak->settles)
		return v->finals & bit(i) ? v->finals : bit(i);
	for (uint32_t j = 0; j < v->n; j++)
		if (v->h->at[j].thread == v->h->at[i].thread)
			group |= bit(j);
	return group;
}

static bool all_seen(struct naive *v)
{
	uint32_t order[MOST];
	mask looked_at = 0;

	if (!is_acyclic(v) || ((v->weak->guarantees & LP_WFR) && !follows(v)))
		return false;
	for (uint32_t i = 0; i < v->n; i++) {
		const mask group = group_of(v, i);
		if (!(looked_at & bit(i)) && !ordered(v, group, order, 0, 0))
			return false;
		looked_at |= group;
	}
	return true;
}

static mask returned_updates(const struct naive *v)
{
	mask returned = 0;

	for (uint32_t i = 0; i < v->n; i++)
		if ((v->updates & bit(i)) && !lp_call_is_pending(&v->h->at[i]))
			returned |= bit(i);
	return returned;
}

/* Does some order of the set explain the call? */
static bool is_explained(struct naive *v, uint32_t i, mask set)
{
	mask before[MOST] = { 0 };

	before[i] = set;
	return runs(v, 0, set | bit(i), before, bit(i));
}

/* Is there a set that explains it, whatever the others have seen? */
static bool is_possible(struct naive *v, uint32_t i)
{
	for (mask set = 0; set < bit(v->n); set++)
		if (!(set & ~v->updates) && !(set & bit(i)) && is_explained(v, i, set))
			return true;
	return false;
}

/* Chooses what call i has seen, and those after it. */
static bool seen(struct naive *v, uint32_t i)
{
	const unsigned g = v->weak->guarantees;

	if (i == v->n)
		return all_seen(v);
	for (mask set = 0; set < bit(v->n); set++) {
		bool good = !(set & ~v->updates) && !(set & bit(i)) &&
			    !((g & LP_RYW) && (v->po[i] & v->updates & ~set)) &&
			    !((v->finals & bit(i)) && (returned_updates(v) & ~set));
		for (uint32_t j = 0; j < v->n && good; j++) {
			if ((g & LP_MR) && (v->po[i] & bit(j)) && j < i)
				good = !(v->past[j] & ~set);
			if ((g & LP_MW) && (set & bit(j)))
				good = good && !(v->po[j] & v->updates & ~set);
		}
		v->past[i] = set;
		if (good && is_explained(v, i, set) && seen(v, i + 1))
			return true;
	}
	return false;
}

static void find_finals(struct naive *v)
{
	const mask returned = returned_updates(v);

	for (uint32_t i = 0; i < v->n; i++) {
		bool is_final = !lp_call_is_pending(&v->h->at[i]);
		for (uint32_t j = 0; j < v->n; j++)
			if (returned & bit(j))
				is_final &= v->h->at[i].start > v->h->at[j].end + v->weak->delay;
		v->finals |= is_final ? bit(i) : 0;
	}
}

bool naive_weak_is_right(const struct lp_history *h, const struct lp_spec *spec, const struct lp_weak *weak)
{
	struct naive v = { .h = h, .spec = spec, .weak = weak, .n = h->count };

	for (uint32_t i = 0; i < h->count; i++) {
		const char *name = h->methods.at[h->at[i].method];
		v.method[i] = lp_method_named(spec->kind, name, strlen(name));
		if ((spec->kind->methods[v.method[i]].roles & LP_READS) != LP_READS)
			v.updates |= bit(i);
		for (uint32_t j = 0; j < i; j++)
			if (h->at[j].thread == h->at[i].thread)
				v.po[i] |= bit(j);
	}
	if (weak->settles)
		find_finals(&v);
	for (uint32_t i = 0; i <= MOST; i++)
		lp_state_open(&v.state[i]);
	lp_state_begin(&v.state[0], spec);
	const bool causal = weak->guarantees == LP_CAUSALITY && weak->agreement != LP_EACH_SESSION;
	bool right = true;
	for (uint32_t i = 0; i < v.n && right; i++)
		right = is_possible(&v, i);
	right = right && (weak->apart ? is_pram(&v) : causal ? is_causal(&v) : seen(&v, 0));
	for (uint32_t i = 0; i <= MOST; i++)
		lp_state_close(&v.state[i]);
	return right;
}
