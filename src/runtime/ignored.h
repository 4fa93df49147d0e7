/* ignored.h -- findings that are not reported, because the user excludes them with --only or --ignore.  A finding is an error of
 * the program.
 *
 * What happens at an ignored finding depends on its kind:
 *
 *   passed over  the program goes on as if there were no finding.  A read of memory that was never written returns
 *                a pattern that is the same in every execution; an operation with an invalid order is relaxed;
 *                leaked memory, an invariant that does not hold, and calls that the specification does not allow have no
 *                effect;
 *   cut off      for all other kinds: the thread stops there, as at a false assumption, and the other threads go on.
 *                An execution with such a thread never counts as complete.  (If the finding is that threads wait
 *                forever, no other thread can go on, and the execution ends.)
 *
 * Claim: let P be the user's program, and P' the program in which each ignored finding has no effect (if it is passed over) or
 * is such a stop (if it is cut off).  linchpin reports the findings and the verdict of P'.  As in P, the next operation of a
 * thread in P' is a function of the answers that the thread was given (program.h, P1): rules depend only on the kind and place
 * of a finding, and a kind can be ignored only if it is found by examining a single thread, or at the end of an execution.  So
 * explorers and reductions, which are correct for all programs, are correct for P'.
 *
 * Therefore some findings are never ignored:
 *
 *   - races, and uses of freed memory that are not ordered with the free: the order of the exploration decides which thread
 *     meets such a finding, and the execution after it has no meaning;
 *   - endless loops, because an explorer gives up there;
 *   - limits of linchpin;
 *   - errors of constructors, which run before all executions.
 */
#ifndef LP_RUNTIME_IGNORED_H
#define LP_RUNTIME_IGNORED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/errors.h"
#include "base/vec.h"

/* Members that are NULL or 0 match everything. */
struct lp_finding_rule {
	enum lp_error_kind kind;
	const char *file;     /* "ring.c", or the last parts of a path */
	uint32_t line;
	const char *function;
};

struct lp_finding_rules {
	LP_VEC(struct lp_finding_rule);
};

/* A finding is ignored if a rule of `ignore` matches it, or if `only` has rules and none of them matches it. */
struct lp_ignored {
	struct lp_finding_rules ignore, only;
};

/* Can findings of that kind be ignored at all? */
static inline bool lp_is_ignorable(enum lp_error_kind kind)
{
	return kind != LP_ERROR_NONE && kind != LP_ERROR_RACE && kind != LP_ERROR_ENDLESS && !lp_error_is_limit(kind);
}

/* Is a finding of that kind ignored at that place of the loaded program (0: no place)?  If so, the scope in the report will
 * say that it was passed over, or that the thread was cut off there (runtime.h, LP_DOUBT_PASSED and LP_DOUBT_CUT).  The
 * caller must then do what the name of the function says. */
bool lp_native_passes_over(enum lp_error_kind, uintptr_t pc);
bool lp_native_cuts_off(enum lp_error_kind, uintptr_t pc);

#endif
