/* check_program.h -- an object whose specification is a program (program_spec.h): what `check` does differently then. */
#ifndef LP_VERIFY_PROGRAM_CHECK_PROGRAM_H
#define LP_VERIFY_PROGRAM_CHECK_PROGRAM_H

#include <stdbool.h>

struct lp_check;
struct lp_error;
struct lp_plan_client;

/* The object's harness, whatever the specification is. */
bool lp_check_program_harness(struct lp_check *, struct lp_error *);

/* Prepares the judge.  False if other options do not go with it. */
bool lp_check_program_open(struct lp_check *, struct lp_error *);

/* Has the client that is explored next explored by the program first.  If that fails, nothing can be said: the result is
 * inconclusive, and false is returned. */
void lp_check_program_client(struct lp_check *, const struct lp_plan_client *);
bool lp_check_program_gives_up(struct lp_check *);

/* What is compared, behind the name of the property. */
const char *lp_check_program_scope(const struct lp_check *);

#endif
