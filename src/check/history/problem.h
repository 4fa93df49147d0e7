/* problem.h -- a history in the form that checkers use.
 *
 * A call becomes an operation: its method is one of the specification, its result has
 * the shape that the specification expects (enum lp_shape), and its times become ranks.
 * Ranks 0, 1, 2, ... number all starts and ends in the order of their times.  So
 * operation a precedes operation b iff the rank of a's end is below the rank of b's start.
 * Gap g is the time between ranks g and g + 1; operations take effect in gaps.  If a start
 * and an end have the same time, history.h says which has the lower rank
 * (lp_call_moment()).
 *
 * Invariant: events[op.start] is the start of op, and events[op.end] its end.
 */
#ifndef LP_CHECK_HISTORY_PROBLEM_H
#define LP_CHECK_HISTORY_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

#include "history/history.h"
#include "spec/spec.h"

#define LP_NEVER UINT32_MAX /* the end of a pending operation */
#define LP_NO_OP UINT32_MAX

struct lp_history_op {
	uint32_t start, end;
	uint32_t call;    /* the index of the call in the history */
	uint32_t method : 8;   /* the index of the method in the specification */
	uint32_t results : 24; /* the number of results, or LP_RESULT_UNKNOWN */
	int64_t arg;      /* the first argument, if any */
	int64_t result;   /* as in struct lp_call (history.h), in the shape that the specification expects.  For a method without
			   * result: the second argument */
};

struct lp_problem {
	const struct lp_history *history;
	struct lp_spec spec;
	struct lp_history_op *ops;
	uint32_t count;
	uint32_t *events; /* for each rank: 2 * op for the start of op, 2 * op + 1 for its end */
	uint32_t ranks;   /* the number of ranks */
	uint64_t methods; /* bit m: method m occurs */

	/* The keys, in ascending order, that some read of a whole set or map returned, but that are no call's argument.  If a part
	 * of a problem leaves out all calls on some keys, a whole read in this part is checked only for the keys on which the part
	 * has calls and for these unnamed keys. */
	const int64_t *unnamed_keys;
	uint32_t unnamed_key_count;
	bool is_part; /* made by lp_problem_part() */

	/* Is the answer still wanted?  Once this function has returned false, it must always return false.  NULL: always wanted. */
	bool (*wanted)(void *closure);
	void *closure;
};

struct lp_error;

/* Converts a history.  Returns false, with an error, if a call does not fit the specification. */
bool lp_problem_open(struct lp_problem *p, const struct lp_history *h,
		     const struct lp_spec *spec, struct lp_error *error);
void lp_problem_close(struct lp_problem *p);

/* A variant for very many calls, which are converted in place: afterwards, `h` has no calls.  Functions that use the calls of the
 * history, such as lp_problem_call(), must not be called then.  The member `call` of an operation is then the number of its thread.
 * Returns false, with `h` unchanged, if the calls are not in the order of their starts, if some call does not fit the
 * specification, or if some call reads a whole set or map. */
bool lp_problem_take(struct lp_problem *p, struct lp_history *h, const struct lp_spec *spec);

/* Makes a problem that consists of the given operations of `p`, which may be in any order: `part->ops[i]` is operation ops[i]
 * of `p`.  This operation becomes pending if open[i] is set.  If `open` is NULL, no operation becomes pending. */
void lp_problem_part(struct lp_problem *part, const struct lp_problem *p, const uint32_t *ops,
		     const bool *open, uint32_t count);

/* The operations of a problem, split by their first argument: the operations of group g are
 * ops[first[g]] .. ops[first[g + 1] - 1]. */
struct lp_groups {
	uint32_t count;
	uint32_t *first;
	uint32_t *ops;
};

void lp_groups_open(struct lp_groups *g, const struct lp_problem *p);
void lp_groups_close(struct lp_groups *g);

/* Returns the operation in the form that specifications take.  If the operation stands for what a whole read tells about one key
 * (whole.h), its argument is that key. */
struct lp_spec_call lp_problem_call(const struct lp_problem *p, uint32_t op);

/* Is the answer still wanted?  To be called at each `step` 0, 1, 2, ... of a long computation; it calls p->wanted()
 * only from time to time, and never for small problems. */
static inline bool lp_problem_is_wanted(const struct lp_problem *p, uint32_t step)
{
	enum { MANY = 1 << 16 };

	return step % MANY || p->count < MANY || !p->wanted || p->wanted(p->closure);
}

static inline bool lp_op_is_pending(const struct lp_history_op *op)
{
	return op->end == LP_NEVER;
}

static inline const struct lp_method *lp_op_method(const struct lp_problem *p,
						   const struct lp_history_op *op)
{
	return &p->spec.kind->methods[op->method];
}

/* Can the result mean that the operation changes nothing in any state?  Then, if it changes nothing in some state, it never
 * does.  An unknown result cannot mean that. */
static inline bool lp_op_may_observe(const struct lp_problem *p, const struct lp_history_op *op)
{
	const unsigned roles = lp_op_method(p, op)->roles;

	return (roles & LP_READS) == LP_READS || ((roles & LP_OBSERVES) && op->results != LP_RESULT_UNKNOWN);
}

#endif
