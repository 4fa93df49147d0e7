/* program.h -- what an explorer sees of a program: threads that can be stepped, answered and saved.
 *
 * An explorer drives a program without knowing what it is: native code under
 * our runtime, or a script written for a test.  Every thread that exists is
 * either at a pending operation, which waits for the explorer's answer, or at
 * its end.  Nothing visible to other threads happens between two operations:
 * the explorer alone decides what a read returns and which write is where.
 *
 *     lp_program_reset(p);                        // no thread has started
 *     op = lp_program_pending(p, 0);              // thread 0 always exists
 *     lp_program_resume(p, 0, &answer);           // runs to its next operation
 *
 * Contract, relied upon by every explorer:
 *   P1  a thread's next operation is a function of the answers it was given (and
 *       of plain memory, which is a function of the happens-before past);
 *   P2  thread ids are dense, stable names: the n-th child of a given thread has
 *       the same id in every execution, whatever the order in which threads run;
 *   P3  an allocation's address depends on its thread and on what that thread
 *       allocated before, not on the interleaving;
 *   P4  after restore(m) the program is exactly as it was at save() == m.
 *
 * Ownership: operations belong to the program, and are valid until the thread is
 * resumed, or the program is restored or reset.  Everything runs on one OS thread.
 */
#ifndef LP_PROGRAM_PROGRAM_H
#define LP_PROGRAM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/errors.h"
#include "base/order.h"
#include "base/rmw.h"
#include "base/value.h"

typedef uint32_t lp_tid;

enum lp_op_kind {
	LP_OP_END,    /* the thread has ended; never resumed.  With `count` 1 the whole
	               * program has ended, so threads that still wait do not matter */
	LP_OP_LOAD,   /* reads `loc`; answer: the value */
	LP_OP_STORE,  /* writes `operand` to `loc` */
	LP_OP_RMW,    /* reads `loc` and, if `when` holds of the value read, writes
	               * fn(value, operand) in the same instant; answer: the value read */
	LP_OP_FENCE,  /* `order` */
	LP_OP_SPAWN,  /* thread `target` starts.  With `count` n > 0 it is declared to be like
	               * thread n - 1: the program stays the same if the two are exchanged,
	               * together with the memory that each of them owns (see owner()), addresses
	               * in that memory, and values that were passed to only one of them and that
	               * no thread inspects.  `operand` is the thread's argument, perhaps the
	               * address of more.  `value` is 1 if the program has not declared that, and it
	               * was recognised (explore/reduce/like_threads.h) */
	LP_OP_JOIN,   /* waits for the end of thread `target`; may have LP_ELSE_DROP */
	LP_OP_CHOOSE, /* answer: any number in [0, count) */
	LP_OP_BLOCK,  /* the thread can never continue, because an assumption is false.  With `count` 1, it cannot continue because of
	               * an error that is not reported; the other threads are explored all the same */
	LP_OP_YIELD,  /* no effect; the thread is waiting for others */
	LP_OP_ERROR,  /* the thread has made an error, described by `error`; never resumed */
	LP_OP_CALL,   /* a call begins; answer: its number in [0, count).  A process (process.h) is idle until then; a thread
	               * of a client has one call to make next: `count` is 1 */

	/* The following are operations of processes only. */
	LP_OP_RETURN, /* the call ends with the result `operand` */
	LP_OP_POINT,  /* the call takes effect with the result `operand`, together with the access before */
	LP_OP_ALLOC,  /* allocates a block; `operand` is its size, and 1 if the block is to be zeroed; answer: its address */
	LP_OP_FREE,   /* frees the block at `loc` */
};

/* Is the answer a number below `count`, which the explorer chooses? */
static inline bool lp_op_chooses(unsigned kind)
{
	return kind == LP_OP_CHOOSE || kind == LP_OP_CALL;
}

/* A condition on the value read by a LOAD or RMW, compared under `mask`:
 * always; (v & mask) == value; (v & mask) != value; v >= value unsigned. */
enum lp_when { LP_ALWAYS, LP_IF_EQUAL, LP_IF_DIFFERENT, LP_IF_AT_LEAST };

/* What happens when the condition does not hold.
 *   LP_ELSE_FAIL   (RMW) it is a read with order `fail_order`: a failed CAS
 *   LP_ELSE_WAIT   the operation waits, as for a lock that is held.
 *                  If it waits forever, the thread is deadlocked.
 *   LP_ELSE_DROP   the execution is dropped: an assumption does not hold */
