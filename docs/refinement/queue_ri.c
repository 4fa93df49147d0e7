/* queue_ri.c -- as queue_r.c, and insertions happen before later insertions. */
#define INSERTIONS
#include "queue_r.c"
