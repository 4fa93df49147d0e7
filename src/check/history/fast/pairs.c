/* pairs.c -- insertions paired with removals. */
#include "check/history/fast/pairs.h"

#include <string.h>

#include "check/sort.h"
#include "spec/traits.h"

void lp_pairs_close(struct lp_pairs *s)
{
	lp_free(s->at);
	lp_free(s->of);
	lp_free(s->empties);
	lp_free(s->pending_removals);
	*s = (struct lp_pairs){ 0 };
}

void lp_pairs_witness(const struct lp_pairs *s, uint32_t pair, struct lp_witness *w)
{
	LP_PUSH(w, s->at[pair].in);
	if (s->at[pair].out != LP_NO_OP)
		LP_PUSH(w, s->at[pair].out);
}

static bool mispaired(struct lp_witness *w, const char *why, uint32_t a, uint32_t b, uint32_t c)
{
	w->why = why;
	if (a != LP_NO_OP)
		LP_PUSH(w, a);
	if (b != LP_NO_OP)
		LP_PUSH(w, b);
	if (c != LP_NO_OP)
		LP_PUSH(w, c);
	return false;
}

/* Insertions and removals of a value, with the value and its number. */
struct users {
	uint32_t *ops;
	int64_t *values;
	uint32_t *number;
	uint32_t count;
};

/* Sorts the operations into insertions and removals of a value, and the rest.  False if there are
 * other methods or unknown results, if items are not known, or if the answer is no longer wanted. */
static bool sort_out(struct lp_pairs *s, const struct lp_problem *p, uint32_t insert, uint32_t remove, struct users *u)
{
	const uint32_t steal = lp_kind_method(p->spec.kind, LP_VERB_STEAL);
	const bool scored = lp_kind_traits(p->spec.kind)->scored;
	uint32_t count = 0;

	if (scored && p->count && !p->history->count)
		return false; /* lp_problem_take() has dropped the calls, and with them their second arguments */
	for (uint32_t rank = 0; rank < p->ranks; rank++) {
		const uint32_t i = p->events[rank] / 2;
		const struct lp_history_op *op = &p->ops[i];
		if (!lp_problem_is_wanted(p, rank))
			return false;
		if (p->events[rank] & 1)
			continue;
		const bool removes = op->method == remove || op->method == steal;
		if (op->method != insert && !removes)
			return false;
		if (removes && lp_op_is_pending(op)) {
			s->pending_removals[s->pending_removal_count++] = i;
			continue;
		}
		if (removes && op->results == LP_RESULT_UNKNOWN)
			return false;
		if (removes && op->result == LP_EMPTY) {
			s->empties[s->empty_count++] = i;
			continue;
		}
		u->values[count] = removes ? op->result : scored ? p->history->at[op->call].arg[1] : op->arg;
		u->ops[count++] = i;
	}
	u->count = count;
	return true;
}

/* Fills the pairs from operations and the numbers of their values. */
static enum lp_pairing match(struct lp_pairs *s, const struct lp_problem *p, uint32_t insert, const struct users *u,
			     struct lp_witness *w)
{
	const uint32_t *users = u->ops, *number = u->number, count = u->count;
	enum lp_pairing pairing = LP_PAIRED;
	uint32_t twice = LP_NO_OP; /* a second removal of something */

	for (uint32_t i = 0; i < count; i++) {
		struct lp_pair *pair = &s->at[number[i]];
		const struct lp_history_op *op = &p->ops[users[i]];
		if (!lp_problem_is_wanted(p, i))
			return LP_UNPAIRABLE;
		if (op->method == insert) {
			if (pair->in != LP_NO_OP)
				return LP_UNPAIRABLE;
			pair->in = users[i];
			pair->in_start = op->start;
			pair->in_end = op->end;
			pair->key = op->arg;
		} else if (pair->out != LP_NO_OP) {
			twice = i;
		} else {
			pair->out = users[i];
			pair->out_start = op->start;
			pair->out_end = op->end;
		}
		s->of[users[i]] = number[i];
	}
	if (twice != LP_NO_OP) {
		const struct lp_pair *pair = &s->at[number[twice]];
		mispaired(w, "a value is removed twice", pair->in, pair->out, users[twice]);
		pairing = LP_MISPAIRED;
	}
	return pairing;
}

/* Leaves out pending insertions whose value was never returned; finds removals that found nothing. */
static enum lp_pairing settle(struct lp_pairs *s, const struct lp_problem *p, uint32_t count,
			      struct lp_witness *w)
{
	for (uint32_t i = 0; i < count; i++) {
		struct lp_pair pair = s->at[i];
		if (pair.in == LP_NO_OP) {
			mispaired(w, "a value that was never inserted is removed", pair.out,
				  LP_NO_OP, LP_NO_OP);
			return LP_MISPAIRED;
		}
		if (pair.out == LP_NO_OP) {
			if (pair.in_end == LP_NEVER) {
				s->of[pair.in] = LP_NO_OP;
				continue;
			}
			pair.out_start = p->ranks;
			pair.out_end = LP_NEVER;
			s->staying++;
		} else if (pair.out_end < pair.in_start) {
			mispaired(w, "a value is removed before it is inserted", pair.in, pair.out,
				  LP_NO_OP);
			return LP_MISPAIRED;
		} else {
			s->of[pair.out] = s->count;
		}
		s->of[pair.in] = s->count;
		s->at[s->count++] = pair;
	}
	return LP_PAIRED;
}

