/* quasi.c -- quasi-linearizability of a history: the search for P.
 *
 * The search is that of search.c, on a specification that is relaxed on the fly (relax.h):
 * it is depth first, adds operations to P one after the other, each after all its predecessors,
 * and never continues twice from the same set of operations in the same relaxed state.  When all
 * operations that returned are in P, it must be possible to make the calls that are still owed.
 *
 * Two kinds of calls can be in R before they are in P:
 *
 *   Q1  Operations that are not in P yet.  In P an operation comes after its predecessors.  Let
 *       `low` be the first place that they leave for it.  The place of the operation in R is
 *       then at least `low` minus the factor.
 *   Q2  Calls that follow the history.  In P they come after all calls of their class that
 *       returned.  So R can have such a call only when few calls of its class are not yet in P.
 *
 * If an operation is in no relaxed class, and its result means that it changes nothing, it is placed as soon as it is
 * accepted, without alternatives.  If some P has it later, it can be moved here without affecting other operations.
 */
#include "check/quasi/quasi.h"

#include <string.h>

#include "base/fingerprints.h"
#include "base/hash.h"
#include "check/history/frontier.h"
#include "check/history/search.h"
#include "check/quasi/unseen_calls.h"

struct frame {
	uint32_t ready;            /* the next one of the frontier that is to be tried */
	uint32_t first, next, end; /* what the last one can lead to, in `outcomes` */
	bool placed, committed;
	uint32_t op, mark;
	uint32_t state, words;     /* the state here, in `words` */
	uint64_t set[2];
};

struct outcome {
	uint32_t op;
	uint32_t state, words; /* in `words` */
};

/* The operations of a class, except those that fail; for some it is not known whether they
 * fail. */
struct members {
	uint32_t *by_start, *low; /* `low`: by that place; it grows */
	uint32_t size;
	uint32_t starts;          /* all before that are in P */
	uint32_t in_p;
	uint32_t left;            /* not in P, but will be, and have not failed */
};

struct quasi {
	const struct lp_problem *p;
	const struct lp_search_limits *limits;
	struct lp_history_search *found;
	struct lp_relax relax;
	struct lp_relax_event *events; /* by operation, which is their number */
	struct lp_unseen_calls unseen;
	struct members members[LP_MAX_CLASSES];
	bool *placed;
	struct lp_frontier frontier;
	struct lp_state state; /* relaxed */
	uint32_t left;         /* operations that returned and are not in P */
	uint32_t trying;       /* the operation whose outcomes are being found ... */
	const struct members *peers; /* ... those that it may change places with ... */
	uint32_t window;             /* ... and where these are too far away */
	struct {
		LP_VEC(struct frame);
	} frames;
	struct {
		LP_VEC(struct outcome);
	} outcomes;
	struct {
		LP_VEC(int64_t);
	} words;
	struct lp_fingerprints seen;
	uint64_t set[2];
	uint64_t rounds;
};

static bool in_class(const struct quasi *q, uint32_t c, uint32_t method)
{
	return q->relax.rule->classes[c].methods >> method & 1;
}

static bool is_limited(const struct quasi *q, uint32_t c)
{
	return q->relax.rule->classes[c].factor != LP_ANY_DISTANCE;
}

/* Did the operation return, with a known result? */
static bool is_known(const struct quasi *q, uint32_t op)
{
	return !lp_op_is_pending(&q->p->ops[op]) && q->events[op].call.result;
}

/* Does it belong to that class?  (With an unknown result it may still have failed.) */
static bool is_member(const struct quasi *q, uint32_t c, uint32_t op)
{
	return in_class(q, c, q->events[op].method) && !lp_relax_fails(&q->relax, &q->events[op]);
}

/* ---- what R may have before P ---- */

/* Q2 */
static bool may_follow(const struct quasi *q, uint32_t method)
{
	for (uint32_t c = 0; c < q->relax.rule->count; c++) {
		const struct members *m = &q->members[c];
		if (in_class(q, c, method) && is_limited(q, c) &&
		    m->left > q->relax.rule->classes[c].factor)
			return false;
	}
	return true;
}

/* Q1, before outcomes are looked for. */
static void set_window(struct quasi *q, uint32_t method)
{
	uint32_t c = 0;

	while (!in_class(q, c, method)) /* any of its classes has all of them */
		c++;
	const struct members *m = q->peers = &q->members[c];
	for (q->window = m->starts; q->window < m->size; q->window++)
		if (is_limited(q, c) && m->low[q->window] > (uint64_t)m->in_p + q->relax.rule->classes[c].factor)
			break;
}

/* Those in the window, then unseen calls. */
static bool nth_other(void *closure, const struct lp_relax_event *e, uint32_t i,
		      struct lp_relax_event *other)
{
	const struct quasi *q = closure;
	const struct members *m = q->peers;

