/* bug_syncqueue_lost.c -- the synchronous queue whose enqueue leaves the place without a word: the
 * next enqueue waits for it, and a dequeue for that, forever. */
#define TELL_DONE(q) (void)(q)
#include "syncqueue.c"
