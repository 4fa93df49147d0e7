/* client_graph.c -- candidates with a client's messages; see client_graph.h. */
#include "client_graph.h"

#include <string.h>

enum { THREADS = CLIENT_THREADS, NOWHERE = 255 };

enum { IDS = 1024 };

/* The graph's events and locations in terms of the candidate. */
struct names {
	unsigned of[IDS];      /* by event */
	unsigned initial[IDS]; /* by location: its initial write */
};

/* ---- the graph as it is ---- */

static bool is_event(const struct lp_event *e)
{
	return e->kind != LP_EV_END && !lp_event_chooses(e);
}

static bool is_access(const struct lp_event *e)
{
	return e->kind == LP_EV_READ || e->kind == LP_EV_WRITE;
}

/* The write of an RMW is one event with the read before it. */
static bool is_own_event(const struct lp_event *e)
{
	return is_event(e) && !(e->kind == LP_EV_WRITE && e->rmw);
}

/* Events, initial writes, and messages: a write for every call, and reads where one call comes
 * directly after another one, of which n calls have at most n * n / 4. */
bool client_graph_fits(const struct lp_graph *g, const struct lp_calls *calls)
{
	bool met[IDS] = { false };
	uint32_t count = calls->count + calls->count * calls->count / 4;

	if (g->threads.count > THREADS || g->ev.count > IDS || g->locs.count > IDS)
		return false;
	for (lp_eid id = 0; id < g->ev.count; id++) {
		const struct lp_event *e = lp_graph_event(g, id);
		count += is_own_event(e);
		count += is_access(e) && !met[e->loc];
		if (is_access(e))
			met[e->loc] = true;
	}
	return count <= MAX_EVENTS;
}

static void put_event(struct candidate *c, struct names *names, lp_eid id, const struct lp_event *e)
{
	const bool read = e->kind == LP_EV_READ, write = e->kind == LP_EV_WRITE;

	if (!is_own_event(e)) {
		struct axiom_event *u = &c->event[c->count - 1];
		u->writes = true;
		if (lp_order_releases(e->order) && u->order != e->order)
			u->order = u->order == LP_RLX ? e->order : LP_ACQREL;
		names->of[id] = c->count - 1;
		return;
	}
	names->of[id] = c->count;
	c->event[c->count++] = (struct axiom_event){
		.reads = read, .writes = write, .fence = e->kind == LP_EV_FENCE,
		.locked = e->locked,
		.barrier = e->kind == LP_EV_SPAWN || e->kind == LP_EV_JOIN,
		.order = read || write || e->kind == LP_EV_FENCE ? e->order : LP_PLAIN,
		.loc = read || write ? e->loc : UINT32_MAX,
		.thread = e->thread,
	};
}

static void put_thread(struct client_graph *k, struct names *names, lp_tid thread)
{
	const struct lp_thread *t = &k->g->threads.at[thread];
	struct candidate *c = &k->plain;
	const unsigned begin = c->count;

	for (uint32_t i = 0; i <= t->count; i++) {
		for (uint32_t a = 0; a < k->calls->count; a++) {
			if (k->calls->at[a].thread == thread && k->calls->at[a].first == i)
				k->earlier[a] = k->thread[thread];
			if (k->calls->at[a].thread == thread && k->calls->at[a].end == i)
				k->through[a] = k->thread[thread];
		}
		if (i == t->count || !is_event(lp_graph_event(k->g, t->at[i])))
			continue;
		put_event(c, names, t->at[i], lp_graph_event(k->g, t->at[i]));
		k->thread[thread] |= set_of(c->count - 1);
	}
	for (unsigned i = begin; i < c->count; i++)
		for (unsigned j = i + 1; j < c->count; j++)
			rel_add(&c->po, i, j);
}

static void relate_threads(struct client_graph *k, const struct names *names)
{
	for (unsigned l = 0; l < k->locations; l++)
		for (unsigned i = k->locations; i < k->plain.count; i++)
			rel_add(&k->plain.sync, l, i);
	for (lp_eid id = 0; id < k->g->ev.count; id++) {
		const struct lp_event *e = lp_graph_event(k->g, id);
		if (e->kind == LP_EV_SPAWN)
			k->plain.sync.row[names->of[id]] |= k->thread[e->target];
		for (unsigned i = 0; i < k->plain.count && e->kind == LP_EV_JOIN; i++)
			if (in(k->thread[e->target], i))
				rel_add(&k->plain.sync, i, names->of[id]);
	}
}

