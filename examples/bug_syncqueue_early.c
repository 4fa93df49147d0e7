/* bug_syncqueue_early.c -- the synchronous queue whose enqueue does not wait for its dequeue. */
#define WAITS(q) 0
#include "syncqueue.c"
