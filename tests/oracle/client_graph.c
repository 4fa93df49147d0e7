/* client_graph.c -- candidates with a client's messages; see client_graph.h. */
#include "client_graph.h"

#include "axioms.h"

#include <string.h>

enum { THREADS = 8, NOWHERE = 255 };

struct client {
	const struct lp_graph *g;
	const struct lp_calls *calls;
	enum lp_model model;
	const uint32_t *before;
	uint8_t behind[THREADS]; /* the thread that it is put behind, or NOWHERE */
	struct candidate c;
	unsigned of[MAX_EVENTS]; /* by event of the graph: that of the candidate */
	unsigned row[MAX_EVENTS], row_count; /* all but initial writes, threads in po */
	lp_tid thread[MAX_EVENTS]; /* by event of the candidate: where it is now */
};

/* Events, initial writes, a write and reads for every call. */
bool client_graph_fits(const struct lp_graph *g, const struct lp_calls *calls)
{
	return g->threads.count <= THREADS &&
	       g->ev.count + g->locs.count + calls->count * (calls->count + 1) / 2 <= MAX_EVENTS;
}

static bool covers(const struct client *k, uint32_t b, uint32_t a)
{
	bool between = false;

	for (uint32_t m = 0; m < k->calls->count; m++)
		between |= k->before[a] >> m & 1 && k->before[m] >> b & 1;
	return k->before[a] >> b & 1 && !between;
}

/* Are they in threads of which one is directly behind the other? */
static bool is_behind(const struct client *k, uint32_t b, uint32_t a)
{
	return k->behind[k->calls->at[a].thread] == k->calls->at[b].thread;
}

/* b comes directly before a, and has to say so. */
static bool sends(const struct client *k, uint32_t b, uint32_t a)
{
	const bool same = k->calls->at[a].thread == k->calls->at[b].thread;

	return covers(k, b, a) && !same && !is_behind(k, b, a);
}

static unsigned put(struct client *k, struct axiom_event e, lp_tid thread)
{
	const unsigned i = k->c.count++;

	e.thread = thread;
	k->c.event[i] = e;
	k->thread[i] = thread;
	k->row[k->row_count++] = i;
	return i;
}

static void put_event(struct client *k, lp_eid id, lp_tid thread)
{
	const struct lp_event *e = lp_graph_event(k->g, id);
	const bool read = e->kind == LP_EV_READ, write = e->kind == LP_EV_WRITE;

	if (e->kind == LP_EV_END || e->kind == LP_EV_CHOOSE)
		return;
	if (write && e->rmw) { /* one event, with the read before it */
		const unsigned u = k->row[k->row_count - 1];
		k->c.event[u].writes = true;
		if (lp_order_releases(e->order) && k->c.event[u].order != e->order)
			k->c.event[u].order = k->c.event[u].order == LP_RLX ? e->order : LP_ACQREL;
		k->of[id] = u;
		return;
	}
	k->of[id] = put(k, (struct axiom_event){
			.reads = read, .writes = write, .fence = e->kind == LP_EV_FENCE,
			.locked = e->locked,
			.barrier = e->kind == LP_EV_SPAWN || e->kind == LP_EV_JOIN,
			.order = read || write || e->kind == LP_EV_FENCE ? e->order : LP_PLAIN,
			.loc = read || write ? e->loc : UINT32_MAX,
		}, thread);
}

static uintptr_t mailbox(const struct client *k, uint32_t call)
{
	return k->g->locs.count + call;
}

/* A thread's events with the messages, as events of the thread `as`. */
static void put_thread(struct client *k, lp_tid thread, lp_tid as)
{
	const struct lp_thread *t = &k->g->threads.at[thread];

	for (uint32_t i = 0; i <= t->count; i++) {
		for (uint32_t b = 0; b < k->calls->count; b++) {
			bool heard = false;
			for (uint32_t a = 0; a < k->calls->count; a++)
				heard |= sends(k, b, a);
			if (heard && k->calls->at[b].thread == thread && k->calls->at[b].end == i)
				put(k, (struct axiom_event){ .writes = true, .order = LP_REL,
							     .loc = mailbox(k, b) }, as);
		}
		for (uint32_t a = 0; a < k->calls->count; a++)
			for (uint32_t b = 0; b < k->calls->count; b++)
				if (k->calls->at[a].thread == thread && k->calls->at[a].first == i &&
				    sends(k, b, a))
					put(k, (struct axiom_event){ .reads = true, .order = LP_ACQ,
								     .loc = mailbox(k, b) }, as);
		if (i < t->count)
			put_event(k, t->at[i], as);
	}
	for (lp_tid u = 0; u < k->g->threads.count; u++)
		if (k->behind[u] == thread)
			put_thread(k, u, as);
}

