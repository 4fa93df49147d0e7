/* coverage.c -- --coverage and --lcov; and what the scope of "verified" says about branches that were not reached. */
#include "verify/coverage/coverage.h"

#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "runtime/hooks/sites.h"
#include "verify/task/task.h"

bool lp_coverage_wanted(const struct lp_task *task)
{
	return lp_task_given(task, LP_OPT_COVERAGE) || lp_task_given(task, LP_OPT_LCOV);
}

static void note(void *closure, uintptr_t pc, enum lp_exercise what)
{
	static const unsigned bits[] = {
		[LP_EXERCISE_SUCCEEDED] = LP_REACHED, [LP_EXERCISE_FAILED] = LP_REACHED_FAILED, [LP_EXERCISE_ACQUIRED] = LP_REACHED_ACQUIRED,
		[LP_EXERCISE_RELEASED] = LP_REACHED_RELEASED,
	};

	lp_native_exercised(closure, pc, bits[what]);
}

bool lp_coverage_ask(struct lp_task *task)
{
	task->runtime.coverage = lp_coverage_wanted(task);
	task->explore.callbacks.exercised = lp_coverage_wanted(task) ? note : NULL;
	task->explore.callbacks.exercised_closure = &task->native;
	return true;
}

/* Under sc and tso orders make no, or little, difference. */
static bool watches_orders(const struct lp_task *task)
{
	const struct lp_explore_options *e = &task->explore;

	return lp_model_class_of(e->model)->by_hb && !e->sampling.executions && !lp_is_bounded(e);
}

void lp_coverage_take(struct lp_task *task, const struct lp_harness *harness)
{
	struct lp_cover *c = task->cover;

	if (c || !lp_native_module(&task->native))
		return;
	task->cover = c = lp_arena_alloc(&task->arena, sizeof *c);
	*c = (struct lp_cover){ 0 };
	lp_coverage_files(&task->native, &task->arena, c);
	if (!lp_coverage_wanted(task))
		return;
	lp_coverage_facts(&task->native, &task->arena, watches_orders(task), task->explore.weak_fails, c);
	if (!watches_orders(task))
		c->unknown = "what acquires and releases was not watched: that is done under rc11 and ra, and if all "
			     "executions are explored";
	if (harness)
		lp_coverage_methods(&task->native, harness, &task->arena, c);
}

void lp_coverage_show(struct lp_task *task, struct lp_result *result)
{
	char missed[400];

	lp_coverage_take(task, NULL);
	if (task->replayed || result->verdict == LP_RESULT_ERROR)
		return;
	if (lp_coverage_wanted(task))
		result->cover = task->cover;
	if (result->verdict == LP_RESULT_VERIFIED && lp_cover_say_missed(task->cover, missed, sizeof missed))
		lp_task_scope(task, "not reached", "%s%s%s%s", missed, task->by ? ", by " : "", task->by ? task->by : "",
			      lp_coverage_wanted(task) ? "" : strncmp(missed, "1 ", 2) || strchr(missed, ',') ? "; --coverage lists them" :
						     "; --coverage shows it");
}
