/* calls_possible.c -- builds the execution of a client that orders the calls.
 *
 * If the relations of calls.h are not exact, this code decides: it builds the execution again,
 * event by event, adds the client's messages, and asks the model about each event.  It is enough to
 * try one order that agrees with po and rf: a graph is consistent if and only if its events can be
 * added in that order.
 */
#include "model/calls.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

struct builder {
	const struct lp_calls *calls;
	const struct lp_graph *from;
	const struct lp_model_class *model;
	const uint32_t *before;         /* bit b of before[a] is set: call b comes before call a */
	uint32_t follows[LP_CALLS];     /* the call that directly precedes it in its thread */
	struct lp_graph g;
	lp_eid *renamed;                /* by event of `from` */
	uint32_t *next;                 /* by thread of `from`: its next event */
	lp_eid message[LP_CALLS];       /* the write that is the message after each call */
	uint32_t end_of_main;
	bool discounts;                 /* partial locks order nothing, and the model is not asked */
};

#define NONE UINT32_MAX

static const struct lp_event *event_at(const struct builder *b, uint32_t thread, uint32_t index)
{
	LP_HOLDS(index < b->from->threads.at[thread].count);
	return lp_graph_event(b->from, b->from->threads.at[thread].at[index]);
}

/* The first function finds the call that begins with the event; the second one the call that has
 * ended when the event comes. */
static uint32_t call_beginning(const struct builder *b, uint32_t thread, uint32_t index)
{
	for (uint32_t a = 0; a < b->calls->count; a++)
		if (b->calls->at[a].thread == thread && b->calls->at[a].first == index)
			return a;
	return NONE;
}

static uint32_t call_ending(const struct builder *b, uint32_t thread, uint32_t index)
{
	for (uint32_t a = 0; a < b->calls->count; a++) {
		const struct lp_call_span *s = &b->calls->at[a];
		/* The message comes before the END of the thread, unless the END is the only event of the call. */
		const bool ends = s->end > s->first + 1 && event_at(b, s->thread, s->end - 1)->kind == LP_EV_END;
		if (s->thread == thread && s->end - (ends ? 1 : 0) == index)
			return a;
	}
	return NONE;
}

static bool has_calls(const struct builder *b, uint32_t thread)
{
	for (uint32_t a = 0; a < b->calls->count; a++)
		if (b->calls->at[a].thread == thread)
			return true;
	return false;
}

static bool has_followers(const struct builder *b, uint32_t call)
{
	for (uint32_t a = 0; a < b->calls->count; a++)
		if (b->before[a] >> call & 1)
			return true;
	return false;
}

/* The thread of the new graph to which the thread's events are added. */
static uint32_t place_of(const struct builder *b, uint32_t thread)
{
	for (uint32_t a = call_beginning(b, thread, 0); a != NONE && b->follows[a] != NONE;
	     a = call_beginning(b, thread, 0))
		thread = b->calls->at[b->follows[a]].thread;
	return thread;
}

/* Adds the event.  Returns false if the model forbids it at its place. */
static bool add(struct builder *b, struct lp_event *e)
{
	const bool access = lp_event_is_access(e);

	lp_graph_need_thread(&b->g, e->thread);
	e->index = b->g.threads.at[e->thread].count;
	if (access)
		lp_graph_need_loc(&b->g, e->loc);
	if (access && !b->discounts) {
		const uint32_t floor = lp_model_floor(b->model, &b->g, e, false);
		if (e->kind == LP_EV_READ ? lp_graph_pos(&b->g, e->rf) < floor : e->pos <= floor)
			return false;
	}
	LP_HOLDS(e->kind != LP_EV_READ || e->rf >= LP_INIT || b->g.ev.at[e->rf].loc == e->loc);
	LP_HOLDS(e->kind != LP_EV_WRITE || e->pos <= b->g.locs.at[e->loc].co.count + 1);
	const lp_eid id = lp_graph_add(&b->g, e);
	lp_model_synchronise(b->model, &b->g, id);
	return b->discounts || b->model->accepts(&b->g, id);
}

/* The position in co of a write among the writes that were already added. */
static uint32_t place_in_co(const struct builder *b, const struct lp_event *e)
{
	const struct lp_loc *loc = &b->from->locs.at[e->loc];
	uint32_t pos = 1;

	for (uint32_t p = 1; p < e->pos; p++)
		pos += b->renamed[loc->co.at[p - 1]] != LP_NO_EVENT;
	return pos;
}

static bool add_message(struct builder *b, uint32_t call, uint32_t thread)
{
	struct lp_event e = {
		.kind = LP_EV_WRITE, .thread = thread, .loc = b->from->locs.count + call, .pos = 1,
		.order = (uint8_t)b->model->order(LP_EV_WRITE, LP_REL), .rf = LP_NO_EVENT,
	};

	LP_HOLDS(b->message[call] == LP_NO_EVENT);
	b->message[call] = b->g.ev.count;
	return add(b, &e);
}