enum lp_else { LP_ELSE_FAIL, LP_ELSE_WAIT, LP_ELSE_DROP };

/* What a thread did wrong. */
struct lp_program_error {
	enum lp_error_kind kind;
	char text[240];   /* one line in plain words */
	uintptr_t loc;    /* address concerned, or 0 */
	uintptr_t pc, other_pc; /* the pc of this access, and that of the other access of a race, or 0 */
	lp_tid other_thread;
	bool other_atomic, other_fresh; /* the other access was atomic; it was the allocation */
	bool atomic;      /* this access was atomic */
	bool has_wrote;   /* this access was a write of the value `wrote` */
	struct lp_value wrote;
};

/* Does an RMW count an arrival at a barrier, and may the thread look at whether it was the last one? */
enum lp_arrives { LP_NO_ARRIVAL, LP_ARRIVES, LP_ARRIVES_UNSEEN };

struct lp_op {
	uint8_t kind;       /* enum lp_op_kind */
	uint8_t size;       /* 1, 2, 4, 8 or 16 */
	uint8_t order;      /* enum lp_order; LP_PLAIN: a plain access that became an event */
	uint8_t fail_order; /* the order of an RMW whose condition fails */
	uint8_t rmw;        /* enum lp_rmw */
	uint8_t when;       /* enum lp_when */
	uint8_t otherwise;  /* enum lp_else */
	bool weak;          /* RMW with LP_IF_EQUAL: may also fail spuriously */
	bool loop;          /* the site is in a loop, so live_state() is useful here.  A STORE that is not
	                     * known to be in a loop is never part of an iteration (overwritten_iterations.h) */
	bool unused;        /* RMW: the thread's future does not depend on the answer */
	bool internal;      /* on a location of ours (a mutex, ...), not the user's memory */
	bool lock;          /* RMW: acquires a lock, and waits until it can; STORE: releases it;
	                     * LOAD: an error unless the lock is free.  While the lock is held,
	                     * only its owner writes to it */
	bool partial;       /* the operation is on a partial lock (linchpin.h): clients cannot rely on its synchronisation */
	bool keeps;         /* RMW: made by an explorer for a STORE to a part of a location
	                     * (graph/parts.h); the program reads nothing */
	uint8_t arrives;    /* RMW: enum lp_arrives */
	uint32_t count;     /* CHOOSE: the number of alternatives; RMW that arrives at a barrier: the number of threads in a round */
	lp_tid target;      /* SPAWN, JOIN */
	uintptr_t loc;
	uintptr_t pc;       /* the place in the user's code that requested the operation; 0 if there is none */
	struct lp_value operand, mask, value;
	const char *name;   /* "pthread_mutex_lock", ... or NULL for a bare access */
	const struct lp_program_error *error;
};

/* The answer to an operation. */
struct lp_response {
	struct lp_value value; /* LOAD, RMW: the value read; CHOOSE: the number */
	struct lp_value wrote; /* STORE, successful RMW: the value written */
	bool failed;           /* RMW: it has written nothing */
};

/* Plain accesses are not operations.  Before a plain access the program calls its observer,
 * whose answer is one of: */
enum lp_plain {
	LP_PLAIN_OK,    /* continue */
	LP_PLAIN_OWN,   /* continue; the observer records what is written, so live_state()
	                 * need not count it */
	LP_PLAIN_EVENT, /* the location is shared with atomic accesses (or races are
	                 * ignored): present the access as a LOAD or STORE with order
	                 * LP_PLAIN, for each location of [loc, loc+size) in turn */
	LP_PLAIN_RACE,  /* stop: the thread's pending operation becomes LP_OP_ERROR,
	                 * with the error that the observer filled in */
};

/* `thread` is about to read (or write) [loc, loc+size) plainly at `pc`. */
struct lp_plain_range {
	lp_tid thread;
	bool write;
	uintptr_t loc;
	size_t size;
	uintptr_t pc;
};

/* For LP_PLAIN_EVENT: `size` is that of the first location of the range, to be presented as one
 * operation; or, if the range begins with bytes that are in no location, `shared` is false, and it is the
 * number of those bytes, which need no event.  The program asks again for the rest of the range. */
struct lp_plain_piece {
	size_t size;
	bool shared;
};

