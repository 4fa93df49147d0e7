/* ring.c -- rounds of 3 threads by seq_cst accesses. */
#define ORDER seq_cst
#define FENCE() ((void)0)
#include "../rounds.h"