static void relate_accesses(struct client_graph *k, const struct names *names)
{
	struct candidate *c = &k->plain;

	for (lp_eid id = 0; id < k->g->ev.count; id++) {
		const struct lp_event *e = lp_graph_event(k->g, id);
		if (e->kind == LP_EV_READ && e->rf != LP_NO_EVENT)
			rel_add(&c->rf, e->rf == LP_INIT ? names->initial[e->loc] : names->of[e->rf], names->of[id]);
	}
	for (uint32_t l = 0; l < k->g->locs.count; l++) {
		const struct lp_loc *loc = &k->g->locs.at[l];
		for (uint32_t i = 0; i < loc->co.count; i++) {
			rel_add(&c->co, names->initial[l], names->of[loc->co.at[i]]);
			for (uint32_t j = i + 1; j < loc->co.count; j++)
				rel_add(&c->co, names->of[loc->co.at[i]], names->of[loc->co.at[j]]);
		}
	}
}

/* Of the locations that there are events on. */
static void put_initial_writes(struct client_graph *k, struct names *names)
{
	bool met[IDS] = { false };

	for (lp_eid id = 0; id < k->g->ev.count; id++) {
		const struct lp_event *e = lp_graph_event(k->g, id);
		if (!is_access(e) || met[e->loc])
			continue;
		met[e->loc] = true;
		names->initial[e->loc] = k->plain.count;
		k->plain.event[k->plain.count++] = (struct axiom_event){
			.writes = true, .order = LP_PLAIN, .loc = e->loc, .thread = UINT32_MAX };
	}
	k->locations = k->plain.count;
}

void client_graph_open(struct client_graph *k, const struct lp_graph *g, const struct lp_calls *calls,
		       enum lp_model model)
{
	struct names names;

	memset(k, 0, sizeof *k);
	k->g = g;
	k->calls = calls;
	k->model = model;
	put_initial_writes(k, &names);
	for (lp_tid t = 0; t < g->threads.count; t++)
		put_thread(k, &names, t);
	relate_threads(k, &names);
	relate_accesses(k, &names);
}

/* ---- with an order on the calls ---- */

struct ordered {
	const struct client_graph *k;
	const uint32_t *before;
	uint8_t behind[THREADS];    /* the thread that it is put behind, or NOWHERE */
	uint32_t sends[LP_CALLS];   /* bit a: the call a comes directly after it, and has to be told */
	struct candidate c;
	set thread[THREADS];        /* the events of each, messages included */
};

static bool covers(const struct ordered *o, uint32_t b, uint32_t a)
{
	bool between = false;

	for (uint32_t m = 0; m < o->k->calls->count; m++)
		between |= o->before[a] >> m & 1 && o->before[m] >> b & 1;
	return o->before[a] >> b & 1 && !between;
}

/* Calls of one thread, or of threads of which one is directly behind the other, need no words. */
static void find_senders(struct ordered *o)
{
	const struct lp_calls *calls = o->k->calls;

	memset(o->sends, 0, sizeof o->sends);
	for (uint32_t b = 0; b < calls->count; b++)
		for (uint32_t a = 0; a < calls->count; a++) {
			const uint32_t from = calls->at[b].thread, to = calls->at[a].thread;
			if (from != to && o->behind[to] != from && covers(o, b, a))
				o->sends[b] |= UINT32_C(1) << a;
		}
}

/* A write or read of b's mailbox, after the events `earlier` of the graph, and the messages
 * there are, of that thread.  Messages are read as they were written. */
static void put_message(struct ordered *o, uint32_t b, bool write, lp_tid thread, set earlier)
{
	const uint32_t locs = o->k->g->locs.count;
	const unsigned u = o->c.count++;
	const set later = o->k->thread[thread] & ~earlier;

	o->c.event[u] = (struct axiom_event){ .writes = write, .reads = !write, .thread = thread,
					      .order = write ? LP_REL : LP_ACQ, .loc = locs + b };
	for (set rest = o->thread[thread] & ~later; set_any(rest); rest = set_rest(rest))
		rel_add(&o->c.po, set_first(rest), u);
	o->c.po.row[u] = later;
	o->thread[thread] |= set_of(u);
	for (unsigned l = 0; l < o->k->locations; l++)
		rel_add(&o->c.sync, l, u);
	for (unsigned m = o->k->plain.count; m < u; m++) {
		if (o->c.event[m].loc != locs + b)
			continue;
		if (o->c.event[m].writes)
			rel_add(&o->c.rf, m, u);
		else if (write)
			rel_add(&o->c.rf, u, m);
	}
}

/* Calls are in the order in which their threads make them. */
static void put_messages(struct ordered *o)
{
	const struct lp_calls *calls = o->k->calls;

	for (uint32_t a = 0; a < calls->count; a++) {
		const lp_tid thread = calls->at[a].thread;
		for (uint32_t b = 0; b < calls->count; b++)
			if (o->sends[b] >> a & 1)
				put_message(o, b, false, thread, o->k->earlier[a]);
		if (o->sends[a])
			put_message(o, a, true, thread, o->k->through[a]);
	}
}

