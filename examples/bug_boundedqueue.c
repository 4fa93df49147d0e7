/* bug_boundedqueue.c -- the bounded queue where both sorts of callers wait at one condition:
 * a signal may wake one that cannot go on, and is lost.  Then a call waits forever although
 * there is room. */
#define NOT_FULL(q) (&(q)->not_empty)
#include "boundedqueue.c"
