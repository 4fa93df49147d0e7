/* build.c -- the edges that follow from what was read.
 *
 * The order of a list's versions is known as far as they were read.  Versions that were never read come later, in an
 * unknown order.  For a register, all versions come after the initial one, and the version that a transaction writes
 * comes after the one that it has read.  settle.c decides the rest.
 *
 * Every transaction that reads a version has an edge to every transaction that may have replaced the version.  Direct edges
 * would be too many, so they lead through an auxiliary node:
 *
 *     r1 --rw--.         .--> w1
 *     r2 --rw---> (aux) ----> w2
 *
 * Often one of the readers also replaces the version.  No edge may lead from this reader to itself.  So it has edges to the
 * other writers through a node of its own.  If several readers replace the version (a lost update), the first two have an
 * edge to each other.  No other edges start from the second of them and from later ones.
 */
#include "check/txn/txn_graph.h"

#include "check/sort.h"
#include "check/txn/facts.h"
#include "check/txn/groups.h"
#include "history/history.h"

struct builder {
	const struct lp_txn_facts *f;
	const struct lp_txn_wanted *wanted;
	struct lp_txn_graph *g;
	struct lp_txn_edges edges;
	struct {
		LP_VEC(int64_t);
	} times; /* of the nodes that are not transactions */
};

static bool is_in(const struct builder *b, uint32_t txn)
{
	return b->f->committed[txn] && (!b->wanted->among || b->wanted->among[txn]);
}

static bool wants(const struct builder *b, enum lp_txn_edge_kind kind)
{
	return b->wanted->kinds >> kind & 1;
}

static void add_edge(struct builder *b, uint32_t from, uint32_t to, enum lp_txn_edge_kind kind, uint32_t key)
{
	LP_PUSH(&b->edges, (struct lp_txn_edge){ from, to, key << 3 | (unsigned)kind });
}

static uint32_t new_node(struct builder *b, int64_t time)
{
	LP_PUSH(&b->times, time);
	return (b->g->txns << b->g->split) + b->times.count - 1;
}

/* An edge between transactions.  There is none if they are the same, or if one does not exist. */
static void relate(struct builder *b, uint32_t from, uint32_t to, enum lp_txn_edge_kind kind, uint32_t key)
{
	const bool reads = kind == LP_TXN_RW;

	if (from != to && wants(b, kind) && is_in(b, from) && is_in(b, to))
		add_edge(b, reads ? lp_txn_start_of(b->g, from) : lp_txn_commit_of(b->g, from),
			 reads ? lp_txn_commit_of(b->g, to) : lp_txn_start_of(b->g, to), kind, key);
}

/* A list's versions as far as they are known. */
static void order_spine(struct builder *b, uint32_t key)
{
	const struct lp_txn_facts *f = b->f;
	const uint32_t *spine = f->spine + f->spine_from[key];
	uint32_t before = LP_TXN_NONE;

	for (uint32_t i = 0; i < lp_txn_spine_length(f, key); i++) {
		const uint32_t txn = spine[i] == LP_TXN_NONE ? LP_TXN_NONE : f->versions.at[spine[i]].txn;
		if (txn == LP_TXN_NONE || !f->committed[txn])
			continue; /* nothing of it is there */
		if (before != LP_TXN_NONE)
			relate(b, before, txn, LP_TXN_WW, key);
		before = txn;
	}
}

/* The last that is known of a list, or LP_TXN_NONE. */
static uint32_t last_of_spine(const struct lp_txn_facts *f, uint32_t key)
{
	const uint32_t *spine = f->spine + f->spine_from[key];

	for (uint32_t i = lp_txn_spine_length(f, key); i-- > 0;)
		if (spine[i] != LP_TXN_NONE && f->committed[f->versions.at[spine[i]].txn])
			return spine[i];
	return LP_TXN_NONE;
}

/* The transactions that have read the last known version of a key.  One or more of them may be loose writers
 * (groups.h). */
struct last_readers {
	uint32_t first, second; /* readers that write the key, too; LP_TXN_NONE: none */
	uint32_t node;          /* readers -> node -> all writers */
	uint32_t after_first;   /* `first` -> that -> all writers but `first` */
};

