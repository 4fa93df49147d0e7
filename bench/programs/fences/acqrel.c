/* acqrel.c -- rounds of 3 threads with acq_rel fences: what seqcst.c costs more is due to them. */
#define ORDER relaxed
#define FENCE() fence(acq_rel)
#include "../rounds.h"
