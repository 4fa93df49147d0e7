/* pure_spec.h -- does a specification of the user's keep something outside its state?
 *
 * The checker calls its functions in any order, also for runs that never happened.  If one of them keeps something in
 * a variable, verdicts are wrong, and no other check would notice.  So the functions are tried beforehand, with some
 * arguments and results, in some states: a call must give the same answer and the same state each time, and must not change
 * the variables of the specification when it is repeated.  (What is computed once and kept is no harm.)
 *
 * This is a test, not a proof.  It is made in a process of its own: arguments that no client would
 * give may make a specification crash, or never return, and that is not held against it.
 */
#ifndef LP_VERIFY_TASK_PURE_SPEC_H
#define LP_VERIFY_TASK_PURE_SPEC_H

#include <stdbool.h>

struct lp_error;
struct lp_spec;

/* `shared` is the file that `handle` is from. */
bool lp_spec_refuse_impure(const struct lp_spec *, const char *shared, void *handle, struct lp_error *);

#endif
