/* futile.c -- iterations that nothing can save. */
#include "explore/futile.h"

#include <string.h>

#include "base/hash.h"
#include "explore/grow.h"

enum {
	FUEL = 2000, /* questions about one iteration */
	DEPTH = 16,  /* reads in a row that are tried */
};

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
	LP_PUSH(&f->node, (struct lp_futile_node){ p.a, p.b, UINT32_MAX });
	f->by_node.at[slot] = f->node.count;
	return &LP_LAST(&f->node);
}

/* What the questions below are about: one iteration, and reads from some read of it on
 * that might go another way. */
struct question {
	struct lp_explorer *x;
	struct lp_futile *f;
	const struct lp_graph *g;
	lp_tid thread;
	uint32_t live;   /* in which the iteration began */
	uint32_t before; /* operations performed before the first such read */
	int fuel;
	struct lp_answer answers[DEPTH];
	uint32_t count;
};

/* Can the location still get a write of the value? */
static bool may_come(const struct question *q, uint32_t l, const struct lp_futile_value *v)
{
	return q->g->locs.at[l].co.count < q->f->loc.at[l].most &&
	       count_writes(q->g, l, v->value) < v->most;
}

static bool is_taken(const struct lp_loc *loc, const struct lp_graph *g, lp_eid write)
{
	for (uint32_t i = 0; i < loc->reads.count; i++)
		if (g->ev.at[loc->reads.at[i]].rf == write && g->ev.at[loc->reads.at[i]].rmw)
			return true;
	return false;
}

/* Is there, or may there come, a write of the value that no RMW reads from?  Those that
 * read are there to stay: they were added before the read that is not maximal. */
static bool may_be_taken(const struct question *q, uint32_t l, const struct lp_futile_value *v)
{
	if (l >= q->g->locs.count || !q->g->locs.at[l].used)
		return true;
	const struct lp_loc *loc = &q->g->locs.at[l];
	if (may_come(q, l, v))
		return true;
	if (lp_value_equal(loc->initial, v->value) && !is_taken(loc, q->g, LP_INIT))
		return true;
	for (uint32_t i = 0; i < loc->co.count; i++)
		if (lp_value_equal(q->g->ev.at[loc->co.at[i]].value, v->value) &&
		    !is_taken(loc, q->g, loc->co.at[i]))
			return true;
	return false;
}

/* What the thread came to when it was let try. */
struct sight {
	const struct question *q;
	uint32_t next;
};

static void look(void *closure, const struct lp_op *op)
{
	struct sight *sight = closure;
	struct lp_explorer *x = sight->q->x;

	sight->next = LP_FUTILE_ON;
	if ((op->kind != LP_OP_LOAD && op->kind != LP_OP_RMW) || !op->loop ||
	    op->otherwise != LP_ELSE_FAIL)
		return;
	sight->next = lp_live_state(x, sight->q->thread, op) == sight->q->live
			      ? LP_FUTILE_ROUND : lp_ops_intern(&x->ops, op);
}

/* What follows after the answers of the question, for which p stands. */
static uint32_t what_follows(struct question *q, struct lp_fingerprint p)
{
	const struct lp_futile_node *found = find_node(q->f, p, false);
	struct sight sight = { q, LP_FUTILE_ON };
	struct lp_explorer *x = q->x;

	if (found)
		return found->next;
	const struct lp_sequence *seq = &lp_top(x)->seq;
	struct lp_sequence part = *seq;
	part.count = q->before;
	if (x->agree == LP_UNKNOWN || x->agree > q->before) {
		if (!lp_machine_follow(&x->machine, q->g, &part,
				       lp_machine_agree(&x->machine, q->g, &part)))
			return LP_FUTILE_ON;
		x->agree = q->before;
	}
	if (!lp_machine_try(&x->machine, q->thread, q->answers, q->count, look, &sight))
		sight.next = LP_FUTILE_ON;
	return find_node(q->f, p, true)->next = sight.next;
}

