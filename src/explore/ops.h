/* ops.h -- operations and locations by number.
 *
 * Threads ask for the same operations in execution after execution.  Each distinct
 * one is kept once and named by a small number, and so is each address, so that events
 * are small, graphs are copied fast, and a location is an index.  Numbers hold for the
 * whole exploration.
 */
#ifndef LP_EXPLORE_OPS_H
#define LP_EXPLORE_OPS_H

#include "base/hash_index.h"
#include "base/vec.h"
#include "program/program.h"

struct lp_known_op {
	struct lp_op op;
	uint32_t loc;   /* of LOAD, STORE, RMW */
	uint16_t bytes; /* of `loc`, if that is accessed in parts; else 0 */
};

struct lp_known_loc {
	uintptr_t address;
	uint32_t size;
	bool overlaps; /* some other known location */
	bool parts;    /* it is accessed in parts */
	bool internal; /* some operation on it is */
	bool restored; /* some store to it is on a loop */
};

/* A range of memory, of 2 to 16 bytes and aligned to its size. */
struct lp_range {
	uintptr_t address;
	uint32_t size;
};

struct lp_ops {
	struct { LP_VEC(struct lp_known_op); } op;
	struct { LP_VEC(struct lp_known_loc); } loc;
	struct { LP_VEC(uint64_t); } live;  /* pairs: fingerprints */
	struct lp_hash_index by_op, by_loc, by_live;
	bool locks; /* some operation takes one, or gives it back */
	bool parts; /* some location is accessed in parts */
};

void lp_ops_open(struct lp_ops *);
void lp_ops_close(struct lp_ops *);

uint32_t lp_ops_intern(struct lp_ops *, const struct lp_op *);
/* Is `op` the one with that number? */
bool lp_ops_is(const struct lp_ops *, uint32_t id, const struct lp_op *op);
/* The location that is, or contains, the range. */
uint32_t lp_ops_loc(struct lp_ops *, uintptr_t address, uint32_t size);
/* The range is one location, accessed in parts.  To be said before any of it is named. */
uint32_t lp_ops_add_parts(struct lp_ops *, struct lp_range);
/* Which bytes of the location, if it is accessed in parts; 0 if it is not. */
uint16_t lp_ops_bytes(const struct lp_ops *, uint32_t loc, uintptr_t address, uint32_t size);
/* The location that contains `address`, among those known; UINT32_MAX if none does. */
uint32_t lp_ops_find(const struct lp_ops *, uintptr_t address, uint32_t from);
/* From 1. */
uint32_t lp_ops_live(struct lp_ops *, const uint64_t fingerprint[2]);

#endif
