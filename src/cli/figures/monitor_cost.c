/* monitor_cost.c -- measures what monitors cost: figure 7 of POPL 2015 (docs/counting.md). */
#include "cli/figures/monitor_cost.h"

#include "base/error.h"
#include "check/counting/ak.h"
#include "cli/figures/sampled.h"
#include "spec/spec.h"

struct watch {
	const struct lp_spec *spec;
	unsigned k;
	struct lp_monitor_cost *cost;
	bool failed;
	struct lp_error *error;
};

/* Starts and ends in the order of time: 2 * call, + 1 if it is the end. */
static uint32_t order_events(const struct lp_sampled_history *h, uint32_t *events)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < h->count; i++)
		for (uint32_t end = 0; end < 2; end++) {
			const uint32_t time = end ? h->call[i].end : h->call[i].start;
			uint32_t at = count;
			if (time == UINT32_MAX)
				continue;
			for (; at && (events[at - 1] & 1 ? h->call[events[at - 1] / 2].end : h->call[events[at - 1] / 2].start) > time; at--)
				events[at] = events[at - 1];
			events[at] = 2 * i + end;
			count++;
		}
	return count;
}

static void count_calls(void *closure, const struct lp_sampled_history *h)
{
	struct watch *w = closure;
	uint32_t events[2 * LP_CLIENT_CALLS];
	uint64_t epoch[LP_CLIENT_CALLS];
	bool wrong = false;
	const uint32_t count = order_events(h, events);
	struct lp_ak *m = lp_ak_open(w->spec, w->k, LP_AK_RULES, w->error);

	w->failed |= !m;
	for (uint32_t e = 0; m && e < count; e++) {
		const struct lp_sampled_call *c = &h->call[events[e] / 2];
		if (!(events[e] & 1))
			epoch[events[e] / 2] = lp_ak_call(m, c->method, c->arg);
		else
			wrong |= lp_ak_return(m, epoch[events[e] / 2], c->method, c->arg, lp_sampled_result(w->spec, c));
	}
	w->cost->seen += wrong;
	lp_ak_close(m);
}

static void decide(void *closure, const struct lp_sampled_history *h)
{
	struct watch *w = closure;
	struct lp_history history = { 0 };

	lp_sampled_to_history(h, w->spec, &history);
	w->cost->wrong += lp_sampled_is_wrong(&history, w->spec);
	lp_history_close(&history);
}

/* Extends a linearization by every call before which all calls that precede it are done. */
static uint64_t extend(const uint32_t *before, uint32_t count, uint32_t done, uint64_t most)
{
	uint64_t sum = 0;

	if (done == (UINT32_C(1) << count) - 1)
		return 1;
	for (uint32_t a = 0; a < count && sum < most; a++)
		if (!(done >> a & 1) && !(before[a] & ~done))
			sum += extend(before, count, done | UINT32_C(1) << a, most - sum);
	return sum;
}

/* How many linear orders contain the order of the calls; at most `most`. */
static uint64_t linearizations_of(const struct lp_sampled_history *h, uint64_t most)
{
	uint32_t before[LP_CLIENT_CALLS] = { 0 };

	for (uint32_t a = 0; a < h->count; a++)
		for (uint32_t b = 0; b < h->count; b++)
			before[a] |= (uint32_t)(h->call[b].end < h->call[a].start) << b;
	return extend(before, h->count, 0, most);
}

static void enumerate(void *closure, const struct lp_sampled_history *h)
{
	struct watch *w = closure;
	const uint64_t found = linearizations_of(h, LP_MOST_LINEARIZATIONS);

	w->cost->linearizations += found;
	w->cost->cut += found >= LP_MOST_LINEARIZATIONS;
}

bool lp_monitor_cost(const struct lp_sampling *s, unsigned k, struct lp_monitor_cost *cost, struct lp_error *error)
{
	struct watch w = { .spec = s->check->harness.spec, .k = k, .cost = cost, .error = error };
	const uint32_t in = cost->inserts, out = cost->removes;

	cost->plain = lp_sampling_run(s, in, out, NULL, NULL, error);
	if (cost->plain >= 0)
		cost->counted = lp_sampling_run(s, in, out, count_calls, &w, error);
	if (cost->plain >= 0 && cost->counted >= 0)
		cost->decided = lp_sampling_run(s, in, out, decide, &w, error);
	if (cost->plain >= 0 && cost->counted >= 0 && cost->decided >= 0)
		cost->enumerated = lp_sampling_run(s, in, out, enumerate, &w, error);
	return cost->plain >= 0 && cost->counted >= 0 && cost->decided >= 0 && cost->enumerated >= 0 && !w.failed;
}
