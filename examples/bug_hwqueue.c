/* bug_hwqueue.c -- the queue of Herlihy and Wing with an exchange that acquires and does not
 * release.  It takes four enqueues and three dequeues to go wrong. */
#define ACQUIRE_XCHG
#include "hwqueue.c"
