/* write_test.h -- writes the client of a violation as a program (--emit-test). */
#ifndef LP_VERIFY_TASK_WRITE_TEST_H
#define LP_VERIFY_TASK_WRITE_TEST_H

#include <stdbool.h>

struct lp_error;
struct lp_options;
struct lp_result;
struct lp_task;

/* Can the file of --emit-test be written, as far as this is known before there is a violation?  If not, sets the error. */
bool lp_task_can_write_test(const struct lp_options *, struct lp_error *);

/* If --emit-test is given and there is a violation, writes the file.  The result's hint says whether it was
 * written. */
void lp_task_write_test(struct lp_task *, struct lp_result *);

#endif
