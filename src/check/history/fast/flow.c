/* flow.c -- conditions on the remaining calls of a register (flow.h). */
#include "check/history/fast/flow.h"

#include "check/sort.h"
#include "spec/traits.h"

/* With more operations, F2 would cost more than it saves. */
enum { MOST_OPS = 4096 };

struct shape {
	uint32_t read, write, cas, swap;
	uint32_t key; /* the number of arguments before the value: 1 for a map */
};

/* Returns false if the kind is not a register, or if it has other methods. */
static bool find_shape(const struct lp_problem *p, struct shape *s)
{
	const struct lp_kind *kind = p->spec.kind;
	const int k = lp_spec_param(&p->spec, "k");

	*s = (struct shape){ lp_kind_method(kind, LP_VERB_READ), lp_kind_method(kind, LP_VERB_WRITE),
			     lp_kind_method(kind, LP_VERB_CAS), lp_kind_method(kind, LP_VERB_SWAP), kind->by_key };
	if (s->read == LP_NO_METHOD || s->write == LP_NO_METHOD || (k >= 0 && p->spec.param[k]))
		return false;
	for (uint32_t i = 0; i < p->count; i++) {
		const uint32_t m = p->ops[i].method;
		if (m != s->read && m != s->write && m != s->cas && m != s->swap)
			return false;
		if (kind->by_key && p->ops[i].arg != p->ops[0].arg)
			return false; /* there are several registers */
	}
	return true;
}

/* Values before they are numbered: three for each operation, and the initial value. */
struct raw {
	int64_t *at;
	bool *given;
};

static void put(struct raw *r, uint32_t at, int64_t value)
{
	r->at[at] = value;
	r->given[at] = true;
}

static void shape_op(const struct lp_problem *p, const struct shape *s, uint32_t i, struct raw *r)
{
	const struct lp_history_op *op = &p->ops[i];
	const int64_t *arg = p->history->at[op->call].arg + s->key;
	const bool known = op->results == 1;

	if (op->method == s->read) {
		if (known)
			put(r, 3 * i + 2, op->result);
	} else if (op->method == s->write) {
		put(r, 3 * i + 1, arg[0]);
	} else if (op->method == s->swap) {
		put(r, 3 * i + 1, arg[0]);
		if (known)
			put(r, 3 * i + (op->result != arg[0] ? 0 : 2), op->result);
	} else if (known && op->result && arg[0] == arg[1]) {
		put(r, 3 * i + 2, arg[0]);
	} else if (!known || op->result) {
		put(r, 3 * i + 1, arg[1]);
		if (known)
			put(r, 3 * i, arg[0]);
	}
}

static bool is_bad(const struct lp_flow *f, uint32_t v)
{
	const uint32_t here = f->supply[v] + (f->now == v);

	return f->need[v] > here || (f->seen[v] && !here);
}

static void list_by_from(struct lp_flow *f, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (f->edges[i].from != LP_NO_OP)
			f->first[f->edges[i].from + 2]++;
	for (uint32_t v = 2; v <= f->values + 1; v++)
		f->first[v] += f->first[v - 1];
	for (uint32_t i = 0; i < count; i++)
		if (f->edges[i].from != LP_NO_OP)
			f->order[f->first[f->edges[i].from + 1]++] = i;
}

static void number_values(struct lp_flow *f, const struct lp_problem *p, const struct shape *s)
{
	const uint32_t count = 3 * p->count + 1;
	struct raw r = { lp_alloc_zero(count, sizeof *r.at), lp_alloc_zero(count, sizeof *r.given) };
	uint32_t *number = lp_alloc(sizeof *number * count);

	for (uint32_t i = 0; i < p->count; i++)
		shape_op(p, s, i, &r);
	put(&r, count - 1, p->spec.param[0]); /* init */
	f->values = lp_sort_number_values(r.at, count, number);
	f->edges = lp_alloc(sizeof *f->edges * (p->count + 1));
	for (uint32_t i = 0; i < p->count; i++)
		f->edges[i] = (struct lp_flow_edge){ r.given[3 * i] ? number[3 * i] : LP_NO_OP,
						     r.given[3 * i + 1] ? number[3 * i + 1] : LP_NO_OP,
						     r.given[3 * i + 2] ? number[3 * i + 2] : LP_NO_OP };
	f->now = number[count - 1];
	lp_free(r.at);
	lp_free(r.given);
	lp_free(number);
}

