/* blocking_r.c -- queue_r.c with removals that wait. */
#define BLOCKING
#include "../../docs/refinement/queue_r.c"
