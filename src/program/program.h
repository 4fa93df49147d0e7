/* program.h -- what an explorer sees of a program: threads that can be stepped, answered and saved.
 *
 * An explorer drives a program without knowing what it is: native code under
 * our runtime, or a script written for a test.  Every thread that exists has a pending operation,
 * which waits for the explorer's answer.  The last operation of a thread (LP_OP_END, LP_OP_BLOCK or
 * LP_OP_ERROR) is never answered.  Nothing visible to other threads happens between two operations:
 * the explorer alone decides what a read returns, and where a write goes in co.
 *
 *     lp_program_reset(p);                        // no thread has started
 *     op = lp_program_pending(p, 0);              // thread 0 always exists
 *     lp_program_resume(p, 0, &answer);           // runs to its next operation
 *
 * Contract, relied upon by every explorer:
 *   P1  a thread's next operation is a function of the answers that the thread was given, and of
 *       plain memory, which is a function of the thread's happens-before past;
 *   P2  thread ids are dense and stable: the n-th child of a given thread has the same id in every
 *       execution, independently of the order in which threads run;
 *   P3  the address of an allocation depends on the thread, and on what this thread allocated
 *       before, but not on the interleaving;
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
	LP_OP_END,    /* the thread has ended, and is never resumed.  With `final` 1 the whole
	               * program has ended, so threads that still wait do not matter */
	LP_OP_LOAD,   /* reads `loc`; answer: the value */
	LP_OP_STORE,  /* writes `operand` to `loc` */
	LP_OP_RMW,    /* reads `loc` and, if `when` holds of the value read, writes
	               * fn(value, operand) in the same instant; answer: the value read */
	LP_OP_FENCE,  /* `order` */
	LP_OP_SPAWN,  /* thread `target` starts.  With `elder` n > 0 the new thread is like thread
	               * n - 1: the program stays the same if the two threads are exchanged.  Three
	               * things are exchanged with them: the memory that each of them owns (see
	               * owner()); the addresses in that memory; and values that were passed to only
	               * one of them and that no thread inspects.  `operand` is the new thread's
	               * argument, perhaps the address of its arguments.  `value` is 0 if the program
	               * declares the threads to be alike, and 1 if the runtime has recognised that they
	               * are (explore/reduce/like_threads.h) */
	LP_OP_JOIN,   /* waits for the end of thread `target`; may have LP_ELSE_DROP */
	LP_OP_CHOOSE, /* answer: any number in [0, count) */
	LP_OP_BLOCK,  /* the thread can never continue, because an assumption is false.  With `unreported` 1 the reason is an error that is
	               * not reported; the explorer still explores what the other threads do */
	LP_OP_YIELD,  /* no effect; the thread is waiting for other threads */
	LP_OP_ERROR,  /* the thread has made the error that `error` describes, and is never resumed */
	LP_OP_CALL,   /* a call begins; answer: its number in [0, count).  A process (process.h) is idle until it gets the
	               * answer.  A thread of a client has only one call that it can make next, so `count` is 1 */

	/* The following are operations of processes only. */
	LP_OP_RETURN, /* the call ends with the result `operand` */
	LP_OP_POINT,  /* the call takes effect at the access before this operation, with the result `operand` */
	LP_OP_ALLOC,  /* allocates a block; `operand` has its size, and 1 if it is to be zeroed; answer: its address */
	LP_OP_FREE,   /* frees the block at `loc` */
};

/* Is the answer a number below `count`, which the explorer chooses? */
static inline bool lp_op_chooses(unsigned kind)
{
	return kind == LP_OP_CHOOSE || kind == LP_OP_CALL;
}

/* A condition on the value v that a LOAD or RMW reads.
 *   LP_ALWAYS         none
 *   LP_IF_EQUAL       (v & mask) == value
 *   LP_IF_DIFFERENT   (v & mask) != value
 *   LP_IF_AT_LEAST    v >= value, unsigned */
enum lp_when { LP_ALWAYS, LP_IF_EQUAL, LP_IF_DIFFERENT, LP_IF_AT_LEAST };

