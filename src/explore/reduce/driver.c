/* driver.c -- inside the explorers: the functions through which they use the reductions. */
#include "explore/reduce/driver.h"

#include "base/error.h"
#include "explore/bound/bound.h"
#include "explore/graph/grow.h"
#include "explore/reduce/blocked_forever.h"
#include "explore/reduce/like_threads.h"
#include "explore/reduce/overwritten_iterations.h"
#include "explore/reduce/park.h"
#include "explore/reduce/redundant_attempts.h"
#include "explore/reduce/reductions.h"
#include "explore/reduce/redundant_rereads.h"
#include "explore/reduce/redundant_stores.h"
#include "explore/reduce/stale/stale.h"

/* ---- the table ---- */

enum answers { EXACT, STATES, VERDICTS, DOUBTFUL };

static const struct {
	enum answers answers;
	unsigned unless;
} reductions[LP_REDUCTIONS] = {
#define LP_REDUCTION(field, SWITCH, word, answers, watched, unless, help) [LP_REDUCES_##SWITCH] = { answers, unless },
#include "explore/reduce/reductions.def"
#undef LP_REDUCTION
};

bool lp_reduction_needs_spin(enum lp_reduction r)
{
	return reductions[r].unless & LP_WITHOUT_SPIN;
}

bool lp_reduction_is_doubtful(enum lp_reduction r)
{
	return reductions[r].answers == DOUBTFUL;
}

void lp_reductions_limit(struct lp_reductions *r, unsigned situation)
{
#define LP_REDUCTION(field, SWITCH, word, answers, watched, unless, help) \
	if (situation & (unless))                                         \
		r->field = false;
#include "explore/reduce/reductions.def"
#undef LP_REDUCTION
}

unsigned lp_reductions_watch(const struct lp_reductions *r)
{
	unsigned all = 0;

#define LP_REDUCTION(field, SWITCH, word, answers, watched, unless, help) all |= r->field ? (watched) : 0u;
#include "explore/reduce/reductions.def"
#undef LP_REDUCTION
	return all;
}

/* ---- the driver ---- */

/* Has the thread come back to an earlier live state after it has written? */
static bool comes_back(const struct lp_graph *g, lp_tid thread, uint32_t live)
{
	const struct lp_thread *t = &g->threads.at[thread];
	bool wrote = false;

	for (uint32_t i = live ? t->count : 0; i-- > 0;) {
		const struct lp_event *e = lp_graph_event(g, t->at[i]);
		wrote |= e->kind == LP_EV_WRITE;
		if (lp_graph_note(g, t->at[i])->live == live)
			return wrote;
	}
	return false;
}

/* The thread is about to make another iteration of a loop that writes.  Executions without this iteration
 * are explored first: an error in such an execution is an error of the program.  If they have no error,
 * all executions are explored.  Returns false if the thread does not begin the iteration. */
static bool begins_iteration(struct lp_explorer *x, lp_tid t, uint32_t live)
{
	struct lp_graph *g = &lp_top(x)->g;

	if (x->brief.how == LP_BRIEF_NEVER || !comes_back(g, t, live))
		return true;
	if (x->brief.how == LP_BRIEF_IF_NEEDED) {
		x->brief.lengthy = true;
		lp_explorer_stop(x, "iterations that write");
	} else {
		lp_graph_note(g, LP_LAST(&g->threads.at[t]))->stop = LP_STOP_BOUND;
	}
	return false;
}

/* The thread cannot go on from its last event.  Is it parked, or does it never go on? */
static enum lp_turn_kind stop(struct lp_explorer *x, lp_tid t, bool round)
{
	LP_HOLDS(lp_graph_note(&lp_top(x)->g, LP_LAST(&lp_top(x)->g.threads.at[t]))->stop > LP_STOP_KEPT);
	if (lp_is_blocked_forever(x, t) || lp_is_stale(x, t)) {
		struct lp_note *last = lp_graph_note(&lp_top(x)->g, LP_LAST(&lp_top(x)->g.threads.at[t]));
		last->stop = LP_STOP_NONE; /* so that it is found again */
		return LP_TURN_USELESS;
	}
	if (!round || !lp_parks(x, t))
		return LP_TURN_STUCK;
	lp_park(x, t);
	return LP_TURN_PARKED;
}

