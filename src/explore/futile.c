/* futile.c -- iterations that nothing can save. */
#include "explore/futile.h"

#include <string.h>

#include "base/hash.h"

enum { FUEL = 400 }; /* questions about one iteration */

void lp_futile_open(struct lp_futile *f)
{
	memset(f, 0, sizeof *f);
}

void lp_futile_close(struct lp_futile *f)
{
	for (uint32_t i = 0; i < f->loc.count; i++)
		lp_free(f->loc.at[i].values.at);
	lp_free(f->loc.at);
	lp_free(f->value.at);
	lp_free(f->node.at);
	lp_free(f->by_value.at);
	lp_free(f->by_node.at);
	memset(f, 0, sizeof *f);
}

/* ---- counts ---- */

static uint64_t hash_value(uint32_t loc, struct lp_value v)
{
	return lp_mix(v.lo ^ lp_mix(v.hi + loc));
}

static uint64_t hash_of_value(const struct lp_futile *f, uint32_t i)
{
	return hash_value(f->value.at[i].loc, f->value.at[i].value);
}

static uint64_t hash_of_node(const struct lp_futile *f, uint32_t i)
{
	return f->node.at[i].a;
}

/* Makes room for one more; tables hold 1 + index, 0 for a free slot. */
static void grow_table(struct lp_futile *f, struct lp_futile_table *t, uint32_t count,
		       uint64_t (*hash)(const struct lp_futile *, uint32_t))
{
	if (t->at && 2 * count <= t->mask)
		return;
	const uint32_t size = t->at ? 2 * (t->mask + 1) : 256;
	lp_free(t->at);
	t->at = lp_alloc_zero(size, sizeof *t->at);
	t->mask = size - 1;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t slot = (uint32_t)hash(f, i) & t->mask;
		while (t->at[slot])
			slot = (slot + 1) & t->mask;
		t->at[slot] = i + 1;
	}
}

static void need_loc(struct lp_futile *f, uint32_t loc)
{
	while (f->loc.count <= loc)
		LP_PUSH(&f->loc, (struct lp_futile_loc){ 0 });
}

/* The entry of a value, which is new to its location if it was not there. */
static struct lp_futile_value *find_value(struct lp_futile *f, uint32_t loc, struct lp_value v)
{
	grow_table(f, &f->by_value, f->value.count, hash_of_value);
	uint32_t slot = (uint32_t)hash_value(loc, v) & f->by_value.mask;
	for (; f->by_value.at[slot]; slot = (slot + 1) & f->by_value.mask) {
		struct lp_futile_value *known = &f->value.at[f->by_value.at[slot] - 1];
		if (known->loc == loc && lp_value_equal(known->value, v))
			return known;
	}
	need_loc(f, loc);
	f->broken |= f->loc.at[loc].relied;
	LP_PUSH(&f->loc.at[loc].values, f->value.count);
	LP_PUSH(&f->value, (struct lp_futile_value){ loc, 0, v });
	f->by_value.at[slot] = f->value.count;
	return &LP_LAST(&f->value);
}

void lp_futile_initial(struct lp_futile *f, uint32_t loc, struct lp_value v)
{
	find_value(f, loc, v);
}

static uint32_t count_writes(const struct lp_graph *g, uint32_t l, struct lp_value v)
{
	const struct lp_loc *loc = &g->locs.at[l];
	uint32_t n = 0;

	for (uint32_t i = 0; i < loc->co.count; i++)
		n += lp_value_equal(g->ev.at[loc->co.at[i]].value, v);
	return n;
}

void lp_futile_wrote(struct lp_futile *f, const struct lp_graph *g, lp_eid w)
{
	const struct lp_event *e = lp_graph_event(g, w);
	struct lp_futile_value *value = find_value(f, e->loc, e->value);
	struct lp_futile_loc *loc = &f->loc.at[e->loc];
	const uint32_t n = count_writes(g, e->loc, e->value);

	if (n > value->most) {
		value->most = n;
		f->broken |= loc->relied;
	}
	if (g->locs.at[e->loc].co.count > loc->most) {
		loc->most = g->locs.at[e->loc].co.count;
		f->broken |= loc->relied;
	}
}

/* ---- iterations ---- */

static struct lp_fingerprint after(struct lp_fingerprint f, uint32_t loc, struct lp_value v,
				   bool spurious)
{
	lp_fingerprint_word(&f, (uint64_t)loc << 1 | spurious);
	lp_fingerprint_word(&f, v.lo);
	lp_fingerprint_word(&f, v.hi);
	return f;
}

