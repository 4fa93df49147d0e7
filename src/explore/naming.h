/* naming.h -- names for the memory of an execution: "node#2.next", "&node#3".
 *
 * A block of allocated memory is named after the type of its contents.  A number is added, which counts the blocks of that
 * type from 1, in the order in which the steps mention them.  The type is the one that the source gives at the allocation.  If
 * the source gives none there, it is the type of the first access through a pointer whose type fits the block.  If there is no such
 * access, the name is "block" with a number.  A value that is an address in a block, or in a variable of static storage
 * duration, is named after the object to which it points.
 *
 * lp_steps_name() (graph/frame.h) stores the names in the steps, from which all reports take them.
 */
#ifndef LP_EXPLORE_NAMING_H
#define LP_EXPLORE_NAMING_H

#include "base/alloc.h"
#include "base/vec.h"
#include "program/program.h"

struct lp_named_block {
	struct lp_block block;
	const char *type; /* the name of the type, or NULL */
	uint64_t shift;   /* offset in the block at which objects of that type begin */
	uint32_t number;  /* the number in its name; 0: the block has not been named yet */
};

struct lp_naming {
	const struct lp_memory_class *memory; /* knows blocks, types and variables; NULL: nothing gets a name */
	/* For programs that do not know their blocks: called instead of memory->block() to find the block of an address.  NULL: memory->block() is
	 * called. */
	bool (*find)(void *closure, uintptr_t address, struct lp_block *);
	void *closure;
	struct lp_arena *arena;
	LP_VEC(struct lp_named_block);
};

/* Takes the type of a block that has no name yet from an access to it at `pc`. */
void lp_naming_learn(struct lp_naming *, uintptr_t loc, uintptr_t pc);

/* "node#2.next (allocated at queue.c:12)"; NULL if `loc` is in no block.  `made` is where the block was
 * allocated; if it is NULL, the name says "(allocated by the set-up)". */
const char *lp_naming_location(struct lp_naming *, uintptr_t loc, const char *made);

/* "node#2", the block itself; NULL if `loc` is in no block. */
const char *lp_naming_block(struct lp_naming *, uintptr_t loc);

/* "&node#3", "&queue.dummy", "{&node#3, 7}"; NULL if the value contains no address. */
const char *lp_naming_value(struct lp_naming *, struct lp_value, unsigned size);

/* To be called when the block at `start` was freed, because another block may take its memory. */
void lp_naming_forget(struct lp_naming *, uintptr_t start);

/* Takes back the numbers of all blocks, but keeps their types. */
void lp_naming_restart(struct lp_naming *);

void lp_naming_drop(struct lp_naming *);

#endif
