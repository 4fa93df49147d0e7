/* problem.h -- a history in the form that checkers use.
 *
 * Calls have become operations: methods are those of the specification, results
 * have its shapes, and times are ranks 0, 1, 2, ..., one for each start and each
 * end.  So an operation precedes another iff its end is below the other's start.
 * Between ranks g and g+1 is "gap" g, where operations can take effect.  At equal
 * times starts come before ends, so such operations overlap.
 *
 * Invariant: events[op.start] and events[op.end] are the operation's own.
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
	int64_t result;   /* as in struct lp_call, but with the shape that the specification wants; for a method without result,
			   * the second argument */
};

struct lp_problem {
	const struct lp_history *history;
	struct lp_spec spec;
	struct lp_history_op *ops;
	uint32_t count;
	uint32_t *events; /* by rank: 2 * op, + 1 if it is the end */
	uint32_t ranks;
	uint64_t methods; /* bit m: method m occurs */

	/* The keys that some whole read returned and that no call has as its argument, in ascending order.  A part of a problem
	 * may leave out other keys: there, a whole read tells about the keys of the part and about these. */
	const int64_t *unnamed_keys;
	uint32_t unnamed_key_count;
	bool is_part;

	/* Is the answer still wanted?  Once the function has returned false, it must always return false.  NULL: always wanted. */
	bool (*wanted)(void *closure);
	void *closure;
};

struct lp_error;

bool lp_problem_open(struct lp_problem *p, const struct lp_history *h,
		     const struct lp_spec *spec, struct lp_error *error);
void lp_problem_close(struct lp_problem *p);

/* The same for very many calls.  They are converted in place.  So `h` has no calls afterwards, functions that use the calls, such
 * as lp_problem_call(), must not be called, and `call` of an operation is its thread.  Returns false, with `h` unchanged, if the
 * calls are not in the order of their starts, if some do not fit the specification, or if some read a whole set or map. */
bool lp_problem_take(struct lp_problem *p, struct lp_history *h, const struct lp_spec *spec);

/* Makes a problem that consists of the given operations, which may be in any order.  Operations with `open[i]` set become
 * pending; `open` may be NULL.  `part->ops[i]` is operation ops[i] of `p`. */
void lp_problem_part(struct lp_problem *part, const struct lp_problem *p, const uint32_t *ops,
		     const bool *open, uint32_t count);

/* Splits `p` by first argument: the operations of group g are
 * ops[first[g]] .. ops[first[g + 1] - 1]. */
struct lp_groups {
	uint32_t count;
	uint32_t *first;
	uint32_t *ops;
};

void lp_groups_open(struct lp_groups *g, const struct lp_problem *p);
void lp_groups_close(struct lp_groups *g);

/* Returns the operation in the form that specifications take.  An operation may represent what a whole read tells about one key
 * (whole.h); then its argument is that key. */
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