static bool is_lost(struct question *q, struct lp_fingerprint p);

/* The same, if `op` then reads v. */
static bool is_lost_with(struct question *q, struct lp_fingerprint p, const struct lp_known_op *op,
			 struct lp_value v, bool spurious)
{
	if (q->count == DEPTH)
		return false;
	q->answers[q->count++] = (struct lp_answer){ .value = v, .failed = true };
	const bool lost = is_lost(q, after(p, op->loc, v, spurious));
	q->count--;
	return lost;
}

/* Whatever is read from here on, of the values that there are, the iteration is
 * redundant. */
static bool is_lost(struct question *q, struct lp_fingerprint p)
{
	if (--q->fuel < 0)
		return false;
	const uint32_t next = what_follows(q, p);
	if (next == LP_FUTILE_ROUND || next == LP_FUTILE_ON)
		return next == LP_FUTILE_ROUND;
	const struct lp_known_op op = q->x->ops.op.at[next];
	need_loc(q->f, op.loc);
	q->f->loc.at[op.loc].relied = true;
	for (uint32_t i = 0; i < q->f->loc.at[op.loc].values.count; i++) {
		const struct lp_futile_value v = q->f->value.at[q->f->loc.at[op.loc].values.at[i]];
		const bool writes = op.op.kind == LP_OP_RMW && lp_op_holds(&op.op, v.value);
		if (writes ? may_be_taken(q, op.loc, &v)
			   : !is_lost_with(q, p, &op, v.value, false))
			return false;
		if (writes && op.op.weak && !is_lost_with(q, p, &op, v.value, true))
			return false;
	}
	return true;
}

/* No write that may still come to the location of read `r` saves the iteration, in which
 * the values that `before` stands for were read before r. */
static bool cannot_be_saved_at(struct question *q, lp_eid r, struct lp_fingerprint before)
{
	const struct lp_event *e = lp_graph_event(q->g, r);
	const struct lp_known_op op = q->x->ops.op.at[e->op];

	need_loc(q->f, e->loc);
	q->f->loc.at[e->loc].relied = true;
	for (uint32_t i = 0; i < q->f->loc.at[e->loc].values.count; i++) {
		const struct lp_futile_value v = q->f->value.at[q->f->loc.at[e->loc].values.at[i]];
		if (!may_come(q, e->loc, &v))
			continue;
		if (op.op.kind == LP_OP_RMW && lp_op_holds(&op.op, v.value))
			return false;
		if (!is_lost_with(q, before, &op, v.value, false))
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

bool lp_is_futile(struct lp_explorer *x, uint32_t thread, uint32_t begin,
		  bool (*maximal)(const struct lp_graph *, lp_eid))
{
	const struct lp_frame *frame = lp_top(x);
	const struct lp_graph *g = &frame->g;
	const struct lp_thread *t = &g->threads.at[thread];
	const uint32_t n = t->count - begin;
	struct lp_fingerprint at[n]; /* before each read of the iteration */
	lp_eid read[n];
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
	if (stale == UINT32_MAX || others_read_since(g, thread, read[stale]))
		return false;

	struct question q = { .x = x, .f = &x->futile, .g = g, .thread = thread, .fuel = FUEL,
			      .live = lp_graph_event(g, t->at[begin])->live };
	/* The thread's reads were performed last, one after another, if nobody came between;
	 * fences among them are operations, too. */
	uint32_t performed = frame->seq.count;
	for (uint32_t i = t->count, r = reads; r > stale + 1; performed--) {
		if (!performed || frame->seq.at[performed - 1] != t->at[--i])
			return false;
		if (t->at[i] == read[r - 1]) {
			r--;
			q.before = performed - 1;
			if (!cannot_be_saved_at(&q, read[r], at[r]))
				return false;
		}
	}
	x->futile.abandoned++;
	return true;
}
