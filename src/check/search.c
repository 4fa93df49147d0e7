/* search.c -- the general checker.
 *
 * After Wing and Gong, "Testing and verifying concurrent objects" (JPDC 1993), and
 * Lowe, "Testing for linearizability" (CCPE 2017): depth-first, one operation after
 * the other among those whose predecessors are all done, and never twice from the
 * same set of done operations in the same state.  Operations that end first are
 * tried first, so that one is placed when it has to be, and no earlier.
 *
 * What is added, and why no linearization is lost:
 *
 *   N1  An operation whose result means that it changes nothing (LP_OBSERVES,
 *       LP_READS) and that is accepted here, is placed at once, without alternatives.
 *       Wherever a linearization has it later, it can be moved here: its
 *       predecessors are done, and nobody notices.
 *   N2  A pending operation that leaves the state as it is, is not placed: without
 *       it the rest has the same linearizations.
 *   N3  Of pending operations with equal method and arguments, only the first is
 *       tried: they are interchangeable, having no successors.  (Except for
 *       specifications that look at the thread.)
 *
 * Sets and states are remembered as 128-bit fingerprints.  To lose a linearization,
 * two of the (at most 2^26 or so) pairs met in a search would have to collide: less
 * likely than 2^-70.
 *
 * What is remembered grows with steps, 16 to 32 bytes each.
 */
#include "check/search.h"

#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "base/vec.h"
#include "check/sort.h"

struct frame {
	uint32_t op;     /* placed at this depth */
	uint32_t choice;
	bool committed;  /* no alternatives (N1) */
	uint32_t state;  /* where the state before is kept */
	uint32_t words;
	uint32_t fired;  /* nodes done at this depth: from here in `fired` */
	uint64_t set[2]; /* fingerprint of the operations done before */
};

struct seen {
	uint64_t a, b;
};

struct search {
	const struct lp_problem *p;
	const struct lp_order *order;
	struct lp_state state, trial;
	uint32_t *before;   /* edges into a node from nodes not done */
	uint32_t *priority; /* of operations: lower is tried first */
	uint32_t *twin;     /* of pending operations: the class of N3 */
	struct {
		LP_VEC(uint32_t);
	} ready, fired;     /* ready: sorted by priority */
	struct {
		LP_VEC(struct frame);
	} frames;
	struct {
		LP_VEC(int64_t);
	} words;            /* the states before each frame */
	struct seen *seen;
	uint64_t seen_count, seen_mask;
	uint64_t set[2];
	uint32_t left;      /* operations that are not pending and not done */
	uint32_t best;      /* depth of the longest attempt */
	uint32_t kept;      /* the first so many frames agree with it */
	uint64_t rounds;
	struct lp_search *found;
	const struct lp_search_limits *limits;
};

enum { MAX_WORDS = 1 << 29 };

double lp_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Is the pair new?  It is remembered. */
static bool remember(struct search *s, struct lp_fingerprint f)
{
	uint64_t at = f.a & s->seen_mask;

	if (!(f.a | f.b))
		f.b = 1; /* zeroes are free slots */
	for (; s->seen[at].a | s->seen[at].b; at = (at + 1) & s->seen_mask)
		if (s->seen[at].a == f.a && s->seen[at].b == f.b)
			return false;
	s->seen[at] = (struct seen){ f.a, f.b };
	s->seen_count++;
	return true;
}

static void grow_seen(struct search *s)
{
	struct seen *old = s->seen;
	const uint64_t size = s->seen_mask + 1;

	s->seen_mask = s->seen_mask * 2 + 1;
	s->seen = lp_alloc_zero((size_t)s->seen_mask + 1, sizeof *s->seen);
	for (uint64_t i = 0; i < size; i++) {
		if (!(old[i].a | old[i].b))
			continue;
		uint64_t at = old[i].a & s->seen_mask;
		while (s->seen[at].a | s->seen[at].b)
			at = (at + 1) & s->seen_mask;
		s->seen[at] = old[i];
	}
	lp_free(old);
}

