/* gap.c -- finds the memory orders in the source that are too weak. */
#include "verify/gap.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "verify/view/convert_plain.h"
#include "explore/explore.h"
#include "verify/judge.h"

#define FAR UINT32_MAX

struct way {
	const struct lp_step *steps;
	uint32_t count;
	const struct lp_call_span *begin; /* where it begins */
	uint32_t *cost;   /* orders that are missing on the way to a step */
	uint32_t *from;   /* the step before it on the path */
	bool *done;
};

static bool happens(const struct lp_step *a, const struct lp_step *b)
{
	return b->hb && a->thread < b->hb_width && b->hb[a->thread] > a->event;
}

static bool is_release(unsigned order)
{
	return order == LP_REL || order == LP_ACQREL || order == LP_SC;
}

static bool is_acquire(unsigned order)
{
	return order == LP_ACQ || order == LP_ACQREL || order == LP_SC;
}

static unsigned read_order(const struct lp_step *s)
{
	return s->op.kind == LP_OP_RMW && s->answer.failed ? s->op.fail_order : s->op.order;
}

static bool is_within(const struct lp_step *s, const struct lp_call_span *call)
{
	return s->thread == call->thread && s->event >= call->first && s->event < call->end;
}

/* Does the write release what `known`, an earlier step of its thread (or the beginning of the path), has done: by its
 * own memory order, or by a fence between the two? */
static bool publishes(const struct way *w, const struct lp_step *known, const struct lp_step *write)
{
	for (uint32_t i = 0; i < w->count; i++) {
		const struct lp_step *f = &w->steps[i];
		if (f->op.kind == LP_OP_FENCE && is_release(f->op.order) && f->thread == write->thread &&
		    f->event < write->event && (happens(known, f) || (known == write && is_within(f, w->begin))))
			return true;
	}
	return is_release(write->op.order);
}

static bool takes(const struct way *w, const struct lp_step *read)
{
	for (uint32_t i = 0; i < w->count; i++) {
		const struct lp_step *f = &w->steps[i];
		if (f->op.kind == LP_OP_FENCE && is_acquire(f->op.order) && f->thread == read->thread &&
		    f->event > read->event)
			return true;
	}
	return is_acquire(read_order(read));
}

static void reach(struct way *w, uint32_t from, uint32_t to, uint32_t cost)
{
	if (cost < w->cost[to]) {
		w->cost[to] = cost;
		w->from[to] = from;
	}
}

/* The number of orders that are missing between a write and a read of it. */
static uint32_t price(const struct way *w, uint32_t write, uint32_t read)
{
	return (uint32_t)!publishes(w, &w->steps[w->from[write]], &w->steps[write]) +
	       (uint32_t)!takes(w, &w->steps[read]);
}

static void go_on(struct way *w, uint32_t at)
{
	const struct lp_step *s = &w->steps[at];

	for (uint32_t i = 0; i < w->count; i++) {
		const struct lp_step *next = &w->steps[i];
		if (i != at && happens(s, next))
			reach(w, at, i, w->cost[at]);
		else if (next->reads_from == at && next->thread != s->thread)
			reach(w, at, i, w->cost[at] + price(w, at, i));
	}
}

/* Finds the cheapest paths from the call to all steps. */
static void find_ways(struct way *w, const struct lp_call_span *from)
{
	w->begin = from;
	for (uint32_t i = 0; i < w->count; i++) {
		w->cost[i] = is_within(&w->steps[i], from) ? 0 : FAR;
		w->from[i] = i;
		w->done[i] = false;
	}
	for (;;) {
		uint32_t best = FAR;
		for (uint32_t i = 0; i < w->count; i++)
			if (!w->done[i] && w->cost[i] != FAR && (best == FAR || w->cost[i] < w->cost[best]))
				best = i;
		if (best == FAR)
			return;
		w->done[best] = true;
		go_on(w, best);
	}
}

/* Where the cheapest path enters the call.  Among several such reads, the one that reads the latest write is best:
 * that write comes at the end of the other call. */
static uint32_t find_end(struct way *w, const struct lp_call_span *to)
{
	uint32_t end = FAR;

	for (uint32_t i = 0; i < w->count; i++) {
		const uint32_t from = w->steps[i].reads_from;
		if (!is_within(&w->steps[i], to))
			continue;
		if (from < w->count && w->steps[from].thread != to->thread && w->cost[from] != FAR &&
		    w->cost[from] + price(w, from, i) <= w->cost[i]) {
			w->cost[i] = w->cost[from] + price(w, from, i);
			w->from[i] = from;
		}
		if (w->cost[i] == FAR)
			continue;
		const bool reads = w->from[i] == from;
		if (end == FAR || w->cost[i] < w->cost[end] ||
		    (w->cost[i] == w->cost[end] && reads && from > w->from[end]))
			end = i;
	}
	return end;
}

