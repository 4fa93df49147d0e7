/* own.c -- memory that only its thread can know of. */
#include "explore/own.h"

void lp_own_close(struct lp_own *o)
{
	lp_free(o->blocks.at);
	lp_free(o->accesses.at);
	*o = (struct lp_own){ 0 };
}

void lp_own_rewind(struct lp_own *o, struct lp_own_mark mark)
{
	o->blocks.count = mark.blocks;
	o->accesses.count = mark.accesses;
}

void lp_own_allocated(struct lp_own *o, lp_tid t, uintptr_t loc, size_t size)
{
	if (o->on && size)
		LP_PUSH(&o->blocks, (struct lp_own_block){ t, loc, size });
}

void lp_own_publish(struct lp_own *o, lp_tid t)
{
	for (uint32_t i = o->blocks.count; i-- > 0;) {
		if (o->blocks.at[i].thread != t)
			continue;
		if (o->blocks.at[i].size)
			LP_PUSH(&o->blocks, (struct lp_own_block){ t, 0, 0 });
		return;
	}
}

bool lp_own_has(const struct lp_own *o, lp_tid t, uintptr_t loc, size_t size)
{
	for (uint32_t i = o->blocks.count; i-- > 0;) {
		const struct lp_own_block *b = &o->blocks.at[i];
		if (b->thread != t)
			continue;
		if (!b->size)
			return false;
		if (loc >= b->loc && loc - b->loc < b->size && size <= b->size - (loc - b->loc))
			return true;
	}
	return false;
}

void lp_own_accessed(struct lp_own *o, lp_tid t, uint32_t index, uintptr_t loc, size_t size,
		     bool write)
{
	LP_PUSH(&o->accesses, (struct lp_own_access){ t, write, index, loc, size });
}

bool lp_own_wrote_since(const struct lp_own *o, lp_tid t, uint32_t index)
{
	for (uint32_t i = o->accesses.count; i-- > 0;) {
		const struct lp_own_access *a = &o->accesses.at[i];
		if (a->thread == t && a->index < index)
			return false;
		if (a->thread == t && a->write)
			return true;
	}
	return false;
}
