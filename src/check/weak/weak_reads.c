/* weak_reads.c -- builds the rows and trees of weak_reads.h, and the edges that items require. */
#include "check/weak/weak_reads.h"

#include <string.h>

void lp_weak_reads_open(struct lp_weak_reads *r, const struct lp_weak_calls *w, unsigned guarantees, bool settles)
{
	*r = (struct lp_weak_reads){ .w = w, .guarantees = guarantees, .settles = settles };
	r->first = lp_alloc(sizeof *r->first * ((size_t)w->keys + 2));
	r->of = lp_alloc(sizeof *r->of * ((size_t)w->updates.count + 1));
	r->returned = lp_alloc_zero((size_t)w->updates.count + 1, sizeof *r->returned);
	for (uint32_t u = 0; u < w->updates.count; u++)
		r->returned[u + 1] = r->returned[u] + !w->updates.at[u].is_pending;
}

void lp_weak_reads_close(struct lp_weak_reads *r)
{
	lp_free(r->at);
	lp_free(r->first);
	lp_free(r->of);
	lp_free(r->returned);
	*r = (struct lp_weak_reads){ 0 };
}

/* Is it the first read of the update in its session?  Reads come by session. */
static bool is_first(const struct lp_weak_reads *r, uint32_t update, uint32_t call)
{
	const uint32_t before = r->of[update];

	return before == LP_NO_OP || r->w->calls[before].session != r->w->calls[call].session;
}

void lp_weak_reads_fill(struct lp_weak_reads *r, const uint32_t *source)
{
	const struct lp_weak_calls *w = r->w;
	const uint32_t items = w->items.count;

	/* Twice: to count those of a key, then to put them there.  `of` has the last call that read an update, meanwhile. */
	memset(r->first, 0, sizeof *r->first * ((size_t)w->keys + 2));
	memset(r->of, 0xff, sizeof *r->of * w->updates.count);
	r->count = 0;
	for (uint32_t i = 0; i < items; i++)
		if (source[i] < LP_OPEN && is_first(r, source[i], w->items.at[i].call)) {
			r->first[w->updates.at[source[i]].key + 2]++;
			r->of[source[i]] = w->items.at[i].call;
			r->count++;
		}
	for (uint32_t k = 2; k <= w->keys; k++)
		r->first[k] += r->first[k - 1];
	const uint32_t count = r->count;
	r->count = 0;
	LP_RESERVE(r, count + 1);
	r->count = count;
	memset(r->of, 0xff, sizeof *r->of * w->updates.count);
	for (uint32_t i = 0; i < items; i++)
		if (source[i] < LP_OPEN && is_first(r, source[i], w->items.at[i].call)) {
			r->at[r->first[w->updates.at[source[i]].key + 1]++] =
				(struct lp_weak_read){ source[i], w->items.at[i].call, LP_NO_OP };
			r->of[source[i]] = w->items.at[i].call;
		}
	memset(r->of, 0xff, sizeof *r->of * w->updates.count);
	for (uint32_t i = r->count; i-- > 0;) {
		r->at[i].next = r->of[r->at[i].update];
		r->of[r->at[i].update] = i;
	}
	r->uses_trees = false;
}

/* Nodes: calls, twice; after each update, those of its session on the key; after each update, all on the key; after each
 * read, those of its session on the key; a tree over the updates; a tree over the reads. */
struct layout {
	uint32_t own, all, read, updates, reads, nodes;
};

static struct layout layout_of(const struct lp_weak_reads *r)
{
	const uint32_t updates = r->w->updates.count;
	struct layout l = { .own = 2 * r->w->count };

	l.all = l.own + updates;
	l.read = l.all + updates;
	l.updates = l.read + r->count;
	l.reads = l.updates + 2 * updates;
	l.nodes = l.reads + 2 * r->count;
	return l;
}

/* The reads that demand edges, and the node and session that these lead to. */
struct demand {
	struct lp_weak_reads *r;
	struct lp_weak_edges *edges;
	uint32_t to, session;
	bool any;
};

static void demand_node(struct demand *d, uint32_t from)
{
	if (d->to != LP_NO_OP)
		LP_PUSH(d->edges, (struct lp_weak_edge){ from, d->to, d->session });
}

/* All from number `low` to `high` - 1 of a tree that has `count` leaves. */
static void demand_tree(struct demand *d, uint32_t tree, uint32_t count, uint32_t low, uint32_t high)
{
	for (low += count, high += count; low < high; low /= 2, high /= 2) {
		if (low & 1)
			demand_node(d, tree + low++);
		if (high & 1)
			demand_node(d, tree + --high);
	}
	d->r->uses_trees = true;
}

/* From `low` to `high` - 1, but for `hole` if that is one of them. */
struct stretch {
	uint32_t low, high, hole;
};