	if (m->starts + i < q->window) {
		/* If the operation is in P already, gives `e` itself, which adds nothing. */
		const uint32_t op = m->by_start[m->starts + i];
		*other = q->events[q->placed[op] ? q->trying : op];
		return true;
	}
	return may_follow(q, e->method) &&
	       lp_unseen_calls_nth(&q->unseen, &q->relax, i - (q->window - m->starts), other);
}

/* ---- what an operation can lead to ---- */

static struct lp_fingerprint print_with(const struct quasi *q, uint32_t op, const struct lp_state *s)
{
	const uint64_t a = lp_mix(op + UINT64_C(0x51ed270b7a5f1c35));
	struct lp_fingerprint f = LP_FINGERPRINT;

	lp_fingerprint_word(&f, q->set[0] + a);
	lp_fingerprint_word(&f, q->set[1] + lp_mix(a ^ UINT64_C(0xd6e8feb86659fd93)));
	for (uint32_t i = 0; i < s->count; i++)
		lp_fingerprint_word(&f, (uint64_t)s->at[i]);
	return f;
}

static uint32_t keep_words(struct quasi *q, const struct lp_state *s)
{
	const uint32_t at = q->words.count;

	LP_RESERVE(&q->words, s->count);
	memcpy(q->words.at + at, s->at, sizeof *s->at * s->count);
	q->words.count += s->count;
	return at;
}

static void keep_outcome(void *closure, const struct lp_state *s)
{
	struct quasi *q = closure;

	q->found->steps++;
	if (lp_fingerprints_add(&q->seen, print_with(q, q->trying, s)))
		LP_PUSH(&q->outcomes, (struct outcome){ q->trying, keep_words(q, s), s->count });
}

/* Is the only outcome of the frame that nothing changes? */
static bool is_idle(const struct quasi *q, const struct frame *f)
{
	const struct outcome *o = &q->outcomes.at[f->first];

	return f->end == f->first + 1 && o->words == q->state.count &&
	       !memcmp(q->words.at + o->state, q->state.at, sizeof *q->state.at * o->words);
}

static void try_next(struct quasi *q, struct frame *f)
{
	q->outcomes.count = f->first;
	q->words.count = f->state + f->words;
	q->trying = q->frontier.ready.at[f->ready++];
	q->found->steps++;
	const bool moves = lp_relax_moves(&q->relax, &q->events[q->trying]);
	if (moves)
		set_window(q, q->events[q->trying].method);
	lp_relax_step(&q->relax, &q->state, &q->events[q->trying]);
	f->next = f->first;
	f->end = q->outcomes.count;
	if (!moves && is_idle(q, f)) {
		const struct lp_history_op *op = &q->p->ops[q->trying];
		f->committed = !lp_op_is_pending(op) && lp_op_may_observe(q->p, op);
		if (lp_op_is_pending(op))
			f->next = f->end; /* without the operation, the rest is the same */
	}
}

/* ---- the search ---- */

/* Puts the operation into the counts of its classes, or takes it out. */
static void count_in(struct quasi *q, uint32_t op, bool in)
{
	q->placed[op] = in;
	for (uint32_t c = 0; c < q->relax.rule->count; c++) {
		struct members *m = &q->members[c];
		if (!is_member(q, c, op))
			continue;
		m->in_p += in ? 1 : UINT32_MAX;
		m->left -= is_known(q, op) ? in ? 1 : UINT32_MAX : 0;
		if (in)
			while (m->starts < m->size && q->placed[m->by_start[m->starts]])
				m->starts++;
		else
			while (m->starts && !q->placed[m->by_start[m->starts - 1]])
				m->starts--;
	}
}

static void load_state(struct quasi *q, uint32_t at, uint32_t words)
{
	q->state.count = 0;
	for (uint32_t i = 0; i < words; i++)
		lp_state_push(&q->state, q->words.at[at + i]);
}

static void add_frame(struct quasi *q)
{
	struct frame f = { .first = q->outcomes.count, .next = q->outcomes.count,
			   .end = q->outcomes.count, .words = q->state.count,
			   .set = { q->set[0], q->set[1] } };

	f.state = keep_words(q, &q->state);
	LP_PUSH(&q->frames, f);
}

static void place(struct quasi *q, struct frame *f)
{
	const struct outcome o = q->outcomes.at[f->next++];
	const uint64_t a = lp_mix(o.op + UINT64_C(0x51ed270b7a5f1c35));

	f->op = o.op;
	f->placed = true;
	q->set[0] += a;
	q->set[1] += lp_mix(a ^ UINT64_C(0xd6e8feb86659fd93));
	f->mark = lp_frontier_place(&q->frontier, o.op);
	q->left -= !lp_op_is_pending(&q->p->ops[o.op]);
	count_in(q, o.op, true);
	load_state(q, o.state, o.words);
}

static void take_back(struct quasi *q, struct frame *f)
{
	f->placed = false;
	q->set[0] = f->set[0];
	q->set[1] = f->set[1];
	lp_frontier_take_back(&q->frontier, f->op, f->mark);
	q->left += !lp_op_is_pending(&q->p->ops[f->op]);
	count_in(q, f->op, false);
	load_state(q, f->state, f->words);
}

