/* ops.h -- operations and locations by number.
 *
 * Threads perform the same operations in execution after execution.  So each distinct operation, and
 * each distinct location, is stored once and gets a small number.  This keeps events small and copies of graphs
 * fast, and the number of a location can be used as an index.  The numbers stay valid for the whole exploration.
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
	bool internal; /* the location is one of linchpin's own, such as a mutex: some operation on it is internal */
	bool restored; /* some store to the location is in a loop */
	uint32_t place; /* 1 + the number that the location has in answers.c; 0: not looked up yet */
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

/* The number of the operation; a new operation gets the next number. */
uint32_t lp_ops_intern(struct lp_ops *, const struct lp_op *);
/* Is `op` the operation with number `id`? */
bool lp_ops_is(const struct lp_ops *, uint32_t id, const struct lp_op *op);
/* The number of the location that contains the range and is accessed in parts; if there is none, the number of the location with exactly this range.
 * If there is no such location either, it is added and gets the next number. */
uint32_t lp_ops_loc(struct lp_ops *, uintptr_t address, uint32_t size);
/* Adds the range as one location that is accessed in parts, and returns its number.  To be called while all locations that
 * have numbers are accessed in parts. */
uint32_t lp_ops_add_parts(struct lp_ops *, struct lp_range);
/* The bytes of the location that an access of `size` bytes at `address` touches: bit i stands for byte i.  Returns 0 if the
 * location is not accessed in parts. */
uint16_t lp_ops_bytes(const struct lp_ops *, uint32_t loc, uintptr_t address, uint32_t size);
/* The first known location with number `from` or higher that contains `address`; UINT32_MAX if there
 * is none. */
uint32_t lp_ops_find(const struct lp_ops *, uintptr_t address, uint32_t from);
/* The number of the live state with that fingerprint; numbers begin with 1, and a new live state gets the next one. */
uint32_t lp_ops_live(struct lp_ops *, const uint64_t fingerprint[2]);

#endif