static void note_reader(struct builder *b, struct last_readers *l, const struct lp_txn_read *r)
{
	if (r->writes) {
		if (l->first == LP_TXN_NONE)
			l->first = r->txn;
		else if (l->second == LP_TXN_NONE && l->first != r->txn)
			l->second = r->txn;
		return;
	}
	if (l->node == LP_TXN_NONE)
		l->node = new_node(b, INT64_MIN);
	add_edge(b, lp_txn_start_of(b->g, r->txn), l->node, LP_TXN_RW, r->key);
}

/* Adds rw edges: to the next version in the list, and to the first transaction that has read the same version and then
 * written. */
static void order_reads(struct builder *b, struct last_readers *readers)
{
	const struct lp_txn_facts *f = b->f;
	uint32_t *writer = lp_alloc_zero((size_t)f->versions.count + 1, sizeof *writer);

	for (uint32_t i = 0; i < f->reads.count; i++)
		if (f->reads.at[i].version != LP_TXN_NONE && f->reads.at[i].writes && is_in(b, f->reads.at[i].txn) &&
		    !writer[f->reads.at[i].version])
			writer[f->reads.at[i].version] = f->reads.at[i].txn + 1;
	for (uint32_t i = 0; i < f->reads.count; i++) {
		const struct lp_txn_read *r = &f->reads.at[i];
		const bool is_list = f->is_list[r->key];
		const uint32_t *spine = f->spine + f->spine_from[r->key];
		if (r->version != LP_TXN_NONE)
			relate(b, f->versions.at[r->version].txn, r->txn, LP_TXN_WR, r->key);
		if (!wants(b, LP_TXN_RW) || !is_in(b, r->txn))
			continue;
		if (r->version == (is_list ? last_of_spine(f, r->key) : LP_TXN_NONE)) {
			note_reader(b, &readers[r->key], r);
		} else if (is_list) {
			const uint32_t next = spine[r->version == LP_TXN_NONE ? 0 : f->versions.at[r->version].pos + 1];
			relate(b, r->txn, f->versions.at[next].txn, LP_TXN_RW, r->key);
		} else if (writer[r->version]) {
			relate(b, r->txn, writer[r->version] - 1, LP_TXN_RW, r->key);
		}
	}
	lp_free(writer);
}

static void order_loose(struct builder *b, struct last_readers *readers)
{
	const struct lp_txn_facts *f = b->f;
	uint32_t count;
	struct lp_txn_writer *groups = lp_txn_loose_writers(f, &count);

	for (uint32_t i = 0; i < count; i++) {
		const uint32_t key = groups[i].key, txn = groups[i].txn;
		struct last_readers *l = &readers[key];
		if (!is_in(b, txn))
			continue;
		const uint32_t last = f->is_list[key] ? last_of_spine(f, key) : LP_TXN_NONE;
		if (last != LP_TXN_NONE)
			relate(b, f->versions.at[last].txn, txn, LP_TXN_WW, key);
		if (l->node != LP_TXN_NONE)
			add_edge(b, l->node, lp_txn_commit_of(b->g, txn), LP_TXN_VIA, key);
		if (l->first == LP_TXN_NONE || l->first == txn)
			continue;
		if (l->after_first == LP_TXN_NONE) {
			l->after_first = new_node(b, INT64_MIN);
			add_edge(b, lp_txn_start_of(b->g, l->first), l->after_first, LP_TXN_RW, key);
		}
		add_edge(b, l->after_first, lp_txn_commit_of(b->g, txn), LP_TXN_VIA, key);
		if (l->second == txn)
			relate(b, txn, l->first, LP_TXN_RW, key);
	}
	lp_free(groups);
}

static void order_versions(struct builder *b)
{
	const uint32_t keys = b->f->t->keys.count;
	struct last_readers *readers = lp_alloc(sizeof *readers * ((size_t)keys + 1));

	for (uint32_t key = 0; key < keys; key++) {
		readers[key] = (struct last_readers){ LP_TXN_NONE, LP_TXN_NONE, LP_TXN_NONE, LP_TXN_NONE };
		order_spine(b, key);
	}
	order_reads(b, readers);
	order_loose(b, readers);
	lp_free(readers);
}

