/* whole.c -- splits reads of a whole set or map by key. */
#include "check/history/whole.h"

#include <stdlib.h>
#include <string.h>

#include "check/sort.h"
#include "spec/traits.h"

static bool reads_all(const struct lp_problem *p, uint32_t op)
{
	const struct lp_method *m = lp_op_method(p, &p->ops[op]);

	return m->result == LP_VALUES && (m->roles & LP_WHOLE);
}

/* Is it a built-in set or map, and do no other methods concern all keys? */
static bool is_for(const struct lp_problem *p)
{
	const struct lp_kind *kind = p->spec.kind;
	bool any = false;

	if (!lp_kind_is_builtin(kind) || !kind->by_key)
		return false;
	for (uint32_t m = 0; m < kind->method_count; m++) {
		if (!(p->methods >> m & 1) || !(kind->methods[m].roles & LP_WHOLE))
			continue;
		if (kind->methods[m].result != LP_VALUES)
			return false;
		any = true;
	}
	return any;
}

/* Keys of calls, and of what was read. */
static void number_keys(struct lp_whole *w)
{
	const struct lp_problem *p = w->p;
	struct {
		LP_VEC(int64_t);
	} keys = { 0 };

	for (uint32_t i = 0; i < p->count; i++)
		if (!reads_all(p, i))
			LP_PUSH(&keys, p->ops[i].arg);
	const uint32_t called = keys.count;
	for (size_t i = 0; i < w->from[w->read_count]; i += w->width)
		LP_PUSH(&keys, w->values[i]);
	uint32_t *number = lp_alloc(sizeof *number * ((size_t)keys.count + 1));
	w->count = lp_sort_number_values(keys.at, keys.count, number);
	w->keys = lp_alloc(sizeof *w->keys * ((size_t)w->count + 1));
	w->first = lp_alloc_zero((size_t)w->count + 2, sizeof *w->first);
	w->ops = lp_alloc(sizeof *w->ops * ((size_t)called + 1));
	for (uint32_t i = 0; i < keys.count; i++)
		w->keys[number[i]] = keys.at[i];
	for (uint32_t i = 0; i < called; i++)
		w->first[number[i] + 2]++;
	for (uint32_t k = 2; k <= w->count; k++)
		w->first[k] += w->first[k - 1];
	for (uint32_t i = 0, call = 0; i < p->count; i++)
		if (!reads_all(p, i))
			w->ops[w->first[number[call++] + 1]++] = i;
	lp_free(number);
	lp_free(keys.at);
}

/* Can the sorted entries be those of a map?  A key has one value, and not that of keys that are not there. */
static bool are_entries(const struct lp_whole *w, const int64_t *entries, uint32_t count)
{
	const int64_t absent = w->p->spec.param[lp_spec_param(&w->p->spec, "init")];

	for (uint32_t i = 0; i < count; i += 2)
		if ((entries[i + 1] == LP_NIL && absent == LP_NIL) ||
		    (i && entries[i] == entries[i - 2] && entries[i + 1] != entries[i - 1]))
			return false;
	return true;
}

static void sort_reads(struct lp_whole *w)
{
	const struct lp_problem *p = w->p;
	size_t total = 0;

	w->reads = lp_alloc(sizeof *w->reads * ((size_t)p->count + 1));
	for (uint32_t i = 0; i < p->count; i++) {
		const bool known = reads_all(p, i) && p->ops[i].results != LP_RESULT_UNKNOWN;
		if (known)
			w->reads[w->read_count++] = i;
		total += known ? p->ops[i].results : 0;
	}
	w->values = lp_alloc(sizeof *w->values * (total + 1));
	w->from = lp_alloc(sizeof *w->from * ((size_t)w->read_count + 1));
	w->from[0] = 0;
	for (uint32_t i = 0; i < w->read_count; i++) {
		const struct lp_spec_call c = lp_problem_call(p, w->reads[i]);
		int64_t *values = w->values + w->from[i];
		memcpy(values, c.result, sizeof *values * c.results);
		qsort(values, c.results / w->width, sizeof *values * w->width, lp_sort_compare_values);
		w->from[i + 1] = w->from[i] + c.results;
		w->is_exact &= w->width == 1 || are_entries(w, values, c.results); /* what no state gives is left to the search */
	}
}

/* Does no update overlap with a read? */
static bool reads_are_alone(const struct lp_whole *w)
{
	const struct lp_problem *p = w->p;
	uint32_t updates = 0, reads = 0;

	for (uint32_t rank = 0; rank < p->ranks; rank++) {
		const uint32_t op = p->events[rank] / 2;
		const bool ends = p->events[rank] & 1;
		const bool all = reads_all(p, op) && p->ops[op].results != LP_RESULT_UNKNOWN;
		if (!all && (lp_op_method(p, &p->ops[op])->roles & LP_READS) == LP_READS)
			continue;
		*(all ? &reads : &updates) += ends ? UINT32_MAX : 1;
		if (reads && updates)
			return false;
	}
	return true;
}

bool lp_whole_open(struct lp_whole *w, const struct lp_problem *p)
{
	const bool pairs = lp_kind_traits(p->spec.kind)->pairs;

	if (!is_for(p))
		return false;
	*w = (struct lp_whole){ .p = p, .width = pairs ? 2 : 1, .is_exact = true };
	w->method = lp_kind_method(p->spec.kind, pairs ? LP_VERB_READ : LP_VERB_CONTAINS);
	sort_reads(w);
	number_keys(w);
	/* A key whose value is that of a missing key may be present or not. */
	w->is_exact &= reads_are_alone(w) && (!pairs || p->spec.param[lp_spec_param(&p->spec, "init")] == LP_NIL);
	return true;
}

void lp_whole_close(struct lp_whole *w)
{
	lp_free(w->keys);
	lp_free(w->first);
	lp_free(w->ops);
	lp_free(w->reads);
	lp_free(w->values);
	lp_free(w->from);
	*w = (struct lp_whole){ 0 };
}

/* Returns what read i says about the key. */
static int64_t said(const struct lp_whole *w, uint32_t i, int64_t key)
{
	const size_t count = (w->from[i + 1] - w->from[i]) / w->width;
	const int64_t *found = count ? bsearch(&key, w->values + w->from[i], count, sizeof key * w->width, lp_sort_compare_values) : NULL;

	if (w->width == 1)
		return found != NULL;
	return found ? found[1] : w->p->spec.param[lp_spec_param(&w->p->spec, "init")];
}

void lp_whole_part(const struct lp_whole *w, uint32_t key, struct lp_problem *part)
{
	const uint32_t own = w->first[key + 1] - w->first[key];
	uint32_t *ops = lp_alloc(sizeof *ops * ((size_t)own + w->read_count + 1));

	memcpy(ops, w->ops + w->first[key], sizeof *ops * own);
	memcpy(ops + own, w->reads, sizeof *ops * w->read_count);
	lp_problem_part(part, w->p, ops, NULL, own + w->read_count);
	part->methods = 0;
	for (uint32_t i = 0; i < part->count; i++) {
		struct lp_history_op *op = &part->ops[i];
		if (i >= own) {
			op->method = w->method & 255;
			op->arg = w->keys[key];
			op->results = 1;
			op->result = said(w, i - own, w->keys[key]);
		}
		part->methods |= UINT64_C(1) << op->method;
	}
	lp_free(ops);
}
