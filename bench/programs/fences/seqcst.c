/* seqcst.c -- rounds of 3 threads with seq_cst fences. */
#define ORDER relaxed
#define FENCE() fence(seq_cst)
#include "../rounds.h"
