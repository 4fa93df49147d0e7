/* parallel.c -- the graph explorer by several processes.
 *
 * Workers are forked when the program is loaded.  Each takes a piece of work (item.h) from
 * a pool (pool.h) and walks through it.  If other workers have nothing to do, it gives them the end of
 * its remaining work.  The parent does not explore: it watches the clock and the workers, and puts the
 * results together.
 *
 * Why the result is that of a single walk.  The walk is depth first, so at any time its remaining
 * work is: the alternatives of the last choice, then those of the choice before, ..., and finally
 * those of the first choice that has alternatives left.  The worker gives away the alternatives of that
 * first choice, so the part given away comes after everything that the worker keeps.  The choice is then
 * exhausted, so its alternatives are given away at most once.  The next part that the worker gives away
 * comes from a later choice, so it comes before the earlier part, and after everything that the worker
 * then keeps.  If an item is too large to be given, nothing else is given in its place.  So the pieces
 * in the pool's list, each with its remaining work, are the rest of the single walk, in its order.
 *
 * A piece is walked through as in the single walk, because only its graph and the order of its
 * operations matter.  They determine the program's state (lockstep.h).  The numbers of operations and
 * locations are only names, and marks on events (spins) are found again if they are missing.
 *
 * The parent reports errors: it repeats the execution in its own process, where it must meet the same error.
 */
#define _GNU_SOURCE
#include "explore/parallel/parallel.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "explore/clock.h"
#include "explore/graph/grow.h"
#include "explore/graph/walk.h"
#include "explore/keep.h"
#include "explore/parallel/item.h"
#include "explore/parallel/open_work.h"
#include "explore/parallel/team.h"
#include "explore/parallel/workers.h"

enum {
	TICK_MS = 100,     /* milliseconds between two checks of the clock and the workers */
	RECORD_TICKS = 10, /* ticks between two records of a worker's remaining work */
	GRACE_MS = 1000,   /* milliseconds that workers have to stop when they are told to */
	LAST_TICKS = 6,    /* ticks of this time for the end of an execution, if the remaining work
	                    * is kept */
	INTERNAL = 70,     /* the exit status of LP_BUG() */
};

/* Has the exploration come to a limit, and is the remaining work to be kept? */
static bool is_kept(const struct lp_pool *pool, const struct lp_explore_options *options)
{
	return options->limits.keep && lp_pool_keeps_rest(pool);
}

/* ---- workers ---- */

struct worker {
	struct lp_pool *pool;
	struct lp_explore_options options;
	struct lp_explorer x;
	struct lp_exploration out;
	struct lp_arena arena;
	struct lp_bytes bytes;
	uint32_t number;  /* of the worker */
	lp_piece piece;
	uint64_t counted; /* how many of the executions since the last record were counted for the
	                   * limit */
	uint32_t ticks;   /* since then */
	uint32_t last;    /* ticks since the worker was told to stop */
};

/* Sets the counts to zero, but keeps the texts of outcomes. */
static void forget_counts(struct worker *w)
{
	lp_pool_counts_put(&(struct lp_pool_counts){ 0 }, &w->out);
	w->counted = 0;
	for (uint32_t i = 0; i < w->x.outcomes.count; i++)
		w->x.outcomes.at[i].executions = 0;
}

/* Records the remaining work and the counts in the pool. */
static void record(struct worker *w)
{
	lp_omitted_finish(&w->x); /* this work is not repeated, so all facts from it must be recorded */
	lp_item_write_rest(&w->x, &w->bytes);
	LP_HOLDS(w->bytes.count && w->x.depth);
	const struct lp_pool_record r = { &w->bytes, lp_pool_counts_in(&w->out), w->x.outcomes.at, w->x.outcomes.count };
	if (lp_pool_record(w->pool, w->piece, &r))
		forget_counts(w);
	w->ticks = 0;
}

/* Gives the last part of the remaining work to a waiting worker. */
static void give(struct worker *w)
{
	struct lp_frame *frame;
	double share, visited;
	struct lp_choice *c = lp_walk_spare(&w->x, &frame, &share, &visited);

	if (!c)
		return;
	LP_HOLDS(!c->given && share >= 0 && visited <= 1 + 1e-9);
	lp_item_write(&w->x, frame, c, share, visited, &w->bytes);
	const uint32_t tried = c->tried ? c->tried : 1; /* the worker is in one of the alternatives, as in lp_walk_visited() */
	const double part = tried < c->total ? (double)tried / c->total : 1;
	if (lp_pool_give(w->pool, w->piece, &w->bytes, visited + share * part)) {
		c->given = true;
		record(w);
	}
}