/* What happens if the condition of an operation does not hold.
 *   LP_ELSE_FAIL   the RMW fails, as a CAS does: it is a read with order `fail_order`
 *   LP_ELSE_WAIT   the operation waits, as for a lock that is held.
 *                  If it waits forever, the thread is deadlocked.
 *   LP_ELSE_DROP   the execution is dropped: an assumption does not hold */
enum lp_else { LP_ELSE_FAIL, LP_ELSE_WAIT, LP_ELSE_DROP };

/* What a thread did wrong. */
struct lp_program_error {
	enum lp_error_kind kind;
	char text[240];   /* one line in plain words */
	uintptr_t loc;    /* the address that the error is about, or 0 */
	uintptr_t pc, other_pc; /* the pc of the erroneous access, and for a race the pc of the other
	                         * access; or 0 */
	lp_tid other_thread;
	bool other_atomic, other_fresh; /* the other access was atomic; the other access was the
	                                 * allocation of the memory */
	bool atomic;      /* this access was atomic */
	bool has_wrote;   /* this access was a write of the value `wrote` */
	struct lp_value wrote;
};

/* Does an RMW count an arrival at a barrier?  LP_ARRIVES_UNSEEN: it does, and the thread cannot find out
 * whether it was the last to arrive. */
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
	bool loop;          /* the operation is in a loop of the source, so live_state() is useful here.  A STORE
	                     * without this flag is never part of an iteration (overwritten_iterations.h) */
	bool unused;        /* RMW: the thread's future does not depend on the answer */
	bool internal;      /* the location is linchpin's (a mutex, ...), and not in the user's
	                     * memory */
	bool lock;          /* RMW: waits until a lock is free, and acquires it; STORE: releases a
	                     * lock; LOAD: it is an error if the lock is held.  While a lock is held,
	                     * only its owner writes to its location */
	bool partial;       /* the operation is on a partial lock (linchpin.h): clients cannot rely on its synchronisation */
	bool keeps;         /* RMW: an explorer has made it from a STORE to a part of a location
	                     * (graph/parts.h); the program does not see what the RMW reads */
	uint8_t arrives;    /* RMW: enum lp_arrives */
	union {
		uint32_t count;      /* CHOOSE, CALL: the number of alternatives */
		uint32_t elder;      /* SPAWN: 1 + the thread that the new one is like, or 0 */
		uint32_t round;      /* RMW that arrives at a barrier: the number of threads in a round */
		uint32_t final;      /* END: 1 if the whole program has ended */
		uint32_t unreported; /* BLOCK: 1 if the reason is an error that is not reported */
	};
	lp_tid target;      /* SPAWN, JOIN */
	uintptr_t loc;
	uintptr_t pc;       /* the place in the user's code that requested the operation; 0 if there is none */
	struct lp_value operand, mask, value;
	const char *name;   /* the library function, such as "pthread_mutex_lock"; NULL for an
	                     * access in the user's code */
	const struct lp_program_error *error;
};

/* Does the operation read or write a location? */
static inline bool lp_op_is_access(const struct lp_op *op)
{
	return op->kind == LP_OP_LOAD || op->kind == LP_OP_STORE || op->kind == LP_OP_RMW;
}

/* The answer to an operation. */
struct lp_response {
	struct lp_value value; /* LOAD, RMW: the value read; CHOOSE, CALL: the number */
	struct lp_value wrote; /* STORE, successful RMW: the value written */
	bool failed;           /* RMW: it has failed, and has written nothing */
};

/* Plain accesses are not operations.  Before a plain access the program calls its observer, which
 * answers what the thread is to do: */
enum lp_plain {
	LP_PLAIN_OK,    /* continue */
	LP_PLAIN_OWN,   /* continue; the observer records what is written, so live_state() need not
	                 * count this write */
	LP_PLAIN_EVENT, /* the location is shared with atomic accesses (or races are
	                 * ignored): present the access as a LOAD or STORE with order
	                 * LP_PLAIN, for each location of [loc, loc+size) in turn */
	LP_PLAIN_RACE,  /* stop: the thread's pending operation becomes LP_OP_ERROR,
	                 * with the error that the observer filled in */
};

