/* settle.c -- the search for an order.
 *
 * The search begins with an order that the edges allow, and that is close to the order in time.  Two things can be wrong
 * with this order:
 *
 *     r reads the version of w, but w' writes the key between w and r.  So w' must come before w, or after r;
 *     (snapshot isolation) a and b write the same key, and overlap.  So a must commit before b starts, or b before a starts.
 *
 * Each of these requires a choice between two edges.  Every correct order contains one of the two.  The search adds one of
 * them, which moves the nodes between its ends, and repeats this until nothing is wrong.  If the edge closes a cycle, the
 * search adds the other one instead.  If that edge closes a cycle, too, the search goes back to the last choice that added
 * an edge of these cycles (Prosser, "Hybrid algorithms for the constraint satisfaction problem", 1993: conflict-directed
 * backjumping).  If there is no such choice, there is no order.
 *
 * If one edge of a choice closes a cycle independently of earlier choices, the other edge follows from the history, and
 * is kept.  If this other edge closes a cycle, too, that cycle is reported.
 *
 * A transaction is one node, or has a node for its start, where it reads, and one for its commit, where it writes.  The
 * search is the same for both.
 */
#include "check/txn/settle.h"

#include <stdlib.h>
#include <time.h>

#include "base/alloc.h"
#include "base/error.h"
#include "check/txn/facts.h"
#include "check/txn/groups.h"
#include "check/txn/txn_order.h"
#include "history/history.h"

enum { OFTEN = 1 << 10 };

struct choice {
	struct lp_txn_edge either, or; /* between nodes; what: the edge between transactions that it is */
};

struct decision {
	struct lp_txn_edge other;
	bool has_other;                 /* it was not tried yet */
	struct lp_txn_decisions reason; /* why the other one is impossible */
};

struct key_group {
	uint32_t writers, writer_count, reads, read_count; /* where they are */
};

struct settle {
	const struct lp_txn_facts *f;
	const struct lp_txn_graph *g;
	const struct lp_txn_limits *limits;
	struct lp_txn_edges *derived;
	struct lp_txn_order order;
	int64_t *weight;
	struct key_group *keys;
	struct lp_txn_writer *writers;  /* by key */
	uint32_t *reads;                /* of registers, by key */
	bool *is_due;                   /* by key: something on it has changed places since it was judged */
	struct lp_txn_decisions due;    /* these keys */
	struct {
		LP_VEC(struct choice);
	} choices;
	struct {
		LP_VEC(struct decision);
	} decisions; /* number d is at d - 1 */
	uint64_t asked;
	bool is_over;                   /* interrupted, or out of time */
};

double lp_txn_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool goes_on(struct settle *s)
{
	if (++s->asked % OFTEN == 0 &&
	    ((s->limits->until > 0 && lp_txn_clock() > s->limits->until) ||
	     (s->limits->steps && s->order.steps > s->limits->steps) ||
	     (s->limits->go_on && !s->limits->go_on(s->limits->closure, s->order.steps))))
		s->is_over = true;
	return !s->is_over;
}

static void weigh(struct settle *s)
{
	const struct lp_history *h = s->f->h;
	const struct lp_txn_graph *g = s->g;

	s->weight = lp_alloc(sizeof *s->weight * ((size_t)g->nodes + 1));
	for (uint32_t t = 0; t < g->txns; t++) {
		s->weight[lp_txn_start_of(g, t)] = h->at[t].start;
		s->weight[lp_txn_commit_of(g, t)] = lp_call_is_pending(&h->at[t]) ? h->at[t].start : h->at[t].end;
	}
	for (uint32_t v = g->txns << g->split; v < g->nodes; v++)
		s->weight[v] = g->times[v - (g->txns << g->split)];
}

static bool is_open(const struct lp_txn_facts *f, const struct lp_txn_read *r)
{
	return !f->is_list[r->key] && r->version != LP_TXN_NONE;
}

static void group_writers(struct settle *s)
{
	uint32_t count;

	s->writers = lp_txn_loose_writers(s->f, &count);
	for (uint32_t i = count; i-- > 0;) {
		s->keys[s->writers[i].key].writers = i;
		s->keys[s->writers[i].key].writer_count++;
	}
}

static void group_reads(struct settle *s)
{
	const struct lp_txn_facts *f = s->f;
	uint32_t sum = 0;

	for (uint32_t i = 0; i < f->reads.count; i++)
		s->keys[f->reads.at[i].key].read_count += is_open(f, &f->reads.at[i]);
	for (uint32_t key = 0; key < f->t->keys.count; key++) {
		s->keys[key].reads = sum;
		sum += s->keys[key].read_count;
		s->keys[key].read_count = 0;
	}
	s->reads = lp_alloc(sizeof *s->reads * ((size_t)sum + 1));
	for (uint32_t i = 0; i < f->reads.count; i++) {
		struct key_group *k = &s->keys[f->reads.at[i].key];
		if (is_open(f, &f->reads.at[i]))
			s->reads[k->reads + k->read_count++] = i;
	}
}

struct placed {
	uint32_t place, txn;
};