/* Listens to what threads do between operations.  All members are set. */
struct lp_observer {
	enum lp_plain (*access)(struct lp_observer *, const struct lp_plain_range *, struct lp_plain_piece *,
				struct lp_program_error *error);
	/* `thread` has allocated, or frees, the block [loc, loc+size).  Both count as a write of
	 * the whole block.  A free may race: then freed() returns false, with the error. */
	void (*allocated)(struct lp_observer *, lp_tid thread, uintptr_t loc, size_t size,
			  uintptr_t pc);
	bool (*freed)(struct lp_observer *, lp_tid thread, uintptr_t loc, size_t size,
		      uintptr_t pc, struct lp_program_error *error);
};

/* Memory that the program allocated. */
struct lp_block {
	uintptr_t start;
	size_t size;
	uintptr_t made; /* the pc of the allocation; 0: not known */
};

/* What reports ask about memory.  Types are texts that are valid as long as the program (frontend/ir/access/names.h). */
struct lp_memory_class {
	/* The block that contains the address, freed or not. */
	bool (*block)(uintptr_t address, struct lp_block *);
	/* The type that the operation at `pc` allocates, or of which it accesses the part at `*offset`; NULL: not known. */
	const char *(*type)(uintptr_t pc, uint64_t *offset);
	/* Names the part at `offset` of `all` bytes that hold objects of the type: ".next", "[3].next".  With `whole` it is
	 * the largest object that begins there, not its first scalar. */
	void (*part)(const char *type, size_t all, uint64_t offset, bool whole, char *out, size_t size);
	/* The name of the variable at the address. */
	bool (*variable)(uintptr_t address, char *out, size_t size);
};

struct lp_program;

struct lp_program_class {
	void (*reset)(struct lp_program *);

	/* One more than the largest id of a thread that has ever existed. */
	lp_tid (*threads)(struct lp_program *);

	/* The thread's pending operation; NULL if it does not exist (its SPAWN has
	 * not been resumed in this execution). */
	const struct lp_op *(*pending)(struct lp_program *, lp_tid);

	/* Performs the pending operation with that answer; the thread runs to its next one. */
	void (*resume)(struct lp_program *, lp_tid, const struct lp_response *);

	/* The value of a location before its first event, read at the time of that
	 * event.  False if the memory there was never initialised. */
	bool (*initial)(struct lp_program *, uintptr_t loc, unsigned size,
			struct lp_value *);

	/* May the memory there be accessed?  Not if it was freed, or is not allocated yet.  Stacks are not looked at. */
	bool (*lives)(struct lp_program *, uintptr_t loc, size_t size);

	/* Is the location in memory that a thread has allocated, or in a thread's stack?  If so,
	 * which thread's, and at which place in that thread's memory.  Like threads that have done
	 * the same so far have the same objects at the same places.  Depends on the address only. */
	bool (*owner)(struct lp_program *, uintptr_t loc, lp_tid *thread, uintptr_t *place);
	/* The inverse: the address of that place in the thread's memory.  NULL: not known. */
	uintptr_t (*placed)(struct lp_program *, lp_tid thread, uintptr_t place);

	/* A stack of saved states.  save() returns a mark; restore() goes back to a
	 * mark, which stays valid; forget() discards it and everything above it. */
	uint32_t (*save)(struct lp_program *);
	void (*restore)(struct lp_program *, uint32_t mark);
	void (*forget)(struct lp_program *, uint32_t mark);
	/* How many bytes a save() would copy now, to compare its cost with that of running again. */
	size_t (*save_cost)(struct lp_program *);

	/* A fingerprint of everything that the thread's future depends on besides
	 * shared memory: its place in the code, its live registers and stack slots, and
	 * the number of its plain writes to memory that is not LP_PLAIN_OWN.  Equal
	 * fingerprints mean equal futures.  False if it cannot be computed. */
	bool (*live_state)(struct lp_program *, lp_tid, uint64_t fingerprint[2]);

	/* Likewise of a thread that is at its end: of what others may ask about it later.  NULL: not known. */
	bool (*end_state)(struct lp_program *, lp_tid, uint64_t fingerprint[2]);

	/* A count of everything that threads have requested, except joins with all that belongs to
	 * them, and plain reads, which the observer sees.  NULL: not known. */
	uint64_t (*noise)(struct lp_program *);

	/* A trial begins or ends.  What threads do during a trial may happen in no execution, so it must not be
	 * recorded as reached.  NULL: nothing is recorded. */
	void (*trial)(struct lp_program *, bool begins);

