/* fast_register.c -- registers with distinct values, and one key of a map.
 *
 * After Gibbons and Korach, "Testing shared memories" (SIAM J. Comput. 1997).  A
 * write and the reads of its value form a cluster.  Let f be the first end and s the last
 * start in the cluster.  If f < s, the register certainly has the value from f to s; this
 * time is called a forward zone.  Otherwise all operations of the cluster overlap from s to
 * f, and can take effect at any point there; this time is called a backward zone.  The
 * history is linearizable iff
 *
 *   - no read ends before the write of its value starts;
 *   - no two forward zones overlap;
 *   - no backward zone lies within a forward one.
 *
 * The initial value was written before everything.  A pending write whose value was never
 * read is left out, and so are reads that did not return.
 */
#include "check/history/fast/fast.h"

#include <string.h>

#include "check/sort.h"
#include "spec/traits.h"

#define NONE UINT32_MAX

struct cluster {
	uint32_t write;  /* NONE: the cluster has no write: it is that of the initial value, or empty */
	bool is_first;   /* the cluster of the initial value */
	uint32_t reads;
	uint32_t end, start;            /* f and s, in ranks + 1 */
	uint32_t end_op, start_op;
	uint32_t early, early_op;       /* the read that ends first */
};

struct clusters {
	struct cluster *at;
	uint32_t count;
};

/* Ranks are counted from 1 here, because the initial value is written at 0. */
static void join_cluster(struct cluster *c, uint32_t op, uint32_t start, uint32_t end)
{
	if (end < c->end) {
		c->end = end;
		c->end_op = op;
	}
	if (start >= c->start) {
		c->start = start;
		c->start_op = op;
	}
}

static void wrong(struct lp_witness *w, const char *why, const struct cluster *a,
		  const struct cluster *b)
{
	const struct cluster *both[] = { a, b };

	w->why = why;
	for (int i = 0; i < 2 && both[i]; i++) {
		const uint32_t ops[] = { both[i]->write, both[i]->end_op, both[i]->start_op };
		for (int j = 0; j < 3; j++) {
			bool known = ops[j] == NONE;
			for (uint32_t k = 0; k < w->count; k++)
				known |= w->at[k] == ops[j];
			if (!known)
				LP_PUSH(w, ops[j]);
		}
	}
}

/* Returns false if the method does not apply (there are other methods, or a value was written twice), or if
 * the answer is no longer wanted. */
static bool gather(struct clusters *s, const struct lp_problem *p, uint32_t read,
		   uint32_t write, bool keyed)
{
	int64_t *values = lp_alloc(sizeof *values * ((size_t)p->count + 1));
	uint32_t *number = lp_alloc(sizeof *number * ((size_t)p->count + 1));
	bool good = true;

	values[p->count] = p->spec.param[0]; /* init */
	for (uint32_t i = 0; i < p->count; i++) {
		const struct lp_history_op *op = &p->ops[i];
		good &= op->method == read || op->method == write;
		values[i] = op->method == write ? (keyed ? op->result : op->arg) :
			    op->results == 1    ? op->result :
						  p->spec.param[0];
	}
	s->count = lp_sort_number_values(values, p->count + 1, number);
	s->at = lp_alloc(sizeof *s->at * s->count);
	for (uint32_t i = 0; i < s->count; i++)
		s->at[i] = (struct cluster){ .write = NONE, .end = NONE, .end_op = NONE,
					     .start_op = NONE, .early = NONE };
	s->at[number[p->count]].is_first = true;
	s->at[number[p->count]].end = 0;
	for (uint32_t i = 0; i < p->count && good; i++) {
		const struct lp_history_op *op = &p->ops[i];
		struct cluster *c = &s->at[number[i]];
		const uint32_t end = lp_op_is_pending(op) ? NONE : op->end + 1;

		good = lp_problem_is_wanted(p, i);
		if (op->method == read && op->results == LP_RESULT_UNKNOWN)
			continue;
		if (op->method == write) {
			good = good && c->write == NONE && !c->is_first;
			c->write = i;
		} else {
			c->reads++;
			if (end < c->early) {
				c->early = end;
				c->early_op = i;
			}
		}
		join_cluster(c, i, op->start + 1, end);
	}
	lp_free(values);
	lp_free(number);
	return good;
}

/* Sets `*finding` to wrong if a read returned a value that was never written, or only written later. */
static bool reads_make_sense(const struct clusters *s, const struct lp_problem *p,
			     struct lp_witness *w)
{
	for (uint32_t i = 0; i < s->count; i++) {
		const struct cluster *c = &s->at[i];
		if (c->is_first || !c->reads)
			continue;
		if (c->write != NONE && c->early > p->ops[c->write].start)
			continue;
		w->why = c->write == NONE ? "a value that was never written is read" :
					    "a value is read before it is written";
		if (c->write != NONE)
			LP_PUSH(w, c->write);
		LP_PUSH(w, c->early_op);
		return false;
	}
	return true;
}

static bool zones_fit(const struct clusters *s, const struct lp_problem *p,
		      struct lp_witness *w)
{
	/* For each rank + 1, the cluster whose zone begins there. */
	uint32_t *begins = lp_alloc(sizeof *begins * ((size_t)p->ranks + 2));
	const struct cluster *forward = NULL;
	bool fit = true;

	memset(begins, 0xff, sizeof *begins * ((size_t)p->ranks + 2));
	for (uint32_t i = 0; i < s->count; i++) {
		const struct cluster *c = &s->at[i];
		if (c->is_first && !c->reads)
			continue;
		if (!c->reads && lp_op_is_pending(&p->ops[c->write]))
			continue;
		begins[c->end < c->start ? c->end : c->start] = i;
	}
	for (uint32_t at = 0; at <= p->ranks && fit; at++) {
		if (begins[at] == NONE)
			continue;
		const struct cluster *c = &s->at[begins[at]];
		if (forward && c->end < c->start && at < forward->start) {
			wrong(w, "two values are present at the same time", forward, c);
			fit = false;
		} else if (forward && c->end > c->start && c->end < forward->start) {
			wrong(w, "an older value is read again after another was written", forward,
			      c);
			fit = false;
		}
		if (c->end < c->start)
			forward = c;
	}
	lp_free(begins);
	return fit;
}

bool lp_fast_register(const struct lp_problem *p, enum lp_finding *finding,
		      struct lp_witness *w)
{
	const bool keyed = p->spec.kind->by_key; /* the arguments of a map are key and value */
	const int k = lp_spec_param(&p->spec, "k");
	struct clusters s;

	if (k >= 0 && p->spec.param[k])
		return false;
	const bool applies = gather(&s, p, lp_kind_method(p->spec.kind, LP_VERB_READ),
				    lp_kind_method(p->spec.kind, LP_VERB_WRITE), keyed);
	if (applies)
		*finding = reads_make_sense(&s, p, w) && zones_fit(&s, p, w) ? LP_CORRECT :
									      LP_WRONG;
	lp_free(s.at);
	return applies;
}
