/* naive.h -- abstract programs, and everything that they can do under sc.
 *
 * A judge of linchpin that shares nothing with it.  A program is a list of instructions per
 * thread; thread 0 is main().  naive_judge() goes through all states that interleavings reach,
 * and says which errors there are and which outcomes.
 *
 * Values are small integers; a pointer is 1 + the number of its block, or 0.  Block n has the
 * fields v and next, which are plain, a, which is atomic, a mutex and a condition variable.
 */
#ifndef NAIVE_H
#define NAIVE_H

#include <stdbool.h>
#include <stdint.h>

enum { THREADS = 5, REGS = 10, CODE = 96, GLOBALS = 4, BLOCKS = 6, ARGS = 7 };

/* Objects that threads synchronise by.  Of each sort there are as many as fit below the next. */
enum {
	ATOMIC = 0,                  /* x0 .. x3, p0, p1 */
	BLOCK_ATOMIC = 6,            /* the field a of each block */
	ATOMICS = BLOCK_ATOMIC + BLOCKS, /* the end of those that have values and memory orders */
	MUTEX = ATOMICS,             /* m0, m1, and that of each block */
	COND = MUTEX + 2 + BLOCKS,
	SEMAPHORE = COND + 2,
	RWLOCK = SEMAPHORE + 2,
	BARRIER,
	OBJECTS,
};

#define NAIVE_OPS(X)                                                                        \
	X(load) X(store) X(add) X(xchg) X(cas) X(fence) X(read) X(write) X(alloc) X(local)     \
	X(pread) X(pwrite) X(aload) X(astore) X(free) X(plock) X(punlock) \
	X(psignal) X(lock) X(unlock) X(try) X(wait)          \
	X(signal) X(broadcast) X(semwait) X(sempost) X(semtry) X(rdlock) X(wrlock) X(rwunlock)  \
	X(tryrd) X(trywr) X(barrier) X(create) X(join) X(mov) X(inc) X(jeq) X(jne) X(jmp)       \
	X(check) X(assume) X(choose) X(leave) X(exit) X(outcome) X(end)

enum naive_op {
#define X(name) OP_##name,
	NAIVE_OPS(X)
#undef X
	OPS
};

enum naive_order { RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST };

#define NAIVE_ERRORS(X)                                                                     \
	X(RACE, "race") X(USE_AFTER_FREE, "use after free") X(DOUBLE_FREE, "double free") X(INVALID_FREE, "invalid free") \
	X(ASSERTION, "assertion") X(STUCK, "stuck") X(MISUSE, "mutex misuse") X(NULL_POINTER, "out of bounds")

enum naive_error {
#define X(name, text) ERROR_##name,
	NAIVE_ERRORS(X)
#undef X
	ERRORS
};

struct naive_arg {
	int value; /* a constant, or the number of a register */
	bool reg;
};

struct naive_insn {
	enum naive_op op;
	struct naive_arg arg[ARGS];
};

struct naive_program {
	struct naive_insn code[THREADS][CODE];
	int length[THREADS];
	int semaphores[2], barrier; /* initial values; threads a round */
};

enum { OUTCOMES = 4096, OUTCOME_LENGTH = 16 };

struct naive_answer {
	bool too_large;
	uint32_t states;
	uint32_t errors; /* bits: enum naive_error */
	uint32_t outcomes;
	char outcome[OUTCOMES][OUTCOME_LENGTH];
};

/* With `orders` happens-before follows the memory orders, as C11 has it; otherwise every read
 * synchronises with the write that it reads from, as under linchpin's sc.  With `slow`
 * all errors are found, otherwise whether there are any.  Gives up at `most` states. */
void naive_judge(const struct naive_program *, bool orders, bool slow, uint32_t most, struct naive_answer *);

#endif
