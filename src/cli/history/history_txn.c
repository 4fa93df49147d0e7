/* history_txn.c -- converts results about transactions for the reports. */
#include "cli/history/history_txn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "check/txn/txn.h"
#include "cli/history/history_words.h"
#include "history/history.h"
#include "history/txns.h"
#include "report/results/histories.h"
#include "spec/spec.h"

enum { TEXT_ROOM = 512 };

#define EXPLAIN_SECONDS 5.0

void lp_txn_history_open(struct lp_history *h)
{
	h->txns = lp_alloc_zero(1, sizeof *h->txns);
}

static bool check(const struct lp_history *h, const struct lp_spec *spec, const struct lp_txn_level *level,
		  const struct lp_check_options *o, struct lp_txn_result *r, struct lp_error *error)
{
	const struct lp_txn_options options = { .level = level, .initial = spec->param[0], .explain = o->explain,
						.seconds = o->seconds, .go_on = o->go_on, .closure = o->closure };

	return lp_txn_check(h, &options, r, error);
}

bool lp_txn_history_is_wrong(const struct lp_history *so_far, const struct lp_spec *spec, const struct lp_txn_level *level,
			     const struct lp_check_options *options)
{
	struct lp_check_options quick = *options;
	struct lp_txn_result r;
	struct lp_error ignored;

	quick.explain = false;
	if (!so_far->count || so_far->at[0].start < 0) /* completions only: a value may be read before the line that writes it */
		return false;
	if (!check(so_far, spec, level, &quick, &r, &ignored))
		return false;
	const bool wrong = r.finding == LP_WRONG;
	lp_txn_result_close(&r);
	return wrong;
}

struct placed {
	int64_t start;
	uint32_t index; /* in the core */
};

static int compare_starts(const void *a, const void *b)
{
	const struct placed *p = a, *q = b;

	return p->start != q->start ? (p->start > q->start) - (p->start < q->start) : (int)p->index - (int)q->index;
}

/* The place that each transaction of the core has by its start. */
static uint32_t *sort_core(const struct lp_history *h, const struct lp_txn_result *r)
{
	struct placed *by_start = lp_alloc(sizeof *by_start * r->core_count);
	uint32_t *place = lp_alloc(sizeof *place * r->core_count);

	for (uint32_t i = 0; i < r->core_count; i++)
		by_start[i] = (struct placed){ h->at[r->core[i]].start, i };
	qsort(by_start, r->core_count, sizeof *by_start, compare_starts);
	for (uint32_t i = 0; i < r->core_count; i++)
		place[by_start[i].index] = i;
	lp_free(by_start);
	return place;
}

static uint32_t place_of(const struct lp_txn_result *r, const uint32_t *place, uint32_t txn)
{
	uint32_t i = 0;

	while (r->core[i] != txn)
		i++;
	return place[i];
}

static const struct lp_recorded_edge *edges_of(const struct lp_history_words *words, const struct lp_history *h,
					       const struct lp_txn_result *r, const uint32_t *place)
{
	static const char *const kinds[] = { "", "ww", "wr", "rw", "process", "realtime" };
	struct lp_recorded_edge *edges = lp_arena_alloc(words->arena, sizeof *edges * (r->cycle.count + 1));
	char text[TEXT_ROOM];

	for (uint32_t i = 0; i < r->cycle.count; i++) {
		const struct lp_txn_edge *e = &r->cycle.at[i];
		edges[i] = (struct lp_recorded_edge){
			.from = place_of(r, place, e->from), .to = place_of(r, place, e->to), .kind = kinds[lp_txn_kind(e->what)],
			.text = lp_arena_strdup(words->arena, lp_txn_edge_describe(h, e, text, sizeof text)),
		};
	}
	return edges;
}

static const struct lp_history_violation *violation_of(const struct lp_history_words *words, const struct lp_history *h,
						       const struct lp_txn_result *r)
{
	struct lp_history_violation *v = lp_arena_alloc(words->arena, sizeof *v);
	struct lp_recorded_call *calls = lp_arena_alloc(words->arena, sizeof *calls * r->core_count);
	uint32_t *place = sort_core(h, r);

	for (uint32_t i = 0; i < r->core_count; i++)
		lp_history_words_call(words, h, r->core[i], false, h->name, &calls[place[i]]);
	*v = (struct lp_history_violation){ .calls = calls, .call_count = r->core_count,
					    .anomaly = lp_arena_strdup(words->arena, r->anomaly),
					    .minimal = r->cycle.count && r->is_shortest,
					    .edges = edges_of(words, h, r, place), .edge_count = r->cycle.count };
	v->client = lp_history_words_client(words, v);
	lp_free(place);
	return v;
}

/* The strongest level below this one that the history satisfies.  NULL if it satisfies none, or the search takes too long. */
static const struct lp_txn_level *what_holds(const struct lp_history *h, const struct lp_spec *spec,
					     const struct lp_txn_level *level, const struct lp_check_options *options)
{
	struct lp_check_options quick = *options;
	struct lp_txn_result r = { .finding = LP_WRONG };
	struct lp_error ignored;

	quick.explain = false;
	if (!(quick.seconds > 0 && quick.seconds < EXPLAIN_SECONDS))
		quick.seconds = EXPLAIN_SECONDS;
	while ((level = lp_txn_level_below(level)) && r.finding == LP_WRONG) {
		if (!check(h, spec, level, &quick, &r, &ignored))
			return NULL;
		const enum lp_finding finding = r.finding;
		lp_txn_result_close(&r);
		if (finding == LP_CORRECT)
			return level;
		r.finding = finding;
	}
	return NULL;
}

/* Says why the history is wrong, and which weaker level it satisfies. */
static const char *reason_of(const struct lp_history_words *words, const struct lp_history *h, const struct lp_txn_level *level,
			     const struct lp_check_options *options, const struct lp_txn_result *r)
{
	const struct lp_txn_level *holds =
		r->finding == LP_WRONG && options->explain ? what_holds(h, words->spec, level, options) : NULL;
	char text[TEXT_ROOM];

	snprintf(text, sizeof text, "%s%s%s%s", r->reason, holds ? "; it is " : "", holds ? holds->claim : "",
		 h->is_cut ? " (what follows in the stream was not read)" : "");
	return r->reason[0] ? lp_arena_strdup(words->arena, text) : NULL;
}

bool lp_txn_history_check(const struct lp_history_words *words, const struct lp_history *h, const struct lp_txn_level *level,
			  const struct lp_check_options *options, struct lp_history_result *out,
			  struct lp_error *error)
{
	static const enum lp_result_verdict verdicts[] = {
		[LP_CORRECT] = LP_RESULT_VERIFIED,
		[LP_WRONG] = LP_RESULT_VIOLATION,
		[LP_UNDECIDED] = LP_RESULT_INCONCLUSIVE,
	};
	struct lp_txn_result r;
	char text[TEXT_ROOM];

	if (!check(h, words->spec, level, options, &r, error))
		return false;
	out->verdict = verdicts[r.finding];
	snprintf(text, sizeof text, "not %s", level->claim);
	out->kind = lp_arena_strdup(words->arena, text);
	out->text = reason_of(words, h, level, options, &r);
	out->method = lp_arena_strdup(words->arena, r.method);
	out->parts = 1;
	out->steps = r.steps;
	if (r.finding == LP_WRONG && r.core_count)
		out->violation = violation_of(words, h, &r);
	lp_txn_result_close(&r);
	return true;
}
