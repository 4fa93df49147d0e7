/* ops.c -- operations and locations by number. */
#include "explore/ops.h"

#include <string.h>

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
	lp_free(o->by_op.at);
	lp_free(o->by_loc.at);
	lp_free(o->by_live.at);
	memset(o, 0, sizeof *o);
}

/* Of the fields in which operations usually differ; same_op() looks at all. */
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
	return a->kind == b->kind && a->size == b->size && a->order == b->order &&
	       a->fail_order == b->fail_order && a->rmw == b->rmw && a->when == b->when &&
	       a->otherwise == b->otherwise && a->weak == b->weak && a->loop == b->loop &&
	       a->internal == b->internal && a->lock == b->lock && a->unused == b->unused &&
	       a->keeps == b->keeps && a->arrives == b->arrives &&
	       a->count == b->count && a->target == b->target &&
	       a->loc == b->loc && a->pc == b->pc && a->name == b->name &&
	       lp_value_equal(a->operand, b->operand) && lp_value_equal(a->mask, b->mask) &&
	       lp_value_equal(a->value, b->value);
}

bool lp_ops_is(const struct lp_ops *o, uint32_t id, const struct lp_op *op)
{
	const struct lp_op *known = &o->op.at[id].op;

	return known->kind == op->kind && known->size == op->size && known->count == op->count &&
	       known->target == op->target && known->loc == op->loc && known->pc == op->pc &&
	       lp_value_equal(known->operand, op->operand) && lp_value_equal(known->value, op->value);
}

static uint64_t hash_of_op(const struct lp_ops *o, uint32_t i)
{
	return hash_op(&o->op.at[i].op);
}

static uint64_t hash_of_loc(const struct lp_ops *o, uint32_t i)
{
	return lp_mix(o->loc.at[i].address ^ (uint64_t)o->loc.at[i].size << 58);
}

static uint64_t hash_of_live(const struct lp_ops *o, uint32_t i)
{
	return o->live.at[2 * i];
}

/* Tables hold 1 + index, 0 for a free slot. */
static void grow(struct lp_ops *o, struct lp_ops_table *t,
		 uint64_t (*hash)(const struct lp_ops *, uint32_t))
{
	if (t->at && t->count * 2 <= t->mask)
		return;
	const uint32_t size = t->at ? 2 * (t->mask + 1) : 256;
	lp_free(t->at);
	t->at = lp_alloc_zero(size, sizeof *t->at);
	t->mask = size - 1;
	for (uint32_t i = 0; i < t->count; i++) {
		uint32_t slot = (uint32_t)hash(o, i) & t->mask;
		while (t->at[slot])
			slot = (slot + 1) & t->mask;
		t->at[slot] = i + 1;
	}
}

static bool contains(const struct lp_known_loc *l, uintptr_t address, uint32_t size)
{
	return address - l->address < l->size && size <= l->size - (address - l->address);
}

uint32_t lp_ops_loc(struct lp_ops *o, uintptr_t address, uint32_t size)
{
	struct lp_ops_table *t = &o->by_loc;

	/* They are the first ones. */
	for (uint32_t i = 0; i < o->loc.count && o->loc.at[i].parts; i++)
		if (contains(&o->loc.at[i], address, size))
			return i;
	grow(o, t, hash_of_loc);

	uint32_t slot = (uint32_t)lp_mix(address ^ (uint64_t)size << 58) & t->mask;
	for (; t->at[slot]; slot = (slot + 1) & t->mask) {
		const struct lp_known_loc *l = &o->loc.at[t->at[slot] - 1];
		if (l->address == address && l->size == size)
			return t->at[slot] - 1;
	}
	bool overlaps = false;
	for (uint32_t i = 0; i < o->loc.count; i++) {
		struct lp_known_loc *l = &o->loc.at[i];
		if (l->address < address + size && address < l->address + l->size)
			l->overlaps = overlaps = true;
	}
	LP_PUSH(&o->loc, (struct lp_known_loc){ .address = address, .size = size, .overlaps = overlaps });
	t->at[slot] = ++t->count;
	return t->count - 1;
}

uint32_t lp_ops_add_parts(struct lp_ops *o, struct lp_range r)
{
	const uint32_t l = lp_ops_loc(o, r.address, r.size);

	o->parts = o->loc.at[l].parts = true;
	return l;
}

uint16_t lp_ops_bytes(const struct lp_ops *o, uint32_t l, uintptr_t address, uint32_t size)
{
	const struct lp_known_loc *loc = &o->loc.at[l];

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

uint32_t lp_ops_intern(struct lp_ops *o, const struct lp_op *op)
{
	struct lp_ops_table *t = &o->by_op;
	grow(o, t, hash_of_op);

	uint32_t slot = (uint32_t)hash_op(op) & t->mask;
	for (; t->at[slot]; slot = (slot + 1) & t->mask)
		if (same_op(&o->op.at[t->at[slot] - 1].op, op))
			return t->at[slot] - 1;

	struct lp_known_op known = { .op = *op, .loc = UINT32_MAX };
	known.op.error = NULL;
	if (op->kind == LP_OP_LOAD || op->kind == LP_OP_STORE || op->kind == LP_OP_RMW)
		name_location(o, &known);
	o->locks |= op->lock;
	LP_PUSH(&o->op, known);
	t->at[slot] = ++t->count;
	return t->count - 1;
}

uint32_t lp_ops_live(struct lp_ops *o, const uint64_t f[2])
{
	struct lp_ops_table *t = &o->by_live;
	grow(o, t, hash_of_live);

	uint32_t slot = (uint32_t)f[0] & t->mask;
	for (; t->at[slot]; slot = (slot + 1) & t->mask) {
		const uint64_t *known = &o->live.at[2 * (t->at[slot] - 1)];
		if (known[0] == f[0] && known[1] == f[1])
			return t->at[slot];
	}
	LP_PUSH(&o->live, f[0]);
	LP_PUSH(&o->live, f[1]);
	return t->at[slot] = ++t->count;
}
