/* bug_boundedqueue_if.c -- the bounded queue whose callers do not look again after waiting:
 * another one may have come first. */
#define WHILE if
#include "boundedqueue.c"