/* The events of the threads behind this one come after those of it. */
static void put_behind(struct ordered *o, lp_tid thread, set earlier)
{
	for (set rest = earlier; set_any(rest); rest = set_rest(rest))
		o->c.po.row[set_first(rest)] |= o->thread[thread];
	for (lp_tid u = 0; u < o->k->g->threads.count; u++)
		if (o->behind[u] == thread)
			put_behind(o, u, earlier | o->thread[thread]);
}

static bool is_execution(struct ordered *o)
{
	o->c = o->k->plain;
	memcpy(o->thread, o->k->thread, sizeof o->thread);
	find_senders(o);
	put_messages(o);
	for (lp_tid t = 0; t < o->k->g->threads.count; t++)
		if (o->behind[t] == NOWHERE)
			put_behind(o, t, SET_NONE);
	return axioms_possible(&o->c, o->k->model);
}

/* May all of thread t come after all of thread u?  If their calls are ordered like that. */
static bool may_go_behind(const struct ordered *o, lp_tid t, lp_tid u)
{
	const struct lp_calls *calls = o->k->calls;
	bool fits = t && u && t != u, any_t = false, any_u = false;

	for (uint32_t a = 0; a < calls->count; a++) {
		any_t |= calls->at[a].thread == t;
		any_u |= calls->at[a].thread == u;
		for (uint32_t b = 0; b < calls->count; b++)
			if (calls->at[a].thread == t && calls->at[b].thread == u)
				fits &= o->before[a] >> b & 1;
	}
	for (lp_tid v = 0; v < o->k->g->threads.count; v++)
		fits &= o->behind[v] != u;
	return fits && any_t && any_u;
}

/* With threads from t on behind others, in every way. */
static bool is_execution_somehow(struct ordered *o, lp_tid t)
{
	if (t == o->k->g->threads.count)
		return is_execution(o);
	for (lp_tid u = 0; u < o->k->g->threads.count; u++) {
		if (!may_go_behind(o, t, u))
			continue;
		o->behind[t] = (uint8_t)u;
		if (is_execution_somehow(o, t + 1))
			return true;
		o->behind[t] = NOWHERE;
	}
	return is_execution_somehow(o, t + 1);
}

bool client_graph_possible(const struct client_graph *k, const uint32_t *before)
{
	struct ordered o;

	o.k = k;
	o.before = before;
	memset(o.behind, NOWHERE, sizeof o.behind);
	return k->model == LP_MODEL_TSO ? is_execution_somehow(&o, 1) : is_execution(&o);
}

/* Does a call of the thread come directly after one of that other thread? */
static bool comes_directly_after(const struct ordered *o, lp_tid t, lp_tid u)
{
	const struct lp_calls *calls = o->k->calls;

	for (uint32_t a = 0; a < calls->count; a++)
		for (uint32_t b = 0; b < calls->count; b++)
			if (calls->at[a].thread == t && calls->at[b].thread == u && covers(o, b, a))
				return true;
	return false;
}

bool client_graph_possible_in_threads(const struct client_graph *k, const uint32_t *before)
{
	struct ordered o;

	o.k = k;
	o.before = before;
	memset(o.behind, NOWHERE, sizeof o.behind);
	for (lp_tid t = 0; t < k->g->threads.count; t++)
		for (lp_tid u = 0; u < k->g->threads.count && o.behind[t] == NOWHERE; u++)
			if (may_go_behind(&o, t, u) && comes_directly_after(&o, t, u))
				o.behind[t] = (uint8_t)u;
	return is_execution(&o);
}

/* ---- what is impossible for good ---- */

/* tso: of two calls that a client orders it keeps in order what it keeps of two calls of one thread,
 * at least: a message from the one to the other orders all of it.  So all ways to arrange the calls
 * have what is ordered here; and a larger order has more of it. */
static bool is_execution_at_best(struct ordered *o)
{
	const struct lp_calls *calls = o->k->calls;

	o->c = o->k->plain;
	o->c.early = true;
	for (uint32_t a = 0; a < calls->count; a++)
		for (uint32_t b = 0; b < calls->count; b++) {
			if (!(o->before[a] >> b & 1))
				continue;
			set rest = o->k->through[b] & ~o->k->earlier[b];
			for (; set_any(rest); rest = set_rest(rest))
				o->c.po.row[set_first(rest)] |= o->k->through[a] & ~o->k->earlier[a];
		}
	return axioms_possible(&o->c, o->k->model);
}

bool client_graph_hopeful(const struct client_graph *k, const uint32_t *before)
{
	struct ordered o;

	o.k = k;
	o.before = before;
	memset(o.behind, NOWHERE, sizeof o.behind);
	return k->model == LP_MODEL_TSO ? is_execution_at_best(&o) : is_execution(&o);
}
