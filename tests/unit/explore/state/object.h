/* object.h -- small random objects, as processes and for a naive checker.
 *
 * A method is a few instructions on two shared words and one register.  Objects begin as
 * correct ones and are changed here and there, so that some are correct and some are not.
 */
#ifndef LP_TEST_STATES_OBJECT_H
#define LP_TEST_STATES_OBJECT_H

#include "program/process.h"

enum { WORDS = 2, CODE = 8, CALLS = 4, VALUES = 4, BASE = 0x1000 };

/* CAS leaves in the register whether it has swapped; SWAP_OR_RETRY begins the call again
 * if it has not.  AWAIT reads again until the word is what it should be; LOCK swaps, and waits
 * until it can.  POINT is a linearization point, with what is returned. */
enum instruction_kind { END, LOAD, STORE, SWAP, CAS, SWAP_OR_RETRY, RETURN, AWAIT, LOCK, POINT };
enum source { CONSTANT, REGISTER, REGISTER_PLUS, ARGUMENT };

struct instruction {
	uint8_t kind, word;
	uint8_t from, constant;      /* what is stored, returned, compared */
	uint8_t to, to_constant;     /* CAS: what is stored */
};

struct object_call {
	struct instruction code[CODE];
	uint8_t method, argument;    /* of the specification */
};

struct object {
	struct lp_processes base;    /* first */
	const char *spec;
	bool empty;                  /* method 1 returns "empty" for 0 */
	bool once;                   /* a process makes every call once at most */
	uint32_t factor[32];         /* by method: quasi factors, all 0 if there are none */
	struct object_call calls[CALLS];
	uint32_t count;
	uint8_t initial[WORDS];
	struct lp_op op;
};

/* A process in a call: which, where, and its register. */
struct process {
	uint8_t call, pc, reg;
};

void object_generate(struct object *, uint64_t *seed);
/* With a quasi factor; every process makes every call once. */
void object_generate_quasi(struct object *, uint64_t *seed);
/* Puts a point into every call, somewhere before its end, or not quite every call. */
void object_add_points(struct object *, uint64_t *seed);
/* One that has no specification; its calls may wait for each other. */
void object_generate_waiting(struct object *, uint64_t *seed);

/* Shared memory, as the naive checker has it: all bytes count. */
struct object_memory {
	uint8_t word[WORDS];
};

enum object_access { OBJECT_DONE, OBJECT_WRONG, OBJECT_TOO_LARGE };

void object_memory_begin(const struct object *, struct object_memory *);
/* Does what the operation does, which fills in the answer. */
enum object_access object_access(struct object_memory *, const struct lp_op *, struct lp_response *);

/* The operation that the process is at; and after it was answered. */
struct lp_op object_op(const struct object *, struct process);
struct process object_after(const struct object *, struct process, const struct lp_response *);
/* At the first instruction of a call. */
struct process object_begin(const struct object *, uint32_t call);
int64_t object_result(const struct object *, struct process);
static inline bool object_special(struct object *o, uint32_t i) /* there are none */
{
	(void)o;
	(void)i;
	return false;
}
static inline void object_close(struct object *o)
{
	(void)o;
}
static inline bool object_is_block(uint64_t value) /* there are none */
{
	(void)value;
	return false;
}

#endif
