/* bug_treiber_push.c -- Treiber's stack with a relaxed push: a pop can get a node before it
 * is filled in. */
#define PUSH memory_order_relaxed
#include "treiber.c"
