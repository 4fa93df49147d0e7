/* bug_msqueue.c -- the queue of Michael and Scott, whose dequeue moves `head` by a store:
 * two dequeues that overlap return the same value. */
#define MOVE_HEAD(q, from, to) (atomic_store_explicit(&(q)->head, to, memory_order_release), 1)
#include "msqueue.c"
