/* bug_pollqueue.c -- the polling queue that gives the lock back after it has looked, and takes it
 * again to act: meanwhile another caller may have done the same. */
#define AFTER_A_LOOK(q) (pthread_mutex_unlock(&(q)->lock), pthread_mutex_lock(&(q)->lock))
#include "pollqueue.c"
