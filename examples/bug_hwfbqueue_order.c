/* bug_hwfbqueue_order.c -- the array queue with both ends in one word, where filling a slot
 * does not release.  It is still a queue, but nothing synchronises any more: what was done
 * before an enqueue need not be seen after its dequeue.  Found by --sync r. */
#define FILL memory_order_relaxed
#include "hwfbqueue.c"
