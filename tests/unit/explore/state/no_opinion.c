/* no_opinion.c -- a monitor to which every result is correct (no_opinion.h). */
#include "no_opinion.h"

static uint32_t begin(void *c)
{
	(void)c;
	return 0;
}

static uint32_t calls(void *c, uint32_t set, uint32_t t, uint32_t call)
{
	(void)c;
	(void)t;
	(void)call;
	return set;
}

static uint32_t returns(void *c, uint32_t set, uint32_t t, int64_t result)
{
	(void)c;
	(void)t;
	(void)result;
	return set;
}

static uint32_t rename_set(void *c, uint32_t set, const uint8_t *to)
{
	(void)c;
	(void)to;
	return set;
}

static uint64_t look(void *c, uint32_t set, uint32_t t)
{
	(void)c;
	(void)set;
	(void)t;
	return 0;
}

static bool within(void *c, uint32_t a, uint32_t b)
{
	(void)c;
	return a == b;
}

static bool may_wait(void *c, uint32_t set, uint32_t t)
{
	(void)c;
	(void)set;
	(void)t;
	return false;
}

static void again(void *c)
{
	(void)c;
}

const struct lp_state_monitor no_opinion = {
	.begin = begin, .calls = calls, .returns = returns, .rename = rename_set, .look = look,
	.within = within, .may_wait = may_wait, .again = again,
};
