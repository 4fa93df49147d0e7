/* search.c -- the general checker.
 *
 * After Wing and Gong, "Testing and verifying concurrent objects" (JPDC 1993), and
 * Lowe, "Testing for linearizability" (CCPE 2017).  The search is depth first.  It places
 * operations one after the other, each after all its predecessors, and never continues twice
 * from the same set of placed operations in the same state.  The operation that ends first is
 * tried first.  So an operation is not placed before it has to be.
 *
 * Additional rules, and why no linearization is lost:
 *
 *   N1  If the result of an operation means that it changes nothing (LP_OBSERVES, LP_READS),
 *       and the operation is accepted here, it is placed at once, without alternatives.  In a
 *       linearization where it comes later, it can be moved here: its predecessors are placed,
 *       and no other operation is affected.
 *   N2  A pending operation that does not change the state is not placed, because the other
 *       operations have the same linearizations without it.
 *   N3  Of several ready operations with equal method, arguments and result, only the one that
 *       ends first is tried.  In a linearization that has another one here, the two can be
 *       exchanged: an operation that has to follow the one that ends later also has to follow
 *       the one that ends first, so it comes after both places.  Pending operations have no
 *       successors, so of those with equal method and arguments only one is tried.  N3 is not
 *       used for specifications that look at the thread, or at the operations that overlap.
 *
 *   N4  For a register, the remaining calls must form a walk through its values (flow.h).  If
 *       they cannot form one, the search goes back.
 *
 * Calls that take effect together (lp_kind.settled) form a group.  They are placed one after
 * the other, and each of them must have been ready before the first one was placed.  Inside a
 * group N1 does not apply, and the remembered positions include the beginning of the group.
 *
 * Each pair of a set of placed operations and a state is remembered as a 128-bit fingerprint.
 * A linearization is lost only if the fingerprints of two of the (at most 2^26 or so) pairs
 * of a search are equal.  The probability of this is less than 2^-70.
 *
 * The fingerprints take 16 to 32 bytes for each step.
 */
#include "check/history/search.h"

#include <string.h>
#include <time.h>

#include "base/fingerprints.h"
#include "base/hash.h"
#include "base/vec.h"
#include "check/history/fast/flow.h"
#include "check/history/frontier.h"
#include "check/history/op_overlaps.h"
#include "check/sort.h"
#include "spec/traits.h"

struct frame {
	uint32_t op;     /* placed at this depth */
	uint32_t choice;
	bool committed;  /* no alternatives (N1) */
	uint32_t state;  /* where the previous state is stored */
	uint32_t words;
	uint32_t mark;   /* takes it back */
	uint64_t set[2]; /* fingerprint of the operations done before */
	uint32_t group;  /* as in struct search, before */
	uint64_t group_set[2];
};

struct search {
	const struct lp_problem *p;
	const struct lp_precedence *order;
	struct lp_state state, trial;
	struct lp_frontier frontier;
	struct lp_flow flow;
	struct lp_op_overlaps overlaps;
	uint32_t *twin;     /* the class of N3; NULL: each is alone */
	uint64_t *tried;    /* for each class, the pass in which one of its operations was
			     * last tried */
	uint64_t pass;
	struct {
		LP_VEC(struct frame);
	} frames;
	struct {
		LP_VEC(int64_t);
	} words;            /* the states before each frame */
	struct lp_fingerprints seen;
	uint64_t set[2];
	bool settled;       /* the state is */
	uint32_t group;     /* the number of operations that were placed when the state was
			     * last settled */
	uint64_t group_set[2];
	uint32_t left;      /* operations that are not pending and not done */
	uint32_t best;      /* depth of the longest attempt */
	uint32_t kept;      /* how many of the first frames agree with the longest attempt */
	uint64_t rounds;
	struct lp_history_search *found;
	const struct lp_search_limits *limits;
};

enum { MAX_WORDS = 1 << 29 };

double lp_search_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void toggle_set(struct search *s, uint32_t op, bool in)
{
	const uint64_t a = lp_mix(op + UINT64_C(0x51ed270b7a5f1c35));
	const uint64_t b = lp_mix(a ^ UINT64_C(0xd6e8feb86659fd93));

	s->set[0] += in ? a : -a;
	s->set[1] += in ? b : -b;
}