static bool receive(struct builder *b, uint32_t sender, uint32_t thread)
{
	struct lp_event e = {
		.kind = LP_EV_READ, .thread = thread, .loc = b->from->locs.count + sender,
		.order = (uint8_t)b->model->order(LP_EV_READ, LP_ACQ), .rf = b->message[sender],
	};

	LP_HOLDS(b->message[sender] != LP_NO_EVENT);
	return add(b, &e);
}

enum progress { ADDED, NOT_YET, IMPOSSIBLE };

static bool is_ready(const struct builder *b, uint32_t thread, uint32_t index)
{
	const struct lp_event *e = event_at(b, thread, index);
	const uint32_t call = call_beginning(b, thread, index);
	const lp_eid spawn = b->from->threads.at[thread].spawn;

	if (!index && spawn != LP_NO_EVENT && b->renamed[spawn] == LP_NO_EVENT)
		return false;
	for (uint32_t s = 0; call != NONE && s < b->calls->count; s++)
		if (b->before[call] >> s & 1 && b->message[s] == LP_NO_EVENT)
			return false;
	if (e->kind == LP_EV_READ && e->rf < LP_INIT && b->renamed[e->rf] == LP_NO_EVENT)
		return false;
	if (e->kind == LP_EV_JOIN) {
		const struct lp_thread *other = &b->from->threads.at[e->target];
		return other->count && b->next[e->target] == other->count;
	}
	return true;
}

static bool copy(struct builder *b, uint32_t thread, uint32_t place, uint32_t index)
{
	const lp_eid old = b->from->threads.at[thread].at[index];
	struct lp_event e = *lp_graph_event(b->from, old);

	LP_HOLDS(b->renamed[old] == LP_NO_EVENT); /* each event is copied once */
	e.thread = place;
	if (b->discounts && e.partial)
		e.order = LP_PLAIN; /* so that not even a fence makes it synchronise */
	if (e.kind == LP_EV_READ) {
		e.rf = e.rf < LP_INIT ? b->renamed[e.rf] : e.rf;
		lp_graph_need_loc(&b->g, e.loc);
		b->g.locs.at[e.loc].initial = b->from->locs.at[e.loc].initial;
	} else if (e.kind == LP_EV_WRITE) {
		e.pos = place_in_co(b, &e);
	}
	b->renamed[old] = b->g.ev.count;
	return add(b, &e);
}

/* Adds the next event of a thread, with the messages before it. */
static enum progress advance(struct builder *b, uint32_t thread)
{
	const uint32_t index = b->next[thread];
	const uint32_t begins = call_beginning(b, thread, index);
	const uint32_t place = place_of(b, thread);

	if (!is_ready(b, thread, index))
		return NOT_YET;
	for (uint32_t s = 0; begins != NONE && s < b->calls->count; s++)
		if (b->before[begins] >> s & 1 && b->follows[begins] != s && !receive(b, s, place))
			return IMPOSSIBLE;
	const struct lp_event *e = event_at(b, thread, index);
	/* If the calls of another thread may follow in this one, its END is not copied. */
	if (!(e->kind == LP_EV_END && has_calls(b, thread)) && !copy(b, thread, place, index))
		return IMPOSSIBLE;
	b->next[thread]++;
	if (e->kind == LP_EV_READ && e->rmw) {
		if (!copy(b, thread, place, index + 1))
			return IMPOSSIBLE;
		b->next[thread]++;
	}
	const uint32_t ended = call_ending(b, thread, b->next[thread]);
	if (ended != NONE && has_followers(b, ended) && b->message[ended] == LP_NO_EVENT &&
	    !add_message(b, ended, place))
		return IMPOSSIBLE;
	return ADDED;
}

/* The number of events of thread 0 that matter: those before it begins to wait for the calls. */
static uint32_t end_of_main(const struct builder *b)
{
	const struct lp_thread *t = &b->from->threads.at[0];
	const lp_eid spawn = b->from->threads.at[b->calls->at[0].thread].spawn;
	uint32_t i = spawn == LP_NO_EVENT ? 0 : lp_graph_event(b->from, spawn)->index;

	while (i < t->count && lp_graph_event(b->from, t->at[i])->kind != LP_EV_JOIN)
		i++;
	return i;
}

static bool build(struct builder *b)
{
	const struct lp_graph *from = b->from;
	bool more = true, done = true;

	lp_graph_clear(&b->g);
	memset(b->renamed, 0xff, sizeof *b->renamed * (from->ev.count + 1));
	memset(b->next, 0, sizeof *b->next * from->threads.count);
	memset(b->message, 0xff, sizeof b->message);
	while (more) {
		more = false;
		for (uint32_t t = 0; t < from->threads.count; t++) {
			const uint32_t end = t ? from->threads.at[t].count : b->end_of_main;
			while (b->next[t] < end) {
				const enum progress p = advance(b, t);
				if (p == IMPOSSIBLE)
					return false;
				if (p == NOT_YET)
					break;
				more = true;
			}
		}
	}
	for (uint32_t t = 0; t < from->threads.count; t++)
		done &= b->next[t] == (t ? from->threads.at[t].count : b->end_of_main);
	LP_VALID(!done || lp_graph_validate(&b->g));
	return done;
}

