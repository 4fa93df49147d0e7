/* covered.c -- counts the wrong histories that A_k covers.
 *
 * A history is kept as its counting representation: the label of each call and its interval, sorted.  Histories with
 * the same representation are equivalent (Lemma 6.3 of the paper).  A_k moves intervals (Lemma 6.5).
 */
#include "cli/figures/covered.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/fingerprints.h"
#include "base/vec.h"
#include "check/clients/counted_orders.h"
#include "check/counting/ak.h"
#include "cli/figures/sampled.h"

struct counted_call {
	uint32_t method, from, to; /* places */
	int64_t arg, result;       /* with no result: LP_VOID */
	bool open;
};

struct counted_history {
	uint32_t count, length; /* of the order: the last place */
	struct counted_call call[LP_CLIENT_CALLS];
};

struct counted_histories {
	LP_VEC(struct counted_history);
};

struct collection {
	const struct lp_spec *spec;
	struct lp_covered *out;
	struct lp_fingerprints met;
	struct counted_histories wrong;
};

static int compare_labels(const struct counted_call *x, const struct counted_call *y)
{
	if (x->method != y->method)
		return x->method < y->method ? -1 : 1;
	if (x->arg != y->arg)
		return x->arg < y->arg ? -1 : 1;
	if (x->open != y->open)
		return x->open ? 1 : -1;
	return (x->result > y->result) - (x->result < y->result);
}

static int by_label(const void *a, const void *b)
{
	const struct counted_call *x = a, *y = b;
	const int labels = compare_labels(x, y);

	if (labels)
		return labels;
	return x->from != y->from ? (x->from < y->from ? -1 : 1) : (x->to > y->to) - (x->to < y->to);
}

static void count_calls(const struct lp_spec *spec, const struct lp_sampled_history *h, struct counted_history *out)
{
	const struct lp_observation o = { .count = h->count };
	uint32_t before[LP_OBSERVED_CALLS] = { 0 }, from[LP_OBSERVED_CALLS], to[LP_OBSERVED_CALLS];

	for (uint32_t a = 0; a < h->count; a++)
		for (uint32_t b = 0; b < h->count; b++)
			before[a] |= (uint32_t)(h->call[b].end < h->call[a].start) << b;
	memset(out, 0, sizeof *out); /* it is compared as bytes */
	out->count = h->count;
	out->length = lp_counted_places(&o, before, from, to);
	for (uint32_t a = 0; a < h->count; a++) {
		struct counted_call *c = &out->call[a];
		c->method = h->call[a].method;
		c->from = from[a];
		c->to = to[a];
		c->arg = h->call[a].arg;
		c->open = h->call[a].end == UINT32_MAX;
		c->result = c->open ? LP_VOID : lp_sampled_result(spec, &h->call[a]);
	}
	qsort(out->call, out->count, sizeof *out->call, by_label);
}

/* With times that are places. */
static void to_history(const struct counted_history *h, const struct lp_spec *spec, struct lp_history *out)
{
	struct lp_sampled_history s = { .count = h->count };

	for (uint32_t i = 0; i < h->count; i++)
		s.call[i] = (struct lp_sampled_call){ h->call[i].method, h->call[i].arg, h->call[i].result, h->call[i].from,
						      h->call[i].open ? UINT32_MAX : h->call[i].to };
	lp_sampled_to_history(&s, spec, out);
}

/* A_k, by Lemma 6.5. */
static struct counted_history weaken(const struct counted_history *h, uint32_t k)
{
	struct counted_history weak = *h;
	const uint32_t shift = h->length > k ? h->length - k : 0;

	for (uint32_t i = 0; i < h->count; i++) {
		weak.call[i].from -= h->call[i].from < shift ? h->call[i].from : shift;
		weak.call[i].to -= h->call[i].to < shift ? h->call[i].to : shift;
	}
	weak.length -= shift;
	qsort(weak.call, weak.count, sizeof *weak.call, by_label);
	return weak;
}

