/* restarts.c -- runs passes with weaker and weaker options, until all facts that the reductions rely
 * on hold. */
#define _GNU_SOURCE
#include "explore/restarts.h"

#include <sys/mman.h>

#include "base/error.h"
#include "explore/bound/bound.h"
#include "explore/clock.h"
#include "explore/graph/frame.h"
#include "explore/keep.h"
#include "explore/parallel/open_work.h"
#include "explore/parallel/team.h"
#include "explore/reduce/facts/answers.h"

enum { TIMES_TORN = 5 }; /* passes that end so, before one process goes on alone */

/* ---- what is watched ---- */

struct lp_watch *lp_watch_open(const struct lp_explore_options *options, unsigned watches, struct lp_answers *answers)
{
	/* A single process uses the same memory again and again, which is faster than other pages each time. */
	const bool shared = lp_explore_is_shared(options);
	struct lp_watch *w = shared ? mmap(NULL, sizeof *w, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
				    : lp_alloc_zero(1, sizeof *w);

	if (w == MAP_FAILED)
		return NULL;
	LP_HOLDS(!(watches & LP_WATCHES_ANSWERS & lp_reductions_watch(&options->reduce)) || answers);
	w->shared = shared;
	w->watched = lp_reductions_watch(&options->reduce) & watches;
	w->answers = answers;
	w->helping.any_orders = !lp_model_class_of(options->model)->by_hb;
	if (!(w->watched & LP_WATCHES_OMITTED) || !lp_omitted_needed(options))
		return w;
	w->omitted = lp_omitted_facts_open(options);
	if (w->omitted)
		return w;
	lp_watch_close(w);
	return NULL;
}

void lp_watch_close(struct lp_watch *w)
{
	if (!w)
		return;
	lp_omitted_facts_close(w->omitted);
	if (w->shared)
		munmap(w, sizeof *w);
	else
		lp_free(w);
}

void lp_watch_attach(struct lp_explorer *x)
{
	struct lp_watch *w = x->options->watch;

	LP_HOLDS(w && (!(w->watched & LP_WATCHES_ANSWERS) || w->answers));
	x->parts = &w->parts;
	x->machine.omitted.facts = w->omitted;
	x->machine.like.facts = &w->like;
	if (w->watched & LP_WATCHES_HELPING)
		x->facts = x->machine.helping = &w->helping;
	if (w->watched & LP_WATCHES_ANSWERS)
		x->answers = w->answers;
	x->local.undone.shifts.pairs = x->options->reduce.shifts ? lp_answers_shifts(x) : NULL;
}

bool lp_watch_asks_for_restart(const struct lp_watch *w)
{
	return lp_helping_is_broken(&w->helping) || lp_answers_is_broken(w->answers) ||
	       lp_like_is_broken(&w->like) || lp_omitted_matters(w->omitted);
}

bool lp_watch_may_go_on(const struct lp_watch *w)
{
	return !lp_answers_is_undone_broken(w->answers) && !lp_helping_is_broken(&w->helping) && !lp_like_is_broken(&w->like) &&
	       !lp_omitted_matters(w->omitted);
}

/* ---- passes ---- */

/* Must the result of the pass be ignored, because a fact was false? A feasible error always counts. */
static bool is_void(const struct lp_pass *a, enum lp_pass_end end)
{
	const struct lp_watch *w = a->options.watch;

	if (end == LP_PASS_BRIEF || end == LP_PASS_VOID || end == LP_PASS_TORN || a->out->doubtful)
		return true;
	if (end != LP_PASS_STOPPED && a->options.bounds.facts && a->options.bounds.facts->outdated)
		return true;
	return a->out->verdict != LP_VIOLATION &&
	       (lp_mixed_parts_are_new(&w->parts) || (end != LP_PASS_STOPPED && lp_watch_asks_for_restart(w)));
}

/* May the next pass begin where this one did?  If all that was relied upon still holds. */
static bool begins_again(const struct lp_pass *a, enum lp_pass_end end)
{
	const struct lp_watch *w = a->options.watch;

	return end == LP_PASS_TORN && !lp_watch_asks_for_restart(w) && !lp_mixed_parts_are_new(&w->parts) &&
	       !(a->options.bounds.facts && a->options.bounds.facts->outdated);
}

/* Switches off what relied on a fact that is false. */
static void weaken(struct lp_pass *a, enum lp_pass_end end)
{
	struct lp_explore_options *o = &a->options;
	const struct lp_watch *w = o->watch;

	if (!begins_again(a, end))
		a->from = NULL;
	o->reduce.helping &= !lp_helping_is_broken(&w->helping);
	if (a->out->doubtful && end != LP_PASS_VOID) /* in a void pass, no error counts */
		o->reduce.silent_rmw = o->reduce.undone = o->reduce.shifts = false;
	lp_like_heed(&w->like, o);
	lp_omitted_heed(w->omitted, o);
	lp_mixed_heed(&w->parts, o, a->arena);
	if (end == LP_PASS_BRIEF)
		o->brief = o->brief == LP_BRIEF_IF_NEEDED ? LP_BRIEF : LP_BRIEF_NEVER;
	if (end == LP_PASS_TORN && ++a->torn == TIMES_TORN) { /* one process alone has no others to lose */
		lp_team_dismiss(o->team);
		o->jobs = 1;
	}
}

static void give_up(struct lp_exploration *out, const char *reason)
{
	*out = (struct lp_exploration){ .verdict = LP_INCONCLUSIVE, .reason = reason, .executions = out->executions,
					.blocked = out->blocked, .abandoned = out->abandoned, .estimate = out->estimate };
}

/* Runs a pass. Returns true if another pass is needed. */
static bool make_pass(struct lp_pass *a, struct lp_answers *answers)
{
	struct lp_explore_options *o = &a->options;

	o->watch = lp_watch_open(o, a->watches, answers);
	if (!o->watch) {
		give_up(a->out, "no memory for what is left out");
		return false;
	}
	lp_keep_facts(a);
	const enum lp_pass_end end = a->explore(a);
	const bool again = is_void(a, end);
	a->program->told_apart.recognised = o->watch->like.recognised;
	if (again)
		weaken(a, end);
	lp_watch_close(o->watch);
	o->watch = NULL;
	return again;
}

/* Has the deadline passed? Ranks that follow rank 0 do not use their own clocks: they wait for the next pass,
 * or are dismissed. */
static bool is_over(const struct lp_explore_options *o)
{
	return o->limits.deadline > 0 && !lp_team_follows(o->team) && lp_clock_seconds() > o->limits.deadline;
}

void lp_restarts_explore(struct lp_pass *a)
{
	struct lp_explore_options *o = &a->options;
	struct lp_answers *known = o->watch ? o->watch->answers : NULL, *own = NULL;
	struct lp_open_work left;

	lp_reductions_limit(&o->reduce, a->situation);
	lp_keep_begin(a, &left);
	if (o->limits.seconds > 0 && o->limits.deadline <= 0)
		o->limits.deadline = lp_clock_seconds() + o->limits.seconds;
	if (!known && lp_reductions_watch(&o->reduce) & a->watches & LP_WATCHES_ANSWERS)
		known = own = lp_answers_open(lp_explore_is_shared(o));
	*a->out = (struct lp_exploration){ .verdict = LP_VERIFIED };
	while (make_pass(a, known)) {
		if (is_over(o)) {
			give_up(a->out, "time limit reached");
			break;
		}
		if (known)
			lp_answers_restart(known);
		if (o->callbacks.restarted)
			o->callbacks.restarted(o->callbacks.closure);
	}
	lp_answers_close(own);
	lp_open_work_drop(&left);
}
