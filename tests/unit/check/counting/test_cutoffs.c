/* test_cutoffs.c -- how large k must be (theorem 4 of the paper, and figure 5).
 *
 *     test_cutoffs [RUNS [SEED]]
 *
 * If a history satisfies rv, ev, fv or lv, then so does some weakening of it of length
 * 0, 2, 2, 3 at most.  Here the weakenings are made by keeping a few cuts: places in
 * time across which calls keep their order.  Each bound is met by some histories,
 * and reached by some, so that it is no larger than it has to be.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "check/counting/ak.h"
#include "check/counting/counts.h"
#include "check/counting/languages/formula.h"
#include "disorder.h"
#include "expect.h"
#include "spec/traits.h"

static void feed(struct lp_counts *c, const struct lp_history *h, const struct lp_spec *spec,
		 int64_t last)
{
	uint64_t epoch[64];

	for (int64_t now = 0; now <= last; now++)
		for (int end = 0; end < 2; end++)
			for (uint32_t i = 0; i < h->count; i++) {
				const struct lp_call *call = &h->at[i];
				struct lp_label l = { .args = call->args, .results = call->results == 1,
						      .arg = { call->arg[0] }, .result = call->result };
				const char *name = h->methods.at[call->method];
				l.method = (uint8_t)lp_method_named(spec->kind, name, strlen(name));
				if ((end ? call->end : call->start) != now)
					continue;
				if (end)
					lp_counts_return(c, epoch[i], &l);
				else
					epoch[i] = lp_counts_call(c, &l);
			}
}

/* Does the formula hold on A_k of the whole history? */
static bool holds(const struct lp_formulae *f, uint32_t which, const struct lp_history *h,
		  const struct lp_spec *spec, unsigned k)
{
	struct lp_counts c;
	int64_t last = 0;

	for (uint32_t i = 0; i < h->count; i++) {
		if (h->at[i].start > last)
			last = h->at[i].start;
		if (!lp_call_is_pending(&h->at[i]) && h->at[i].end > last)
			last = h->at[i].end;
	}
	lp_counts_open(&c, spec, k, 0);
	feed(&c, h, spec, last);
	const bool answer = lp_formulae_is_broken(f, which, &c);
	lp_counts_close(&c);
	return answer;
}

/* The history with order only across the cuts: bit i is the cut after place i. */
static void keep_cuts(struct lp_history *weak, const struct lp_history *h, uint32_t cuts)
{
	*weak = *h;
	weak->at = lp_alloc(sizeof *weak->at * (h->count + 1));
	memcpy(weak->at, h->at, sizeof *weak->at * h->count);
	lp_ak_weaken(weak, 64); /* times are now places of the whole */
	for (uint32_t i = 0; i < weak->count; i++) {
		struct lp_call *c = &weak->at[i];
		c->start = __builtin_popcount(cuts & ((1u << c->start) - 1));
		if (!lp_call_is_pending(c))
			c->end = __builtin_popcount(cuts & ((1u << c->end) - 1));
	}
}

/* The least number of cuts with which the formula still holds. */
static uint32_t least_cuts(const struct lp_formulae *f, uint32_t which, const struct lp_history *h,
			   const struct lp_spec *spec, uint32_t length)
{
	for (uint32_t size = 0; size <= length; size++)
		for (uint32_t cuts = 0; cuts < 1u << length; cuts++) {
			struct lp_history weak;
			if ((uint32_t)__builtin_popcount(cuts) != size)
				continue;
			keep_cuts(&weak, h, cuts);
			const bool still = holds(f, which, &weak, spec, size);
			lp_free(weak.at);
			if (still)
				return size;
		}
	return UINT32_MAX;
}

static uint32_t length_of(const struct lp_history *h)
{
	struct lp_history weak;
	int64_t length = 0;

	keep_cuts(&weak, h, UINT32_MAX);
	for (uint32_t i = 0; i < weak.count; i++)
		if (weak.at[i].start > length)
			length = weak.at[i].start;
	lp_free(weak.at);
	return (uint32_t)length;
}

