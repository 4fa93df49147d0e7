/* op_overlaps.c -- which operations of a history overlap. */
#include "check/history/op_overlaps.h"

#include "base/alloc.h"
#include "base/vec.h"
#include "spec/traits.h"

static bool only_reads(const struct lp_problem *p, uint32_t op)
{
	return (lp_op_method(p, &p->ops[op])->roles & LP_READS) == LP_READS;
}

static bool failed(const struct lp_problem *p, uint32_t op)
{
	const struct lp_spec_call call = lp_problem_call(p, op);

	return lp_method_failed(p->spec.kind, p->ops[op].method, &call);
}

/* ---- lists ---- */

struct sweep {
	const struct lp_problem *p;
	const bool *failed;
	struct {
		LP_VEC(uint32_t);
	} active;
	uint32_t *length; /* by operation */
	uint32_t *first, *ops; /* NULL: only counts */
};

static void note(struct sweep *s, uint32_t op, uint32_t other)
{
	if (!s->failed[op] || only_reads(s->p, other))
		return;
	if (s->ops)
		s->ops[s->first[op] + s->length[op]] = other;
	s->length[op]++;
}

/* Goes through the history: an operation that starts overlaps with all active operations. */
static void run(struct sweep *s)
{
	s->active.count = 0;
	for (uint32_t rank = 0; rank < s->p->ranks; rank++) {
		const uint32_t op = s->p->events[rank] / 2;
		if (s->p->events[rank] & 1) {
			uint32_t i = 0;
			while (s->active.at[i] != op)
				i++;
			s->active.at[i] = s->active.at[--s->active.count];
			continue;
		}
		for (uint32_t i = 0; i < s->active.count; i++) {
			note(s, op, s->active.at[i]);
			note(s, s->active.at[i], op);
		}
		LP_PUSH(&s->active, op);
	}
}

static void fill_lists(struct lp_op_overlaps *o, const bool *failures)
{
	const uint32_t count = o->p->count;
	struct sweep s = { .p = o->p, .failed = failures, .length = lp_alloc_zero(count + 1, sizeof *s.length) };
	uint32_t longest = 0;

	run(&s);
	o->first = lp_alloc(sizeof *o->first * (count + 1));
	o->first[0] = 0;
	for (uint32_t i = 0; i < count; i++) {
		longest = s.length[i] > longest ? s.length[i] : longest;
		o->first[i + 1] = o->first[i] + s.length[i];
		s.length[i] = 0;
	}
	o->ops = lp_alloc(sizeof *o->ops * (o->first[count] + 1));
	o->other = lp_alloc(sizeof *o->other * (longest + 1));
	s.first = o->first;
	s.ops = o->ops;
	run(&s);
	lp_free(s.length);
	lp_free(s.active.at);
}

static bool *find_failures(const struct lp_problem *p)
{
	bool *failures = lp_alloc(sizeof *failures * (p->count + 1));

	for (uint32_t i = 0; i < p->count; i++)
		failures[i] = failed(p, i);
	return failures;
}

void lp_op_overlaps_open(struct lp_op_overlaps *o, const struct lp_problem *p)
{
	*o = (struct lp_op_overlaps){ .p = p };
	if (!lp_spec_uses_overlap(&p->spec))
		return;
	bool *failures = find_failures(p);
	fill_lists(o, failures);
	lp_free(failures);
	o->effective = lp_alloc_zero(p->count + 1, sizeof *o->effective);
}

void lp_op_overlaps_close(struct lp_op_overlaps *o)
{
	lp_free(o->first);
	lp_free(o->ops);
	lp_free(o->effective);
	lp_free(o->other);
}

static bool inserts(const struct lp_op_overlaps *o, uint32_t op)
{
	return lp_op_method(o->p, &o->p->ops[op])->roles & LP_INSERTS;
}

void lp_op_overlaps_place(struct lp_op_overlaps *o, uint32_t op, bool same)
{
	if (!o->effective)
		return;
	o->effective[op] = !failed(o->p, op) && !(same && o->p->ops[op].results == LP_RESULT_UNKNOWN);
	o->inserted += o->effective[op] && inserts(o, op);
}

void lp_op_overlaps_take_back(struct lp_op_overlaps *o, uint32_t op)
{
	if (!o->effective)
		return;
	o->inserted -= o->effective[op] && inserts(o, op);
	o->effective[op] = false;
}

bool lp_op_overlaps_fill(const struct lp_op_overlaps *o, uint32_t op, struct lp_overlap *overlap)
{
	if (!o->effective || o->first[op] == o->first[op + 1])
		return false;
	*overlap = (struct lp_overlap){ .at = o->other, .count = o->first[op + 1] - o->first[op], .inserted = o->inserted };
	for (uint32_t i = 0; i < overlap->count; i++) {
		const uint32_t x = o->ops[o->first[op] + i];
		o->other[i] = (struct lp_other_call){
			.method = o->p->ops[x].method, .roles = lp_op_method(o->p, &o->p->ops[x])->roles,
			.arg = o->p->history->at[o->p->ops[x].call].arg, .done = o->effective[x],
		};
	}
	return true;
}

/* ---- failures that are always allowed, or allowed if any operation overlaps ---- */

/* For each rank, counts the operations that may change the state and have started (or ended) before. */
static uint32_t *count_events(const struct lp_problem *p, uint32_t end)
{
	uint32_t *before = lp_alloc(sizeof *before * ((size_t)p->ranks + 1));

	before[0] = 0;
	for (uint32_t rank = 0; rank < p->ranks; rank++)
		before[rank + 1] = before[rank] + ((p->events[rank] & 1) == end && !only_reads(p, p->events[rank] / 2));
	return before;
}

bool lp_op_overlaps_strict(const struct lp_problem *p, struct lp_problem *strict)
{
	const int contended = lp_spec_param(&p->spec, "contended"), failing = lp_spec_param(&p->spec, "failing");
	const bool always = failing >= 0 && p->spec.param[failing];

	if (!lp_kind_traits(p->spec.kind)->overlap_params || contended < 0 || (!always && !p->spec.param[contended]))
		return false;
	uint32_t *started = count_events(p, 0), *ended = count_events(p, 1);
	uint32_t *ops = lp_alloc(sizeof *ops * (p->count + 1)), count = 0;
	for (uint32_t i = 0; i < p->count; i++) {
		const struct lp_history_op *op = &p->ops[i];
		const uint32_t mine = !only_reads(p, i);
		const bool overlaps = !lp_op_is_pending(op) && started[op->end] - ended[op->start] > mine;
		if (!failed(p, i) || !(always || overlaps))
			ops[count++] = i;
	}
	lp_problem_part(strict, p, ops, NULL, count);
	strict->spec.param[contended] = strict->spec.param[failing] = 0;
	lp_free(started);
	lp_free(ended);
	lp_free(ops);
	return true;
}
