/* ops.c -- operations and locations by number. */
#include "explore/ops.h"

#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"

void lp_ops_open(struct lp_ops *o)
{
	memset(o, 0, sizeof *o);
}

void lp_ops_close(struct lp_ops *o)
{
	lp_free(o->op.at);
	lp_free(o->loc.at);
	lp_free(o->live.at);
	lp_hash_close(&o->by_op);
	lp_hash_close(&o->by_loc);
	lp_hash_close(&o->by_live);
	memset(o, 0, sizeof *o);
}

/* Hashes the fields in which operations usually differ; same_op() compares all fields. */
static uint64_t hash_op(const struct lp_op *op)
{
	const uint64_t small = (uint64_t)op->kind | (uint64_t)op->order << 8 |
			       (uint64_t)op->rmw << 16 | (uint64_t)op->count << 24;
	uint64_t h = op->loc * UINT64_C(0x9e3779b97f4a7c15) ^ op->pc;

	h = h * UINT64_C(0xff51afd7ed558ccd) ^ op->operand.lo ^ small;
	h = h * UINT64_C(0xc4ceb9fe1a85ec53) ^ op->value.lo ^ op->target;
	return lp_mix(h);
}

static bool same_op(const struct lp_op *a, const struct lp_op *b)
{
	/* The fields of one byte come first, one after the other. */
	enum { BYTES = offsetof(struct lp_op, arrives) + 1 };
	_Static_assert(BYTES == 15, "all of them are to be compared");

	return !memcmp(a, b, BYTES) && a->count == b->count && a->target == b->target &&
	       a->loc == b->loc && a->pc == b->pc && a->name == b->name &&
	       lp_value_equal(a->operand, b->operand) && lp_value_equal(a->mask, b->mask) &&
	       lp_value_equal(a->value, b->value);
}

bool lp_ops_is(const struct lp_ops *o, uint32_t id, const struct lp_op *op)
{
	LP_HOLDS(id < o->op.count);
	const struct lp_op *known = &o->op.at[id].op;

	return known->kind == op->kind && known->size == op->size && known->count == op->count &&
	       known->target == op->target && known->loc == op->loc && known->pc == op->pc &&
	       lp_value_equal(known->operand, op->operand) && lp_value_equal(known->value, op->value);
}

static bool contains(const struct lp_known_loc *l, uintptr_t address, uint32_t size)
{
	return address - l->address < l->size && size <= l->size - (address - l->address);
}

/* Searches all locations for one with that range; for debug builds. */
static bool search_loc(const struct lp_ops *o, uintptr_t address, uint32_t size)
{
	for (uint32_t i = 0; i < o->loc.count; i++)
		if (o->loc.at[i].address == address && o->loc.at[i].size == size)
			return true;
	return false;
}
uint32_t lp_ops_loc(struct lp_ops *o, uintptr_t address, uint32_t size)
{
	/* The locations that are accessed in parts have the first numbers. */
	for (uint32_t i = 0; i < o->loc.count && o->loc.at[i].parts; i++)
		if (contains(&o->loc.at[i], address, size))
			return i;

	LP_HOLDS(size && size <= 16);
	const uint64_t hash = lp_mix(address ^ (uint64_t)size << 58);
	struct lp_hash_probe probe = lp_hash_probe(&o->by_loc, hash);
	uint32_t id;
	while ((id = lp_hash_next(&o->by_loc, &probe)) != LP_HASH_NONE)
		if (o->loc.at[id].address == address && o->loc.at[id].size == size)
			return id;
	LP_AGREES(!search_loc(o, address, size));
	bool overlaps = false;
	for (uint32_t i = 0; i < o->loc.count; i++) {
		struct lp_known_loc *l = &o->loc.at[i];
		if (l->address < address + size && address < l->address + l->size)
			l->overlaps = overlaps = true;
	}
	lp_hash_add(&o->by_loc, hash, o->loc.count);
	LP_PUSH(&o->loc, (struct lp_known_loc){ .address = address, .size = size, .overlaps = overlaps });
	return o->loc.count - 1;
}

uint32_t lp_ops_add_parts(struct lp_ops *o, struct lp_range r)
{
	const uint32_t l = lp_ops_loc(o, r.address, r.size);

	LP_HOLDS(!l || o->loc.at[l - 1].parts); /* lp_ops_loc() searches for these at the beginning
	                                         * only */
	LP_HOLDS(r.address % r.size == 0);
	o->parts = o->loc.at[l].parts = true;
	return l;
}

uint16_t lp_ops_bytes(const struct lp_ops *o, uint32_t l, uintptr_t address, uint32_t size)
{
	const struct lp_known_loc *loc = &o->loc.at[l];

	LP_HOLDS(contains(loc, address, size));
	return loc->parts ? (uint16_t)(((1u << size) - 1) << (address - loc->address)) : 0;
}

uint32_t lp_ops_find(const struct lp_ops *o, uintptr_t address, uint32_t from)
{
	for (uint32_t i = from; i < o->loc.count; i++)
		if (address - o->loc.at[i].address < o->loc.at[i].size)
			return i;
	return UINT32_MAX;
}

static void name_location(struct lp_ops *o, struct lp_known_op *known)
{
	const struct lp_op *op = &known->op;

	known->loc = lp_ops_loc(o, op->loc, op->size);
	known->bytes = lp_ops_bytes(o, known->loc, op->loc, op->size);
	o->loc.at[known->loc].internal |= op->internal;
	o->loc.at[known->loc].restored |= op->kind == LP_OP_STORE && op->loop;
}

/* Searches all operations for an equal one; for debug builds. */
static bool search(const struct lp_ops *o, const struct lp_op *op)
{
	for (uint32_t i = 0; i < o->op.count; i++)
		if (same_op(&o->op.at[i].op, op))
			return true;
	return false;
}

uint32_t lp_ops_intern(struct lp_ops *o, const struct lp_op *op)
{
	const uint64_t hash = hash_op(op);
	struct lp_hash_probe probe = lp_hash_probe(&o->by_op, hash);
	uint32_t id;

	while ((id = lp_hash_next(&o->by_op, &probe)) != LP_HASH_NONE)
		if (same_op(&o->op.at[id].op, op))
			return id;

	LP_AGREES(!search(o, op));
	struct lp_known_op known = { .op = *op, .loc = UINT32_MAX };
	known.op.error = NULL;
	if (lp_op_is_access(op))
		name_location(o, &known);
	LP_HOLDS(known.loc == UINT32_MAX || contains(&o->loc.at[known.loc], op->loc, op->size));
	o->locks |= op->lock;
	lp_hash_add(&o->by_op, hash, o->op.count);
	LP_PUSH(&o->op, known);
	return o->op.count - 1;
}

uint32_t lp_ops_live(struct lp_ops *o, const uint64_t f[2])
{
	struct lp_hash_probe probe = lp_hash_probe(&o->by_live, f[0]);
	uint32_t id;

	while ((id = lp_hash_next(&o->by_live, &probe)) != LP_HASH_NONE)
		if (o->live.at[2 * id] == f[0] && o->live.at[2 * id + 1] == f[1])
			return id + 1;
	LP_HOLDS(o->live.count % 2 == 0);
	lp_hash_add(&o->by_live, f[0], o->live.count / 2);
	LP_PUSH(&o->live, f[0]);
	LP_PUSH(&o->live, f[1]);
	return o->live.count / 2;
}