static const char *order_word(unsigned order)
{
	static const char *const words[] = {
		[LP_PLAIN] = "plain",     [LP_RLX] = "relaxed",    [LP_ACQ] = "acquire",
		[LP_REL] = "release",     [LP_ACQREL] = "acq_rel", [LP_SC] = "seq_cst",
	};
	return words[order];
}

/* Describes one read on the path that does not synchronise. */
static void say_gap(const struct way *w, uint32_t read, char *text, size_t size)
{
	const uint32_t write = w->from[read];
	const struct lp_step *r = &w->steps[read], *s = &w->steps[write];
	const bool released = publishes(w, &w->steps[w->from[write]], s), taken = takes(w, r);
	const size_t used = strlen(text);

	snprintf(text + used, size - used, "%sT%u reads at %s (%s%s) what T%u wrote at %s (%s%s)",
		 used ? "; " : "", (unsigned)r->thread, r->where ? r->where : "?", order_word(read_order(r)),
		 taken ? "" : ": acquire is needed", (unsigned)s->thread, s->where ? s->where : "?",
		 order_word(s->op.order), released ? "" : ": release is needed");
}

/* Follows the path backwards, so that the first step is described first. */
static void say_gaps(const struct way *w, uint32_t at, char *text, size_t size)
{
	if (w->from[at] == at)
		return;
	say_gaps(w, w->from[at], text, size);
	if (w->cost[at] > w->cost[w->from[at]])
		say_gap(w, at, text, size);
}

/* Returns false if there is no path, even with the strongest orders. */
static bool find_gaps(const struct lp_exploration *e, const struct lp_call_span *from, const struct lp_call_span *to,
		      struct lp_arena *arena, char *text, size_t size)
{
	const uint32_t n = e->step_count;
	struct way w = {
		.steps = e->steps, .count = n,
		.cost = lp_arena_alloc(arena, sizeof *w.cost * (n + 1)),
		.from = lp_arena_alloc(arena, sizeof *w.from * (n + 1)),
		.done = lp_arena_alloc(arena, sizeof *w.done * (n + 1)),
	};

	find_ways(&w, from);
	const uint32_t end = find_end(&w, to);
	text[0] = '\0';
	if (end != FAR)
		say_gaps(&w, end, text, size);
	return text[0];
}

const char *lp_gap_text(const struct lp_exploration *e, const struct lp_judge *j,
			struct lp_arena *arena)
{
	const uint32_t pre = j->observation.count - j->calls.count;
	const struct lp_call_span *from = &j->calls.at[j->why.from - pre], *to = &j->calls.at[j->why.to - pre];
	char text[512];

	if (!find_gaps(e, from, to, arena, text, sizeof text))
		snprintf(text, sizeof text, "T%u reads nothing that T%u, or a thread after it, wrote", to->thread,
			 from->thread);
	return lp_arena_strdup(arena, text);
}

/* ---- races ---- */

/* Events that its thread had performed before the party's access. */
static uint32_t index_of(const struct lp_exploration *e, const struct lp_party *p)
{
	return p->step != LP_STEP_NONE ? e->steps[p->step].event : e->plains[p->plain].index;
}

static bool is_known(const struct lp_party *p)
{
	return p->step != LP_STEP_NONE || p->plain != LP_STEP_NONE;
}

/* The name of the memory, without what is known besides. */
static int name_length(const char *location)
{
	const char *remark = strstr(location, " (");

	return (int)(remark ? (size_t)(remark - location) : strlen(location));
}

const char *lp_gap_race(const struct lp_exploration *e, struct lp_arena *arena)
{
	struct lp_party first, second;
	const char *location = e->location ? e->location : "the memory";
	const lp_tid earlier = e->error.other_thread, later = e->thread;
	char gaps[512], text[1024];

	if (!lp_convert_race_parties(e, &first, &second))
		return NULL;
	const struct lp_call_span from = { .thread = earlier, .first = is_known(&first) ? index_of(e, &first) : 0,
				      .end = UINT32_MAX };
	const struct lp_call_span to = { .thread = later, .first = 0, .end = index_of(e, &second) };
	if (find_gaps(e, &from, &to, arena, gaps, sizeof gaps))
		snprintf(text, sizeof text, "T%u knows of T%u's access to %.*s, but is not ordered after it: %s", later,
			 earlier, name_length(location), location, gaps);
	else
		snprintf(text, sizeof text, "nothing orders the two accesses to %.*s: before its own, T%u reads nothing "
			 "that T%u writes after its. A lock that both hold would order them; so would a store with "
			 "release by T%u after its access, and a load with acquire by T%u that waits for it",
			 name_length(location), location, later, earlier, earlier, later);
	return lp_arena_strdup(arena, text);
}
