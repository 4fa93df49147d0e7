/* weak_infer.c -- computes the least V, and finds contradictions. */
#include "check/weak/weak_infer.h"

#include <stdlib.h>

static const char circle[] = "calls depend on each other in a circle";
static const char thin_air[] = "what is read was never written, or only later in the same session";
static const char initially[] = "the first value is read where an update has been seen";
static const char overwritten[] = "a value is read although a write that the call has seen overwrites it";
static const char session_order[] = "no order of the updates explains all that a session reads";
static const char common_order[] = "no common order of the updates explains all that is read";
static const char counting[] = "the updates that a call can have seen do not add up to what it reads";

/* The first update of by-session rows `low` .. `high` - 1 that is not before number `place` of the session. */
static uint32_t first_from(const struct lp_weak_calls *w, uint32_t low, uint32_t high, uint32_t session, uint32_t place)
{
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		const struct lp_weak_update *u = &w->updates.at[middle];
		if (u->session < session || (u->session == session && u->place < place))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t lp_view_list(const struct lp_views *v, const uint32_t *clock, uint32_t key, uint32_t *list)
{
	const struct lp_weak_calls *w = v->w;
	const uint32_t end = w->first_update[key + 1];
	uint32_t count = 0;

	for (uint32_t at = w->first_update[key]; at < end;) {
		const uint32_t session = w->updates.at[at].session;
		const uint32_t past = first_from(w, at, end, session, clock[session]);
		if (past > at)
			list[count++] = past - 1;
		at = first_from(w, past, end, session, UINT32_MAX);
	}
	return count;
}

uint64_t lp_view_sum(const struct lp_views *v, const uint32_t *row, bool *any)
{
	uint64_t sum = 0;

	*any = false;
	for (uint32_t u = 0; u < v->w->updates.count; u++)
		if (lp_view_has(v, row, u)) {
			sum += (uint64_t)v->w->updates.at[u].value;
			*any = true;
		}
	return sum;
}

void lp_weak_graph_open(struct lp_weak_graph *g, uint32_t nodes, const struct lp_weak_edge *edges, uint32_t count)
{
	*g = (struct lp_weak_graph){ .nodes = nodes };
	g->first = lp_alloc_zero((size_t)nodes + 2, sizeof *g->first);
	g->before = lp_alloc_zero((size_t)nodes + 1, sizeof *g->before);
	g->next = lp_alloc(sizeof *g->next * ((size_t)count + 1));
	g->ready = lp_alloc(sizeof *g->ready * ((size_t)nodes + 1));
	for (uint32_t i = 0; i < count; i++) {
		g->first[edges[i].from + 2]++;
		g->before[edges[i].to]++;
	}
	for (uint32_t n = 2; n <= nodes; n++)
		g->first[n] += g->first[n - 1];
	for (uint32_t i = 0; i < count; i++)
		g->next[g->first[edges[i].from + 1]++] = edges[i].to;
	for (uint32_t n = 0; n < nodes; n++)
		if (!g->before[n])
			g->ready[g->ready_count++] = n;
}

void lp_weak_graph_close(struct lp_weak_graph *g)
{
	lp_free(g->first);
	lp_free(g->next);
	lp_free(g->before);
	lp_free(g->ready);
}

uint32_t lp_weak_graph_next(struct lp_weak_graph *g)
{
	if (g->done == g->ready_count)
		return LP_NO_OP;
	const uint32_t n = g->ready[g->done++];
	for (uint32_t i = g->first[n]; i < g->first[n + 1]; i++)
		if (!--g->before[g->next[i]])
			g->ready[g->ready_count++] = g->next[i];
	return n;
}

static bool is_acyclic(uint32_t nodes, const struct lp_weak_edge *edges, uint32_t count)
{
	struct lp_weak_graph g;

	lp_weak_graph_open(&g, nodes, edges, count);
	while (lp_weak_graph_next(&g) != LP_NO_OP)
		;
	const bool acyclic = g.done == nodes;
	lp_weak_graph_close(&g);
	return acyclic;
}

/* Is it a counter? */
static bool adds(const struct lp_weak_calls *w)
{
	bool sums = false;

	for (uint32_t c = 0; c < w->count && !sums; c++)
		sums = w->calls[c].sums;
	return sums;
}

void lp_weak_infer_open(struct lp_weak_inference *f, const struct lp_weak_calls *w, const struct lp_weak *weak)
{
	*f = (struct lp_weak_inference){ .w = w, .weak = weak, .guarantees = weak->guarantees };
	if ((f->guarantees & LP_RYW) && (f->guarantees & LP_WFR))
		f->guarantees |= LP_MW; /* weak_reads.h */
	f->by_reads = !(f->guarantees & LP_MW) && !adds(w);
	f->views = lp_views_of(w, f->by_reads || (f->guarantees & LP_MW));
	if (f->by_reads)
		lp_weak_reads_open(&f->reads, w, f->guarantees, weak->settles);
	f->source = lp_alloc(sizeof *f->source * ((size_t)w->items.count + 1));
	f->not_initially = lp_alloc_zero((size_t)w->items.count + 1, sizeof *f->not_initially);
	for (uint32_t i = 0; i < w->items.count; i++)
		f->source[i] = LP_OPEN;
	f->closure = lp_views_alloc(&f->views, w->updates.count);
	f->own = lp_views_alloc(&f->views, w->sessions);
	f->last = lp_views_alloc(&f->views, w->sessions);
	f->met = lp_views_alloc(&f->views, w->sessions + 1); /* the last one is for the call at hand */
	f->all = lp_views_alloc(&f->views, 1);
	f->short_view = lp_views_alloc(&f->views, 1);
	f->list = lp_alloc(sizeof *f->list * ((size_t)w->updates.count + 1));
	for (uint32_t u = 0; u < w->updates.count; u++)
		if (!w->updates.at[u].is_pending && !f->by_reads)
			lp_view_add(&f->views, f->all, u);
}

void lp_weak_infer_close(struct lp_weak_inference *f)
{
	lp_free(f->source);
	lp_free(f->not_initially);
	lp_free(f->guesses.at);
	lp_free(f->closure);
	lp_free(f->own);
	lp_free(f->last);
	lp_free(f->met);
	lp_free(f->all);
	lp_free(f->short_view);
	lp_free(f->list);
	lp_free(f->edges.at);
	lp_weak_reads_close(&f->reads);
}

uint32_t lp_weak_next_source(const struct lp_weak_inference *f, uint32_t item, uint32_t *at)
{
	const struct lp_weak_calls *w = f->w;
	const struct lp_weak_item *i = &w->items.at[item];

	for (; i->key == LP_ANY_KEY && *at < w->updates.count; (*at)++)
		if (!w->updates.at[*at].erases && !lp_weak_is_later(w, *at, i->call))
			return (*at)++;
	if (i->key == LP_ANY_KEY)
		return LP_OPEN;
	const uint32_t first = i->to[0] - i->from[0], both = first + i->to[1] - i->from[1];

	for (; *at < both; (*at)++) {
		const uint32_t u = w->by_value[*at < first ? i->from[0] + *at : i->from[1] + *at - first];
		if (!lp_weak_is_later(w, u, i->call)) {
			(*at)++;
			return u;
		}
	}
	if (*at == both && i->initially && !f->not_initially[item]) {
		(*at)++;
		return LP_INITIALLY;
	}
	return LP_OPEN;
}

uint32_t lp_weak_item_key(const struct lp_weak_inference *f, uint32_t item)
{
	const uint32_t key = f->w->items.at[item].key;

	return key != LP_ANY_KEY || f->source[item] >= LP_OPEN ? key : f->w->updates.at[f->source[item]].key;
}

static void add_edge(struct lp_weak_edges *e, uint32_t from, uint32_t to)
{
	LP_PUSH(e, (struct lp_weak_edge){ .from = from, .to = to });
}

void lp_weak_dependences(const struct lp_weak_inference *f, struct lp_weak_edges *edges)
{
	const struct lp_weak_calls *w = f->w;

	for (uint32_t s = 0; s < w->sessions; s++)
		for (uint32_t c = w->first_call[s]; c + 1 < w->first_call[s + 1]; c++)
			add_edge(edges, c, c + 1);
	for (uint32_t u = 0; u < w->updates.count && f->weak->settles; u++)
		if (!w->updates.at[u].is_pending)
			add_edge(edges, w->updates.at[u].call, w->count);
	for (uint32_t c = 0; c < w->count && f->weak->settles; c++)
		if (w->calls[c].is_final)
			add_edge(edges, w->count, c);
	for (uint32_t i = 0; i < w->items.count; i++)
		if (f->source[i] < LP_OPEN)
			add_edge(edges, w->updates.at[f->source[i]].call, w->items.at[i].call);
	for (uint32_t i = 0; i < f->guesses.count; i++)
		if (f->guesses.at[i].seen)
			add_edge(edges, w->updates.at[f->guesses.at[i].update].call, f->guesses.at[i].call);
}

static uint32_t *row(const struct lp_weak_inference *f, uint32_t *rows, uint32_t at)
{
	return rows + (size_t)f->views.cells * at;
}

/* Adds the edges between updates that do not depend on sources.  Nodes are the calls, and for each call a second
 * node (+ count) for what its session has seen up to it. */
static void order_updates(const struct lp_weak_inference *f, struct lp_weak_edges *edges)
{
	const struct lp_weak_calls *w = f->w;
	const unsigned g = f->guarantees;

	for (uint32_t s = 0; s < w->sessions; s++) {
		uint32_t before = LP_NO_OP; /* the last update */
		for (uint32_t c = w->first_call[s]; c < w->first_call[s + 1]; c++) {
			const bool updates = w->calls[c].update != LP_NO_UPDATE;
			if ((g & LP_WFR) && c > w->first_call[s])
				add_edge(edges, w->count + c - 1, w->count + c);
			if ((g & LP_WFR) && (g & LP_RYW) && before != LP_NO_OP)
				add_edge(edges, before, w->count + c);
			if ((g & LP_WFR) && updates)
				add_edge(edges, w->count + c, c);
			if ((g & LP_MW) && updates && before != LP_NO_OP)
				add_edge(edges, before, c);
			before = updates ? c : before;
		}
	}
	for (uint32_t i = 0; (g & LP_WFR) && i < w->items.count; i++)
		if (f->source[i] < LP_OPEN)
			add_edge(edges, w->updates.at[f->source[i]].call, w->count + w->items.at[i].call);
}

/* Is there an order with the edges f->edges.at[from] .. [to - 1], which are of one session or of all? */
static bool can_be_ordered(const struct lp_weak_inference *f, uint32_t from, uint32_t to)
{
	struct lp_weak_edges edges = { 0 };

	if (from == to)
		return true;
	order_updates(f, &edges);
	const uint32_t nodes = f->by_reads ? lp_weak_reads_nodes(&f->reads, f->edges.at[from].session, &edges) :
					     2 * f->w->count;
	for (uint32_t i = from; i < to; i++)
		add_edge(&edges, f->edges.at[i].from, f->edges.at[i].to);
	const bool good = is_acyclic(nodes, edges.at, edges.count);
	lp_free(edges.at);
	return good;
}

/* The call has seen `row`: does the item fit?  It demands that all other updates on the key be before its source. */
static void look_at_item(struct lp_weak_inference *f, uint32_t item, const uint32_t *view)
{
	const struct lp_weak_calls *w = f->w;
	const struct lp_weak_item *i = &w->items.at[item];
	const uint32_t source = f->source[item], key = lp_weak_item_key(f, item);
	uint32_t count = 0;

	if (key != LP_ANY_KEY && f->by_reads)
		count = lp_weak_reads_demand(&f->reads, i->call, view, key, source, &f->edges);
	else if (key != LP_ANY_KEY)
		count = lp_view_list(&f->views, view, key, f->list);
	f->not_initially[item] |= count > 0;
	if (source == LP_INITIALLY && count)
		f->clash = initially;
	if (source >= LP_OPEN || f->by_reads)
		return;
	for (uint32_t j = 0; j < count; j++) {
		if (f->list[j] == source)
			continue;
		if ((f->guarantees & LP_WFR) && lp_view_has(&f->views, row(f, f->closure, f->list[j]), source))
			f->clash = overwritten; /* an update that is later in every order overwrites it */
		LP_PUSH(&f->edges, (struct lp_weak_edge){ .from = w->updates.at[f->list[j]].call,
							  .to = w->updates.at[source].call,
							  .session = w->calls[i->call].session });
	}
}

/* Do these updates add up to what the call says? */
static bool adds_up(const struct lp_weak_calls *w, const struct lp_weak_call *c, uint64_t sum, bool any)
{
	uint64_t value = (uint64_t)w->initial + sum + (uint64_t)c->own;

	if (w->modulus > 0 && (any || c->own)) { /* the specification counts modulo that */
		const int64_t rest = (int64_t)value % w->modulus;
		value = (uint64_t)(rest < 0 ? rest + w->modulus : rest);
	}
	return value == (uint64_t)c->sum;
}

/* If further updates can still make it add up, records that these must be guessed. */
static void look_at_sum(struct lp_weak_inference *f, uint32_t call, const uint32_t *view)
{
	const struct lp_weak_calls *w = f->w;
	bool any;
	const uint64_t have = lp_view_sum(&f->views, view, &any);
	const __int128 want = (__int128)w->calls[call].sum - w->calls[call].own - w->initial;
	__int128 low = (int64_t)have, high = low;

	if (adds_up(w, &w->calls[call], have, any))
		return;
	if (f->short_call == LP_NO_OP) {
		f->short_call = call;
		lp_view_copy(&f->views, f->short_view, view);
	}
	for (uint32_t u = 0; u < w->updates.count; u++) {
		const int64_t value = w->updates.at[u].value;
		bool excluded = lp_view_has(&f->views, view, u) || lp_weak_is_later(w, u, call);
		for (uint32_t i = 0; i < f->guesses.count && !excluded; i++) {
			const struct lp_weak_guess *g = &f->guesses.at[i];
			excluded = g->call == call && !g->seen && g->update == u;
		}
		*(value < 0 ? &low : &high) += excluded ? 0 : value;
	}
	if (!w->modulus && (low > want || high < want))
		f->clash = counting;
}

/* V of the call, in the last row of `met`. */
static const uint32_t *see(struct lp_weak_inference *f, uint32_t call)
{
	const struct lp_weak_calls *w = f->w;
	const struct lp_weak_call *c = &w->calls[call];
	const unsigned g = f->guarantees;
	uint32_t *view = row(f, f->met, w->sessions);

	lp_view_clear(&f->views, view);
	if (c->is_final && !f->by_reads)
		lp_view_join(&f->views, view, f->all);
	if ((g & LP_RYW) && !f->by_reads)
		lp_view_join(&f->views, view, row(f, f->own, c->session));
	if (g & LP_MR)
		lp_view_join(&f->views, view, row(f, f->last, c->session));
	for (uint32_t i = c->first_item; i < c->first_item + c->items; i++)
		if (f->source[i] < LP_OPEN)
			lp_view_join(&f->views, view, row(f, f->closure, f->source[i]));
	for (uint32_t i = 0; i < f->guesses.count; i++)
		if (f->guesses.at[i].call == call && f->guesses.at[i].seen)
			lp_view_join(&f->views, view, row(f, f->closure, f->guesses.at[i].update));
	for (uint32_t i = 0; i < f->guesses.count; i++)
		if (f->guesses.at[i].call == call && !f->guesses.at[i].seen &&
		    lp_view_has(&f->views, view, f->guesses.at[i].update))
			f->clash = counting;
	return view;
}

/* Looks at the items of a call; if each call has its own order, also at that order. */
static void look_at_call(struct lp_weak_inference *f, uint32_t call, const uint32_t *view)
{
	const struct lp_weak_call *c = &f->w->calls[call];
	const uint32_t edges = f->edges.count;

	for (uint32_t i = c->first_item; i < c->first_item + c->items && !f->clash; i++)
		look_at_item(f, i, view);
	if (c->sums && !f->clash)
		look_at_sum(f, call, view);
	if (f->weak->agreement != LP_EACH_CALL || c->is_final)
		return;
	if (c->items > 1 && !f->clash && !can_be_ordered(f, edges, f->edges.count))
		f->clash = overwritten;
	f->edges.count = edges;
}

/* The updates that are seen with this one. */
static void close_update(struct lp_weak_inference *f, uint32_t update)
{
	const uint32_t session = f->w->updates.at[update].session;
	const unsigned g = f->guarantees;
	uint32_t *closure = row(f, f->closure, update);

	lp_view_clear(&f->views, closure);
	if (g & LP_MW)
		lp_view_join(&f->views, closure, row(f, f->own, session));
	if (g & LP_WFR)
		lp_view_join(&f->views, closure, row(f, f->met, session));
	if (f->by_reads)
		return; /* that is all it is but itself */
	lp_view_add(&f->views, closure, update);
	lp_view_join(&f->views, row(f, f->own, session), closure);
}

/* Computes all views in one pass over the calls, each after the calls that it depends on. */
static bool infer_views(struct lp_weak_inference *f)
{
	const struct lp_weak_calls *w = f->w;
	struct lp_weak_edges edges = { 0 };
	struct lp_weak_graph g;
	uint32_t call;

	lp_weak_dependences(f, &edges);
	lp_weak_graph_open(&g, w->count + 1, edges.at, edges.count);
	lp_free(edges.at);
	memset(f->own, 0, sizeof *f->own * f->views.cells * w->sessions);
	memset(f->last, 0, sizeof *f->last * f->views.cells * w->sessions);
	memset(f->met, 0, sizeof *f->met * f->views.cells * w->sessions);
	f->edges.count = 0;
	f->short_call = LP_NO_OP;
	if (f->by_reads)
		lp_weak_reads_fill(&f->reads, f->source);
	while (!f->clash && (call = lp_weak_graph_next(&g)) != LP_NO_OP) {
		if (call == w->count)
			continue;
		const uint32_t session = w->calls[call].session;
		const uint32_t *view = see(f, call);
		look_at_call(f, call, view);
		lp_view_join(&f->views, row(f, f->met, session), view);
		lp_view_copy(&f->views, row(f, f->last, session), view);
		if (f->by_reads) /* what it has read has been seen from now on */
			row(f, f->met, session)[session] = row(f, f->last, session)[session] =
				call + 1 - w->first_call[session];
		if (w->calls[call].update != LP_NO_UPDATE)
			close_update(f, w->calls[call].update);
	}
	if (!f->clash && g.done < g.nodes)
		f->clash = circle;
	lp_weak_graph_close(&g);
	return !f->clash;
}

/* Sets the source of each item that has only one possible source left.  Returns true if there is such an item.  An
 * item without possible sources is a contradiction. */
static bool infer_sources(struct lp_weak_inference *f)
{
	bool found = false;

	for (uint32_t i = 0; i < f->w->items.count && !f->clash; i++) {
		uint32_t at = 0;
		if (f->source[i] != LP_OPEN)
			continue;
		const uint32_t source = lp_weak_next_source(f, i, &at);
		if (source == LP_OPEN)
			f->clash = f->not_initially[i] && f->w->items.at[i].initially ? initially : thin_air;
		else if (lp_weak_next_source(f, i, &at) == LP_OPEN) {
			f->source[i] = source;
			found = true;
		}
	}
	return found && !f->clash;
}

static int by_session(const void *a, const void *b)
{
	const struct lp_weak_edge *p = a, *q = b;

	return (p->session > q->session) - (p->session < q->session);
}

/* The demands of what is read, put together as far as calls have to agree. */
static bool orders_exist(struct lp_weak_inference *f)
{
	const uint32_t count = f->edges.count;

	if (f->weak->agreement != LP_EACH_SESSION) {
		if (!can_be_ordered(f, 0, count))
			f->clash = common_order;
		return !f->clash;
	}
	if (count)
		qsort(f->edges.at, count, sizeof *f->edges.at, by_session);
	for (uint32_t from = 0, to; from < count && !f->clash; from = to) {
		for (to = from; to < count && f->edges.at[to].session == f->edges.at[from].session; to++)
			;
		if (!can_be_ordered(f, from, to))
			f->clash = session_order;
	}
	return !f->clash;
}

bool lp_weak_infer(struct lp_weak_inference *f)
{
	f->clash = NULL;
	infer_sources(f);
	do
		if (f->clash || !infer_views(f) ||
		    (f->weak->agreement == LP_EACH_LINE ? !lp_weak_lines_exist(f) : !orders_exist(f)))
			return false;
	while (infer_sources(f));
	return !f->clash;
}