/* `thread` is about to read [loc, loc+size) plainly at `pc`; with `write`, to write it. */
struct lp_plain_range {
	lp_tid thread;
	bool write;
	uintptr_t loc;
	size_t size;
	uintptr_t pc;
};

/* For LP_PLAIN_EVENT: the first piece of the range.  If `shared`, the piece is a location of `size` bytes,
 * which the program presents as one operation.  Otherwise the piece is `size` bytes that are in no location
 * and need no event.  The program asks again for the rest of the range. */
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

/* What reports need to know about memory.  A type is a text that stays valid as long as the program exists
 * (frontend/ir/access/names.h). */
struct lp_memory_class {
	/* The block that contains the address, even if it was freed.  Returns false if there is none. */
	bool (*block)(uintptr_t address, struct lp_block *);
	/* If the operation at `pc` allocates an object: the type of this object.  If it accesses a part of an object: the type of
	 * this object, and `*offset` becomes the offset of the part.  NULL: not known. */
	const char *(*type)(uintptr_t pc, uint64_t *offset);
	/* Names the part at `offset` of a block of `all` bytes that holds objects of the type: ".next", "[3].next".  With
	 * `whole` the function names the largest object that begins there, otherwise the first scalar. */
	void (*part)(const char *type, size_t all, uint64_t offset, bool whole, char *out, size_t size);
	/* The name of the variable at the address.  Returns false if there is none. */
	bool (*variable)(uintptr_t address, char *out, size_t size);
};

struct lp_program;

struct lp_program_class {
	void (*reset)(struct lp_program *);

	/* One more than the largest id of a thread that has ever existed. */
	lp_tid (*threads)(struct lp_program *);

	/* The thread's pending operation; NULL if the thread does not exist (its SPAWN
	 * has not been resumed in this execution). */
	const struct lp_op *(*pending)(struct lp_program *, lp_tid);

	/* Performs the pending operation with that answer; the thread runs to its next one. */
	void (*resume)(struct lp_program *, lp_tid, const struct lp_response *);

	/* The value of a location before its first event, read at the time of that
	 * event.  Returns false if the memory there was never initialised. */
	bool (*initial)(struct lp_program *, uintptr_t loc, unsigned size,
			struct lp_value *);

	/* Is the memory at `loc` alive?  The answer is no if it was freed, or is not allocated yet.  Memory on a stack
	 * counts as alive. */
	bool (*lives)(struct lp_program *, uintptr_t loc, size_t size);

	/* Is the location in memory that a thread has allocated, or in a thread's stack?  If so,
	 * tells which thread that is, and the place of the location in that thread's memory.  Like
	 * threads that have done the same so far have the same objects at the same places.  The
	 * result depends only on the address. */
	bool (*owner)(struct lp_program *, uintptr_t loc, lp_tid *thread, uintptr_t *place);
	/* The inverse: the address of that place in the thread's memory.  NULL: not known. */
	uintptr_t (*placed)(struct lp_program *, lp_tid thread, uintptr_t place);

	/* A stack of saved states.  save() returns a mark; restore() goes back to a
	 * mark, which stays valid; forget() discards a mark and all later marks. */
	uint32_t (*save)(struct lp_program *);
	void (*restore)(struct lp_program *, uint32_t mark);
	void (*forget)(struct lp_program *, uint32_t mark);
	/* How many bytes save() would copy now.  With this number the explorer compares the cost of
	 * save() with the cost of performing the operations again. */
	size_t (*save_cost)(struct lp_program *);

	/* A fingerprint of everything that the thread's future depends on besides
	 * shared memory: its place in the code, its live registers and stack slots, and
	 * the number of its allocations, frees and plain writes.  Writes for which the observer
	 * has answered LP_PLAIN_OWN do not count.  Equal fingerprints mean equal futures.
	 * Returns false if the fingerprint cannot be computed. */
	bool (*live_state)(struct lp_program *, lp_tid, uint64_t fingerprint[2]);