static void demand_row(struct demand *d, uint32_t row, uint32_t tree, uint32_t leaves, struct stretch s)
{
	if (s.low >= s.high)
		return;
	d->any = true;
	if (s.hole == LP_NO_OP || s.hole < s.low || s.hole >= s.high) {
		demand_node(d, row + s.high - 1);
		return;
	}
	if (s.hole > s.low)
		demand_node(d, row + s.hole - 1);
	if (s.hole + 1 < s.high)
		demand_tree(d, tree, leaves, s.hole + 1, s.high);
}

/* The first read of the key that is not before call `call`; calls are by session. */
static uint32_t first_read(const struct lp_weak_reads *r, uint32_t key, uint32_t call)
{
	uint32_t low = r->first[key], high = r->first[key + 1];

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (r->at[middle].call < call)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static uint32_t first_update(const struct lp_weak_calls *w, uint32_t key, uint32_t call)
{
	uint32_t low = w->first_update[key], high = w->first_update[key + 1];

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (w->updates.at[middle].call < call)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Where a session has read the update, among low .. high - 1. */
static uint32_t hole_of(const struct lp_weak_reads *r, uint32_t update, uint32_t low, uint32_t high)
{
	uint32_t i = update < LP_OPEN ? r->of[update] : LP_NO_OP;

	while (i != LP_NO_OP && (i < low || i >= high))
		i = r->at[i].next;
	return i;
}

bool lp_weak_reads_demand(struct lp_weak_reads *r, uint32_t call, const uint32_t *clock, uint32_t key, uint32_t source,
			  struct lp_weak_edges *edges)
{
	const struct lp_weak_calls *w = r->w;
	const uint32_t session = w->calls[call].session, hole = source < LP_OPEN ? source : LP_NO_OP;
	const struct layout l = layout_of(r);
	struct demand d = { r, edges, hole == LP_NO_OP ? LP_NO_OP : w->updates.at[source].call, session, hole != LP_NO_OP };

	if (r->guarantees & LP_RYW)
		demand_row(&d, l.own, l.updates, w->updates.count,
			   (struct stretch){ first_update(w, key, w->first_call[session]), first_update(w, key, call), hole });
	if (w->calls[call].is_final && r->returned[w->first_update[key + 1]] > r->returned[w->first_update[key]])
		demand_row(&d, l.all, l.updates, w->updates.count,
			   (struct stretch){ w->first_update[key], w->first_update[key + 1], hole });
	for (uint32_t t = 0; t < w->sessions; t++) {
		if (!clock[t])
			continue;
		const uint32_t low = first_read(r, key, w->first_call[t]);
		const uint32_t high = first_read(r, key, w->first_call[t] + clock[t]);
		demand_row(&d, l.read, l.reads, r->count, (struct stretch){ low, high, hole_of(r, source, low, high) });
	}
	return d.any;
}

static void add(struct lp_weak_edges *edges, uint32_t from, uint32_t to)
{
	LP_PUSH(edges, (struct lp_weak_edge){ .from = from, .to = to });
}

static void add_tree(struct lp_weak_edges *edges, uint32_t tree, uint32_t leaves)
{
	for (uint32_t i = 2; i < 2 * leaves; i++)
		add(edges, tree + i, tree + i / 2);
}

static void add_updates(const struct lp_weak_reads *r, const struct layout *l, uint32_t session,
			struct lp_weak_edges *edges)
{
	const struct lp_weak_calls *w = r->w;

	for (uint32_t u = 0; u < w->updates.count; u++) {
		const struct lp_weak_update *at = &w->updates.at[u];
		const bool same_key = u && at[-1].key == at->key;
		if (at->session == session && (r->guarantees & LP_RYW)) {
			add(edges, at->call, l->own + u);
			if (same_key && at[-1].session == session)
				add(edges, l->own + u - 1, l->own + u);
		}
		if (r->settles && !at->is_pending)
			add(edges, at->call, l->all + u);
		if (r->settles && same_key)
			add(edges, l->all + u - 1, l->all + u);
		if (r->uses_trees && !at->is_pending)
			add(edges, at->call, l->updates + w->updates.count + u);
	}
	if (r->uses_trees)
		add_tree(edges, l->updates, w->updates.count);
}

uint32_t lp_weak_reads_nodes(const struct lp_weak_reads *r, uint32_t session, struct lp_weak_edges *edges)
{
	const struct lp_weak_calls *w = r->w;
	const struct layout l = layout_of(r);

	if ((r->guarantees & LP_RYW) || r->settles)
		add_updates(r, &l, session, edges);
	for (uint32_t i = 0; i < r->count; i++) {
		const struct lp_weak_read *at = &r->at[i];
		const uint32_t its = w->calls[at->call].session;
		if (its != session && !(r->guarantees & LP_WFR))
			continue;
		add(edges, w->updates.at[at->update].call, l.read + i);
		if (i > r->first[w->updates.at[at->update].key] && w->calls[at[-1].call].session == its)
			add(edges, l.read + i - 1, l.read + i);
		if (r->uses_trees)
			add(edges, w->updates.at[at->update].call, l.reads + r->count + i);
	}
	if (r->uses_trees)
		add_tree(edges, l.reads, r->count);
	return l.nodes;
}