static bool is_pending(const struct search *s, uint32_t op)
{
	return lp_op_is_pending(&s->p->ops[op]);
}

/* After a step: a settled state begins a new group. */
static void set_group(struct search *s)
{
	s->settled = lp_spec_is_settled(&s->p->spec, &s->state);
	if (s->settled) {
		s->group = s->frontier.placed;
		s->group_set[0] = s->set[0];
		s->group_set[1] = s->set[1];
	}
}

/* Was it ready when the group began? */
static bool joins_group(const struct search *s, uint32_t op)
{
	return s->frontier.since[op] <= s->group;
}

/* Places `op`, whose successor state is in `trial`. */
static void place(struct search *s, uint32_t op, uint32_t choice, bool committed)
{
	struct frame f = { .op = op, .choice = choice, .committed = committed,
			   .state = s->words.count, .words = s->state.count,
			   .set = { s->set[0], s->set[1] }, .group = s->group,
			   .group_set = { s->group_set[0], s->group_set[1] } };

	LP_RESERVE(&s->words, s->state.count);
	memcpy(s->words.at + s->words.count, s->state.at, sizeof *s->state.at * s->state.count);
	s->words.count += s->state.count;
	f.mark = lp_frontier_place(&s->frontier, op);
	LP_PUSH(&s->frames, f);

	if (s->flow.on)
		lp_flow_place(&s->flow, op, !lp_state_equal(&s->state, &s->trial));
	if (s->overlaps.effective)
		lp_op_overlaps_place(&s->overlaps, op, lp_state_equal(&s->state, &s->trial));
	const struct lp_state swap = s->state;
	s->state = s->trial;
	s->trial = swap;
	toggle_set(s, op, true);
	set_group(s);
	s->left -= !is_pending(s, op);
	if (s->frames.count > s->best) {
		s->best = s->frames.count;
		s->found->count = s->best;
		for (uint32_t i = s->kept; i < s->best; i++) {
			s->found->order[i] = s->frames.at[i].op;
			s->found->choice[i] = s->frames.at[i].choice;
		}
		s->kept = s->best;
	}
}

static struct frame take_back(struct search *s)
{
	const struct frame f = s->frames.at[--s->frames.count];

	if (s->kept > s->frames.count)
		s->kept = s->frames.count;
	s->left += !is_pending(s, f.op);
	lp_frontier_take_back(&s->frontier, f.op, f.mark);
	lp_flow_take_back(&s->flow, f.op);
	lp_op_overlaps_take_back(&s->overlaps, f.op);
	s->set[0] = f.set[0];
	s->set[1] = f.set[1];
	s->state.count = f.words; /* there was room for it before */
	memcpy(s->state.at, s->words.at + f.state, sizeof *s->state.at * f.words);
	s->words.count = f.state;
	s->group = f.group;
	s->group_set[0] = f.group_set[0];
	s->group_set[1] = f.group_set[1];
	s->settled = f.group == s->frontier.placed;
	return f;
}

static enum lp_answer try_op(struct search *s, uint32_t op, uint32_t choice)
{
	struct lp_spec_call call = lp_problem_call(s->p, op);

	call.choice = choice;
	s->found->steps++;
	lp_state_copy(&s->trial, &s->state);
	const enum lp_answer answer = lp_spec_step(&s->p->spec, s->p->ops[op].method, &s->trial, &call);
	struct lp_overlap overlap;
	if (answer == LP_ACCEPTS || !lp_op_overlaps_fill(&s->overlaps, op, &overlap))
		return answer;
	call.overlap = &overlap;
	lp_state_copy(&s->trial, &s->state);
	return lp_spec_step(&s->p->spec, s->p->ops[op].method, &s->trial, &call);
}

/* N1: places an operation that changes nothing, if there is one. */
static bool place_observer(struct search *s)
{
	for (uint32_t i = 0; i < s->frontier.ready.count; i++) {
		const uint32_t op = s->frontier.ready.at[i];
		if (is_pending(s, op) || !lp_op_may_observe(s->p, &s->p->ops[op]))
			continue;
		if (try_op(s, op, 0) == LP_ACCEPTS && lp_state_equal(&s->state, &s->trial)) {
			place(s, op, 0, true);
			return true;
		}
	}
	return false;
}

