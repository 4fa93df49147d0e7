/* lazy.c -- the method of lazy.h: follows all runs at once, from the end of each call to the next
 * end of a call. */
#include "check/history/fast/lazy.h"

#include <string.h>

#include "base/fingerprints.h"
#include "base/hash.h"
#include "check/history/fast/lazy_parts.h"
#include "check/sort.h"

enum { SLOTS = 64, MOST_RUNS = 1 << 20 };

struct runs {
	LP_VEC(struct lp_lazy_run);
};

struct lazy {
	struct lp_lazy l;
	uint32_t slot[SLOTS];/* the open call in a slot; LP_NO_OP: none */
	uint32_t pending_removals; /* that have started */
	struct runs runs, todo, next;
	struct lp_fingerprints seen;
	uint64_t gap;        /* time is after this, and before the next event */
	const struct lp_search_limits *limits;
	uint64_t steps, bytes;
	const char *limit;
};

/* ---- Runs ---- */

static void run_close(struct lp_lazy_run *r)
{
	lp_free(r->gone.at);
	lp_free(r->early.at);
	lp_free(r->holes.at);
	lp_free(r->pins.at);
}

static void runs_clear(struct runs *s)
{
	for (uint32_t i = 0; i < s->count; i++)
		run_close(&s->at[i]);
	s->count = 0;
}

#define COPY_VEC(to, from)                                                            \
	do {                                                                          \
		(to)->at = NULL;                                                      \
		(to)->count = (to)->room = (from)->count;                             \
		if ((from)->count) {                                                  \
			(to)->at = lp_alloc(sizeof *(to)->at * (from)->count);        \
			memcpy((to)->at, (from)->at, sizeof *(to)->at * (from)->count); \
		}                                                                     \
	} while (0)

static struct lp_lazy_run run_copy(const struct lp_lazy_run *r)
{
	struct lp_lazy_run copy = *r;

	COPY_VEC(&copy.gone, &r->gone);
	COPY_VEC(&copy.early, &r->early);
	COPY_VEC(&copy.holes, &r->holes);
	COPY_VEC(&copy.pins, &r->pins);
	return copy;
}

/* A fingerprint of everything in a run except its holes. */
static struct lp_fingerprint print_outline(const struct lp_lazy_run *r)
{
	struct lp_fingerprint f = LP_FINGERPRINT;

	lp_fingerprint_word(&f, r->done);
	lp_fingerprint_word(&f, (uint64_t)r->pending_taken << 32 | r->head);
	lp_fingerprint_word(&f, r->empty);
	lp_fingerprint_word(&f, r->gone.count);
	lp_fingerprint_word(&f, (uint64_t)r->early.count << 32 | r->pins.count);
	for (uint32_t i = 0; i < r->gone.count; i++)
		lp_fingerprint_word(&f, (uint64_t)r->gone.at[i].from << 32 | r->gone.at[i].to);
	for (uint32_t i = 0; i < r->early.count; i++) {
		lp_fingerprint_word(&f, r->early.at[i].item);
		lp_fingerprint_word(&f, r->early.at[i].time);
	}
	for (uint32_t i = 0; i < r->pins.count; i++) {
		lp_fingerprint_word(&f, r->pins.at[i].item);
		lp_fingerprint_word(&f, r->pins.at[i].time);
	}
	return f;
}

static struct lp_fingerprint print_of(const struct lp_lazy_run *r)
{
	struct lp_fingerprint f = print_outline(r);

	for (uint32_t i = 0; i < r->holes.count; i++) {
		lp_fingerprint_word(&f, r->holes.at[i].from);
		lp_fingerprint_word(&f, r->holes.at[i].to);
	}
	return f;
}

/* Does each hole of `a` lie within one of `b`? */
static bool has_fewer_holes(const struct lp_lazy_run *a, const struct lp_lazy_run *b)
{
	uint32_t j = 0;

	for (uint32_t i = 0; i < a->holes.count; i++) {
		while (j < b->holes.count && b->holes.at[j].to < a->holes.at[i].to)
			j++;
		if (j == b->holes.count || b->holes.at[j].from > a->holes.at[i].from)
			return false;
	}
	return true;
}