static int compare_placed(const void *a, const void *b)
{
	const struct placed *p = a, *q = b;

	return (p->place > q->place) - (p->place < q->place);
}

static struct placed *sort_writers(const struct settle *s, const struct key_group *k, bool by_start)
{
	struct placed *at = lp_alloc(sizeof *at * ((size_t)k->writer_count + 1));

	for (uint32_t i = 0; i < k->writer_count; i++) {
		const uint32_t txn = s->writers[k->writers + i].txn;
		at[i].txn = txn;
		at[i].place = s->order.place[by_start ? lp_txn_start_of(s->g, txn) : lp_txn_commit_of(s->g, txn)];
	}
	qsort(at, k->writer_count, sizeof *at, compare_placed);
	return at;
}

static struct lp_txn_edge edge(uint32_t from, uint32_t to, enum lp_txn_edge_kind kind, uint32_t key)
{
	return (struct lp_txn_edge){ from, to, key << 3 | (unsigned)kind };
}

/* Tries the edge first that is closer to the order in time. */
static void add_choice(struct settle *s, struct lp_txn_edge a, struct lp_txn_edge b, bool a_first)
{
	LP_PUSH(&s->choices, a_first ? (struct choice){ a, b } : (struct choice){ b, a });
}

/* The last that wrote before a reader must be the one that it read from. */
static void judge_reads(struct settle *s, uint32_t key)
{
	const struct key_group *k = &s->keys[key];
	const struct lp_txn_graph *g = s->g;
	struct placed *writers = sort_writers(s, k, false);

	for (uint32_t i = 0; i < k->read_count; i++) {
		const struct lp_txn_read *r = &s->f->reads.at[s->reads[k->reads + i]];
		const uint32_t from = s->f->versions.at[r->version].txn;
		const uint32_t place = s->order.place[lp_txn_start_of(g, r->txn)];
		uint32_t low = 0, high = k->writer_count;
		while (low < high) { /* how many have written before it */
			const uint32_t middle = (low + high) / 2;
			if (writers[middle].place < place)
				low = middle + 1;
			else
				high = middle;
		}
		if (!low || writers[low - 1].txn == from)
			continue;
		const uint32_t between = lp_txn_commit_of(g, writers[low - 1].txn), writer = lp_txn_commit_of(g, from);
		add_choice(s, edge(between, writer, LP_TXN_WW, key),
			   edge(lp_txn_start_of(g, r->txn), between, LP_TXN_RW, key), s->weight[between] < s->weight[writer]);
	}
	lp_free(writers);
}

/* Those that write the same key must not overlap. */
static void judge_overlaps(struct settle *s, uint32_t key)
{
	const struct key_group *k = &s->keys[key];
	const struct lp_txn_graph *g = s->g;
	struct placed *writers = sort_writers(s, k, true);
	uint32_t last = k->writer_count ? writers[0].txn : 0; /* the last transaction so far that commits */

	for (uint32_t i = 1; i < k->writer_count; i++) {
		const uint32_t txn = writers[i].txn, a = lp_txn_commit_of(g, last), b = lp_txn_commit_of(g, txn);
		if (writers[i].place < s->order.place[a])
			add_choice(s, edge(a, lp_txn_start_of(g, txn), LP_TXN_WW, key),
				   edge(b, lp_txn_start_of(g, last), LP_TXN_WW, key), s->weight[a] < s->weight[b]);
		if (s->order.place[b] > s->order.place[a])
			last = txn;
	}
	lp_free(writers);
}

static void make_due(struct settle *s, uint32_t key)
{
	if (!s->is_due[key])
		LP_PUSH(&s->due, key);
	s->is_due[key] = true;
}

/* Finds what is wrong with the current order, for keys on which something has changed. */
static void judge(struct settle *s)
{
	const struct lp_txns *t = s->f->t;

	for (uint32_t i = 0; i < s->order.moved.count; i++) {
		const uint32_t node = s->order.moved.at[i], txn = node >> s->g->split;
		for (uint32_t o = 0; lp_txn_is_txn(s->g, node) && o < t->at[txn].count; o++)
			make_due(s, t->ops.at[t->at[txn].first + o].key);
	}
	s->order.moved.count = s->choices.count = 0;
	while (s->due.count) {
		const uint32_t key = s->due.at[--s->due.count];
		s->is_due[key] = false;
		if (s->keys[key].read_count && s->keys[key].writer_count > 1)
			judge_reads(s, key);
		if (s->g->split && s->keys[key].writer_count > 1)
			judge_overlaps(s, key);
	}
}

static bool holds(const struct settle *s, const struct lp_txn_edge *e)
{
	return s->order.place[e->from] < s->order.place[e->to];
}

/* Adds the elements of `b`, except `but`, to `a`. */
static void unite(struct lp_txn_decisions *a, const struct lp_txn_decisions *b, uint32_t but)
{
	struct lp_txn_decisions sum = { 0 };

	for (uint32_t i = 0, j = 0; i < a->count || j < b->count;) {
		const uint32_t x = i < a->count ? a->at[i] : UINT32_MAX, y = j < b->count ? b->at[j] : UINT32_MAX;
		const uint32_t least = x < y ? x : y;
		i += x == least;
		j += y == least;
		if (least != but)
			LP_PUSH(&sum, least);
	}
	lp_free(a->at);
	*a = sum;
}

