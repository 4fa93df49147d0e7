/* blocking_ri.c -- queue_ri.c with removals that wait. */
#define BLOCKING
#include "../../docs/refinement/queue_ri.c"