/* N3: is it the first of its class in this pass over what is ready? */
static bool is_first_twin(struct search *s, uint32_t op)
{
	if (!s->twin)
		return true;
	const bool first = s->tried[s->twin[op]] != s->pass;
	s->tried[s->twin[op]] = s->pass;
	return first;
}

/* Places the next operation from place `at` in `ready` on, with `choice` or more. */
static bool place_next(struct search *s, uint32_t at, uint32_t choice)
{
	s->pass++;
	for (uint32_t i = 0; s->twin && i < at; i++)
		if (joins_group(s, s->frontier.ready.at[i]))
			is_first_twin(s, s->frontier.ready.at[i]);
	for (; at < s->frontier.ready.count; at++, choice = 0) {
		const uint32_t op = s->frontier.ready.at[at];
		const bool chooses = lp_op_method(s->p, &s->p->ops[op])->roles & LP_CHOOSES;

		if (!joins_group(s, op) || !is_first_twin(s, op))
			continue;
		for (;; choice++) {
			if (try_op(s, op, choice) != LP_ACCEPTS)
				break;
			const bool same = lp_state_equal(&s->state, &s->trial);
			if (!(same && is_pending(s, op))) {
				struct lp_fingerprint f = LP_FINGERPRINT;
				toggle_set(s, op, true);
				lp_fingerprint_word(&f, s->set[0]);
				lp_fingerprint_word(&f, s->set[1]);
				toggle_set(s, op, false);
				for (uint32_t i = 0; i < s->trial.count; i++)
					lp_fingerprint_word(&f, (uint64_t)s->trial.at[i]);
				if (!lp_spec_is_settled(&s->p->spec, &s->trial)) {
					lp_fingerprint_word(&f, s->group_set[0]);
					lp_fingerprint_word(&f, s->group_set[1]);
				}
				if (lp_fingerprints_add(&s->seen, f)) {
					place(s, op, choice, false);
					return true;
				}
			}
			if (!chooses)
				break;
		}
	}
	return false;
}

const char *lp_search_late(const struct lp_search_limits *limits, uint64_t steps)
{
	if (limits->deadline > 0 && lp_search_now() > limits->deadline)
		return "out of time";
	return limits->go_on && !limits->go_on(limits->closure, steps) ? "interrupted" : NULL;
}

static const char *limit_reached(struct search *s)
{
	const size_t states = (size_t)s->words.count * sizeof *s->words.at;

	if (s->words.count > MAX_WORDS || (s->limits->memory && states > s->limits->memory))
		return "out of memory";
	if (s->limits->memory && states + lp_fingerprints_size(&s->seen) > s->limits->memory)
		return "out of memory";
	if (s->limits->steps && s->found->steps > s->limits->steps)
		return "out of steps";
	return ++s->rounds & 255 ? NULL : lp_search_late(s->limits, s->found->steps);
}

static enum lp_finding run(struct search *s)
{
	bool advanced = true;
	uint32_t at = 0, choice = 0;

	while (s->left || !s->settled) {
		s->found->limit = limit_reached(s);
		if (s->found->limit)
			return LP_UNDECIDED;
		const bool hopeless = advanced && lp_flow_is_hopeless(&s->flow, s->frontier.ready.at,
								  s->order->is_nested ? s->frontier.ready.count : 0);
		if (!hopeless && advanced && s->settled && place_observer(s))
			continue;
		if (!hopeless && place_next(s, advanced ? 0 : at, advanced ? 0 : choice)) {
			advanced = true;
			continue;
		}
		struct frame f;
		do {
			if (!s->frames.count)
				return LP_WRONG;
			f = take_back(s);
		} while (f.committed);
		at = lp_frontier_at(&s->frontier, s->frontier.priority[f.op]);
		choice = f.choice + 1;
		if (!(lp_op_method(s->p, &s->p->ops[f.op])->roles & LP_CHOOSES)) {
			at++;
			choice = 0;
		}
		advanced = false;
	}
	return LP_CORRECT;
}