/* Orders the transactions of each thread.  One that has not returned may take effect at any time after its start. */
static void order_threads(struct builder *b)
{
	const struct lp_history *h = b->f->h;
	struct lp_keyed *at = lp_txn_by_thread(h);

	for (uint32_t i = 0, before = LP_TXN_NONE; i < h->count; i++) {
		if (i && at[i].key != at[i - 1].key)
			before = LP_TXN_NONE;
		if (!is_in(b, at[i].id))
			continue;
		if (before != LP_TXN_NONE)
			relate(b, before, at[i].id, LP_TXN_SO, 0);
		if (!lp_call_is_pending(&h->at[at[i].id]))
			before = at[i].id;
	}
	lp_free(at);
}

/* Adds a chain of moments.  A transaction that has ended comes before the next moment; one that starts after a moment
 * follows it. */
static void order_times(struct builder *b)
{
	const struct lp_history *h = b->f->h;
	struct lp_keyed *at = lp_alloc(sizeof *at * (2 * (size_t)h->count + 1));
	uint32_t count = 0, moment = LP_TXN_NONE;
	bool passed = false; /* something has started since the moment */

	for (uint32_t i = 0; i < h->count; i++) {
		if (!is_in(b, i))
			continue;
		at[count++] = (struct lp_keyed){ lp_call_moment(h, &h->at[i], false), i << 1 };
		if (!lp_call_is_pending(&h->at[i]))
			at[count++] = (struct lp_keyed){ lp_call_moment(h, &h->at[i], true), i << 1 | 1 };
	}
	lp_sort_keyed(at, count);
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t txn = at[i].id >> 1;
		if (!(at[i].id & 1)) {
			passed = true;
			if (moment != LP_TXN_NONE)
				add_edge(b, moment, lp_txn_start_of(b->g, txn), LP_TXN_VIA, 0);
			continue;
		}
		if (moment == LP_TXN_NONE || passed) {
			const uint32_t next = new_node(b, h->at[txn].end);
			if (moment != LP_TXN_NONE)
				add_edge(b, moment, next, LP_TXN_VIA, 0);
			moment = next;
			passed = false;
		}
		add_edge(b, lp_txn_commit_of(b->g, txn), moment, LP_TXN_RT, 0);
	}
	lp_free(at);
}

/* The edges by their beginnings. */
static void sort_edges(struct builder *b)
{
	struct lp_txn_graph *g = b->g;
	uint32_t *next = lp_alloc_zero((size_t)g->nodes + 2, sizeof *next);

	g->arcs = lp_alloc(sizeof *g->arcs * ((size_t)b->edges.count + 1));
	for (uint32_t i = 0; i < b->edges.count; i++)
		next[b->edges.at[i].from + 2]++;
	for (uint32_t v = 0; v < g->nodes; v++)
		next[v + 2] += next[v + 1];
	for (uint32_t i = 0; i < b->edges.count; i++)
		g->arcs[next[b->edges.at[i].from + 1]++] =
			(struct lp_txn_arc){ b->edges.at[i].to, b->edges.at[i].what };
	g->first = next;
}

void lp_txn_graph_open(struct lp_txn_graph *g, const struct lp_txn_facts *f, const struct lp_txn_wanted *wanted)
{
	struct builder b = { .f = f, .wanted = wanted, .g = g };

	*g = (struct lp_txn_graph){ .split = wanted->split, .txns = f->h->count };
	order_versions(&b);
	if (wants(&b, LP_TXN_SO))
		order_threads(&b);
	if (wants(&b, LP_TXN_RT))
		order_times(&b);
	for (uint32_t i = 0; wanted->extra && i < wanted->extra->count; i++) {
		const struct lp_txn_edge *e = &wanted->extra->at[i];
		relate(&b, e->from, e->to, lp_txn_kind(e->what), e->what >> 3);
	}
	for (uint32_t i = 0; g->split && i < g->txns; i++)
		if (is_in(&b, i))
			add_edge(&b, lp_txn_start_of(g, i), lp_txn_commit_of(g, i), LP_TXN_VIA, 0);
	g->nodes = (g->txns << g->split) + b.times.count;
	g->times = b.times.at;
	sort_edges(&b);
	lp_free(b.edges.at);
}