static bool is_wrong(const struct counted_history *h, const struct lp_spec *spec)
{
	struct lp_history history = { 0 };

	to_history(h, spec, &history);
	const bool wrong = lp_sampled_is_wrong(&history, spec);
	lp_history_close(&history);
	return wrong;
}

static void meet(void *closure, const struct lp_sampled_history *sampled)
{
	struct collection *c = closure;
	struct lp_fingerprint name = LP_FINGERPRINT;
	struct counted_history h;
	struct lp_history history = { 0 };

	count_calls(c->spec, sampled, &h);
	lp_fingerprint_bytes(&name, &h, sizeof h);
	if (!lp_fingerprints_add(&c->met, name))
		return;
	c->out->histories++;
	if (!is_wrong(&h, c->spec))
		return;
	LP_PUSH(&c->wrong, h);
	to_history(&h, c->spec, &history);
	for (unsigned k = 0; k <= LP_COVERED_K; k++) {
		const struct lp_ak_options options = { .k = k };
		struct lp_ak_result r;
		struct lp_error error;
		c->out->seen[k] += lp_ak_check(&history, c->spec, &options, &r, &error) && r.violated;
	}
	lp_history_close(&history);
}

/* Can the calls of `weak` from the i-th on be matched with calls of `h` that have the same labels, so that `h` contains the
 * order of `weak`? */
static bool is_weaker(const struct counted_history *weak, const struct counted_history *h, uint32_t *match, uint32_t i)
{
	uint32_t used = 0;

	if (i == weak->count)
		return true;
	for (uint32_t j = 0; j < i; j++)
		used |= UINT32_C(1) << match[j];
	for (uint32_t m = 0; m < h->count; m++) {
		bool fits = !(used >> m & 1) && !compare_labels(&weak->call[i], &h->call[m]);
		for (uint32_t j = 0; j < i && fits; j++)
			fits = (weak->call[j].to >= weak->call[i].from || h->call[match[j]].to < h->call[m].from) &&
			       (weak->call[i].to >= weak->call[j].from || h->call[m].to < h->call[match[j]].from);
		match[i] = m;
		if (fits && is_weaker(weak, h, match, i + 1))
			return true;
	}
	return false;
}

static int by_bytes(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct counted_history));
}

static void cover(struct collection *c, uint32_t k)
{
	struct counted_histories weak = { 0 };
	uint32_t count = 0, match[LP_CLIENT_CALLS];

	for (uint32_t i = 0; i < c->wrong.count; i++) {
		const struct counted_history w = weaken(&c->wrong.at[i], k);
		if (is_wrong(&w, c->spec))
			LP_PUSH(&weak, w);
	}
	if (weak.count)
		qsort(weak.at, weak.count, sizeof *weak.at, by_bytes);
	for (uint32_t i = 0; i < weak.count; i++)
		if (!i || by_bytes(&weak.at[i], &weak.at[count - 1]))
			weak.at[count++] = weak.at[i];
	for (uint32_t i = 0; i < c->wrong.count; i++) {
		bool covered = false;
		for (uint32_t j = 0; j < count && !covered; j++)
			covered = is_weaker(&weak.at[j], &c->wrong.at[i], match, 0);
		c->out->covered[k] += covered;
	}
	lp_free(weak.at);
}

bool lp_covered(const struct lp_sampling *s, struct lp_covered *out, struct lp_error *error)
{
	struct collection c = { .spec = s->check->harness.spec, .out = out };
	const bool good = lp_sampling_run(s, out->inserts, out->removes, meet, &c, error) >= 0;

	out->wrong = c.wrong.count;
	for (uint32_t k = 0; good && k <= LP_COVERED_K; k++)
		cover(&c, k);
	lp_fingerprints_close(&c.met);
	lp_free(c.wrong.at);
	return good;
}
