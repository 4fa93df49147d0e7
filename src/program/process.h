/* process.h -- threads as automata, for explorers that keep states rather than executions.
 *
 * Processes are threads without names that call an object forever.  The state of a process is a
 * number, its *local state*. Two processes with equal numbers have equal futures, so they can be
 * exchanged.  In a local state a process has one pending operation.  The next local state depends
 * only on the local state and on the answer to the operation.  The explorer keeps the contents of
 * shared memory, and only operations read and change them.
 *
 *     op = lp_processes_pending(p, local);
 *     local = lp_processes_step(p, local, &answer);
 *
 * Between two calls a process is idle: its pending operation is LP_OP_CALL, whose answer is the
 * number of the next call.  The call ends with LP_OP_RETURN, which has the result.  Before that the
 * call may pass a linearization point, LP_OP_POINT, which also has the result.  A linearization point
 * belongs to the access before it.  An operation LP_OP_ERROR of kind "unsupported" means that local
 * states cannot describe the program completely; then there is no verdict.
 *
 * The heap.  The heap is shared memory that is divided into slots of equal size, a power of two.
 * Each slot holds at most one block:
 *
 *     slot + 8     a word: 0 if the slot has no block; size << 1 if it has one; size << 1 | 1 if it has a freed block
 *     slot + 16    the block
 *
 * The answer to LP_OP_ALLOC is an address that the explorer chooses.  The explorer may also rearrange
 * the heap: for a local state it asks into which slots the state points (`slots`), and which local
 * state this one becomes when the slots are renamed (`moved`).
 *
 * Local states are valid as long as the processes exist.  A step is slow, so the explorer remembers its result.
 */
#ifndef LP_PROGRAM_PROCESS_H
#define LP_PROGRAM_PROCESS_H

#include "base/hash.h"
#include "program/program.h"

typedef uint32_t lp_local;

struct lp_processes;

struct lp_processes_class {
	/* The result is valid until the next step. */
	const struct lp_op *(*pending)(struct lp_processes *, lp_local);
	lp_local (*step)(struct lp_processes *, lp_local, const struct lp_response *);
	/* The initial value of a word of shared memory.  `loc` is a multiple of `size`, which is 8
	 * at most. */
	struct lp_value (*initial)(struct lp_processes *, uintptr_t loc, unsigned size);
	/* The slots into which the local state points, in an order that does not depend on their
	 * numbers; a slot may occur several times.  The result is valid until the next call. */
	const uint8_t *(*slots)(struct lp_processes *, lp_local, uint32_t *count);
	/* The local state that this one becomes when each slot s is renamed to[s]. */
	lp_local (*moved)(struct lp_processes *, lp_local, const uint8_t *to);
	void (*describe_pc)(struct lp_processes *, uintptr_t pc, char *out, size_t size);
	void (*describe_loc)(struct lp_processes *, uintptr_t loc, uintptr_t pc, char *out, size_t size);
	const struct lp_memory_class *memory; /* names memory for reports; NULL: memory has no names */
	/* A name of the local state that does not depend on the order in which local states were met: it is
	 * the same in every OS process that has the same program at the same addresses.  NULL: the number of
	 * the local state has this property itself. */
	struct lp_fingerprint (*name)(struct lp_processes *, lp_local);
	/* If there is name(): a number by which local states are sorted.  It is the same wherever the program was loaded, and in
	 * another build of linchpin, unless the local state holds addresses of other libraries.  Two local states may have the same
	 * number. */
	uint64_t (*rank)(struct lp_processes *, lp_local);
};

struct lp_processes {
	const struct lp_processes_class *class;
	lp_local idle; /* the local state in which every process begins */
	uintptr_t heap; /* the first slot; 0: there is no heap */
	uint32_t slots, slot_size;
	const uintptr_t *roots; /* the addresses of all words that initially point into slots */
	uint32_t root_count;
	uintptr_t image; /* where the program's code and variables begin */
	size_t image_size; /* their size, below 4 GB; 0: there are none */
};

/* Returns what the word would be if the program were loaded at a fixed place.  An address in the program's image (only the lower
 * 48 bits count) is moved to that place, where no program has memory.  Other words stay as they are.  The results must only be
 * compared with each other. */
static inline uint64_t lp_processes_relative(const struct lp_processes *p, uint64_t word)
{
	const uint64_t offset = (word & ((UINT64_C(1) << 48) - 1)) - p->image;

	return offset < p->image_size ? (word >> 48 << 48 | UINT64_C(0x9e37) << 32) + offset : word;
}

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