static bool between(struct lp_explorer *x)
{
	struct worker *w = x->walk.between_closure;
	const uint64_t limit = w->options.limits.executions;

	if (limit && w->out.executions > w->counted) {
		if (lp_pool_count(w->pool, w->out.executions - w->counted) >= limit)
			lp_pool_stop(w->pool, LP_POOL_EXECUTIONS);
		w->counted = w->out.executions;
	}
	if (lp_pool_is_over(w->pool, w->piece)) {
		if (is_kept(w->pool, &w->options))
			record(w);
		return false;
	}
	if (lp_pool_is_hungry(w->pool, w->piece))
		give(w);
	if (w->ticks >= RECORD_TICKS)
		record(w);
	return true;
}

/* Every 100 ms, also in the middle of an execution. */
static bool now_and_then(void *closure, const struct lp_progress *progress)
{
	struct worker *w = closure;

	(void)progress;
	w->ticks++;
	/* Not after each execution: pieces of other workers are in the same cache line. */
	lp_pool_tell(w->pool, w->piece, w->out.executions, w->out.blocked);
	lp_pool_tell_visited(w->pool, w->piece, lp_walk_visited(&w->x));
	return !lp_pool_is_over(w->pool, w->piece) || (is_kept(w->pool, &w->options) && w->last++ < LAST_TICKS);
}

static void open_explorer(struct worker *w, struct lp_program *program,
			  const struct lp_explore_options *options)
{
	lp_explorer_open(&w->x, program, options, &w->arena, &w->out);
	w->x.brief.how = options->team ? LP_BRIEF_NEVER : options->brief; /* on several machines there are no brief looks */
	LP_HOLDS(w->x.brief.how != LP_BRIEF);
	w->x.walk.between = between;
	w->x.walk.between_closure = w;
}

/* Walks through a piece; the counts of earlier pieces have been cleared.  Returns false if the walk
 * ended early. */
static bool explore_piece(struct worker *w, const uint8_t *item)
{
	struct lp_explorer *x = &w->x;

	x->stopped = false;
	w->ticks = 0;
	forget_counts(w);
	return lp_walk(x, lp_item_read(x, item));
}

static _Noreturn void work(const struct lp_workers *all, uint32_t number, struct lp_program *program,
			   const struct lp_explore_options *options)
{
	struct lp_pool *pool = all->pool;
	struct worker w = { .pool = pool, .options = *options, .number = number };
	struct lp_explore_options own = *options;
	const uint8_t *item;

	own.callbacks.progress = now_and_then;
	own.callbacks.closure = &w;
	own.limits.deadline = 0; /* the parent enforces it */
	own.limits.executions = 0;
	open_explorer(&w, program, &own);
	while ((w.piece = lp_pool_take(pool, number, &item)) != LP_NO_PIECE) {
		const bool visited = explore_piece(&w, item);
		if (lp_watch_asks_for_restart(options->watch) || lp_mixed_parts_are_new(&options->watch->parts))
			lp_pool_stop(pool, LP_POOL_RESTART);
		if (w.x.brief.lengthy)
			lp_pool_stop(pool, LP_POOL_BRIEF);
		const struct lp_pool_counts counts = lp_pool_counts_in(&w.out);
		if (!visited && !w.out.kind && is_kept(pool, options)) {
			lp_pool_leave(pool, w.piece);
			continue;
		}
		if (!w.x.stopped || !w.out.kind) {
			if (w.x.stopped && !lp_pool_is_over(pool, w.piece))
				lp_pool_give_up(pool, w.out.reason);
			lp_pool_finish(pool, w.piece, &counts, w.x.outcomes.at,
				       w.x.outcomes.count);
			continue;
		}
		lp_item_write(&w.x, lp_top(&w.x), NULL, 1, 0, &w.bytes);
		lp_pool_fail(pool, w.piece, &counts, w.x.outcomes.at, w.x.outcomes.count,
			     (struct lp_pool_failure){ &w.bytes, lp_walk_visited(&w.x) });
		/* The program and the clocks were stopped in the middle of an execution: starts
		 * again. */
		lp_explorer_close(&w.x);
		open_explorer(&w, program, &own);
	}
	/* Not exit(): that would also write out text that the parent has buffered. */
	_exit(0);
}

/* ---- the parent ---- */