static struct lp_futile_node *find_node(struct lp_futile *f, struct lp_fingerprint p, bool add)
{
	grow_table(f, &f->by_node, f->node.count, hash_of_node);
	uint32_t slot = (uint32_t)p.a & f->by_node.mask;
	for (; f->by_node.at[slot]; slot = (slot + 1) & f->by_node.mask) {
		struct lp_futile_node *known = &f->node.at[f->by_node.at[slot] - 1];
		if (known->a == p.a && known->b == p.b)
			return known;
	}
	if (!add)
		return NULL;
	LP_PUSH(&f->node, (struct lp_futile_node){ p.a, p.b, UINT32_MAX, false });
	f->by_node.at[slot] = f->node.count;
	return &LP_LAST(&f->node);
}

/* Whatever is read from here on, of the values that there are, the iteration is known to
 * be redundant. */
static bool is_lost(struct lp_futile *f, struct lp_fingerprint p, int *fuel)
{
	const struct lp_futile_node *found = find_node(f, p, false);

	if (!found || --*fuel < 0)
		return false;
	const struct lp_futile_node node = *found;
	if (node.next == UINT32_MAX)
		return true;
	need_loc(f, node.next);
	f->loc.at[node.next].relied = true;
	for (uint32_t i = 0; i < f->loc.at[node.next].values.count; i++) {
		const struct lp_value v = f->value.at[f->loc.at[node.next].values.at[i]].value;
		if (!is_lost(f, after(p, node.next, v, false), fuel) ||
		    (node.weak && !is_lost(f, after(p, node.next, v, true), fuel)))
			return false;
	}
	return true;
}

/* No write that may still come to the location of read `r` saves the iteration, in which
 * the values that `before` stands for were read before r. */
static bool cannot_be_saved_at(struct lp_futile *f, const struct lp_graph *g, lp_eid r,
			       bool weak, struct lp_fingerprint before, int *fuel)
{
	const struct lp_event *e = lp_graph_event(g, r);

	need_loc(f, e->loc);
	f->loc.at[e->loc].relied = true;
	if (g->locs.at[e->loc].co.count >= f->loc.at[e->loc].most)
		return true;
	for (uint32_t i = 0; i < f->loc.at[e->loc].values.count; i++) {
		const struct lp_futile_value v = f->value.at[f->loc.at[e->loc].values.at[i]];
		if (count_writes(g, e->loc, v.value) >= v.most)
			continue;
		if (!is_lost(f, after(before, e->loc, v.value, false), fuel) ||
		    (weak && !is_lost(f, after(before, e->loc, v.value, true), fuel)))
			return false;
	}
	return true;
}

/* Another thread's read was added after event `after_which`. */
static bool others_read_since(const struct lp_graph *g, uint32_t thread, lp_eid after_which)
{
	for (lp_eid e = g->ev.count; e-- > after_which + 1;)
		if (g->ev.at[e].kind == LP_EV_READ && g->ev.at[e].thread != thread)
			return true;
	return false;
}

bool lp_is_futile(struct lp_futile *f, const struct lp_graph *g, const struct lp_ops *ops,
		  uint32_t thread, uint32_t begin,
		  bool (*maximal)(const struct lp_graph *, lp_eid))
{
	const struct lp_thread *t = &g->threads.at[thread];
	const uint32_t n = t->count - begin;
	struct lp_fingerprint at[n + 1]; /* before each read of the iteration, and after all */
	lp_eid read[n + 1];
	uint32_t reads = 0, stale = UINT32_MAX;

	struct lp_fingerprint p = LP_FINGERPRINT;
	lp_fingerprint_word(&p, lp_graph_event(g, t->at[begin])->live);
	for (uint32_t i = begin; i < t->count; i++) {
		const struct lp_event *e = lp_graph_event(g, t->at[i]);
		if (e->kind == LP_EV_CHOOSE || e->kind == LP_EV_WRITE)
			return false; /* not a function of the values read, or not only reads */
		if (e->kind != LP_EV_READ)
			continue;
		at[reads] = p;
		read[reads++] = t->at[i];
		p = after(p, e->loc, e->value, e->spurious);
		if (!maximal(g, t->at[i]))
			stale = reads - 1;
	}
	at[reads] = p;
	for (uint32_t i = 0; i < reads; i++) {
		struct lp_futile_node *node = find_node(f, at[i], true);
		const struct lp_event *e = lp_graph_event(g, read[i]);
		node->next = e->loc;
		node->weak = ops->op.at[e->op].op.weak;
	}
	find_node(f, p, true);

	if (stale == UINT32_MAX || others_read_since(g, thread, read[stale]))
		return false;
	int fuel = FUEL;
	for (uint32_t i = stale + 1; i < reads; i++) {
		const bool weak = ops->op.at[lp_graph_event(g, read[i])->op].op.weak;
		if (!cannot_be_saved_at(f, g, read[i], weak, at[i], &fuel))
			return false;
	}
	f->abandoned++;
	return true;
}
