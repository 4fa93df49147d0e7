/* naming.h -- what the memory of an execution is called: "node#2.next", "&node#3".
 *
 * A block is called after the type of what is in it, with a number, from 1 in the order in which blocks of that
 * type are met.  The type is that of the allocation, where the source says it; else that of the first access
 * through a pointer which fits the block; else it is just a "block".  An address in a block, or in a variable of
 * static storage duration, is called by what it points to.
 *
 * All reports of an execution take their names from here: its steps have them.
 */
#ifndef LP_EXPLORE_NAMING_H
#define LP_EXPLORE_NAMING_H

#include "base/alloc.h"
#include "base/vec.h"
#include "program/program.h"

struct lp_named_block {
	struct lp_block block;
	const char *type; /* its key, or NULL */
	uint64_t shift;   /* where in the block objects of that type begin */
	uint32_t number;  /* 0: not met yet */
};

struct lp_naming {
	const struct lp_memory_class *memory; /* NULL: nothing is known */
	/* Where blocks are, if the program does not know that itself. */
	bool (*find)(void *closure, uintptr_t address, struct lp_block *);
	void *closure;
	struct lp_arena *arena;
	LP_VEC(struct lp_named_block);
};

/* An access at `pc`: what it says of the block's type, until the block has a name. */
void lp_naming_learn(struct lp_naming *, uintptr_t loc, uintptr_t pc);

/* "node#2.next (allocated at queue.c:12)"; NULL if it is in no block.  `made` is where, or NULL. */
const char *lp_naming_location(struct lp_naming *, uintptr_t loc, const char *made);

/* "node#2": the block itself; NULL likewise. */
const char *lp_naming_block(struct lp_naming *, uintptr_t loc);

/* "&node#3", "&queue.dummy", "{&node#3, 7}"; NULL if there is no address in it. */
const char *lp_naming_value(struct lp_naming *, struct lp_value, unsigned size);

/* The block there is gone, and the memory may be another's. */
void lp_naming_forget(struct lp_naming *, uintptr_t start);

/* Forgets names, and keeps types. */
void lp_naming_restart(struct lp_naming *);

void lp_naming_drop(struct lp_naming *);

#endif