/* Keeps the best of runs that differ in their holes only. */
static void keep_best(struct runs *s)
{
	struct lp_keyed *by_outline = lp_alloc(sizeof *by_outline * (s->count + 1));
	bool *bad = lp_alloc_zero((size_t)s->count + 1, sizeof *bad);
	uint32_t kept = 0;

	for (uint32_t i = 0; i < s->count; i++)
		by_outline[i] = (struct lp_keyed){ print_outline(&s->at[i]).a, i };
	lp_sort_keyed(by_outline, s->count);
	for (uint32_t i = 0, from = 0; i < s->count; i++) {
		if (by_outline[i].key != by_outline[from].key)
			from = i;
		for (uint32_t j = from; j < i && !bad[by_outline[i].id]; j++) {
			const uint32_t a = by_outline[j].id, b = by_outline[i].id;
			if (bad[a])
				continue;
			bad[b] = has_fewer_holes(&s->at[a], &s->at[b]);
			bad[a] = !bad[b] && has_fewer_holes(&s->at[b], &s->at[a]);
		}
	}
	for (uint32_t i = 0; i < s->count; i++) {
		if (bad[i])
			run_close(&s->at[i]);
		else
			s->at[kept++] = s->at[i];
	}
	s->count = kept;
	lp_free(by_outline);
	lp_free(bad);
}

static uint64_t size_of(const struct lp_lazy_run *r)
{
	return sizeof *r + 64 + 8 * (uint64_t)r->gone.count + 16 * (uint64_t)r->holes.count +
	       16 * ((uint64_t)r->early.count + r->pins.count);
}

/* Adds a run, unless it is there already.  Takes over the memory of the run in either
 * case. */
static void add(struct lazy *z, struct runs *to, struct lp_lazy_run *r, bool is_new)
{
	if (is_new) {
		lp_lazy_normalise(&z->l, r, z->gap);
		if (!lp_fingerprints_add(&z->seen, print_of(r))) {
			run_close(r);
			return;
		}
	}
	z->bytes += size_of(r);
	LP_PUSH(to, *r);
}

/* The time of what takes effect next in this run. */
static void set_now(struct lazy *z, const struct lp_lazy_run *r)
{
	uint64_t last = z->gap;

	last = r->empty > last ? r->empty : last;
	for (uint32_t i = r->holes.count; i-- > 0 && r->holes.at[i].to > z->gap;)
		last = r->holes.at[i].to > last ? r->holes.at[i].to : last;
	for (uint32_t i = 0; i < r->early.count; i++)
		last = r->early.at[i].time > last ? r->early.at[i].time : last;
	for (uint32_t i = 0; i < r->pins.count; i++)
		last = r->pins.at[i].time > last ? r->pins.at[i].time : last;
	z->l.now = last + 1;
}

/* ---- Moves ---- */

static bool is_late(struct lazy *z)
{
	if (!(++z->steps & 255) && !z->limit)
		z->limit = lp_search_late(z->limits, z->steps);
	if (!z->limit && z->limits->steps && z->steps > z->limits->steps)
		z->limit = "out of steps";
	if (!z->limit && z->todo.count + z->next.count > MOST_RUNS)
		z->limit = "out of memory";
	if (!z->limit && z->limits->memory &&
	    z->bytes + lp_fingerprints_size(&z->seen) > z->limits->memory)
		z->limit = "out of memory";
	return z->limit;
}

enum effect { LEAVES, IS_SEEN, IS_THERE, IS_EMPTY, NOTHING };

/* Makes the run in which this has happened, too, and adds it to the runs to do, if it is
 * possible. */