/* Where operations of that priority or above begin in `ready`. */
static uint32_t ready_place(const struct search *s, uint32_t priority)
{
	uint32_t low = 0, high = s->ready.count;

	while (low < high) {
		const uint32_t middle = (low + high) / 2;
		if (s->priority[s->ready.at[middle]] < priority)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void ready_add(struct search *s, uint32_t op)
{
	const uint32_t at = ready_place(s, s->priority[op]);

	LP_RESERVE(&s->ready, 1);
	memmove(s->ready.at + at + 1, s->ready.at + at,
		sizeof *s->ready.at * (s->ready.count++ - at));
	s->ready.at[at] = op;
}

static void ready_remove(struct search *s, uint32_t op)
{
	const uint32_t at = ready_place(s, s->priority[op]);

	memmove(s->ready.at + at, s->ready.at + at + 1,
		sizeof *s->ready.at * (--s->ready.count - at));
}

/* Node `n` is done: its successors may become ready; moments are done at once. */
static void fire(struct search *s, uint32_t n)
{
	uint32_t at = s->fired.count;

	LP_PUSH(&s->fired, n);
	for (; at < s->fired.count; at++) {
		const uint32_t done = s->fired.at[at];
		for (uint32_t i = s->order->first[done]; i < s->order->first[done + 1]; i++) {
			const uint32_t next = s->order->next[i];
			if (--s->before[next])
				continue;
			if (next < s->p->count)
				ready_add(s, next);
			else
				LP_PUSH(&s->fired, next);
		}
	}
}

static void unfire(struct search *s, uint32_t to)
{
	while (s->fired.count > to) {
		const uint32_t done = s->fired.at[--s->fired.count];
		for (uint32_t i = s->order->first[done]; i < s->order->first[done + 1]; i++) {
			const uint32_t next = s->order->next[i];
			if (!s->before[next]++ && next < s->p->count)
				ready_remove(s, next);
		}
	}
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

/* Places `op`, whose successor state is in `trial`. */
static void place(struct search *s, uint32_t op, uint32_t choice, bool committed)
{
	struct frame f = { .op = op, .choice = choice, .committed = committed,
			   .state = s->words.count, .words = s->state.count,
			   .fired = s->fired.count, .set = { s->set[0], s->set[1] } };

	LP_RESERVE(&s->words, s->state.count);
	memcpy(s->words.at + s->words.count, s->state.at, sizeof *s->state.at * s->state.count);
	s->words.count += s->state.count;
	LP_PUSH(&s->frames, f);

	const struct lp_state swap = s->state;
	s->state = s->trial;
	s->trial = swap;
	toggle_set(s, op, true);
	ready_remove(s, op);
	fire(s, op);
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
	unfire(s, f.fired);
	ready_add(s, f.op);
	s->set[0] = f.set[0];
	s->set[1] = f.set[1];
	s->state.count = f.words; /* there was room for it before */
	memcpy(s->state.at, s->words.at + f.state, sizeof *s->state.at * f.words);
	s->words.count = f.state;
	return f;
}

static enum lp_answer try_op(struct search *s, uint32_t op, uint32_t choice)
{
	struct lp_spec_call call = lp_problem_call(s->p, op);

	call.choice = choice;
	s->found->steps++;
	lp_state_copy(&s->trial, &s->state);
	return lp_spec_step(&s->p->spec, s->p->ops[op].method, &s->trial, &call);
}

/* May it be one that changes nothing?  An unknown result does not tell. */
static bool may_observe(const struct search *s, uint32_t op)
{
	const unsigned roles = lp_op_method(s->p, &s->p->ops[op])->roles;

	return (roles & LP_READS) == LP_READS ||
	       ((roles & LP_OBSERVES) && s->p->ops[op].results != LP_RESULT_UNKNOWN);
}

/* N1: places an operation that changes nothing, if there is one. */
static bool place_observer(struct search *s)
{
	for (uint32_t i = 0; i < s->ready.count; i++) {
		const uint32_t op = s->ready.at[i];
		if (is_pending(s, op) || !may_observe(s, op))
			continue;
		if (try_op(s, op, 0) == LP_ACCEPTS && lp_state_equal(&s->state, &s->trial)) {
			place(s, op, 0, true);
			return true;
		}
	}
	return false;
}

static bool has_earlier_twin(const struct search *s, uint32_t at)
{
	const uint32_t op = s->ready.at[at];

	for (uint32_t i = at; s->twin && i-- > 0 && is_pending(s, s->ready.at[i]);)
		if (s->twin[s->ready.at[i]] == s->twin[op])
			return true;
	return false;
}

/* Places the next operation from place `at` in `ready` on, with `choice` or more. */
static bool place_next(struct search *s, uint32_t at, uint32_t choice)
{
	for (; at < s->ready.count; at++, choice = 0) {
		const uint32_t op = s->ready.at[at];
		const bool chooses = lp_op_method(s->p, &s->p->ops[op])->roles & LP_CHOOSES;

		if (is_pending(s, op) && has_earlier_twin(s, at))
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
				if (remember(s, f)) {
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

static const char *limit_reached(struct search *s)
{
	const size_t states = (size_t)s->words.count * sizeof *s->words.at;

	if (s->words.count > MAX_WORDS || (s->limits->memory && states > s->limits->memory))
		return "memory";
	if (s->seen_count * 3 > s->seen_mask * 2) {
		const size_t size = ((size_t)s->seen_mask + 1) * sizeof *s->seen;
		if (s->limits->memory && size * 2 + states > s->limits->memory)
			return "memory";
		grow_seen(s);
	}
	if (s->limits->steps && s->found->steps > s->limits->steps)
		return "steps";
	if (s->limits->deadline > 0 && !(++s->rounds & 255) && lp_now() > s->limits->deadline)
		return "time";
	return NULL;
}

static enum lp_finding run(struct search *s)
{
	bool advanced = true;
	uint32_t at = 0, choice = 0;

	while (s->left) {
		s->found->limit = limit_reached(s);
		if (s->found->limit)
			return LP_UNDECIDED;
		if (advanced && place_observer(s))
			continue;
		if (place_next(s, advanced ? 0 : at, advanced ? 0 : choice)) {
			advanced = true;
			continue;
		}
		struct frame f;
		do {
			if (!s->frames.count)
				return LP_WRONG;
			f = take_back(s);
		} while (f.committed);
		at = ready_place(s, s->priority[f.op]);
		choice = f.choice + 1;
		if (!(lp_op_method(s->p, &s->p->ops[f.op])->roles & LP_CHOOSES)) {
			at++;
			choice = 0;
		}
		advanced = false;
	}
	return LP_CORRECT;
}

/* Completed operations by their ends, then pending ones by their starts. */
static void set_priorities(struct search *s)
{
	const struct lp_problem *p = s->p;
	uint32_t next = 0;

	for (uint32_t rank = 0; rank < p->ranks; rank++)
		if (p->events[rank] & 1)
			s->priority[p->events[rank] / 2] = next++;
	for (uint32_t rank = 0; rank < p->ranks; rank++)
		if (is_pending(s, p->events[rank] / 2))
			s->priority[p->events[rank] / 2] = next++;
}

/* Classes of pending operations for N3: those with equal method and arguments.  For
 * locks the thread matters, so there are none there; nor where a pending operation
 * has successors. */
static void set_twins(struct search *s)
{
	const struct lp_problem *p = s->p;
	const char *kind = p->spec.kind->name;
	uint32_t pending = 0;

	for (uint32_t i = 0; i < p->count; i++) {
		if (!is_pending(s, i))
			continue;
		pending++;
		if (s->order->first[i] != s->order->first[i + 1])
			return;
	}
	if (pending < 2 || lp_kind_named(kind) != p->spec.kind || !strcmp(kind, "lock") ||
	    !strcmp(kind, "rwlock"))
		return;

	int64_t *keys = lp_alloc_zero(p->count, sizeof *keys);
	s->twin = lp_alloc(sizeof *s->twin * p->count);
	for (uint32_t i = 0; i < p->count; i++)
		s->twin[i] = p->ops[i].method;
	/* Numbers for pairs (class so far, argument), one argument at a time. */
	for (uint32_t a = 0; a < LP_MAX_ARGS; a++) {
		uint32_t *number = lp_alloc(sizeof *number * p->count);
		for (uint32_t i = 0; i < p->count; i++) {
			const struct lp_call *c = &p->history->at[p->ops[i].call];
			keys[i] = a < c->args ? c->arg[a] : 0;
		}
		lp_number_values(keys, p->count, number);
		for (uint32_t i = 0; i < p->count; i++)
			keys[i] = (int64_t)((uint64_t)s->twin[i] << 32 | number[i]);
		lp_number_values(keys, p->count, s->twin);
		lp_free(number);
	}
	lp_free(keys);
}

enum lp_finding lp_search(const struct lp_problem *p, const struct lp_order *order,
			  const struct lp_search_limits *limits, struct lp_search *found)
{
	struct search s = { .p = p, .order = order, .found = found, .limits = limits };

	*found = (struct lp_search){ .order = lp_alloc(sizeof *found->order * p->count),
				     .choice = lp_alloc_zero(p->count, sizeof *found->choice) };
	memset(found->order, 0xff, sizeof *found->order * p->count);
	lp_state_open(&s.state);
	lp_state_open(&s.trial);
	lp_state_begin(&s.state, &p->spec);
	s.before = lp_alloc(sizeof *s.before * order->nodes);
	memcpy(s.before, order->before, sizeof *s.before * order->nodes);
	s.priority = lp_alloc(sizeof *s.priority * p->count);
	set_priorities(&s);
	set_twins(&s);
	LP_RESERVE(&s.ready, 1); /* never NULL, so that nothing may be moved */
	LP_RESERVE(&s.words, 1);
	s.seen_mask = 1023;
	s.seen = lp_alloc_zero((size_t)s.seen_mask + 1, sizeof *s.seen);
	for (uint32_t i = 0; i < p->count; i++) {
		s.left += !is_pending(&s, i);
		if (!order->before[i])
			ready_add(&s, i);
	}

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
	lp_free(s.before);
	lp_free(s.priority);
	lp_free(s.twin);
	lp_free(s.ready.at);
	lp_free(s.fired.at);
	lp_free(s.frames.at);
	lp_free(s.words.at);
	lp_free(s.seen);
	return finding;
}

void lp_search_close(struct lp_search *found)
{
	lp_free(found->order);
	lp_free(found->choice);
	*found = (struct lp_search){ 0 };
}
