/* history_words.c -- recorded calls as text, for reports. */
#include "cli/history/history_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "check/history/history_check.h"
#include "check/sort.h"
#include "history/history.h"
#include "report/results/histories.h"
#include "spec/spec.h"

enum {
	TEXT_ROOM = 512,
	PICTURED = 1 << 18, /* calls of one history on a page: browsers have their limits, too */
};

static const char *keep(const struct lp_history_words *w, const char *text)
{
	return lp_arena_strdup(w->arena, text);
}

void lp_history_count(const struct lp_history *h, struct lp_history_result *out)
{
	int64_t *threads = lp_alloc(sizeof *threads * h->count);
	uint32_t *number = lp_alloc(sizeof *number * h->count);

	out->calls = h->count;
	for (uint32_t i = 0; i < h->count; i++) {
		threads[i] = h->at[i].thread;
		out->pending += lp_call_is_pending(&h->at[i]);
	}
	out->threads = lp_sort_number_values(threads, h->count, number);
	lp_free(threads);
	lp_free(number);
}

/* "enqueue(1); enqueue(2) | dequeue()" */
const char *lp_history_words_client(const struct lp_history_words *w, const struct lp_history_violation *v)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	bool *done = lp_alloc_zero(v->call_count, sizeof *done);

	for (uint32_t i = 0; to && i < v->call_count; i++) {
		if (done[i])
			continue;
		if (i)
			fputs(" | ", to);
		for (uint32_t j = i; j < v->call_count; j++) {
			if (v->calls[j].thread != v->calls[i].thread)
				continue;
			fprintf(to, "%s%s", j > i ? "; " : "", v->calls[j].call);
			done[j] = true;
		}
	}
	if (to)
		fclose(to);
	const char *kept = keep(w, text ? text : "");
	free(text);
	lp_free(done);
	return kept;
}

/* A result that is true or false is recorded as 1 or 0. */
static const char *truth_words(const struct lp_history_words *w, const struct lp_history *h, uint32_t id,
			       int64_t value)
{
	const char *name = h->methods.at[h->at[id].method];
	const uint32_t m = lp_method_named(w->spec->kind, name, strlen(name));
	const enum lp_shape shape = w->spec->kind->methods[m].result;

	if ((shape != LP_TRUTH && shape != LP_SUCCESS) || (value != 0 && value != 1))
		return NULL;
	return value ? "true" : "false";
}

static const char *value_words(const struct lp_history_words *w, const struct lp_history *h, uint32_t id,
			       int64_t value)
{
	const char *truth = truth_words(w, h, id, value);
	char text[TEXT_ROOM];

	return truth ? truth : keep(w, lp_call_describe_value(h, value, text, sizeof text));
}

static const char *result_words(const struct lp_history_words *w, const struct lp_history *h, uint32_t id)
{
	char text[TEXT_ROOM];

	const uint32_t m = lp_method_named(w->spec->kind, h->methods.at[h->at[id].method],
					   strlen(h->methods.at[h->at[id].method]));

	if (!h->at[id].results && m != LP_NO_METHOD && w->spec->kind->methods[m].result == LP_VALUES)
		return "empty"; /* all that there was */
	return h->at[id].results == 1 ? value_words(w, h, id, h->at[id].result) :
			keep(w, lp_call_describe_result(h, id, text, sizeof text));
}

void lp_history_words_call(const struct lp_history_words *w, const struct lp_history *h, uint32_t id, bool open,
			   const char *subject, struct lp_recorded_call *out)
{
	const struct lp_call *c = &h->at[id];
	char text[TEXT_ROOM];

	*out = (struct lp_recorded_call){ .thread = c->thread, .start = c->start, .end = c->end,
					.pending = lp_call_is_pending(c), .open = open };
	out->call = keep(w, lp_call_describe_call(h, id, text, sizeof text));
	out->result = result_words(w, h, id);
	snprintf(text, sizeof text, "%s:%u", subject, c->line);
	out->where = keep(w, text);
}

static const char *why_word(enum lp_stuck_why why)
{
	switch (why) {
	case LP_STUCK_REJECTED: return "rejected";
	case LP_STUCK_BLOCKED: return "blocked";
	case LP_STUCK_LATER: return "later";
	}
	return "";
}

