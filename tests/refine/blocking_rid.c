/* blocking_rid.c -- queue_rid.c with removals that wait. */
#define BLOCKING
#include "../../docs/refinement/queue_rid.c"
