/* bug_ticketlock.c -- the ticket lock where two can draw the same ticket. */
#define LOAD_THEN_STORE
#include "ticketlock.c"
