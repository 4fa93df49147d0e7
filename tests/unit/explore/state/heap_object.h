/* heap_object.h -- small random objects that allocate, link and free blocks; as in object.h.
 *
 * A method is a few instructions on two shared words, three registers and blocks of one or two
 * words.  Stacks, and cells that are replaced when they change, are changed here and there.
 * Every process makes every call once: then there are so many blocks and no more, and the naive
 * checker need not know when two heaps are the same.  It gives every block an address of
 * its own, and takes none away.
 */
#ifndef LP_TEST_STATES_HEAP_OBJECT_H
#define LP_TEST_STATES_HEAP_OBJECT_H

#include "program/process.h"

enum {
	WORDS = 2, CODE = 12, CALLS = 4, REGISTERS = 3, VALUES = 4, BLOCKS = 14,
	BASE = 0x1000, HEAP = 0x100000, SLOTS = 64, SLOT = 64, SLOT_HEAD = 16,
};

/* a, b and c are registers, but for the number of a word (w), of a field (f), a size (s) or a
 * constant (k).  CAS begins the call again if it fails. */
enum instruction_kind {
	END,    /* returns "empty", or 0 */
	LOAD,   /* a = w */
	STORE,  /* w = b */
	CAS,    /* w: b becomes c */
	ALLOC,  /* a = a new block of s words */
	FREE,   /* a */
	GET,    /* a = b->f */
	PUT,    /* a->f = c */
	RETURN, /* a */
	/* These are no operations. */
	ARGUMENT, /* a = the argument */
	ADD,      /* a = a + k, unless it is an address */
	EQUAL,    /* a = whether b and c are equal */
	IF_NULL,  /* goes to the end if a is 0 */
	IF_SET,   /* or if it is not */
	AWAIT,    /* begins again if a, which was loaded last, is 0 */
};

struct instruction {
	uint8_t kind, a, b, c;
};

struct object_call {
	struct instruction code[CODE];
	uint8_t method, argument;
};

/* A process in a call: which, where, and its registers. */
struct process {
	uint64_t reg[REGISTERS];
	uint8_t call, pc, zero[6]; /* all bytes count */
};

struct object {
	struct lp_processes base; /* first */
	const char *spec;
	bool empty, once;         /* as in object.h; the latter always */
	uint32_t cells;           /* so many words point to a block of one word at first */
	bool relaxed;
	uint32_t factor[32];      /* by method: quasi factors, if so */
	struct object_call calls[CALLS];
	uint32_t count;
	struct lp_op op;
	struct process *locals;   /* all that were met, by number; 0 is idle */
	uint32_t local_count, local_room;
	uint8_t slots[REGISTERS];
};

struct object_memory {
	uint64_t word[WORDS];
	struct object_block {
		uint64_t at[2];
		uint64_t words, freed;
	} block[BLOCKS];
	uint64_t blocks;
};

enum object_access { OBJECT_DONE, OBJECT_WRONG, OBJECT_TOO_LARGE };

/* One without methods; to be closed. */
void object_open(struct object *);
void object_close(struct object *);
/* heap_random.c: opened, too. */
void object_generate(struct object *, uint64_t *seed);
void object_generate_quasi(struct object *, uint64_t *seed);
/* heap_gone.c: the i-th of those that are the same in every run; false if there is none. */
bool object_special(struct object *, uint32_t i);

void object_memory_begin(const struct object *, struct object_memory *);
enum object_access object_access(struct object_memory *, const struct lp_op *, struct lp_response *);
struct lp_op object_op(const struct object *, struct process);
struct process object_after(const struct object *, struct process, const struct lp_response *);
struct process object_begin(const struct object *, uint32_t call);
int64_t object_result(const struct object *, struct process);
static inline bool object_is_block(uint64_t value)
{
	return value - HEAP < SLOTS * SLOT;
}

#endif
