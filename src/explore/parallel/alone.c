/* alone.c -- explores the pieces of an exploration one after the other in one process.
 *
 * Between two executions, the work that is left consists of an item (item.h) for the rest of the current
 * piece, and of the pieces after it.  So an exploration stops between two executions.  If the current
 * execution takes too long, the checkpoint has the work that was left about a second ago instead.
 */
#include "explore/parallel/alone.h"

#include "base/error.h"
#include "explore/clock.h"
#include "explore/graph/grow.h"
#include "explore/graph/walk.h"
#include "explore/keep.h"
#include "explore/parallel/open_work.h"

enum { /* numbers of calls of progress(), which is called every 100 ms */
	PATIENCE = 10,     /* within which an execution must be over */
	RECORD_TICKS = 10, /* between two records of what is left */
};

struct alone {
	const struct lp_pass *pass;
	struct lp_explorer x;
	struct lp_open_work left;  /* its items and texts belong to the pass */
	uint32_t at;               /* the index of the piece that is being explored */
	struct lp_bytes rest;      /* what was left of this piece at the last record */
	struct lp_open_piece last; /* what was counted before the last record; `size` 0: nothing was
	                            * recorded */
	uint32_t ticks;            /* calls of progress() since then */
	const char *ends;          /* the reason why the exploration must stop; or NULL */
	uint32_t since;            /* calls of progress() since then */
	bool due;
};

static void record(struct alone *a)
{
	struct lp_explorer *x = &a->x;
	const struct lp_pool_counts counts = lp_pool_counts_in(x->out);

	lp_omitted_finish(x); /* this work is not repeated, so all facts from it must be recorded */
	LP_HOLDS(a->at < a->left.count);
	lp_item_write_rest(x, &a->rest);
	lp_free(a->last.before.outcomes.at);
	a->last = (struct lp_open_piece){ .visited = lp_walk_visited(x), .end = a->left.at[a->at].end, .item = a->rest.at, .size = a->rest.count };
	lp_work_counted_add(&a->last.before, &counts, x->outcomes.at, x->outcomes.count, NULL);
	a->ticks = 0;
}

/* Keeps what is left of the current piece, as it was last recorded, and the pieces after it. */
static void keep(struct alone *a)
{
	struct lp_open_work work = { .after = a->left.after };

	LP_HOLDS(a->last.size && a->at < a->left.count);
	LP_PUSH(&work, a->last);
	for (uint32_t i = a->at + 1; i < a->left.count; i++)
		LP_PUSH(&work, a->left.at[i]);
	lp_keep_pass(a->pass, &work);
	lp_free(work.at);
	a->due = false;
}

static bool between(struct lp_explorer *x)
{
	struct alone *a = x->walk.between_closure;
	const uint64_t limit = a->pass->options.limits.executions;

	if (limit && x->out->executions >= limit)
		a->ends = "limit of executions reached";
	if (a->due || a->ends || a->ticks >= RECORD_TICKS)
		record(a);
	if (a->due || a->ends)
		keep(a);
	if (a->ends)
		lp_explorer_stop(x, a->ends);
	return !a->ends;
}

static bool progress(void *closure, const struct lp_progress *p)
{
	struct alone *a = closure;
	const struct lp_explore_options *o = &a->pass->options;

	a->ticks++;
	a->due = lp_keep_is_due(o->limits.keep);
	if (o->limits.deadline > 0 && lp_clock_seconds() > o->limits.deadline)
		a->ends = "time limit reached";
	if (o->callbacks.progress && !o->callbacks.progress(o->callbacks.closure, p) && !a->ends)
		a->ends = "interrupted";
	return !a->ends || a->since++ < PATIENCE;
}

/* Adds what was counted before a piece. */
static void add_counted(struct lp_explorer *x, const struct lp_work_counted *c)
{
	struct lp_exploration *out = x->out;
	struct lp_work_counted sum = { .counts = lp_pool_counts_in(out) };

	sum.outcomes.at = x->outcomes.at;
	sum.outcomes.count = x->outcomes.count;
	sum.outcomes.room = x->outcomes.room;
	lp_work_counted_add(&sum, &c->counts, c->outcomes.at, c->outcomes.count, x->arena);
	x->outcomes.at = sum.outcomes.at;
	x->outcomes.count = sum.outcomes.count;
	x->outcomes.room = sum.outcomes.room;
	lp_pool_counts_put(&sum.counts, out);
	LP_HOLDS(out->executions >= c->counts.executions && (out->left_pc != 0) >= (c->counts.left_pc != 0));
}

/* Explores a piece.  Returns false if this ended early. */
static bool explore_piece(struct alone *a, const struct lp_open_piece *p)
{
	struct lp_explorer *x = &a->x;

	LP_AGREES(lp_item_is_whole(p->item, p->size));
	a->last.size = 0;
	add_counted(x, &p->before);
	const bool at_choice = lp_item_read(x, p->item);
	if (!p->failed)
		return lp_walk(x, at_choice);
	lp_walk_into_error(x);
	if (!x->stopped)
		lp_explorer_stop(x, "an error that was found does not occur again: the program is not deterministic, or linchpin is wrong");
	return false;
}

/* Clients may be so small that progress() is never called while one is explored. */
static bool begins(struct alone *a)
{
	progress(a, &(struct lp_progress){ 0 });
	if (!a->ends)
		return true;
	lp_keep_pass(a->pass, &a->left);
	lp_explorer_stop(&a->x, a->ends);
	return false;
}

static bool explore_all(struct alone *a)
{
	if (!begins(a))
		return false;
	while (a->at < a->left.count && explore_piece(a, &a->left.at[a->at]))
		a->at++;
	if (a->at < a->left.count)
		return false;
	add_counted(&a->x, &a->left.after);
	return true;
}

enum lp_pass_end lp_explore_alone(const struct lp_pass *pass)
{
	struct lp_explore_options own = pass->options;
	struct alone a = { .pass = pass };
	struct lp_bytes root = { 0 };
	struct lp_open_work all;

	lp_item_write_root(&root);
	lp_open_work_all(&all, &root);
	a.left = pass->from ? *pass->from : all;
	own.callbacks.progress = progress;
	own.callbacks.closure = &a;
	own.limits.deadline = 0; /* both limits are checked between two executions */
	own.limits.executions = 0;
	lp_explorer_open(&a.x, pass->program, &own, pass->arena, pass->out);
	a.x.walk.between = between;
	a.x.walk.between_closure = &a;
	a.x.brief.how = own.brief;
	const bool visited = explore_all(&a);
	if (a.ends && !visited && a.since > PATIENCE && a.last.size && pass->out->verdict == LP_INCONCLUSIVE)
		keep(&a);
	if (a.ends && a.x.stopped && pass->out->verdict == LP_INCONCLUSIVE)
		pass->out->reason = a.ends;
	const enum lp_pass_end end = lp_walk_end(&a.x, visited);
	if (a.at < a.left.count && a.left.at[a.at].failed && a.left.at[a.at].visited > 0) /* the walk knows only the graph of the error */
		pass->out->estimate = (double)pass->out->executions / a.left.at[a.at].visited;
	lp_explorer_close(&a.x);
	lp_open_work_drop(&all);
	lp_free(root.at);
	lp_free(a.rest.at);
	lp_free(a.last.before.outcomes.at);
	return end;
}