static void branch(struct lazy *z, const struct lp_lazy_run *from, uint64_t done, uint32_t pending_taken,
		   enum effect effect, uint32_t item)
{
	if (is_late(z))
		return;
	struct lp_lazy_run r = run_copy(from);
	bool good = true;

	set_now(z, &r);
	switch (effect) {
	case LEAVES: good = lp_lazy_leaves(&z->l, &r, item); break;
	case IS_SEEN: good = lp_lazy_is_seen(&z->l, &r, item); break;
	case IS_THERE: good = lp_lazy_is_there(&z->l, &r, item); break;
	case IS_EMPTY: good = lp_lazy_is_empty(&z->l, &r); break;
	case NOTHING: break;
	}
	r.done |= done;
	r.pending_taken += pending_taken;
	if (good)
		add(z, &z->todo, &r, true);
	else
		run_close(&r);
}

/* Tries each value that no call is known to have removed. */
static void branch_any(struct lazy *z, const struct lp_lazy_run *r, uint64_t done, uint32_t pending_taken)
{
	for (uint32_t i = lp_lazy_there(&z->l, r, 0); i < z->l.count && !z->limit;
	     i = lp_lazy_there(&z->l, r, i + 1)) {
		const uint32_t number = z->l.items[i].number;
		if (z->l.spare[number] &&
		    (z->l.leaves == LP_LEAVES_LAST_IN || lp_lazy_best(&z->l, r, number) == i))
			branch(z, r, done, pending_taken, LEAVES, i);
	}
}

static void branch_values(struct lazy *z, const struct lp_lazy_run *r, uint64_t done,
			  const struct lp_lazy_call *c)
{
	const bool one = c->want == LP_LAZY_TAKES && z->l.leaves != LP_LEAVES_LAST_IN; /* L2 */
	const uint32_t best = one ? lp_lazy_best(&z->l, r, c->number) : LP_LAZY_NONE;

	if (one && best != LP_LAZY_NONE)
		branch(z, r, done, 0, LEAVES, best);
	for (uint32_t i = one ? LP_LAZY_NONE : z->l.first[c->number]; i != LP_LAZY_NONE && !z->limit;
	     i = z->l.items[i].next)
		if (!lp_lazy_is_gone(r, i))
			branch(z, r, done, 0, c->want == LP_LAZY_TAKES ? LEAVES : IS_SEEN, i);
}

static void branch_some(struct lazy *z, const struct lp_lazy_run *r, uint64_t done)
{
	if (lp_lazy_has_some(&z->l, r)) {
		branch(z, r, done, 0, NOTHING, 0);
		return;
	}
	for (uint32_t i = lp_lazy_there(&z->l, r, 0); i < z->l.count && !z->limit;
	     i = lp_lazy_there(&z->l, r, i + 1))
		branch(z, r, done, 0, IS_THERE, i);
}

/* The call in a slot takes effect, in all ways in which it can. */
static void branch_call(struct lazy *z, const struct lp_lazy_run *r, uint32_t slot)
{
	const struct lp_lazy_call *c = &z->l.calls[z->slot[slot]];
	const uint64_t done = UINT64_C(1) << slot;

	set_now(z, r); /* the present state, for calls that only look at it */
	switch (c->want) {
	case LP_LAZY_TAKES:
	case LP_LAZY_SEES: branch_values(z, r, done, c); break;
	case LP_LAZY_TAKES_UNKNOWN:
		branch_any(z, r, done, 0);
		if (!z->l.blocks)
			branch(z, r, done, 0, IS_EMPTY, 0);
		break;
	case LP_LAZY_FINDS_NOTHING: branch(z, r, done, 0, IS_EMPTY, 0); break;
	case LP_LAZY_SEES_SOME: branch_some(z, r, done); break;
	case LP_LAZY_IMPOSSIBLE:
	case LP_LAZY_NO_WANT: break;
	}
}

