/* relaxed.h -- a queue that reorders on purpose, and all its schedules with few delays.
 *
 * After the k-FIFO queue of Kirsch, Lippautz and Payer (PaCT 2013): a row of segments
 * with a few slots each; an insertion takes any free slot of the last segment, a
 * removal any value of the first one.  What is in a segment has no order.  It is
 * simulated here step by step, one access to shared memory a step, each operation in
 * a thread of its own.
 *
 * Threads take turns in a fixed order, each until it is done; a delay moves on to the
 * next one before its time (Emmi, Qadeer, Rakamaric, POPL 2011).
 */
#ifndef LP_BENCH_RELAXED_H
#define LP_BENCH_RELAXED_H

#include <stdbool.h>
#include <stdint.h>

enum { MOST_OPS = 8 };

/* How one operation went. */
struct op {
	int8_t start, end; /* epochs: as in src/check/counting/ak.h */
	int8_t result;     /* removals: a value from 1 on, 0: empty */
};

struct execution {
	uint32_t inserts, ops; /* operations 0 .. inserts-1 insert 1, 2, ... */
	struct op op[MOST_OPS];
};

/* Calls `each` for every schedule with at most `delays` delays; returns how many there
 * were, and stops after `most` of them.  `slots` is the size of a segment. */
uint64_t each_execution(uint32_t inserts, uint32_t removes, uint32_t slots, uint32_t delays,
			uint64_t most, void (*each)(void *, const struct execution *),
			void *context);

#endif
