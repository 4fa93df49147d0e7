/* states_product.c -- the monitor that is the determinised specification. */
#include "cli/states/states_product.h"

#include "check/product/product.h"

static uint32_t product_begin(void *p) { return lp_product_begin(p); }
static void product_again(void *p) { lp_product_again(p); }
static void product_settle(void *p) { lp_product_settle(p); }
static void product_unlearn(void *p) { lp_product_unlearn(p); }

static uint32_t product_calls(void *p, uint32_t set, uint32_t process, uint32_t call)
{
	return lp_product_calls(p, set, process, call);
}

static uint32_t product_returns(void *p, uint32_t set, uint32_t process, int64_t result)
{
	const uint32_t next = lp_product_returns(p, set, process, result);

	return next == LP_PRODUCT_WRONG ? LP_MONITOR_WRONG :
	       next == LP_PRODUCT_DOUBTS ? LP_MONITOR_DOUBTS :
	       next == LP_PRODUCT_LEARNT ? LP_MONITOR_AGAIN : next;
}

static uint32_t product_rename(void *p, uint32_t set, const uint8_t *to)
{
	return lp_product_rename(p, set, to);
}

static uint64_t product_look(void *p, uint32_t set, uint32_t process)
{
	return lp_product_look(p, set, process);
}

static bool product_within(void *p, uint32_t a, uint32_t b)
{
	return lp_product_within(p, a, b);
}

static bool product_may_wait(void *p, uint32_t set, uint32_t process)
{
	return lp_product_may_wait(p, set, process);
}

struct lp_state_monitor lp_states_product(struct lp_product *product)
{
	return (struct lp_state_monitor){
		product, product_begin, product_calls, product_returns, product_rename, product_look, product_within,
		product_may_wait, product_again, NULL, product_settle, product_unlearn,
	};
}
