/* local_steps.c -- how threads go on, as far as that has been tried. */
#include "explore/reduce/stale/local_steps.h"

#include "base/error.h"
#include "base/hash.h"

static uint64_t hash_of(const struct lp_local_step *s)
{
	const uint64_t h = lp_mix((uint64_t)s->live << 32 | s->op);

	return lp_mix(lp_mix(h ^ s->value.lo) ^ s->value.hi ^ (uint64_t)s->spurious << 63);
}

static bool same(const struct lp_local_step *a, const struct lp_local_step *b)
{
	return a->live == b->live && a->op == b->op && a->spurious == b->spurious && lp_value_equal(a->value, b->value);
}

static uint32_t *slot_of(struct lp_local_steps *steps, const struct lp_local_step *s)
{
	uint32_t i = (uint32_t)hash_of(s) & steps->mask;

	while (steps->slot[i] && !same(&steps->at[steps->slot[i] - 1], s))
		i = (i + 1) & steps->mask;
	return &steps->slot[i];
}

static void make_room(struct lp_local_steps *steps)
{
	if (steps->slot && 2 * steps->count < steps->mask)
		return;
	steps->mask = steps->slot ? 2 * steps->mask + 1 : 255;
	lp_free(steps->slot);
	steps->slot = lp_alloc_zero(steps->mask + 1, sizeof *steps->slot);
	for (uint32_t i = 0; i < steps->count; i++)
		*slot_of(steps, &steps->at[i]) = i + 1;
}

void lp_local_steps_close(struct lp_local_steps *steps)
{
	lp_free(steps->at);
	lp_free(steps->reads.at);
	lp_free(steps->slot);
	*steps = (struct lp_local_steps){ 0 };
}

const struct lp_local_step *lp_local_step_find(struct lp_local_steps *steps, const struct lp_local_step *key)
{
	make_room(steps);
	const uint32_t n = *slot_of(steps, key);
	return n ? &steps->at[n - 1] : NULL;
}

const struct lp_local_step *lp_local_step_put(struct lp_local_steps *steps, struct lp_local_step step)
{
	LP_HOLDS(!lp_local_step_find(steps, &step));
	make_room(steps);
	LP_PUSH(steps, step);
	*slot_of(steps, &step) = steps->count;
	return &LP_LAST(steps);
}
