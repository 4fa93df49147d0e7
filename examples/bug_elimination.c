/* bug_elimination.c -- the stack with elimination, whose push takes its offer back without
 * looking whether it is still there: a value that was taken is pushed again. */
#define WITHDRAW_BY_STORE
#include "elimination.c"
