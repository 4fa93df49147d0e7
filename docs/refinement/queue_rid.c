/* queue_rid.c -- as queue_ri.c, and removals happen before later removals. */
#define INSERTIONS
#define REMOVALS
#include "queue_r.c"