static struct lp_turn turn_of_store(struct lp_explorer *x, lp_tid t, const struct lp_op *op)
{
	lp_eid made = LP_NO_EVENT;

	switch (lp_store_need_of(x, t, op, &made)) {
	case LP_STORE_DUE:
		return (struct lp_turn){ .kind = LP_TURN_WAITS };
	case LP_STORE_MADE:
		LP_HOLDS(lp_graph_event(&lp_top(x)->g, made)->kind == LP_EV_WRITE && lp_graph_event(&lp_top(x)->g, made)->thread != t);
		return (struct lp_turn){ LP_TURN_READS, made };
	case LP_STORE_NEEDED:
		break;
	}
	return (struct lp_turn){ .kind = LP_TURN_PERFORMS };
}

/* Does what the thread did last stop it? */
static enum lp_turn_kind after_last(struct lp_explorer *x, lp_tid t, const struct lp_op *op, uint32_t live)
{
	const bool round = lp_is_redundant_iteration(x, t, live) ||
			   (!x->forward && (lp_overwritten_retries(x, t, op) || lp_undone_retries(x, t, live)));

	if (x->forward)
		return round ? LP_TURN_OMITS : LP_TURN_PERFORMS;
	if (round) {
		lp_bound_note_iteration(x, t);
		lp_park_note_failure(x, t);
	} else if (!x->options->reduce.rereads || !lp_is_redundant_reread(x, t, live))
		return begins_iteration(x, t, live) ? LP_TURN_PERFORMS : LP_TURN_STUCK;
	if (!round)
		lp_bound_note_reread(x, t);
	return stop(x, t, round);
}

struct lp_turn lp_reduce_before(struct lp_explorer *x, lp_tid t, const struct lp_op **op, uint32_t live)
{
	struct lp_turn turn = { .kind = after_last(x, t, *op, live) };

	LP_HOLDS(turn.kind != LP_TURN_READS && (turn.kind != LP_TURN_OMITS || x->forward));
	if (turn.kind == LP_TURN_OMITS)
		turn.from = lp_graph_note(&lp_top(x)->g, LP_LAST(&lp_top(x)->g.threads.at[t]))->since;
	if (turn.kind != LP_TURN_PERFORMS || x->forward)
		return turn;
	*op = lp_machine_pending(&x->machine, t); /* after trials */
	LP_HOLDS(lp_top(x)->half == LP_NO_EVENT);
	return (*op)->kind == LP_OP_STORE ? turn_of_store(x, t, *op) : turn;
}

/* The thread's last read is a redundant reread.  Is it a stale one, so that the graph can be abandoned? */
static bool is_stale_reread(struct lp_explorer *x, lp_tid t)
{
	struct lp_graph *g = &lp_top(x)->g;
	const bool stale = lp_is_stale(x, t);

	lp_graph_note(g, LP_LAST(&g->threads.at[t]))->stop = LP_STOP_NONE; /* so that it is found again */
	if (stale)
		lp_bound_note_reread(x, t);
	return stale;
}

bool lp_reduce_is_known_useless(struct lp_explorer *x, lp_tid t)
{
	return x->options->reduce.rereads && !x->options->limits.unroll && lp_reread_is_known(x, t) && is_stale_reread(x, t);
}

bool lp_reduce_is_useless(struct lp_explorer *x, lp_tid t, const struct lp_op *op, uint32_t live)
{
	/* Rereads come before iterations: next time lp_reduce_is_known_useless() knows them. */
	if (x->options->reduce.rereads && lp_is_redundant_reread(x, t, live) && is_stale_reread(x, t))
		return true;
	return after_last(x, t, op, live) == LP_TURN_USELESS;
}

void lp_reduce_note(struct lp_explorer *x, lp_eid e)
{
	LP_HOLDS(e < lp_top(x)->g.ev.count);
	if (x->facts)
		lp_helping_note(x, e);
	if (x->options->reduce.symmetry && x->machine.like.facts)
		lp_like_note(x, e);
	if (x->answers)
		lp_answers_note(x, e);
	if (!x->options->reduce.stores_seen)
		lp_overwritten_note(x, e);
	if (x->options->reduce.undone)
		lp_undone_note(x, e);
	if (lp_shifts_any(&x->local.undone.shifts))
		lp_shifts_note(x, e);
}
