/* bug_twolock_publish.c -- the two-lock queue without release where the two ends meet. */
#define PUBLISH memory_order_relaxed
#include "twolock.c"