void lp_flow_open(struct lp_flow *f, const struct lp_problem *p)
{
	struct shape s;

	*f = (struct lp_flow){ .on = p->count && p->count <= MOST_OPS && find_shape(p, &s) };
	if (!f->on)
		return;
	number_values(f, p, &s);
	f->need = lp_alloc_zero(f->values, sizeof *f->need);
	f->supply = lp_alloc_zero(f->values, sizeof *f->supply);
	f->seen = lp_alloc_zero(f->values, sizeof *f->seen);
	f->order = lp_alloc(sizeof *f->order * (p->count + 1));
	f->first = lp_alloc_zero((size_t)f->values + 3, sizeof *f->first);
	f->done = lp_alloc_zero((size_t)p->count + 1, sizeof *f->done);
	f->todo = lp_alloc(sizeof *f->todo * (f->values + 1));
	f->visited = lp_alloc_zero(f->values, sizeof *f->visited);
	list_by_from(f, p->count);
	for (uint32_t i = 0; i < p->count; i++) {
		const struct lp_flow_edge *e = &f->edges[i];
		const bool must = !lp_op_is_pending(&p->ops[i]);
		if (e->from != LP_NO_OP)
			f->need[e->from] += must;
		if (e->to != LP_NO_OP)
			f->supply[e->to]++;
		if (e->to != LP_NO_OP && e->from == LP_NO_OP)
			LP_PUSH(&f->jumps, i);
		if (e->sees != LP_NO_OP)
			f->seen[e->sees] += must;
	}
	for (uint32_t v = 0; v < f->values; v++)
		f->bad += is_bad(f, v);
}

void lp_flow_close(struct lp_flow *f)
{
	lp_free(f->edges);
	lp_free(f->need);
	lp_free(f->supply);
	lp_free(f->seen);
	lp_free(f->order);
	lp_free(f->first);
	lp_free(f->done);
	lp_free(f->todo);
	lp_free(f->visited);
	lp_free(f->before.at);
	lp_free(f->jumps.at);
}

/* Adds an operation to the counts or removes it, and sets the current value. */
static void count(struct lp_flow *f, uint32_t op, uint32_t by, uint32_t now)
{
	const struct lp_flow_edge *e = &f->edges[op];
	const uint32_t values[] = { e->from, e->to, e->sees, f->now, now };

	for (int i = 0; i < 5; i++) { /* counts each value once */
		bool known = values[i] == LP_NO_OP;
		for (int j = 0; j < i; j++)
			known |= values[j] == values[i];
		f->bad -= !known && is_bad(f, values[i]);
	}
	if (e->from != LP_NO_OP)
		f->need[e->from] += by;
	if (e->to != LP_NO_OP)
		f->supply[e->to] += by;
	if (e->sees != LP_NO_OP)
		f->seen[e->sees] += by;
	f->now = now;
	for (int i = 0; i < 5; i++) {
		bool known = values[i] == LP_NO_OP;
		for (int j = 0; j < i; j++)
			known |= values[j] == values[i];
		f->bad += !known && is_bad(f, values[i]);
	}
}

void lp_flow_place(struct lp_flow *f, uint32_t op, bool changed)
{
	if (!f->on)
		return;
	const uint32_t to = f->edges[op].to;

	LP_PUSH(&f->before, f->now);
	f->done[op] = true;
	count(f, op, UINT32_MAX, changed && to != LP_NO_OP ? to : f->now);
}

void lp_flow_take_back(struct lp_flow *f, uint32_t op)
{
	if (!f->on)
		return;
	f->done[op] = false;
	count(f, op, 1, f->before.at[--f->before.count]);
}

static void visit(struct lp_flow *f, uint32_t v, uint32_t *count)
{
	if (v == LP_NO_OP || f->visited[v] == f->visit)
		return;
	f->visited[v] = f->visit;
	f->todo[(*count)++] = v;
}

/* F2. */
static bool is_cut_off(struct lp_flow *f)
{
	uint32_t count = 0;

	f->visit++;
	visit(f, f->now, &count);
	for (uint32_t i = 0; i < f->jumps.count; i++)
		if (!f->done[f->jumps.at[i]])
			visit(f, f->edges[f->jumps.at[i]].to, &count);
	for (uint32_t at = 0; at < count; at++) {
		const uint32_t v = f->todo[at];
		for (uint32_t i = f->first[v]; i < f->first[v + 1]; i++)
			if (!f->done[f->order[i]])
				visit(f, f->edges[f->order[i]].to, &count);
	}
	for (uint32_t v = 0; v < f->values; v++)
		if ((f->need[v] || f->seen[v]) && f->visited[v] != f->visit)
			return true;
	return false;
}

/* F3.  Goes over all ready operations until nothing new is reached; walks are short. */
static bool is_too_late(struct lp_flow *f, const uint32_t *ready, uint32_t ready_count)
{
	const struct lp_flow_edge *first = ready_count ? &f->edges[ready[0]] : NULL;
	const uint32_t goal = !first ? LP_NO_OP : first->from != LP_NO_OP ? first->from : first->sees;
	uint32_t count = 0;
	bool more = true;

	if (goal == LP_NO_OP || goal == f->now)
		return false;
	f->visit++;
	visit(f, f->now, &count);
	while (more && f->visited[goal] != f->visit) {
		more = false;
		for (uint32_t i = 0; i < ready_count; i++) {
			const struct lp_flow_edge *e = &f->edges[ready[i]];
			if (e->to == LP_NO_OP || f->visited[e->to] == f->visit ||
			    (e->from != LP_NO_OP && f->visited[e->from] != f->visit))
				continue;
			visit(f, e->to, &count);
			more = true;
		}
	}
	return f->visited[goal] != f->visit;
}

bool lp_flow_is_hopeless(struct lp_flow *f, const uint32_t *ready, uint32_t count)
{
	return f->on && (f->bad || is_too_late(f, ready, count) || is_cut_off(f));
}