static void keep_best(struct quasi *q, bool last)
{
	const uint32_t count = q->frontier.placed;

	if (!last && count <= q->found->count)
		return;
	q->found->count = count;
	for (uint32_t i = 0; i < count; i++)
		q->found->order[i] = q->frames.at[i].op;
}

static const char *limit_reached(struct quasi *q)
{
	const size_t used = (size_t)q->words.count * sizeof *q->words.at +
			    (size_t)q->outcomes.count * sizeof *q->outcomes.at;
	const size_t memory = q->limits->memory;

	if (memory && used + lp_fingerprints_size(&q->seen) > memory)
		return "out of memory";
	if (q->limits->steps && q->found->steps > q->limits->steps)
		return "out of steps";
	return ++q->rounds & 255 ? NULL : lp_search_late(q->limits, q->found->steps);
}

static enum lp_finding run(struct quasi *q)
{
	if (!q->left)
		return LP_CORRECT; /* no call has returned */
	add_frame(q);
	while (q->frames.count) {
		struct frame *f = &LP_LAST(&q->frames);
		if (f->placed)
			take_back(q, f);
		while (f->next == f->end && !f->committed && f->ready < q->frontier.ready.count)
			try_next(q, f);
		if (f->next == f->end) {
			q->outcomes.count = f->first;
			q->words.count = f->state;
			q->frames.count--;
			continue;
		}
		place(q, f);
		const bool complete = !q->left && lp_relax_can_settle(&q->relax, &q->state);
		keep_best(q, complete);
		if (complete && !q->relax.tired)
			return LP_CORRECT;
		q->found->limit = complete ? "out of states" : limit_reached(q);
		if (q->found->limit)
			return LP_UNDECIDED;
		add_frame(q);
	}
	return LP_WRONG;
}

/* ---- the whole ---- */

static void fill_class(struct quasi *q, uint32_t c)
{
	struct members *m = &q->members[c];
	const struct lp_problem *p = q->p;

	m->by_start = lp_alloc(sizeof *m->by_start * p->count);
	m->low = lp_alloc(sizeof *m->low * p->count);
	for (uint32_t rank = 0; rank < p->ranks; rank++) {
		const uint32_t op = p->events[rank] / 2;
		if (!is_member(q, c, op))
			continue;
		if (p->events[rank] & 1) {
			m->left += is_known(q, op);
		} else {
			m->by_start[m->size] = op;
			m->low[m->size++] = m->left;
		}
	}
}

static void open_search(struct quasi *q, const struct lp_precedence *order, const struct lp_quasi *rule)
{
	const struct lp_problem *p = q->p;

	lp_relax_open(&q->relax, &p->spec, rule);
	q->events = lp_alloc_zero(p->count, sizeof *q->events);
	q->placed = lp_alloc_zero(p->count, sizeof *q->placed);
	for (uint32_t i = 0; i < p->count; i++) {
		q->events[i] = (struct lp_relax_event){ i, p->ops[i].method, lp_problem_call(p, i) };
		q->left += !lp_op_is_pending(&p->ops[i]);
	}
	q->relax.events = q->events;
	q->relax.nth = nth_other;
	q->relax.then = keep_outcome;
	q->relax.closure = q;
	lp_unseen_calls_find(&q->unseen, &q->relax, q->events, p->count);
	for (uint32_t c = 0; c < rule->count; c++)
		fill_class(q, c);
	lp_frontier_open(&q->frontier, p, order);
	lp_state_open(&q->state);
	lp_state_begin(&q->state, &p->spec);
	lp_relax_begin(&q->state);
	LP_RESERVE(&q->words, 1);
}

static void close_search(struct quasi *q)
{
	for (uint32_t c = 0; c < q->relax.rule->count; c++) {
		lp_free(q->members[c].by_start);
		lp_free(q->members[c].low);
	}
	lp_relax_close(&q->relax);
	lp_frontier_close(&q->frontier);
	lp_fingerprints_close(&q->seen);
	lp_state_close(&q->state);
	lp_free(q->unseen.at);
	lp_free(q->events);
	lp_free(q->placed);
	lp_free(q->frames.at);
	lp_free(q->outcomes.at);
	lp_free(q->words.at);
}

enum lp_finding lp_quasi_search(const struct lp_problem *p, const struct lp_precedence *order,
				const struct lp_quasi *quasi, const struct lp_search_limits *limits,
				struct lp_history_search *found)
{
	struct quasi *q = lp_alloc_zero(1, sizeof *q);

	*found = (struct lp_history_search){ .order = lp_alloc(sizeof *found->order * p->count),
				     .choice = lp_alloc_zero(p->count, sizeof *found->choice) };
	q->p = p;
	q->limits = limits;
	q->found = found;
	open_search(q, order, quasi);
	const enum lp_finding finding = run(q);
	close_search(q);
	lp_free(q);
	return finding;
}
