/* write_test.h -- the client of a violation as a program of its own: --emit-test. */
#ifndef LP_VERIFY_TASK_WRITE_TEST_H
#define LP_VERIFY_TASK_WRITE_TEST_H

#include <stdbool.h>

struct lp_error;
struct lp_options;
struct lp_result;
struct lp_task;

/* Is what the option says possible, as far as that is known before there is a violation? */
bool lp_task_can_write_test(const struct lp_options *, struct lp_error *);

/* Writes the file of --emit-test, if that is given and there is a violation.  The result's hint says what became of it. */
void lp_task_write_test(struct lp_task *, struct lp_result *);

#endif