/* The place of each call in the core, 0 if it is not there: all calls of an attempt
 * are. */
static uint32_t *places_in_core(const struct lp_history *h, const struct lp_check_result *r)
{
	uint32_t *place = lp_alloc_zero(h->count, sizeof *place);

	for (uint32_t i = 0; i < r->core_count; i++)
		place[r->core[i]] = i;
	return place;
}

const struct lp_history_violation *lp_history_words_violation(const struct lp_history_words *w,
							 const struct lp_history *h,
							 const struct lp_check_result *r,
							 const char *subject)
{
	struct lp_history_violation *v = lp_arena_alloc(w->arena, sizeof *v);
	struct lp_recorded_call *calls =
		lp_arena_alloc(w->arena, sizeof *calls * r->core_count);
	uint32_t *order = lp_arena_alloc(w->arena, sizeof *order * (r->partial_count + 1));
	struct lp_recorded_stuck *stuck =
		lp_arena_alloc(w->arena, sizeof *stuck * (r->stuck_count + 1));
	uint32_t *place = places_in_core(h, r);

	for (uint32_t i = 0; i < r->core_count; i++)
		lp_history_words_call(w, h, r->core[i], r->core_open[i], subject, &calls[i]);
	for (uint32_t i = 0; i < r->partial_count; i++)
		order[i] = place[r->partial[i]];
	for (uint32_t i = 0; i < r->stuck_count; i++) {
		const struct lp_stuck *s = &r->stuck[i];
		stuck[i].call = place[s->call];
		stuck[i].why = why_word(s->why);
		if (s->why == LP_STUCK_LATER)
			stuck[i].first = place[s->first];
		if (s->gives_known)
			stuck[i].gives = value_words(w, h, s->call, s->gives);
	}
	*v = (struct lp_history_violation){ .calls = calls, .call_count = r->core_count,
					    .minimal = r->core_is_minimal, .order = order,
					    .order_count = r->partial_count, .stuck = stuck,
					    .stuck_count = r->stuck_count };
	v->client = lp_history_words_client(w, v);
	lp_free(place);
	return v;
}

static int compare_starts(const void *a, const void *b)
{
	const struct lp_recorded *p = a, *q = b;

	return (p->start > q->start) - (p->start < q->start);
}

/* The first call of the picture, if it cannot show all calls: a few before the wrong ones. */
static uint32_t first_pictured(const struct lp_recorded *all, uint32_t count,
			       const struct lp_history_violation *v)
{
	uint32_t first = 0;

	while (v && first < count && all[first].start < v->calls[0].start)
		first++;
	first = first > PICTURED / 4 ? first - PICTURED / 4 : 0;
	return first > count - PICTURED ? count - PICTURED : first;
}

/* The calls in short, by start, for the page. */
void lp_history_words_all(const struct lp_history_words *w, const struct lp_history *h,
			  struct lp_history_result *out)
{
	struct lp_recorded *all = lp_arena_alloc(w->arena, sizeof *all * (h->count + 1));
	char text[TEXT_ROOM];
	uint32_t first = 0, count = h->count;

	for (uint32_t i = 0; i < count; i++) {
		const struct lp_call *c = &h->at[i];
		all[i] = (struct lp_recorded){ .start = c->start, .end = c->end, .thread = c->thread,
					       .line = i, .pending = lp_call_is_pending(c) };
	}
	if (count)
		qsort(all, count, sizeof *all, compare_starts);
	if (count > PICTURED) {
		first = first_pictured(all, count, out->violation);
		count = PICTURED;
	}
	for (uint32_t i = first; i < first + count; i++) {
		const uint32_t id = all[i].line; /* so far; only what is shown gets a text */
		const char *result = all[i].pending ? "" : result_words(w, h, id);
		const char *call = lp_call_describe_call(h, id, text, sizeof text);
		const size_t room = strlen(call) + strlen(result) + 8;
		char *both = lp_arena_alloc(w->arena, room);
		snprintf(both, room, "%s%s%s", call, *result ? " -> " : "", result);
		all[i].text = both;
		all[i].line = h->at[id].line;
	}
	out->recorded = all + first;
	out->recorded_count = count;
}
