/* points.c -- a specification whose calls take effect where the object says (points.h). */
#include "check/product/points.h"

#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/hash_index.h"
#include "base/vec.h"
#include "check/clients/place.h"
#include "spec/spec.h"

/* Of a process: in no call; 1 + c, its call c has not passed its point; DONE | r, it has, with
 * the r-th result. */
enum { IDLE = 0, DONE = 0x8000 };

struct config {
	uint32_t states; /* where its list of states begins, in `lists` */
	uint16_t status[LP_PRODUCT_THREADS];
};

/* What calls of a method were said to return. */
struct result {
	uint32_t method;
	int64_t value;
};

struct lp_points {
	const struct lp_spec *spec;
	const struct lp_product_call *calls;
	uint32_t threads, call_count;
	struct { LP_VEC(struct lp_state); } states;
	struct { LP_VEC(uint32_t); } lists; /* count, then states, ascending; one behind the other */
	struct { LP_VEC(struct config); } configs;
	struct { LP_VEC(struct result); } results;
	struct lp_hash_index by_state, by_list, by_config;
	struct { LP_VEC(uint32_t); } found;
	uint32_t before; /* the list of states that the calls before may have led to */
	struct lp_state scratch;
};

/* ---- hash-consing ---- */

static uint64_t hash_bytes(const void *bytes, size_t size)
{
	struct lp_fingerprint print = LP_FINGERPRINT;

	lp_fingerprint_bytes(&print, bytes, size);
	return print.a;
}

static uint32_t intern_state(struct lp_points *p, const struct lp_state *s)
{
	const uint64_t hash = hash_bytes(s->at, sizeof(int64_t) * s->count);
	struct lp_hash_probe probe = lp_hash_probe(&p->by_state, hash);
	uint32_t id;

	while ((id = lp_hash_next(&p->by_state, &probe)) != LP_HASH_NONE)
		if (lp_state_equal(&p->states.at[id], s))
			return id;
	struct lp_state copy;
	lp_state_open(&copy);
	lp_state_copy(&copy, s);
	lp_hash_add(&p->by_state, hash, p->states.count);
	LP_PUSH(&p->states, copy);
	return p->states.count - 1;
}

/* Adds a state to those found, which stay in order. */
static void note_state(struct lp_points *p, uint32_t state)
{
	uint32_t i = p->found.count;

	for (uint32_t k = 0; k < p->found.count; k++)
		if (p->found.at[k] == state)
			return;
	LP_PUSH(&p->found, state);
	for (; i > 0 && p->found.at[i - 1] > state; i--)
		p->found.at[i] = p->found.at[i - 1];
	p->found.at[i] = state;
}

/* The list of those found. */
static uint32_t intern_found(struct lp_points *p)
{
	const uint32_t begin = p->lists.count, count = p->found.count;
	const size_t size = sizeof *p->lists.at * (1 + (size_t)count);

	LP_PUSH(&p->lists, count);
	for (uint32_t i = 0; i < count; i++)
		LP_PUSH(&p->lists, p->found.at[i]);
	const uint64_t hash = hash_bytes(p->lists.at + begin, size);
	struct lp_hash_probe probe = lp_hash_probe(&p->by_list, hash);
	uint32_t known;
	while ((known = lp_hash_next(&p->by_list, &probe)) != LP_HASH_NONE) {
		if (p->lists.at[known] == count && !memcmp(p->lists.at + known, p->lists.at + begin, size)) {
			p->lists.count = begin;
			return known;
		}
	}
	lp_hash_add(&p->by_list, hash, begin);
	return begin;
}

static uint32_t intern_config(struct lp_points *p, const struct config *c)
{
	const uint64_t hash = hash_bytes(c, sizeof *c);
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

/* What the calls make of a result; nothing, of one that there is not. */
static int64_t shaped(const struct lp_points *p, uint32_t method, int64_t result)
{
	int64_t value;

	return lp_place_shaped(&p->spec->kind->methods[method], result, &value) ? value : LP_VOID;
}

/* Every state that the call can lead to from a state of the list, with that result. */
static uint32_t after_call(struct lp_points *p, uint32_t list, const struct lp_product_call *c,
			   int64_t result)
{
	const struct lp_method *method = &p->spec->kind->methods[c->method];
	int64_t value;
	struct lp_spec_call call = { .arg = c->arg, .args = c->args, .result = &value };

	call.results = lp_place_shaped(method, result, &value);
	p->found.count = 0;
	for (uint32_t i = 0; i < p->lists.at[list]; i++) {
		call.choice = 0;
		do {
			lp_state_copy(&p->scratch, &p->states.at[p->lists.at[list + 1 + i]]);
			if (lp_spec_step(p->spec, c->method, &p->scratch, &call) != LP_ACCEPTS)
				break;
			note_state(p, intern_state(p, &p->scratch));
			call.choice++;
		} while (method->roles & LP_CHOOSES);
	}
	return intern_found(p);
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
	c.states = after_call(p, c.states, call, result);
	if (!p->lists.at[c.states])
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

	/* The numbers of results depend on the order in which they were met. */
	return status & DONE ? lp_mix((uint64_t)p->results.at[status & ~DONE].value) | UINT64_C(1) << 63 : status;
}

bool lp_points_within(struct lp_points *p, uint32_t a, uint32_t b)
{
	const struct config *x = &p->configs.at[a], *y = &p->configs.at[b];
	const uint32_t *small = p->lists.at + x->states, *large = p->lists.at + y->states;

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
	for (uint32_t i = 0; i < p->lists.at[c->states]; i++) {
		struct lp_spec_call unknown = { .arg = call->arg, .args = call->args };
		lp_state_copy(&p->scratch, &p->states.at[p->lists.at[c->states + 1 + i]]);
		if (lp_spec_step(p->spec, call->method, &p->scratch, &unknown) == LP_BLOCKS)
			return true;
	}
	return false;
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
	lp_state_open(&p->scratch);
	lp_state_begin(&p->scratch, spec);
	note_state(p, intern_state(p, &p->scratch));
	p->before = intern_found(p);
	return p;
}

bool lp_points_before(struct lp_points *p, const struct lp_product_call *call, int64_t result)
{
	p->before = after_call(p, p->before, call, result);
	return p->lists.at[p->before] > 0;
}

void lp_points_close(struct lp_points *p)
{
	if (!p)
		return;
	for (uint32_t i = 0; i < p->states.count; i++)
		lp_state_close(&p->states.at[i]);
	lp_free(p->states.at);
	lp_free(p->lists.at);
	lp_free(p->configs.at);
	lp_free(p->results.at);
	lp_hash_close(&p->by_state);
	lp_hash_close(&p->by_list);
	lp_hash_close(&p->by_config);
	lp_free(p->found.at);
	lp_state_close(&p->scratch);
	lp_free(p);
}

struct lp_product_counts lp_points_counts(const struct lp_points *p)
{
	return (struct lp_product_counts){ p->configs.count, p->configs.count, p->states.count };
}