/* Finds an insertion whose result says that it failed; unbounded kinds have none. */
static uint32_t failed_insertion(const struct lp_problem *p, uint32_t insert)
{
	for (uint32_t i = 0; i < p->count; i++)
		if (p->ops[i].method == insert && p->ops[i].results == 1 && !p->ops[i].result)
			return i;
	return LP_NO_OP;
}

enum lp_pairing lp_pairs_open(struct lp_pairs *s, const struct lp_problem *p, struct lp_witness *w)
{
	const uint32_t in = lp_kind_method(p->spec.kind, LP_VERB_INSERT);
	const uint32_t out = lp_kind_method(p->spec.kind, LP_VERB_TAKE);
	const int bounded = lp_spec_param(&p->spec, "bounded");
	const int blocking = lp_spec_param(&p->spec, "blocking");

	*s = (struct lp_pairs){ 0 };
	if ((bounded >= 0 && p->spec.param[bounded]) || (blocking >= 0 && p->spec.param[blocking]) ||
	    lp_spec_has_meetings(&p->spec))
		return LP_UNPAIRABLE;

	struct users u = { .ops = lp_alloc(sizeof *u.ops * p->count), .values = lp_alloc(sizeof *u.values * p->count),
			   .number = lp_alloc(sizeof *u.number * p->count) };
	enum lp_pairing pairing = LP_UNPAIRABLE;

	s->of = lp_alloc(sizeof *s->of * p->count);
	memset(s->of, 0xff, sizeof *s->of * p->count);
	s->empties = lp_alloc(sizeof *s->empties * p->count);
	s->pending_removals = lp_alloc(sizeof *s->pending_removals * p->count);
	if (sort_out(s, p, in, out, &u)) {
		const uint32_t distinct = lp_sort_number_values(u.values, u.count, u.number);
		s->at = lp_alloc(sizeof *s->at * distinct);
		memset(s->at, 0xff, sizeof *s->at * distinct);
		pairing = match(s, p, in, &u, w);
		const uint32_t failed = failed_insertion(p, in);
		if (pairing == LP_PAIRED && failed != LP_NO_OP) {
			mispaired(w, "an insertion failed", failed, LP_NO_OP, LP_NO_OP);
			pairing = LP_MISPAIRED;
		}
		if (pairing == LP_PAIRED)
			pairing = settle(s, p, distinct, w);
	}
	lp_free(u.values);
	lp_free(u.ops);
	lp_free(u.number);
	return pairing;
}

uint32_t *lp_pairs_cover(const struct lp_pairs *s, const struct lp_problem *p)
{
	uint32_t *covered = lp_alloc_zero((size_t)p->ranks + 1, sizeof *covered);

	/* First computes differences, modulo 2^32, and then their prefix sums. */
	for (uint32_t i = 0; i < s->count; i++) {
		if (s->at[i].in_end < s->at[i].out_start) {
			covered[s->at[i].in_end]++;
			covered[s->at[i].out_start]--;
		}
	}
	for (uint32_t g = 1; g <= p->ranks; g++)
		covered[g] += covered[g - 1];
	return covered;
}

uint32_t lp_pairs_full(const struct lp_pairs *s, const struct lp_problem *p,
		       const uint32_t *covered)
{
	uint32_t *next; /* the first gap from here on that is not covered */
	uint32_t full = LP_NO_OP;

	if (!s->empty_count)
		return LP_NO_OP;
	next = lp_alloc(sizeof *next * ((size_t)p->ranks + 1));
	next[p->ranks] = p->ranks;
	for (uint32_t g = p->ranks; g-- > 0;)
		next[g] = covered[g] ? next[g + 1] : g;
	for (uint32_t i = 0; i < s->empty_count && full == LP_NO_OP; i++) {
		const struct lp_history_op *op = &p->ops[s->empties[i]];
		if (next[op->start] >= op->end)
			full = s->empties[i];
	}
	lp_free(next);
	return full;
}

void lp_pairs_blame(const struct lp_pairs *s, const struct lp_problem *p, uint32_t from,
		    uint32_t to, const bool *allowed, struct lp_witness *w)
{
	uint32_t best = LP_NO_OP;

	/* The usual greedy cover: of the pairs that begin in time, takes the one that lasts
	 * longest. */
	for (uint32_t rank = 0; rank < p->ranks && from < to; rank++) {
		if (rank > from && best != LP_NO_OP && s->at[best].out_start > from) {
			lp_pairs_witness(s, best, w);
			from = s->at[best].out_start;
			if (from >= to)
				return;
		}
		const uint32_t event = p->events[rank];
		const uint32_t pair = s->of[event / 2];
		if (!(event & 1) || pair == LP_NO_OP || s->at[pair].in != event / 2)
			continue;
		if ((!allowed || allowed[pair]) &&
		    (best == LP_NO_OP || s->at[pair].out_start > s->at[best].out_start))
			best = pair;
	}
	if (from < to && best != LP_NO_OP)
		lp_pairs_witness(s, best, w);
}

void lp_pairs_assign(struct lp_pairs *s, const struct lp_problem *p)
{
	uint32_t next_removal = 0;

	for (uint32_t rank = 0; rank < p->ranks && next_removal < s->pending_removal_count; rank++) {
		const uint32_t event = p->events[rank];
		const uint32_t i = s->of[event / 2];
		if (!(event & 1) || i == LP_NO_OP || s->at[i].out != LP_NO_OP)
			continue;
		s->at[i].out = s->pending_removals[next_removal++];
		s->at[i].out_start = p->ops[s->at[i].out].start;
		s->of[s->at[i].out] = i;
		s->staying--;
	}
}
