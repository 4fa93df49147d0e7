/* named_sets.c -- numbers the sets of a monitor, and keeps the steps that led to them. */
#include "explore/state/shared/named_sets.h"

#include <string.h>

#include "base/error.h"

static uint32_t inner_of(const struct lp_named_sets *s, uint32_t set)
{
	LP_HOLDS(set < s->inside.count);
	return s->inside.at[set];
}

static uint32_t take_inside(struct lp_named_sets *s, const struct lp_set_origin *o)
{
	const struct lp_state_monitor *m = s->inner;

	switch (o->step) {
	case LP_SET_BEGINS:
		return m->begin(m->closure);
	case LP_SET_CALLS:
		return m->calls(m->closure, inner_of(s, o->from), o->process, (uint32_t)o->value);
	case LP_SET_RETURNS:
		return m->returns(m->closure, inner_of(s, o->from), o->process, o->value);
	case LP_SET_POINT:
		return m->point(m->closure, inner_of(s, o->from), o->process, o->value);
	case LP_SET_RENAMED:
		break;
	}
	return m->rename(m->closure, inner_of(s, o->from), o->to);
}

/* Does each set have one number inside and one outside, and does it come from an earlier set? */
static bool are_whole(const struct lp_named_sets *s)
{
	for (uint32_t i = 0; i < s->inside.count; i++) {
		const struct lp_set_origin *o = &s->origins.at[i];
		if (s->inside.at[i] >= s->outside.count || s->outside.at[s->inside.at[i]] != i + 1 || (o->step != LP_SET_BEGINS && o->from >= i))
			return false;
	}
	return s->inside.count == s->origins.count;
}

uint32_t lp_named_sets_take(struct lp_named_sets *s, const struct lp_set_origin *origin)
{
	const uint32_t inner = take_inside(s, origin);

	if (inner == LP_MONITOR_AGAIN) {
		s->learnt = *origin;
		s->has_learnt = true;
	}
	if (inner >= LP_MONITOR_DOUBTS)
		return inner;
	while (s->outside.count <= inner)
		LP_PUSH(&s->outside, 0);
	if (!s->outside.at[inner]) {
		LP_PUSH(&s->inside, inner);
		LP_PUSH(&s->origins, *origin);
		s->outside.at[inner] = s->inside.count;
	}
	LP_HOLDS(s->inside.at[s->outside.at[inner] - 1] == inner);
	LP_AGREES(are_whole(s));
	return s->outside.at[inner] - 1;
}

static uint32_t begin(void *closure)
{
	return lp_named_sets_take(closure, &(struct lp_set_origin){ .step = LP_SET_BEGINS });
}

static uint32_t calls(void *closure, uint32_t set, uint32_t process, uint32_t call)
{
	return lp_named_sets_take(closure, &(struct lp_set_origin){ LP_SET_CALLS, set, process, call, { 0 } });
}

static uint32_t returns(void *closure, uint32_t set, uint32_t process, int64_t result)
{
	return lp_named_sets_take(closure, &(struct lp_set_origin){ LP_SET_RETURNS, set, process, result, { 0 } });
}

static uint32_t point(void *closure, uint32_t set, uint32_t process, int64_t result)
{
	return lp_named_sets_take(closure, &(struct lp_set_origin){ LP_SET_POINT, set, process, result, { 0 } });
}

static uint32_t rename_set(void *closure, uint32_t set, const uint8_t *to)
{
	struct lp_set_origin origin = { .step = LP_SET_RENAMED, .from = set };

	memcpy(origin.to, to, sizeof origin.to);
	return lp_named_sets_take(closure, &origin);
}

static uint64_t look(void *closure, uint32_t set, uint32_t process)
{
	const struct lp_named_sets *s = closure;

	return s->inner->look(s->inner->closure, inner_of(s, set), process);
}

static bool within(void *closure, uint32_t a, uint32_t b)
{
	const struct lp_named_sets *s = closure;

	return s->inner->within(s->inner->closure, inner_of(s, a), inner_of(s, b));
}

static bool may_wait(void *closure, uint32_t set, uint32_t process)
{
	const struct lp_named_sets *s = closure;

	return s->inner->may_wait(s->inner->closure, inner_of(s, set), process);
}

static void again(void *closure)
{
	struct lp_named_sets *s = closure;

	s->inner->again(s->inner->closure);
	s->inside.count = s->outside.count = s->origins.count = 0;
	s->has_learnt = false;
}

static void settle(void *closure)
{
	const struct lp_named_sets *s = closure;

	s->inner->settle(s->inner->closure);
}

static void unlearn(void *closure)
{
	struct lp_named_sets *s = closure;

	s->inner->unlearn(s->inner->closure);
	s->has_learnt = false;
}

void lp_named_sets_open(struct lp_named_sets *s, const struct lp_state_monitor *inner)
{
	*s = (struct lp_named_sets){ .inner = inner,
				     .monitor = { s, begin, calls, returns, rename_set, look, within, may_wait, again,
						  inner->point ? point : NULL, inner->settle ? settle : NULL,
						  inner->unlearn ? unlearn : NULL } };
}

void lp_named_sets_close(struct lp_named_sets *s)
{
	lp_free(s->inside.at);
	lp_free(s->outside.at);
	lp_free(s->origins.at);
	*s = (struct lp_named_sets){ .inner = NULL };
}