/* Is there an open call that does the same and ends earlier? */
static bool has_twin(const struct lazy *z, const struct lp_lazy_run *r, uint32_t slot)
{
	const uint32_t op = z->slot[slot];
	const struct lp_lazy_call *c = &z->l.calls[op];

	for (uint32_t s = 0; s < SLOTS; s++) {
		const uint32_t other = z->slot[s];
		if (s != slot && other != LP_NO_OP && !(r->done >> s & 1) &&
		    z->l.calls[other].want == c->want && z->l.calls[other].number == c->number &&
		    z->l.p->ops[other].end < z->l.p->ops[op].end)
			return true;
	}
	return false;
}

/* L3: lets every call take effect that can do so at once.  Returns true if one did. */
static bool hurry(struct lazy *z, struct lp_lazy_run *r)
{
	bool any = false, again = true;

	while (again && !z->limit) {
		again = false;
		for (uint32_t s = 0; s < SLOTS; s++) {
			const struct lp_lazy_call *c = z->slot[s] == LP_NO_OP ? NULL : &z->l.calls[z->slot[s]];
			if (!c || (r->done >> s & 1) || c->patient ||
			    (c->want != LP_LAZY_TAKES && c->want != LP_LAZY_FINDS_NOTHING) || has_twin(z, r, s))
				continue;
			set_now(z, r);
			const uint32_t best = c->want == LP_LAZY_TAKES ? lp_lazy_best(&z->l, r, c->number) :
								 LP_LAZY_NONE;
			if (c->want == LP_LAZY_TAKES ? best == LP_LAZY_NONE ||
						       !lp_lazy_leaves_no_hole(&z->l, r, best) ||
						       !lp_lazy_leaves(&z->l, r, best) :
					       z->l.leaves == LP_LEAVES_LAST_IN || !lp_lazy_is_empty(&z->l, r))
				continue;
			r->done |= UINT64_C(1) << s;
			again = any = true;
		}
	}
	return any;
}

/* ---- Events ---- */

/* Does an end of an insertion make a difference to calls that are open? */
static bool is_urgent(const struct lazy *z, const struct lp_lazy_run *r)
{
	for (uint32_t s = 0; s < SLOTS; s++) {
		if (z->slot[s] == LP_NO_OP || (r->done >> s & 1))
			continue;
		const enum lp_lazy_want want = z->l.calls[z->slot[s]].want;
		if (z->l.leaves == LP_LEAVES_LAST_IN || z->l.leaves == LP_LEAVES_BY_ORDER ||
		    want == LP_LAZY_FINDS_NOTHING || want == LP_LAZY_TAKES_UNKNOWN)
			return true;
	}
	return false;
}

static void expand(struct lazy *z, const struct lp_lazy_run *r)
{
	for (uint32_t s = 0; s < SLOTS && !z->limit; s++)
		if (z->slot[s] != LP_NO_OP && !(r->done >> s & 1) && !has_twin(z, r, s))
			branch_call(z, r, s);
	if (r->pending_taken < z->pending_removals)
		branch_any(z, r, 0, 1);
}

/* Finds all runs in which the call of `slot` has taken effect; if it is SLOTS, all
 * runs. */
static void close_over(struct lazy *z, uint32_t slot)
{
	const uint64_t bit = slot < SLOTS ? UINT64_C(1) << slot : 0;

	lp_fingerprints_clear(&z->seen);
	z->next.count = 0;
	z->bytes = 0;
	for (uint32_t i = 0; i < z->runs.count; i++)
		add(z, &z->todo, &z->runs.at[i], true);
	z->runs.count = 0;
	while (z->todo.count && !z->limit) {
		struct lp_lazy_run r = z->todo.at[--z->todo.count];
		if (hurry(z, &r)) {
			lp_lazy_normalise(&z->l, &r, z->gap);
			if (!lp_fingerprints_add(&z->seen, print_of(&r))) {
				run_close(&r);
				continue;
			}
		}
		if (slot < SLOTS ? !(r.done & bit) : is_urgent(z, &r))
			expand(z, &r);
		if (slot < SLOTS && !(r.done & bit)) {
			run_close(&r);
			continue;
		}
		LP_PUSH(&z->next, r);
	}
	runs_clear(&z->todo);
	if (z->l.leaves == LP_LEAVES_LAST_IN)
		keep_best(&z->next);
	const struct runs swap = z->runs;
	z->runs = z->next;
	z->next = swap;
	for (uint32_t i = 0; i < z->runs.count; i++)
		z->runs.at[i].done &= ~bit;
}

