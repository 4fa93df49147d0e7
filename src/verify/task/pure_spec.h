/* pure_spec.h -- detects a user's specification that keeps data outside its state.
 *
 * The checker calls the functions of a specification in any order, also for sequences of calls that never happened.  If one of these
 * functions keeps data in a variable, verdicts are wrong, and no other check would notice.  So the functions are tried beforehand, with
 * some arguments and results, in some states.  A function must give the same answer and the same state each time, and must not
 * change the variables of the specification when it is called again.  (Data that is computed once and then never changes does
 * no harm.)
 *
 * This is a test, not a proof.  It runs in a process of its own.  If a function crashes or never returns, this does not count as a
 * failure, since the test may use arguments that no client would give.
 */
#ifndef LP_VERIFY_TASK_PURE_SPEC_H
#define LP_VERIFY_TASK_PURE_SPEC_H

#include <stdbool.h>

struct lp_error;
struct lp_spec;

/* Returns true, with the error set, if the test fails.  `shared` is the file from which `handle` was loaded. */
bool lp_spec_refuse_impure(const struct lp_spec *, const char *shared, void *handle, struct lp_error *);

#endif