/* Starts worker number i.  Returns false if no process can be created. */
static bool start(struct lp_workers *all, uint32_t i)
{
	const pid_t parent = getpid(), pid = fork();

	if (pid == 0) {
		/* A worker must not outlive the parent, which alone decides when to stop. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(0);
		signal(SIGINT, SIG_IGN);
		signal(SIGTERM, SIG_IGN);
		work(all, i, all->program, all->options);
	}
	if (pid < 0)
		return false;
	LP_HOLDS(!all->at[i]);
	all->at[i] = pid;
	all->left++;
	return true;
}

void lp_workers_start(struct lp_workers *all)
{
	for (uint32_t i = 0; i < all->options->jobs; i++) {
		LP_PUSH(all, 0);
		if (!start(all, i)) {
			all->count--;
			return;
		}
	}
}

/* Worker number i was killed, but not by the parent.  Another worker takes its place; only the work since the last record
 * is lost. */
static void replace(struct lp_workers *all, uint32_t i)
{
	lp_pool_lose(all->pool, i);
	if (lp_pool_stopped(all->pool) == LP_POOL_RUNS && !start(all, i) && !all->left)
		lp_pool_stop(all->pool, LP_POOL_LOST);
}

static void note_end(struct lp_workers *all, uint32_t i, int status)
{
	all->at[i] = 0;
	LP_HOLDS(all->left);
	all->left--;
	if (all->killed || (WIFEXITED(status) && WEXITSTATUS(status) == 0))
		return;
	if (WIFEXITED(status) && WEXITSTATUS(status) == INTERNAL)
		LP_BUG("a worker met an internal error");
	if (WIFSIGNALED(status)) {
		snprintf(all->loss, sizeof all->loss, "a worker process was killed by signal %d, again and again",
			 WTERMSIG(status));
		replace(all, i);
		return;
	}
	snprintf(all->loss, sizeof all->loss, "a worker process ended with status %d", WEXITSTATUS(status));
	lp_pool_stop(all->pool, LP_POOL_LOST);
}

/* There may be other children. */
void lp_workers_look_after(struct lp_workers *all)
{
	for (uint32_t i = 0; i < all->count; i++) {
		int status;
		if (all->at[i] && waitpid(all->at[i], &status, WNOHANG) == all->at[i])
			note_end(all, i, status);
	}
}

void lp_workers_await_end(struct lp_workers *all)
{
	const struct timespec moment = { 0, 1000000 };
	const double until = lp_clock_seconds() + 1e-3 * (double)GRACE_MS;

	for (lp_workers_look_after(all); all->left; lp_workers_look_after(all)) {
		if (lp_clock_seconds() > until) {
			all->killed = true;
			for (uint32_t i = 0; i < all->count; i++)
				if (all->at[i])
					kill(all->at[i], SIGKILL);
		}
		nanosleep(&moment, NULL);
	}
}

/* Keeps the remaining work.  If it is not known at this moment, tries again soon. */
static void keep(struct lp_workers *all, const struct lp_pass *a)
{
	struct lp_open_work work;
	struct lp_bytes items = { 0 };

	if (lp_pool_copy(all->pool, &work, &items))
		lp_keep_pass(a, &work);
	lp_open_work_drop(&work);
	lp_free(items.at);
}

static void supervise(struct lp_workers *all, const struct lp_pass *a)
{
	const struct lp_explore_options *options = &a->options;
	const double deadline = options->limits.deadline;

	/* The first check is immediate, because all workers together may exceed the memory limit, even if only for a
	 * moment. */
	while (lp_pool_stopped(all->pool) == LP_POOL_RUNS) {
		lp_workers_look_after(all);
		lp_pool_progress(all->pool, &all->progress);
		if (deadline > 0 && lp_clock_seconds() > deadline)
			lp_pool_stop(all->pool, LP_POOL_TIME);
		if (options->callbacks.progress && !options->callbacks.progress(options->callbacks.closure, &all->progress))
			lp_pool_stop(all->pool, LP_POOL_INTERRUPTED);
		if (options->limits.keep && lp_keep_is_due(options->limits.keep))
			keep(all, a);
		lp_pool_wait(all->pool, TICK_MS);
	}
	lp_workers_await_end(all);
	if (is_kept(all->pool, options))
		keep(all, a);
}

/* Repeats the error in this process.  If two threads cause the error and no operation orders them, a third
 * one may end the program first; then one process explores everything again to find the error. */
static void report_error(const struct lp_pass *a, const uint8_t *frame)
{
	struct lp_explore_options alone = a->options;
	struct lp_watch *own = lp_watch_open(&alone, LP_WATCHES_HELPING | LP_WATCHES_ANSWERS, a->options.watch->answers);
	struct lp_explorer x;

	alone.watch = own ? own : a->options.watch;
	lp_explorer_open(&x, a->program, &alone, a->arena, a->out);
	lp_item_read(&x, frame);
	lp_walk_into_error(&x);
	const bool met = x.stopped && a->out->kind;
	lp_explorer_close(&x);
	lp_watch_close(own);
	if (met)
		return;
	alone.watch = a->options.watch;
	alone.jobs = 1;
	alone.limits.keep = NULL;
	alone.team = NULL;
	lp_explore_graphs(a->program, &alone, a->arena, a->out);
	if (a->out->verdict == LP_VERIFIED && !alone.reduce.silent_rmw) {
		a->out->verdict = LP_INCONCLUSIVE;
		a->out->reason = "an error that one process found does not occur again: the program is not "
				 "deterministic, or linchpin is wrong";
	}
}

static const char *reason_of(const struct lp_workers *all, const struct lp_pool *pool)
{
	const enum lp_pool_stop stop = lp_pool_stopped(pool);


	switch (stop) {
	case LP_POOL_TIME:
		return "time limit reached";
	case LP_POOL_INTERRUPTED:
		return "interrupted";
	case LP_POOL_EXECUTIONS:
		return "limit of executions reached";
	case LP_POOL_OUTCOMES:
		return "too many different outcomes for several processes: try -j 1";
	case LP_POOL_RESTART:
	case LP_POOL_BRIEF:
		return "explored once more";
	case LP_POOL_GAVE_UP:
		return lp_pool_reason(pool);
	case LP_POOL_LOST:
	case LP_POOL_TORN:
		return all->loss[0] ? all->loss : "a worker process was lost";
	case LP_POOL_RUNS:
	case LP_POOL_DONE:
		break;
	}
	return NULL;
}

enum lp_pass_end lp_workers_conclude(const struct lp_workers *all, struct lp_pool *pool, const struct lp_pass *a)
{
	const enum lp_pool_stop stop = lp_pool_stopped(pool);
	const bool discarded = lp_pool_is_discarded(pool), lost = stop == LP_POOL_LOST || discarded;
	const char *reason = reason_of(all, pool);
	struct lp_exploration *out = a->out;
	struct lp_pool_result result = { 0 };

	/* If a worker was lost, the contents of the pool cannot be used. */
	if (!lost)
		lp_pool_result(pool, &result);
	*out = (struct lp_exploration){ .verdict = LP_VERIFIED };
	if (result.failed && result.frame) {
		report_error(a, result.frame);
		reason = NULL; /* an error counts even if there is an earlier one */
	} else if (result.failed) {
		reason = "an error was found, in an execution that is too large to be handed over: try -j 1";
	}
	if (!reason && out->verdict == LP_VERIFIED)
		reason = lp_mixed_doubt(&a->options.watch->parts);
	if (reason) {
		out->estimate = all->progress.estimate;
		out->verdict = LP_INCONCLUSIVE;
		out->reason = lp_arena_strdup(a->arena, reason);
	}
	if (lost)
		result.counts = (struct lp_pool_counts){ .executions = all->progress.executions, .blocked = all->progress.blocked };
	lp_pool_counts_put(&result.counts, out);
	if (!lost)
		out->outcomes = lp_pool_outcomes(pool, a->arena, &out->outcome_count);
	if (out->verdict == LP_VERIFIED)
		out->estimate = (double)out->executions;
	else if (!reason && result.visited > 0)
		out->estimate = (double)out->executions / result.visited;
	if (discarded && !is_kept(pool, &a->options)) /* at a limit, what was last kept still holds */
		return LP_PASS_TORN;
	if (stop == LP_POOL_BRIEF && !result.failed)
		return LP_PASS_BRIEF;
	return stop == LP_POOL_DONE || stop == LP_POOL_RESTART ? LP_PASS_DONE : LP_PASS_STOPPED;
}

bool lp_explore_parallel(const struct lp_pass *a, enum lp_pass_end *end)
{
	struct lp_workers all = { .program = a->program, .options = &a->options };
	struct lp_bytes root = { 0 };
	struct lp_open_work begin;

	if (lp_team_is_together(a->options.team) && lp_team_explore(a, end))
		return true;
	if (a->options.jobs <= 1)
		return false;
	lp_item_write_root(&root);
	lp_open_work_all(&begin, &root);
	all.pool = lp_pool_open(a->options.jobs, a->from ? a->from : &begin);
	lp_open_work_drop(&begin);
	lp_free(root.at);
	if (!all.pool)
		return false;
	lp_workers_start(&all);
	const bool started = all.count;
	if (started) {
		supervise(&all, a);
		*end = lp_workers_conclude(&all, all.pool, a);
	}
	lp_free(all.at);
	lp_pool_close(all.pool);
	return started;
}