	/* The outcome recorded by the execution so far, or NULL. */
	const char *(*outcome)(struct lp_program *);

	/* "file.c:12" (or the function, or an address) for a pc; and the name of a
	 * location ("head", "node+8", ...) that is accessed at `pc` (0: not known).  Both write
	 * to `out`, always terminated. */
	void (*describe_pc)(struct lp_program *, uintptr_t pc, char *out, size_t size);
	void (*describe_loc)(struct lp_program *, uintptr_t loc, uintptr_t pc, char *out, size_t size);
	const struct lp_memory_class *memory; /* NULL: nothing more is known */
	const struct lp_shared_class *shared; /* NULL: there is nothing to agree on */
};

struct lp_bytes;
struct lp_cursor;

/* A program that is explored on several machines: what they must agree on, and what they have seen.  One machine leads, which alone hands out
 * names: the others ask. */
struct lp_shared_class {
	/* A hash of what must be the same everywhere: where the program is, and what it is to do. */
	uint64_t (*digest)(struct lp_program *);
	/* This machine asks for names from now on. */
	void (*follow)(struct lp_program *);
	/* Does a process of this machine wait for a name?  Then the request is for the one that leads; its answer is learned here. */
	bool (*asks)(struct lp_program *, struct lp_bytes *request);
	bool (*answer)(struct lp_program *, struct lp_cursor *request, struct lp_bytes *answer);
	bool (*learn)(struct lp_program *, struct lp_cursor *answer);
	/* What was seen in any execution, as bytes; and adds what was seen elsewhere. */
	void (*write_seen)(struct lp_program *, struct lp_bytes *);
	bool (*merge_seen)(struct lp_program *, struct lp_cursor *);
	/* This process, which was forked, goes its own way until it ends: the names that it hands out, and what it sees, are not for the others.  False if
	 * there is no memory. */
	bool (*leave)(struct lp_program *);
};

/* What can tell like threads apart: sets of threads, as bits, of which it was seen in some execution. */
#define LP_TOLD_APART 1024
struct lp_told_apart {
	uint64_t differs[LP_TOLD_APART / 64];  /* something depends on which thread it is; matters for threads that are recognised to be alike */
	uint64_t returned[LP_TOLD_APART / 64]; /* its result was not 0, ... */
	uint64_t asked[LP_TOLD_APART / 64];    /* ... or was looked at; both together matter for all like threads */
	bool any;
	bool recognised; /* set by explorers: there were threads that were treated as alike because they are started likewise */
};

struct lp_program {
	const struct lp_program_class *class;
	struct lp_observer *observer; /* set by the explorer before reset() */
	bool main_concerned;          /* in some execution a thread other than the first has done
	                               * something that is neither an operation nor an access, and that
	                               * affects how the first thread ends */
	struct lp_told_apart told_apart;
	bool unseen;                  /* the observer does not see some plain reads, or new blocks may
	                               * take memory that other threads still read */
	/* The stacks: that of thread t begins t * stack_stride after `stacks`.  A stride of 0: there
	 * are none. */
	uintptr_t stacks;
	size_t stack_stride;
	lp_tid stack_count;
};

/* Is `loc` in the stack of a thread?  If so, `*thread` is that thread. */
static inline bool lp_program_in_stack(const struct lp_program *p, uintptr_t loc, lp_tid *thread)
{
	if (loc - p->stacks >= p->stack_stride * p->stack_count)
		return false;
	*thread = (lp_tid)((loc - p->stacks) / p->stack_stride);
	return true;
}

static inline void lp_program_reset(struct lp_program *p) { p->class->reset(p); }
static inline lp_tid lp_program_threads(struct lp_program *p) { return p->class->threads(p); }

static inline const struct lp_op *lp_program_pending(struct lp_program *p, lp_tid t)
{
	return p->class->pending(p, t);
}

static inline void lp_program_resume(struct lp_program *p, lp_tid t, const struct lp_response *a)
{
	p->class->resume(p, t, a);
}

/* Does the condition of `op`, which has one, hold for the value `v`? */
bool lp_op_condition_holds(const struct lp_op *op, struct lp_value v);

/* The same for any operation. */
static inline bool lp_op_holds(const struct lp_op *op, struct lp_value v)
{
	return op->when == LP_ALWAYS || lp_op_condition_holds(op, v);
}

/* What the RMW `op` writes when it reads `v`. */
struct lp_value lp_op_result(const struct lp_op *op, struct lp_value v);

#endif