	/* The same for a thread that has ended: a fingerprint of what other threads may still ask about this thread.
	 * The member is NULL if the program cannot tell. */
	bool (*end_state)(struct lp_program *, lp_tid, uint64_t fingerprint[2]);

	/* Counts everything that threads have requested, with two exceptions: plain reads, because the
	 * observer sees them; and joins, with what belongs to them.  The member is NULL if the program cannot
	 * tell. */
	uint64_t (*noise)(struct lp_program *);

	/* A trial begins or ends.  What threads do during a trial need not happen in any execution, so the
	 * program must not record that the code was reached.  NULL: the program records nothing. */
	void (*trial)(struct lp_program *, bool begins);

	/* The outcome recorded by the execution so far, or NULL. */
	const char *(*outcome)(struct lp_program *);

	/* Two functions that write a name to `out`, always terminated.  The first names a pc:
	 * "file.c:12", or the function, or an address.  The second names a location ("head",
	 * "node+8", ...) that is accessed at `pc` (0: not known). */
	void (*describe_pc)(struct lp_program *, uintptr_t pc, char *out, size_t size);
	void (*describe_loc)(struct lp_program *, uintptr_t loc, uintptr_t pc, char *out, size_t size);
	const struct lp_memory_class *memory; /* NULL: the program knows nothing more about its
	                                       * memory */
	const struct lp_shared_class *shared; /* NULL: there is nothing to agree on */
};

struct lp_bytes;
struct lp_cursor;

/* For a program that is explored on several machines.  The machines must agree on names, and they combine what they have seen.  One machine
 * leads: it alone hands out names, and the other machines ask it for names. */
struct lp_shared_class {
	/* A hash of what must be the same on all machines: the addresses of the program, and its
	 * task. */
	uint64_t (*digest)(struct lp_program *);
	/* This machine asks for names from now on. */
	void (*follow)(struct lp_program *);
	/* asks(): does a process of this machine wait for a name?  Then `request` goes to the machine that leads.  That machine calls
	 * answer(), and this one passes the answer to learn(). */
	bool (*asks)(struct lp_program *, struct lp_bytes *request);
	bool (*answer)(struct lp_program *, struct lp_cursor *request, struct lp_bytes *answer);
	bool (*learn)(struct lp_program *, struct lp_cursor *answer);
	/* write_seen() writes as bytes what was seen in the executions of this machine;
	 * merge_seen() adds what another machine has written. */
	void (*write_seen)(struct lp_program *, struct lp_bytes *);
	bool (*merge_seen)(struct lp_program *, struct lp_cursor *);
	/* Separates this forked process from the other processes until it ends: they learn neither the names that it hands out nor what it sees.
	 * Returns false if there is no memory. */
	bool (*leave)(struct lp_program *);
};

/* What was seen, in any execution, that can tell like threads apart: sets of threads, as bits. */
#define LP_TOLD_APART 1024
struct lp_told_apart {
	uint64_t differs[LP_TOLD_APART / 64];  /* something depends on which thread this is; it matters only if the thread is recognised to be
	                                        * like another one */
	uint64_t returned[LP_TOLD_APART / 64]; /* the thread's result was not 0 */
	uint64_t asked[LP_TOLD_APART / 64];    /* some thread has looked at the thread's result.  If a bit is set in both `returned` and
	                                        * `asked`, this matters for all like threads */
	bool any;
	bool recognised; /* set by explorers: some threads were treated as alike because they are started in the same way */
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
	/* The threads' stacks: the stack of thread t begins at stacks + t * stack_stride.  If the stride
	 * is 0, there are no stacks. */
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

/* Does the condition of `op` hold for the value `v`?  `op` must have a condition. */
bool lp_op_condition_holds(const struct lp_op *op, struct lp_value v);

/* The same for any operation; true if it has no condition. */
static inline bool lp_op_holds(const struct lp_op *op, struct lp_value v)
{
	return op->when == LP_ALWAYS || lp_op_condition_holds(op, v);
}

/* What the RMW `op` writes when it reads `v`. */
struct lp_value lp_op_result(const struct lp_op *op, struct lp_value v);

#endif
