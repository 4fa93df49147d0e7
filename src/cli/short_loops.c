/* short_loops.c -- looks for violations in executions whose loops are short. */
#include "cli/short_loops.h"

#include "report/words.h"
#include "verify/task/check_object.h"

enum { ROUNDS = 4 };
static const double SECONDS = 10;

/* Is that search useful?  Not if the user has set a bound, or if other executions are not explored either. */
static bool is_useful(const struct lp_task *task, const struct lp_exploration *e)
{
	const struct lp_explore_options *o = &task->explore;

	return e->verdict == LP_INCONCLUSIVE && e->kind == LP_ERROR_TOO_LONG && !o->limits.unroll && !o->limits.steps &&
	       !o->sampling.executions && !lp_is_bounded(o);
}

/* Sets the bound, and the time, which is at most what is left until `deadline` (0: none).  Returns the time. */
static double set_bound(struct lp_task *task, double deadline)
{
	const double left = deadline > 0 ? deadline - lp_task_seconds(task) : SECONDS;

	task->explore.limits.unroll = ROUNDS;
	task->checkpoint = NULL; /* it is about the exploration that has ended */
	return left < 0.001 ? 0.001 : left < SECONDS ? left : SECONDS;
}

/* The search has found nothing: the scope says what it was. */
static void tell(struct lp_task *task, const struct lp_exploration *found)
{
	char count[LP_WORDS_ROOM];

	lp_words_count(count, found->executions);
	if (found->executions)
		lp_task_scope(task, "short loops", "at most %d times round: no violation in %s executions, which %s", ROUNDS, count,
			      found->verdict == LP_VERIFIED ? "is all of them" : "are not all");
}

void lp_short_loops_check(struct lp_check *c)
{
	const struct lp_plan_client client = c->client;
	const struct lp_explore_options options = c->task.explore;
	const double deadline = c->deadline;
	const uint32_t clients = c->clients, largest = c->largest, of_largest = c->of_largest, left = c->looks.left;
	const struct lp_exploration first = c->total;
	struct lp_error error;

	if (!is_useful(&c->task, &first) || c->program.file)
		return;
	c->deadline = lp_task_seconds(&c->task) + set_bound(&c->task, deadline);
	if (!lp_check_explore(c, &error) || c->total.verdict == LP_VIOLATION)
		return;
	tell(&c->task, &c->total);
	lp_check_client(c, &client);
	c->total = first;
	c->clients = clients;
	c->largest = largest;
	c->of_largest = of_largest;
	c->looks.left = left;
	c->deadline = deadline;
	c->task.explore = options;
}

void lp_short_loops_run(struct lp_task *task, struct lp_exploration *e)
{
	const struct lp_explore_options options = task->explore;
	struct lp_exploration found = { 0 };

	if (!is_useful(task, e))
		return;
	task->explore.limits.seconds = set_bound(task, options.limits.seconds);
	lp_task_begin(task);
	lp_task_explore(task, &found);
	lp_task_spare_failures(task, &found);
	lp_task_confirm(task, &found);
	lp_task_end(task);
	if (found.verdict == LP_VIOLATION) {
		*e = found;
		return;
	}
	tell(task, &found);
	task->explore = options;
}
