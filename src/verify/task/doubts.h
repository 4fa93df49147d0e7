/* doubts.h -- how a verdict changes if the program did something that is not fully modelled.
 *
 *                          "verified"                    "violation"
 *     not modelled         inconclusive                  inconclusive: the execution may be infeasible
 *     fixed                inconclusive                  stays: the value is a possible one
 *     chosen, or given     stays, and the scope says so  stays
 *     ignored              stays, and the scope says so  stays: it is another finding than the ignored one
 *
 * Fixed: the program was given one of several possible values, for example by rand().  Chosen: it was given every value of
 * the range of --nondet.  Given: it was told a fact about its machine.  Ignored: a finding that --only or --ignore excludes.
 */
#ifndef LP_VERIFY_TASK_DOUBTS_H
#define LP_VERIFY_TASK_DOUBTS_H

#include <stdint.h>

#include "base/vec.h"

struct lp_doubt_met;
struct lp_result;
struct lp_task;

/* Doubts of one kind, in the order in which they were found. */
struct lp_doubt_list {
	LP_VEC(struct lp_doubt_met);
};

struct lp_doubts {
	/* `unseen`: not modelled.  `ranged`: chosen.  `passed`: ignored findings after which threads go on.  `cut`: ignored findings at
	 * which threads stop. */
	struct lp_doubt_list unseen, fixed, ranged, given, passed, cut;
};

/* Collects the doubts of all explorations so far.  Texts are in the task's arena. */
void lp_doubts_collect(struct lp_doubts *, struct lp_task *);
void lp_doubts_drop(struct lp_doubts *);

/* Adds the doubts `ranged`, `fixed` and `given` to the scope. */
void lp_doubts_scope(const struct lp_doubts *, struct lp_task *);
/* Adds the findings that were ignored (`passed` and `cut`) to the scope, to the result, and to the claim. */
void lp_doubts_ignored(const struct lp_doubts *, struct lp_task *, struct lp_result *);
/* Changes the verdict as in the table above. */
void lp_doubts_judge(const struct lp_doubts *, struct lp_task *, struct lp_result *);

#endif
