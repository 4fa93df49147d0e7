/* counted_orders.c -- decides from counts of calls whether an order is correct. */
#include "check/clients/counted_orders.h"

#include <stdio.h>
#include <string.h>

#include "check/clients/place.h"
#include "check/counting/counts.h"
#include "check/counting/languages/formula.h"
#include "check/counting/languages/kernel.h"

/* Counts the different pasts of the calls in `of`. */
static uint32_t count_pasts(const uint32_t *before, uint32_t count, uint32_t of)
{
	uint32_t pasts = 0;

	for (uint32_t a = 0; a < count; a++) {
		bool is_new = of >> a & 1;
		for (uint32_t b = 0; b < a && is_new; b++)
			is_new = !(of >> b & 1) || before[b] != before[a];
		pasts += is_new;
	}
	return pasts;
}

uint32_t lp_counted_places(const struct lp_observation *o, const uint32_t *before, uint32_t *from, uint32_t *to)
{
	const uint32_t all = o->count ? UINT32_MAX >> (32 - o->count) : 0;
	const uint32_t pasts = count_pasts(before, o->count, all);

	for (uint32_t a = 0; a < o->count; a++) {
		uint32_t later = 0;
		for (uint32_t b = 0; b < o->count; b++)
			later |= (before[b] >> a & 1) << b;
		from[a] = count_pasts(before, o->count, before[a]);
		to[a] = count_pasts(before, o->count, all & ~later) - 1;
	}
	return pasts ? pasts - 1 : 0;
}

static struct lp_label label_of(const struct lp_counted_orders *c, const struct lp_observed *call)
{
	const struct lp_method *m = &c->spec->kind->methods[call->method];
	struct lp_label l = { .method = (uint8_t)call->method, .args = (uint8_t)m->args };

	memcpy(l.arg, call->arg, sizeof *l.arg * l.args);
	if (!call->stuck)
		l.results = (uint8_t)lp_place_shaped(m, call->result, &l.result);
	if (!l.results)
		l.result = 0;
	return l;
}

/* Feeds the calls to the counters, place by place. */
static void count(struct lp_counted_orders *c, const struct lp_observation *o, const uint32_t *before,
		  struct lp_counts *counts)
{
	uint32_t from[LP_OBSERVED_CALLS], to[LP_OBSERVED_CALLS];
	uint64_t epoch[LP_OBSERVED_CALLS];
	const uint32_t last = lp_counted_places(o, before, from, to);

	for (uint32_t place = 0; place <= last; place++) {
		for (uint32_t a = 0; a < o->count; a++) {
			const struct lp_label label = label_of(c, &o->call[a]);
			if (from[a] == place)
				epoch[a] = lp_counts_call(counts, &label);
		}
		for (uint32_t a = 0; a < o->count; a++) {
			const struct lp_label label = label_of(c, &o->call[a]);
			if (to[a] == place && !o->call[a].stuck)
				lp_counts_return(counts, epoch[a], &label);
		}
	}
}

static enum lp_finding judge(struct lp_counted_orders *c, const struct lp_counts *counts)
{
	if (c->formulae)
		return lp_formulae_tell(c->formulae, counts, c->why, sizeof c->why) ? LP_WRONG : LP_CORRECT;
	const enum lp_finding finding = lp_kernel_decide(c->kernel, counts, LP_KERNEL_BOTH);
	if (finding == LP_WRONG)
		snprintf(c->why, sizeof c->why, "no word of the grammar has these counts");
	return finding;
}

enum lp_finding lp_counted_orders_decide(struct lp_counted_orders *c, const struct lp_observation *o,
					 struct lp_fingerprint name, const uint32_t *before)
{
	struct lp_counts counts;

	lp_fingerprint_bytes(&name, before, sizeof *before * o->count);
	if (lp_fingerprints_have(&c->right, name))
		return LP_CORRECT;
	lp_counts_open(&counts, c->spec, c->k, 0);
	count(c, o, before, &counts);
	const enum lp_finding finding = judge(c, &counts);
	lp_counts_close(&counts);
	if (finding == LP_CORRECT)
		lp_fingerprints_add(&c->right, name);
	return finding;
}
