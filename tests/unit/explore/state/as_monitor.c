/* as_monitor.c -- a product as the state explorer's monitor. */
#include "as_monitor.h"

#include "check/product/product.h"

static uint32_t begin(void *p) { return lp_product_begin(p); }
static void again(void *p) { lp_product_again(p); }
static void settle(void *p) { lp_product_settle(p); }
static void unlearn(void *p) { lp_product_unlearn(p); }
static uint64_t look(void *p, uint32_t set, uint32_t t) { return lp_product_look(p, set, t); }
static bool within(void *p, uint32_t a, uint32_t b) { return lp_product_within(p, a, b); }
static bool may_wait(void *p, uint32_t s, uint32_t t) { return lp_product_may_wait(p, s, t); }

static uint32_t calls(void *p, uint32_t set, uint32_t t, uint32_t call)
{
	return lp_product_calls(p, set, t, call);
}

static uint32_t rename_set(void *p, uint32_t set, const uint8_t *to)
{
	return lp_product_rename(p, set, to);
}

static uint32_t returns(void *p, uint32_t set, uint32_t t, int64_t result)
{
	return lp_product_returns(p, set, t, result); /* the marks have the same values */
}

_Static_assert(LP_PRODUCT_WRONG == LP_MONITOR_WRONG && LP_PRODUCT_LEARNT == LP_MONITOR_AGAIN &&
	       LP_PRODUCT_DOUBTS == LP_MONITOR_DOUBTS,
	       "the monitor's marks are the product's");

struct lp_state_monitor as_monitor(void *product)
{
	return (struct lp_state_monitor){ product, begin, calls, returns, rename_set, look, within,
				    may_wait, again, NULL, settle, unlearn };
}
