/* stack_ri.c -- as stack_r.c, and insertions happen before later insertions. */
#define INSERTIONS
#include "stack_r.c"
