/* points.c -- a specification whose calls take effect where the object says (points.h). */
#include "check/product/points.h"

#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/vec.h"
#include "check/clients/place.h"
#include "check/product/spec_lists.h"

/* The status of a process: IDLE, it is in no call; 1 + c, its call c has not passed its point;
 * DONE | r, its call has passed its point, with the r-th result. */
enum { IDLE = 0, DONE = 0x8000 };

struct config {
	uint32_t states; /* a list of `lists` */
	uint16_t status[LP_PRODUCT_THREADS];
};

/* A result that LP_POINT() gave for a method. */
struct result {
	uint32_t method;
	int64_t value;
};

struct lp_points {
	const struct lp_spec *spec;
	const struct lp_product_call *calls;
	uint32_t threads, call_count;
	struct lp_spec_lists lists;
	struct { LP_VEC(struct config); } configs;
	struct { LP_VEC(struct result); } results;
	struct lp_hash_index by_config;
	uint32_t before; /* the list of states that the calls before may have led to */
};

/* ---- hash-consing ---- */

static uint32_t intern_config(struct lp_points *p, const struct config *c)
{
	const uint64_t hash = lp_lists_hash(c, sizeof *c);
	struct lp_hash_probe probe = lp_hash_probe(&p->by_config, hash);
	uint32_t id;

	while ((id = lp_hash_next(&p->by_config, &probe)) != LP_HASH_NONE)
		if (!memcmp(&p->configs.at[id], c, sizeof *c))
			return id;
	lp_hash_add(&p->by_config, hash, p->configs.count);
	LP_PUSH(&p->configs, *c);
	return p->configs.count - 1;
}

static uint32_t result_number(struct lp_points *p, uint32_t method, int64_t value)
{
	uint32_t i = 0;

	while (i < p->results.count &&
	       (p->results.at[i].method != method || p->results.at[i].value != value))
		i++;
	if (i == p->results.count)
		LP_PUSH(&p->results, ((struct result){ method, value }));
	if (i >= DONE)
		LP_BUG("more than %d results of calls", (int)DONE);
	return i;
}

/* ---- the specification ---- */

/* Converts a result to the form of the specification. */
static int64_t shaped(const struct lp_points *p, uint32_t method, int64_t result)
{
	int64_t value;

	return lp_place_shaped(&p->spec->kind->methods[method], result, &value) ? value : LP_VOID;
}

/* ---- calls, points and returns ---- */

uint32_t lp_points_begin(struct lp_points *p)
{
	const struct config c = { .states = p->before };

	return intern_config(p, &c);
}

uint32_t lp_points_calls(struct lp_points *p, uint32_t set, uint32_t thread, uint32_t call)
{
	struct config c = p->configs.at[set];

	c.status[thread] = (uint16_t)(1 + call);
	return intern_config(p, &c);
}

uint32_t lp_points_point(struct lp_points *p, uint32_t set, uint32_t thread, int64_t result)
{
	struct config c = p->configs.at[set];

	if (c.status[thread] & DONE)
		return LP_POINTS_WRONG;
	const struct lp_product_call *call = &p->calls[c.status[thread] - 1u];
	c.states = lp_lists_after(&p->lists, c.states, call, result);
	if (!lp_list_count(&p->lists, c.states))
		return LP_POINTS_WRONG;
	c.status[thread] = (uint16_t)(DONE | result_number(p, call->method,
							   shaped(p, call->method, result)));
	return intern_config(p, &c);
}

uint32_t lp_points_returns(struct lp_points *p, uint32_t set, uint32_t thread, int64_t result)
{
	struct config c = p->configs.at[set];
	const uint16_t status = c.status[thread];

	if (!(status & DONE))
		return LP_POINTS_WRONG;
	const struct result *said = &p->results.at[status & ~DONE];
	if (shaped(p, said->method, result) != said->value)
		return LP_POINTS_WRONG;
	c.status[thread] = IDLE;
	return intern_config(p, &c);
}

/* ---- comparing ---- */

uint32_t lp_points_rename(struct lp_points *p, uint32_t set, const uint8_t *to)
{
	const struct config from = p->configs.at[set];
	struct config c = from;

	for (uint32_t t = 0; t < p->threads; t++)
		c.status[to[t]] = from.status[t];
	return intern_config(p, &c);
}

uint64_t lp_points_look(struct lp_points *p, uint32_t set, uint32_t thread)
{
	const uint16_t status = p->configs.at[set].status[thread];

	/* Uses the value, because the number of a result depends on the order in which results
	 * were met. */
	return status & DONE ? lp_mix((uint64_t)p->results.at[status & ~DONE].value) | UINT64_C(1) << 63 : status;
}

bool lp_points_within(struct lp_points *p, uint32_t a, uint32_t b)
{
	const struct config *x = &p->configs.at[a], *y = &p->configs.at[b];
	const uint32_t *small = p->lists.lists.at + x->states, *large = p->lists.lists.at + y->states;

	if (memcmp(x->status, y->status, sizeof x->status))
		return false;
	for (uint32_t i = 1, k = 1; i <= small[0]; i++, k++) {
		while (k <= large[0] && large[k] < small[i])
			k++;
		if (k > large[0] || large[k] != small[i])
			return false;
	}
	return true;
}

bool lp_points_may_wait(struct lp_points *p, uint32_t set, uint32_t thread)
{
	const struct config *c = &p->configs.at[set];
	const uint16_t status = c->status[thread];

	if (status == IDLE || (status & DONE))
		return false;
	const struct lp_product_call *call = &p->calls[status - 1u];
	return lp_lists_block(&p->lists, c->states, call);
}

/* ---- the whole ---- */

struct lp_points *lp_points_open(const struct lp_spec *spec, uint32_t threads,
				 const struct lp_product_call *calls, uint32_t count)
{
	struct lp_points *p = lp_alloc_zero(1, sizeof *p);

	p->spec = spec;
	p->threads = threads;
	p->calls = calls;
	p->call_count = count;
	p->before = lp_lists_open(&p->lists, spec);
	return p;
}

bool lp_points_before(struct lp_points *p, const struct lp_product_call *call, int64_t result)
{
	p->before = lp_lists_after(&p->lists, p->before, call, result);
	return lp_list_count(&p->lists, p->before) > 0;
}

void lp_points_close(struct lp_points *p)
{
	if (!p)
		return;
	lp_lists_close(&p->lists);
	lp_free(p->configs.at);
	lp_free(p->results.at);
	lp_hash_close(&p->by_config);
	lp_free(p);
}

struct lp_product_counts lp_points_counts(const struct lp_points *p)
{
	return (struct lp_product_counts){ p->configs.count, p->configs.count, p->lists.states.count };
}
