/* check_program.h -- those parts of `check` that differ if the specification of the object is a program (program_spec.h). */
#ifndef LP_VERIFY_PROGRAM_CHECK_PROGRAM_H
#define LP_VERIFY_PROGRAM_CHECK_PROGRAM_H

#include <stdbool.h>

struct lp_check;
struct lp_error;
struct lp_plan_client;

/* Reads the object's harness. */
bool lp_check_program_harness(struct lp_check *, struct lp_error *);

/* Prepares the judge.  Returns false if other options cannot be combined with such a specification. */
bool lp_check_program_open(struct lp_check *, struct lp_error *);

/* lp_check_program_client() explores the specification with a client; the caller explores the object with the same client
 * afterwards.  If the specification could not be explored completely, the caller calls lp_check_program_gives_up(), which makes the
 * result inconclusive and returns false. */
void lp_check_program_client(struct lp_check *, const struct lp_plan_client *);
bool lp_check_program_gives_up(struct lp_check *);

/* Returns what the object is compared with; reports show it after the name of the property. */
const char *lp_check_program_scope(const struct lp_check *);

#endif
