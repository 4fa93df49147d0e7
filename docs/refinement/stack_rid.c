/* stack_rid.c -- as stack_ri.c, and removals happen before later removals. */
#define INSERTIONS
#define REMOVALS
#include "stack_r.c"
