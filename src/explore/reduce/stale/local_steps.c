/* local_steps.c -- remembers how threads went on in trials. */
#include "explore/reduce/stale/local_steps.h"

#include "base/error.h"
#include "base/hash.h"

static uint64_t hash_of(const struct lp_local_step *s)
{
	const uint64_t h = lp_mix((uint64_t)s->live << 32 | s->op);

	return lp_mix(h ^ (s->value.lo + s->value.hi * UINT64_C(0x9e3779b97f4a7c15)) ^ (uint64_t)s->spurious << 63);
}

static bool same(const struct lp_local_step *a, const struct lp_local_step *b)
{
	return a->live == b->live && a->op == b->op && a->spurious == b->spurious && lp_value_equal(a->value, b->value);
}

void lp_back_room_close(struct lp_back_room *room)
{
	lp_free(room->fixed.at);
	lp_free(room->accesses.at);
	lp_free(room->clocks.at);
	lp_free(room->visited.at);
	*room = (struct lp_back_room){ 0 };
}

void lp_local_steps_close(struct lp_local_steps *steps)
{
	lp_back_room_close(&steps->back);
	lp_free(steps->at);
	lp_free(steps->reads.at);
	lp_hash_close(&steps->by_hash);
	*steps = (struct lp_local_steps){ 0 };
}

const struct lp_local_step *lp_local_step_find(struct lp_local_steps *steps, const struct lp_local_step *key)
{
	struct lp_hash_probe probe = lp_hash_probe(&steps->by_hash, hash_of(key));
	uint32_t id;

	while ((id = lp_hash_next(&steps->by_hash, &probe)) != LP_HASH_NONE)
		if (same(&steps->at[id], key))
			return &steps->at[id];
	return NULL;
}

const struct lp_local_step *lp_local_step_put(struct lp_local_steps *steps, struct lp_local_step step)
{
	LP_HOLDS(!lp_local_step_find(steps, &step));
	lp_hash_add(&steps->by_hash, hash_of(&step), steps->count);
	LP_PUSH(steps, step);
	return &LP_LAST(steps);
}