static void check_theorem(const char *kind, uint32_t runs, uint64_t seed)
{
	static const uint32_t queue_bounds[] = { 0, 2, 2 }, stack_bounds[] = { 0, 2, 3 };
	const uint32_t *bounds = !strcmp(kind, "queue") ? queue_bounds : stack_bounds;
	uint32_t need[3][8] = { { 0 } };
	struct lp_spec spec;
	struct lp_error error;

	lp_spec_parse(&spec, kind, &error);
	const char *text = lp_kind_traits(spec.kind)->formulae;
	struct lp_formulae *f = lp_formulae_parse("f", text, strlen(text), spec.kind, &error);
	for (uint32_t i = 0; i < runs; i++) {
		struct random_source r = { (seed + i) * UINT64_C(0x2545f4914f6cdd1d) };
		struct lp_history h = { 0 };
		disorder(&h, &spec, 3 + below(&r, 8), &r);
		/* Now and then a value from nowhere. */
		for (uint32_t c = 0; c < h.count && i % 16 == 0; c++)
			if (h.at[c].results == 1 && !h.at[c].args)
				h.at[c].result = 1000 + c;
		const uint32_t length = length_of(&h);
		for (uint32_t which = 0; which < 3; which++) {
			if (!holds(f, which, &h, &spec, length))
				continue;
			const uint32_t least = least_cuts(f, which, &h, &spec, length);
			if (least > bounds[which]) {
				FAIL("%s, seed %llu: %s needs %u cuts\n", kind,
				     (unsigned long long)(seed + i), lp_formulae_name(f, which), least);
				lp_history_print_table(&h, stderr);
				i = runs;
			} else {
				need[which][least]++;
			}
		}
		lp_history_close(&h);
	}
	for (uint32_t which = 0; which < 3; which++) {
		printf("%s %s: needs 0 .. 3 cuts: %u %u %u %u\n", kind, lp_formulae_name(f, which),
		       need[which][0], need[which][1], need[which][2], need[which][3]);
		if (!need[which][bounds[which]])
			FAIL("%s %s: the bound %u is never reached\n", kind, lp_formulae_name(f, which),
			     bounds[which]);
	}
	lp_formulae_close(f);
}

/* Figure 5: n values take turns in being there while a removal finds nothing.
 *
 *     empty           |-----------------------|
 *     1    |-|                |-|
 *     2               |-|               |-|
 *     3                           |-|          |-|
 */
static void figure_5(struct lp_history *h, uint32_t n)
{
	const uint16_t enqueue = lp_history_method(h, "enqueue", 7);
	const uint16_t dequeue = lp_history_method(h, "dequeue", 7);
	struct lp_call empty = { .start = 10, .end = 10 * n + 5, .method = dequeue, .results = 1,
				 .result = LP_EMPTY, .thread = 9 };

	for (uint32_t v = 1; v <= n; v++) {
		struct lp_call in = { .start = 10 * (v - 1) + 1, .end = 10 * (v - 1) + 2,
				      .method = enqueue, .args = 1, .arg = { v }, .results = 1,
				      .result = 1 };
		struct lp_call out = { .start = 10 * v + 6, .end = 10 * v + 7, .method = dequeue,
				       .results = 1, .result = v, .thread = 1 };
		if (v > 1)
			in.start += 1, in.end += 1; /* 2 comes when 1 is still there */
		LP_PUSH(h, in);
		LP_PUSH(h, out);
	}
	/* 10 is after 1's insertion, before 2's; the last removal is after its end. */
	LP_PUSH(h, empty);
}

static void check_figure_5(void)
{
	struct lp_spec spec;
	struct lp_error error;

	lp_spec_parse(&spec, "queue", &error);
	const char *text = lp_kind_traits(spec.kind)->formulae;
	struct lp_formulae *f = lp_formulae_parse("f", text, strlen(text), spec.kind, &error);
	for (uint32_t n = 1; n <= 6; n++) {
		struct lp_history h = { 0 };
		uint32_t least = UINT32_MAX;
		bool formula = false;
		figure_5(&h, n);
		const struct lp_check_options exact = { .property = LP_LINEARIZABLE };
		struct lp_check_result right;
		if (!lp_history_check(&h, &spec, &exact, &right, &error) || right.finding != LP_WRONG)
			FAIL("figure 5, n = %u: should be wrong\n", n);
		lp_check_result_close(&right);
		for (unsigned k = 0; k <= 20; k++) {
			const struct lp_ak_options rules = { .k = k };
			const struct lp_ak_options formulae = { .k = k, .formulae = f };
			struct lp_ak_result r;
			if (lp_ak_check(&h, &spec, &rules, &r, &error) && r.violated && k < least)
				least = k;
			if (lp_ak_check(&h, &spec, &formulae, &r, &error))
				formula |= r.violated;
		}
		printf("figure 5, n = %u: found with k = %u; by the formula: %s\n", n, least,
		       formula ? "yes" : "no");
		if (formula != (n == 1) || least != (n == 1 ? 1 : 2 * n - 2))
			FAIL("figure 5, n = %u: unexpected\n", n);
		lp_history_close(&h);
	}
	lp_formulae_close(f);
}

int main(int argc, char **argv)
{
	const uint32_t runs = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1500;
	const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;

	check_theorem("queue", runs, seed);
	check_theorem("stack", runs, seed);
	check_figure_5();
	return expect_status();
}