static void relate_order(struct client *k)
{
	const unsigned inits = k->g->locs.count;

	for (unsigned i = 0; i < k->row_count; i++) {
		for (unsigned l = 0; l < inits; l++)
			rel_add(&k->c.sync, l, k->row[i]);
		for (unsigned j = i + 1; j < k->row_count; j++)
			if (k->thread[k->row[i]] == k->thread[k->row[j]])
				rel_add(&k->c.po, k->row[i], k->row[j]);
	}
	for (lp_eid id = 0; id < k->g->ev.count; id++) {
		const struct lp_event *e = lp_graph_event(k->g, id);
		if (e->kind != LP_EV_SPAWN && e->kind != LP_EV_JOIN)
			continue;
		const struct lp_thread *t = &k->g->threads.at[e->target];
		for (uint32_t i = 0; i < t->count; i++) {
			const uint8_t kind = lp_graph_event(k->g, t->at[i])->kind;
			if (kind == LP_EV_END || kind == LP_EV_CHOOSE)
				continue;
			if (e->kind == LP_EV_SPAWN)
				rel_add(&k->c.sync, k->of[id], k->of[t->at[i]]);
			else
				rel_add(&k->c.sync, k->of[t->at[i]], k->of[id]);
		}
	}
}

static void relate_accesses(struct client *k)
{
	for (lp_eid id = 0; id < k->g->ev.count; id++) {
		const struct lp_event *e = lp_graph_event(k->g, id);
		if (e->kind == LP_EV_READ && e->rf != LP_NO_EVENT)
			rel_add(&k->c.rf, e->rf == LP_INIT ? e->loc : k->of[e->rf], k->of[id]);
	}
	for (uint32_t l = 0; l < k->g->locs.count; l++) {
		const struct lp_loc *loc = &k->g->locs.at[l];
		for (uint32_t i = 0; i < loc->co.count; i++) {
			rel_add(&k->c.co, l, k->of[loc->co.at[i]]);
			for (uint32_t j = i + 1; j < loc->co.count; j++)
				rel_add(&k->c.co, k->of[loc->co.at[i]], k->of[loc->co.at[j]]);
		}
	}
	/* Messages are read as they were written. */
	for (unsigned r = 0; r < k->c.count; r++)
		for (unsigned w = 0; w < k->c.count; w++) {
			const struct axiom_event *er = &k->c.event[r], *ew = &k->c.event[w];
			if (er->reads && ew->writes && er->loc == ew->loc && er->loc >= k->g->locs.count)
				rel_add(&k->c.rf, w, r);
		}
}

static bool is_execution(struct client *k)
{
	memset(&k->c, 0, sizeof k->c);
	k->row_count = 0;
	for (uint32_t l = 0; l < k->g->locs.count; l++)
		k->c.event[k->c.count++] = (struct axiom_event){ .writes = true, .order = LP_PLAIN,
								 .loc = l, .thread = UINT32_MAX };
	for (lp_tid t = 0; t < k->g->threads.count; t++)
		if (k->behind[t] == NOWHERE)
			put_thread(k, t, t);
	relate_order(k);
	relate_accesses(k);
	axioms_prepare(&k->c, k->model);
	return axioms_consistent(&k->c, k->model);
}

/* May all of thread t come after all of thread u?  If their calls are ordered like that. */
static bool may_go_behind(const struct client *k, lp_tid t, lp_tid u)
{
	bool ordered = t && u && t != u, any_t = false, any_u = false;

	for (uint32_t a = 0; a < k->calls->count; a++) {
		any_t |= k->calls->at[a].thread == t;
		any_u |= k->calls->at[a].thread == u;
		for (uint32_t b = 0; b < k->calls->count; b++)
			if (k->calls->at[a].thread == t && k->calls->at[b].thread == u)
				ordered &= k->before[a] >> b & 1;
	}
	for (lp_tid v = 0; v < k->g->threads.count; v++)
		ordered &= k->behind[v] != u;
	return ordered && any_t && any_u;
}

/* With threads from t on behind others, in every way. */
static bool is_execution_somehow(struct client *k, lp_tid t)
{
	if (t == k->g->threads.count)
		return is_execution(k);
	for (lp_tid u = 0; u < k->g->threads.count; u++) {
		if (!may_go_behind(k, t, u))
			continue;
		k->behind[t] = (uint8_t)u;
		if (is_execution_somehow(k, t + 1))
			return true;
		k->behind[t] = NOWHERE;
	}
	return is_execution_somehow(k, t + 1);
}

bool client_graph_possible(const struct lp_graph *g, const struct lp_calls *calls,
			   enum lp_model model, const uint32_t *before)
{
	struct client k = { .g = g, .calls = calls, .model = model, .before = before };

	memset(k.behind, NOWHERE, sizeof k.behind);
	return model == LP_MODEL_TSO ? is_execution_somehow(&k, 1) : is_execution(&k);
}