/* Refines the classes: of those of a class, the ones with equal keys stay together. */
static uint32_t split_twins(struct search *s, int64_t *keys)
{
	uint32_t *number = lp_alloc(sizeof *number * s->p->count);

	lp_sort_number_values(keys, s->p->count, number);
	for (uint32_t i = 0; i < s->p->count; i++)
		keys[i] = (int64_t)((uint64_t)s->twin[i] << 32 | number[i]);
	lp_free(number);
	return lp_sort_number_values(keys, s->p->count, s->twin);
}

/* The key of a result for N3: unknown results are equal to each other; lists of values are
 * never equal. */
static int64_t result_key(const struct lp_problem *p, uint32_t i)
{
	const struct lp_history_op *op = &p->ops[i];

	return op->results == 1 ? op->result : op->results == LP_RESULT_UNKNOWN ? 0 : (int64_t)i;
}

/* May there be equal operations to which N3 applies? */
static bool may_have_twins(const struct search *s)
{
	const struct lp_problem *p = s->p;

	for (uint32_t i = 0; i < p->count; i++)
		if (is_pending(s, i) && s->order->first[i] != s->order->first[i + 1])
			return false;
	return s->order->is_nested && p->count > 1 && !lp_kind_traits(p->spec.kind)->by_thread &&
	       !lp_spec_uses_overlap(&p->spec);
}

/* Classes for N3. */
static void set_twins(struct search *s)
{
	const struct lp_problem *p = s->p;

	if (!may_have_twins(s))
		return;
	int64_t *keys = lp_alloc(sizeof *keys * p->count);
	uint32_t classes = 0;
	s->twin = lp_alloc(sizeof *s->twin * p->count);
	for (uint32_t i = 0; i < p->count; i++) {
		const struct lp_history_op *op = &p->ops[i];
		const uint32_t results = op->results == LP_RESULT_UNKNOWN ? 3 : op->results < 2 ? op->results : 2;
		s->twin[i] = (uint32_t)op->method << 16 | results << 1 | is_pending(s, i);
		keys[i] = result_key(p, i);
	}
	split_twins(s, keys);
	for (uint32_t a = 0; a < LP_MAX_ARGS; a++) {
		for (uint32_t i = 0; i < p->count; i++) {
			const struct lp_call *c = &p->history->at[p->ops[i].call];
			keys[i] = a < c->args ? c->arg[a] : 0;
		}
		classes = split_twins(s, keys);
	}
	s->tried = lp_alloc_zero(classes, sizeof *s->tried);
	lp_free(keys);
}

enum lp_finding lp_search(const struct lp_problem *p, const struct lp_precedence *order,
			  const struct lp_search_limits *limits, struct lp_history_search *found)
{
	struct search s = { .p = p, .order = order, .found = found, .limits = limits };

	*found = (struct lp_history_search){ .order = lp_alloc(sizeof *found->order * p->count),
				     .choice = lp_alloc_zero(p->count, sizeof *found->choice) };
	memset(found->order, 0xff, sizeof *found->order * p->count);
	lp_state_open(&s.state);
	lp_state_open(&s.trial);
	lp_state_begin(&s.state, &p->spec);
	lp_frontier_open(&s.frontier, p, order);
	if (!limits->for_attempt)
		lp_flow_open(&s.flow, p);
	lp_op_overlaps_open(&s.overlaps, p);
	set_twins(&s);
	set_group(&s);
	LP_RESERVE(&s.words, 1);
	for (uint32_t i = 0; i < p->count; i++)
		s.left += !is_pending(&s, i);

	const enum lp_finding finding = run(&s);
	if (finding == LP_CORRECT) {
		found->count = s.frames.count;
		for (uint32_t i = 0; i < s.frames.count; i++) {
			found->order[i] = s.frames.at[i].op;
			found->choice[i] = s.frames.at[i].choice;
		}
	}
	lp_state_close(&s.state);
	lp_state_close(&s.trial);
	lp_frontier_close(&s.frontier);
	lp_flow_close(&s.flow);
	lp_op_overlaps_close(&s.overlaps);
	lp_free(s.twin);
	lp_free(s.tried);
	lp_free(s.frames.at);
	lp_free(s.words.at);
	lp_fingerprints_close(&s.seen);
	return finding;
}

void lp_search_close(struct lp_history_search *found)
{
	lp_free(found->order);
	lp_free(found->choice);
	*found = (struct lp_history_search){ 0 };
}
