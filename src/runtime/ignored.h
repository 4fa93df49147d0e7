/* ignored.h -- findings that the user has judged: --only and --ignore.
 *
 * A finding that is ignored is not reported.  What becomes of the thread depends on its kind:
 *
 *   passed over  where the program can go on as if nothing had happened: a read of memory that was never written
 *                gives what is there, a pattern that is the same in every execution; an operation with an invalid
 *                order is relaxed; memory that is lost, and an invariant that does not hold, are looked away from;
 *   cut off      otherwise: the thread never goes on from there, as at an assumption that is false, and the others do.
 *                An execution with such a thread never counts as complete.
 *
 * Claim: what is reported, and "verified", are those of the program P' in which each ignored finding is such a stop, or
 * nothing.  A thread's next operation in P' is a function of the answers it has had, as in P (program.h, P1), since
 * rules look at the kind and place of a finding, and kinds that are found by looking at a thread alone.  So explorers and
 * reductions, which are correct for all programs, are correct for P'.
 *
 * Hence what is never ignored: races, and uses of memory after a free that nothing orders before them, for which thread
 * meets them depends on the order of the exploration, and what follows has no meaning; endless loops, at which an
 * explorer gives up; and what linchpin does not model.
 */
#ifndef LP_RUNTIME_IGNORED_H
#define LP_RUNTIME_IGNORED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/errors.h"
#include "base/vec.h"

/* Empty parts match everything. */
struct lp_finding_rule {
	enum lp_error_kind kind;
	const char *file;     /* "ring.c", or the end of a path */
	uint32_t line;
	const char *function;
};

struct lp_finding_rules {
	LP_VEC(struct lp_finding_rule);
};

/* A finding is ignored if a rule of `ignore` matches it, or if there are rules `only`, and none of them does. */
struct lp_ignored {
	struct lp_finding_rules ignore, only;
};

/* Can findings of that kind be ignored at all? */
static inline bool lp_is_ignorable(enum lp_error_kind kind)
{
	return kind != LP_ERROR_NONE && kind != LP_ERROR_RACE && kind != LP_ERROR_ENDLESS && kind != LP_ERROR_UNSUPPORTED;
}

/* Is a finding of that kind ignored, at a place of the program that is loaded (0: at none)?  If so, it is noted for the
 * scope (runtime.h, LP_DOUBT_PASSED and LP_DOUBT_CUT). */
bool lp_native_passes_over(enum lp_error_kind, uintptr_t pc);
bool lp_native_cuts_off(enum lp_error_kind, uintptr_t pc);

#endif
