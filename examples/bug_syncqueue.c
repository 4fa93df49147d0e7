/* bug_syncqueue.c -- the synchronous queue whose enqueue does not wait for the place: two of
 * them meet there, and one dequeue sends both home. */
#define IS_TAKEN(q) 0
#include "syncqueue.c"
