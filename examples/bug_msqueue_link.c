/* bug_msqueue_link.c -- the queue of Michael and Scott, whose enqueue publishes its node
 * by a relaxed compare-exchange: a dequeue can get it before it is filled in.  Every x86
 * processor hides that. */
#define LINK memory_order_relaxed
#include "msqueue.c"