static bool is_immediate(const struct builder *b, uint32_t first, uint32_t then)
{
	for (uint32_t m = 0; m < b->calls->count; m++)
		if (b->before[then] >> m & 1 && b->before[m] >> first & 1)
			return false;
	return true;
}

/* Can the two calls be in one thread, one directly after the other? */
static bool can_follow(const struct builder *b, uint32_t first, uint32_t then)
{
	const struct lp_call_span *f = &b->calls->at[first];

	if (!(b->before[then] >> first & 1) || b->calls->at[then].first ||
	    f->end != b->from->threads.at[f->thread].count || !is_immediate(b, first, then))
		return false;
	for (uint32_t a = 0; a < b->calls->count; a++)
		if (b->follows[a] == first)
			return false;
	return true;
}

/* Tries all ways to put each call from `a` on after another call in the same thread. */
static bool build_chains(struct builder *b, uint32_t a)
{
	if (a == b->calls->count)
		return build(b);
	for (uint32_t first = 0; first < b->calls->count; first++) {
		if (!can_follow(b, first, a))
			continue;
		LP_HOLDS(b->follows[a] == NONE && first != a);
		b->follows[a] = first;
		if (build_chains(b, a + 1))
			return true;
		b->follows[a] = NONE;
	}
	return build_chains(b, a + 1);
}

/* Puts each call after another one in the same thread, if there is one that it can follow.  Calls are placed in an order in which each
 * comes after those before it. */
static void follow_in_threads(struct builder *b)
{
	const uint32_t n = b->calls->count;
	uint32_t done = 0;

	for (uint32_t placed = 0; placed < n; placed++) {
		uint32_t a = 0;
		while (done >> a & 1 || b->before[a] & ~done)
			a++;
		LP_HOLDS(a < n);
		done |= UINT32_C(1) << a;
		for (uint32_t first = 0; first < n && b->follows[a] == NONE; first++)
			if (can_follow(b, first, a))
				b->follows[a] = first;
	}
}

static void open_builder(struct builder *b)
{
	memset(b->follows, 0xff, sizeof b->follows);
	b->renamed = lp_alloc(sizeof *b->renamed * (b->from->ev.count + 1));
	b->next = lp_alloc(sizeof *b->next * (b->from->threads.count + 1));
	b->end_of_main = end_of_main(b);
	lp_graph_open(&b->g);
}

static void close_builder(struct builder *b)
{
	lp_graph_close(&b->g);
	lp_free(b->next);
	lp_free(b->renamed);
}

bool lp_calls_possible(const struct lp_calls *calls, const struct lp_graph *g,
		       const struct lp_model_class *model, const uint32_t *before)
{
	struct builder b = { .calls = calls, .from = g, .model = model, .before = before };

	for (uint32_t a = 0; a < calls->count; a++)
		LP_HOLDS(!(before[a] >> a & 1));
	open_builder(&b);
	const bool possible = model == &lp_model_tso ? build_chains(&b, 0) : build(&b);
	close_builder(&b);
	return possible;
}

bool lp_calls_possible_in_threads(const struct lp_calls *calls, const struct lp_graph *g,
				  const struct lp_model_class *model, const uint32_t *before)
{
	struct builder b = { .calls = calls, .from = g, .model = model, .before = before };

	open_builder(&b);
	follow_in_threads(&b);
	const bool possible = build(&b);
	close_builder(&b);
	return possible;
}

void lp_calls_discount(struct lp_calls *c, const struct lp_graph *g, const struct lp_model_class *model)
{
	const uint32_t none[LP_CALLS] = { 0 };
	struct builder b = { .calls = c, .from = g, .model = model, .before = none, .discounts = true };

	open_builder(&b);
	build(&b);
	for (uint32_t to = 0; to < c->count; to++) {
		/* The ends of threads are not copied. */
		const struct lp_call_span *s = &c->at[to];
		const struct lp_thread *t = s->thread < b.g.threads.count ? &b.g.threads.at[s->thread] : NULL;
		const uint32_t end = !t ? 0 : s->end < t->count ? s->end : t->count;
		const uint32_t *clock = end > s->first ? lp_graph_clock(&b.g, t->at[end - 1], LP_CLOCK_HB) : NULL;
		for (uint32_t from = 0; from < c->count; from++)
			if (from != to && !(clock && clock[c->at[from].thread] > c->at[from].first))
				c->given[from] &= ~(UINT32_C(1) << to);
	}
	close_builder(&b);
}
