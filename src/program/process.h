/* process.h -- threads as automata: for explorers that keep states, not executions.
 *
 * Processes are threads without names that call an object forever.  All that a process is
 * lies in its *local state*, a number: equal numbers mean equal futures, whichever process
 * is in it, and two processes in the same local state can be exchanged.  In a local state a
 * process is at one operation; how that goes (its answer) determines the next local state
 * and nothing else does.  Shared memory is the explorer's: it is changed by operations only,
 * and read by them only.
 *
 *     op = lp_processes_pending(p, local);
 *     local = lp_processes_step(p, local, &answer);
 *
 * Between two calls a process is idle, at LP_OP_CALL: the answer is the number of the call.
 * The call ends with LP_OP_RETURN, which has the result.  It may pass a linearization point,
 * LP_OP_POINT, which belongs to the access before it, and has the result as well.
 * An operation LP_OP_ERROR of kind "unsupported" means that local
 * states cannot tell all there is: then there is no verdict.
 *
 * The heap.  Blocks lie in slots of equal size, a power of two, which are memory like any other:
 *
 *     slot + 8     a word: 0 no block; size << 1; size << 1 | 1 the block was freed
 *     slot + 16    the block
 *
 * The address that LP_OP_ALLOC answers is any that the explorer likes.  A local state knows which
 * slots it points into, and what it would be if these were others: so that a heap can be rearranged.
 *
 * Local states hold as long as the processes.  Stepping is slow (the explorer remembers).
 */
#ifndef LP_PROGRAM_PROCESS_H
#define LP_PROGRAM_PROCESS_H

#include "program/program.h"

typedef uint32_t lp_local;

struct lp_processes;

struct lp_processes_class {
	/* Holds until the next step. */
	const struct lp_op *(*pending)(struct lp_processes *, lp_local);
	lp_local (*step)(struct lp_processes *, lp_local, const struct lp_response *);
	/* What shared memory holds at first; loc is aligned to the size, which is 8 at most. */
	struct lp_value (*initial)(struct lp_processes *, uintptr_t loc, unsigned size);
	/* The slots that the local state points into, in an order that does not depend on
	 * which they are; perhaps several times.  Holds until the next call. */
	const uint8_t *(*slots)(struct lp_processes *, lp_local, uint32_t *count);
	/* Slot s has become to[s]. */
	lp_local (*moved)(struct lp_processes *, lp_local, const uint8_t *to);
	void (*describe_pc)(struct lp_processes *, uintptr_t pc, char *out, size_t size);
	void (*describe_loc)(struct lp_processes *, uintptr_t loc, uintptr_t pc, char *out, size_t size);
	const struct lp_memory_class *memory; /* NULL: nothing more is known */
};

struct lp_processes {
	const struct lp_processes_class *class;
	lp_local idle; /* where every process begins */
	uintptr_t heap; /* the first slot; 0: there is no heap */
	uint32_t slots, slot_size;
	const uintptr_t *roots; /* words that point into slots at first, all of them */
	uint32_t root_count;
};

static inline const struct lp_op *lp_processes_pending(struct lp_processes *p, lp_local local)
{
	return p->class->pending(p, local);
}

static inline lp_local lp_processes_step(struct lp_processes *p, lp_local local,
					 const struct lp_response *answer)
{
	return p->class->step(p, local, answer);
}

#endif