static bool add(struct settle *s, const struct lp_txn_edge *e, uint32_t decision)
{
	return lp_txn_order_add(&s->order, e->from, e->to, decision);
}

static void derive(struct settle *s, const struct lp_txn_edge *e)
{
	LP_PUSH(s->derived, (struct lp_txn_edge){ e->from >> s->g->split, e->to >> s->g->split, e->what });
}

/* Both edges of the last decision are impossible, because of the decisions in `why`.  Goes back to the last of these;
 * returns false if there are none. */
static bool go_back(struct settle *s, struct lp_txn_decisions *why)
{
	while (goes_on(s)) {
		const uint32_t d = why->count ? LP_LAST(why) : 0;
		lp_txn_order_undo(&s->order, d ? d : 1);
		while (s->decisions.count > (d ? d : 0))
			lp_free(s->decisions.at[--s->decisions.count].reason.at);
		if (!d)
			return false;
		struct decision *last = &s->decisions.at[d - 1];
		unite(why, &last->reason, d);
		if (!last->has_other)
			continue;
		last->has_other = false;
		/* The first edge is impossible because of `why`; if that is nothing, the other follows. */
		const bool follows = !why->count;
		const struct lp_txn_edge other = last->other;
		if (follows) {
			s->decisions.count--; /* its reason is empty */
			derive(s, &other);
		} else {
			unite(&last->reason, why, 0);
		}
		if (add(s, &other, follows ? 0 : d))
			return true;
		unite(why, &s->order.conflict, d);
		if (!follows) {
			lp_free(last->reason.at);
			s->decisions.count--;
		}
	}
	return true;
}

/* Takes one of the two edges.  False if no order is left. */
static bool choose(struct settle *s, const struct choice *c)
{
	const uint32_t d = s->decisions.count + 1;
	struct lp_txn_decisions why = { 0 };
	bool good = true;

	if (add(s, &c->either, d)) {
		LP_PUSH(&s->decisions, (struct decision){ .other = c->or, .has_other = true });
		return true;
	}
	unite(&why, &s->order.conflict, 0);
	if (!why.count)
		derive(s, &c->or);
	if (add(s, &c->or, why.count ? d : 0)) {
		if (why.count)
			LP_PUSH(&s->decisions, (struct decision){ .other = c->either, .reason = why });
		return true;
	}
	unite(&why, &s->order.conflict, 0);
	good = go_back(s, &why);
	lp_free(why.at);
	return good;
}

static void judge_all(struct settle *s)
{
	for (uint32_t key = 0; key < s->f->t->keys.count; key++)
		make_due(s, key);
	judge(s);
}

/* An order that is said to be correct has all edges of the graph. */
static void confirm(const struct settle *s)
{
	const struct lp_txn_graph *g = s->g;

	for (uint32_t v = 0; v < g->nodes; v++)
		for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
			if (s->order.place[v] >= s->order.place[g->arcs[a].to])
				LP_BUG("an order of transactions lacks an edge");
}

static enum lp_finding search(struct settle *s)
{
	judge_all(s);
	for (;; judge(s)) {
		if (!s->choices.count)
			judge_all(s);
		if (!s->choices.count) {
			confirm(s);
			return LP_CORRECT;
		}
		for (uint32_t i = 0; i < s->choices.count; i++) {
			const struct choice c = s->choices.at[i];
			if (!goes_on(s))
				return LP_UNDECIDED;
			/* A choice that was undone must be made again. */
			while (!holds(s, &c.either) && !holds(s, &c.or) && goes_on(s))
				if (!choose(s, &c))
					return s->is_over ? LP_UNDECIDED : LP_WRONG;
		}
	}
}

enum lp_finding lp_txn_settle(const struct lp_txn_facts *f, const struct lp_txn_graph *g,
			      const struct lp_txn_limits *limits, struct lp_txn_edges *derived, uint64_t *steps)
{
	struct settle s = { .f = f, .g = g, .limits = limits, .derived = derived };

	s.keys = lp_alloc_zero((size_t)f->t->keys.count + 1, sizeof *s.keys);
	s.is_due = lp_alloc_zero((size_t)f->t->keys.count + 1, sizeof *s.is_due);
	group_writers(&s);
	group_reads(&s);
	weigh(&s);
	lp_txn_order_open(&s.order, g, s.weight);
	const enum lp_finding finding = search(&s);
	*steps = s.order.steps;
	for (uint32_t i = 0; i < s.decisions.count; i++)
		lp_free(s.decisions.at[i].reason.at);
	lp_free(s.decisions.at);
	lp_free(s.choices.at);
	lp_free(s.is_due);
	lp_free(s.due.at);
	lp_free(s.keys);
	lp_free(s.writers);
	lp_free(s.reads);
	lp_free(s.weight);
	lp_txn_order_close(&s.order);
	return finding;
}
