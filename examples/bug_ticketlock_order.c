/* bug_ticketlock_order.c -- the ticket lock without release: one holder at a time, but the
 * next one need not see what the last one did. */
#define CALL memory_order_relaxed
#include "ticketlock.c"