/* False if there are too many open calls. */
static bool start_of(struct lazy *z, uint32_t op)
{
	const struct lp_lazy_call *c = &z->l.calls[op];
	uint32_t s = 0;

	if (c->want == LP_LAZY_NO_WANT)
		return true;
	if (c->is_pending) {
		z->pending_removals += c->want == LP_LAZY_TAKES_UNKNOWN;
		return true;
	}
	while (s < SLOTS && z->slot[s] != LP_NO_OP)
		s++;
	if (s < SLOTS)
		z->slot[s] = op;
	return s < SLOTS;
}

static void end_of(struct lazy *z, uint32_t op)
{
	uint32_t s = 0;

	if (z->l.calls[op].want == LP_LAZY_NO_WANT) {
		if (z->l.calls[op].item != LP_LAZY_NONE && !z->l.calls[op].may_fail) {
			close_over(z, SLOTS);
			z->l.ended++;
		}
		return;
	}
	while (z->slot[s] != op)
		s++;
	close_over(z, s);
	z->slot[s] = LP_NO_OP;
}

/* False if it does not apply after all. */
static bool play(struct lazy *z, enum lp_finding *finding)
{
	*finding = LP_CORRECT;
	for (uint32_t s = 0; s < SLOTS; s++)
		z->slot[s] = LP_NO_OP;
	LP_PUSH(&z->runs, (struct lp_lazy_run){ .head = LP_LAZY_NONE });
	for (uint32_t rank = 0; rank < z->l.p->ranks && !z->limit; rank++) {
		const uint32_t op = z->l.p->events[rank] / 2;
		z->gap = rank * LP_LAZY_TICKS;
		if (!(z->l.p->events[rank] & 1)) {
			if (!start_of(z, op))
				return false;
			continue;
		}
		end_of(z, op);
		if (!z->runs.count && !z->limit) {
			*finding = LP_WRONG;
			return true;
		}
	}
	if (z->limit)
		*finding = LP_UNDECIDED;
	return true;
}

static void close_lazy(struct lazy *z)
{
	runs_clear(&z->runs);
	runs_clear(&z->todo);
	runs_clear(&z->next);
	lp_free(z->runs.at);
	lp_free(z->todo.at);
	lp_free(z->next.at);
	lp_fingerprints_close(&z->seen);
	lp_lazy_close(&z->l);
}

/* Is the history wrong in any order, because a value is removed more often than it was
 * inserted? */
static bool has_too_many(const struct lazy *z, enum lp_finding *finding, struct lp_witness *w)
{
	if (z->l.too_many == LP_LAZY_NONE)
		return false;
	*finding = LP_WRONG;
	w->why = "a value is removed more often than it was inserted";
	for (uint32_t i = 0; i < z->l.p->count; i++)
		if (z->l.calls[i].number == z->l.too_many && z->l.calls[i].want != LP_LAZY_SEES)
			LP_PUSH(w, i);
	return true;
}

bool lp_lazy_decide(const struct lp_problem *p, const struct lp_search_limits *limits,
		    enum lp_finding *finding, struct lp_witness *w, const char **limit, uint64_t *steps)
{
	struct lazy z = { .l.p = p, .limits = limits };
	bool applies = lp_lazy_open(&z.l) && (has_too_many(&z, finding, w) || play(&z, finding));

	if (applies && z.l.relaxed && *finding != LP_WRONG)
		applies = false; /* the bound may count */
	*limit = z.limit;
	*steps += z.steps;
	close_lazy(&z);
	return applies;
}
