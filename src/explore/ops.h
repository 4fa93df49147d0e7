/* ops.h -- operations and locations by number.
 *
 * Threads perform the same operations in execution after execution.  Each distinct operation, and
 * each distinct location, is stored once and has a small number.  So events are small, graphs are
 * copied fast, and a location is an index.  The numbers stay valid for the whole exploration.
 */
#ifndef LP_EXPLORE_OPS_H
#define LP_EXPLORE_OPS_H

#include "base/hash_index.h"
#include "base/vec.h"
#include "program/program.h"

struct lp_known_op {
	struct lp_op op;
	uint32_t loc;   /* LOAD, STORE, RMW: the number of the location */
	uint16_t bytes; /* the bytes of `loc` that are accessed, if it is accessed in parts; else 0 */
};

struct lp_known_loc {
	uintptr_t address;
	uint32_t size;
	bool overlaps; /* the location overlaps with another known one */
	bool parts;    /* the location is accessed in parts */
	bool internal; /* some operation on the location is internal */
	bool restored; /* some store to the location is in a loop */
	uint32_t place; /* 1 + the number of its place in answers.c; 0: not looked up yet */
};

/* A range of memory, of 2 to 16 bytes and aligned to its size. */
struct lp_range {
	uintptr_t address;
	uint32_t size;
};

struct lp_ops {
	struct { LP_VEC(struct lp_known_op); } op;
	struct { LP_VEC(struct lp_known_loc); } loc;
	struct { LP_VEC(uint64_t); } live;  /* fingerprints of live states, two words each */
	struct lp_hash_index by_op, by_loc, by_live;
	bool locks; /* some operation acquires or releases a lock */
	bool parts; /* some location is accessed in parts */
};

void lp_ops_open(struct lp_ops *);
void lp_ops_close(struct lp_ops *);

uint32_t lp_ops_intern(struct lp_ops *, const struct lp_op *);
/* Is `op` the operation with number `id`? */
bool lp_ops_is(const struct lp_ops *, uint32_t id, const struct lp_op *op);
/* The number of the location with exactly that range, or of the location accessed in parts that contains the range.  If
 * there is neither, a new location gets the next number. */
uint32_t lp_ops_loc(struct lp_ops *, uintptr_t address, uint32_t size);
/* Declares that the range is one location, which is accessed in parts.  To be called before any location in
 * the range has a number. */
uint32_t lp_ops_add_parts(struct lp_ops *, struct lp_range);
/* Which bytes of the location the access of `size` bytes at `address` touches; 0 if the location is
 * not accessed in parts. */
uint16_t lp_ops_bytes(const struct lp_ops *, uint32_t loc, uintptr_t address, uint32_t size);
/* The first known location with number `from` or higher that contains `address`; UINT32_MAX if there
 * is none. */
uint32_t lp_ops_find(const struct lp_ops *, uintptr_t address, uint32_t from);
/* The number of the live state with that fingerprint, from 1. */
uint32_t lp_ops_live(struct lp_ops *, const uint64_t fingerprint[2]);

#endif
