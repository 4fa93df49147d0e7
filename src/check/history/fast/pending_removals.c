/* pending_removals.c -- assigns pending removals to values that stay. */
#include "check/history/fast/pending_removals.h"

#include <string.h>

#include "check/sort.h"

/* A Fenwick tree, counted from the end. */
void lp_suffixes_open(struct lp_suffixes *s, uint32_t size)
{
	s->size = size;
	s->low = lp_alloc(sizeof *s->low * ((size_t)size + 1));
	memset(s->low, 0xff, sizeof *s->low * ((size_t)size + 1));
}

void lp_suffixes_close(struct lp_suffixes *s)
{
	lp_free(s->low);
	*s = (struct lp_suffixes){ 0 };
}

void lp_suffixes_put(struct lp_suffixes *s, uint32_t place, uint32_t value)
{
	for (uint32_t i = s->size - place; i <= s->size; i += i & -i)
		if (value < s->low[i])
			s->low[i] = value;
}

uint32_t lp_suffixes_low(const struct lp_suffixes *s, uint32_t place)
{
	uint32_t low = LP_NEVER;

	if (place >= s->size)
		return low;
	for (uint32_t i = s->size - place; i; i -= i & -i)
		low = s->low[i] < low ? s->low[i] : low;
	return low;
}

/* Per gap, may the object be empty there? */
static bool *find_empty_gaps(const struct lp_pairs *s, const struct lp_problem *p)
{
	bool *empty = lp_alloc_zero((size_t)p->ranks + 1, sizeof *empty);
	int32_t *change = lp_alloc_zero((size_t)p->ranks + 1, sizeof *change);
	int32_t *debt = lp_alloc_zero((size_t)p->ranks + 1, sizeof *debt);
	int32_t there = 0, owed = 0;

	for (uint32_t i = 0; i < s->count; i++) {
		if (s->at[i].out == LP_NO_OP) {
			debt[s->at[i].in_end]++;
		} else if (s->at[i].in_end < s->at[i].out_start) {
			change[s->at[i].in_end]++;
			change[s->at[i].out_start]--;
		}
	}
	for (uint32_t i = 0; i < s->pending_removal_count; i++)
		debt[p->ops[s->pending_removals[i]].start]--;
	for (uint32_t g = 0; g < p->ranks; g++) {
		there += change[g];
		owed += debt[g];
		empty[g] = !there && owed <= 0;
	}
	lp_free(change);
	lp_free(debt);
	return empty;
}

bool lp_pending_removals_empties(const struct lp_pairs *s, const struct lp_problem *p,
				 struct lp_suffixes *ends)
{
	bool *empty = find_empty_gaps(s, p), good = true;
	uint32_t *next = lp_alloc(sizeof *next * ((size_t)p->ranks + 1));
	uint32_t *last = lp_alloc(sizeof *last * ((size_t)p->ranks + 1));

	next[p->ranks] = p->ranks;
	for (uint32_t g = p->ranks; g-- > 0;)
		next[g] = empty[g] ? g : next[g + 1];
	for (uint32_t g = 0; g < p->ranks; g++)
		last[g] = empty[g] || !g ? g : last[g - 1];
	for (uint32_t i = 0; i < s->empty_count && good; i++) {
		const struct lp_history_op *op = &p->ops[s->empties[i]];
		good = next[op->start] < op->end;
		if (good)
			lp_suffixes_put(ends, next[op->start], last[op->end - 1] + 1);
	}
	lp_free(empty);
	lp_free(next);
	lp_free(last);
	return good;
}

bool lp_pending_removals_assign(struct lp_pairs *s, const struct lp_problem *p, const uint32_t *deadline)
{
	struct lp_keyed *staying = lp_alloc(sizeof *staying * s->staying);
	uint32_t count = 0;
	bool in_time = true;

	/* By deadline; without one, in order of arrival. */
	for (uint32_t i = 0; i < s->count; i++)
		if (s->at[i].out == LP_NO_OP)
			staying[count++] = (struct lp_keyed){
				(uint64_t)deadline[i] << 32 | s->at[i].in_end, i
			};
	lp_sort_keyed(staying, count);
	for (uint32_t i = 0; i < count && in_time; i++) {
		struct lp_pair *pair = &s->at[staying[i].id];
		const uint32_t by = deadline[staying[i].id];
		if (i >= s->pending_removal_count) {
			in_time = by == LP_NEVER;
			break;
		}
		const uint32_t start = p->ops[s->pending_removals[i]].start;
		in_time = start < by;
		pair->out = s->pending_removals[i];
		pair->out_start = start;
		s->of[pair->out] = staying[i].id;
		s->staying--;
	}
	lp_free(staying);
	return in_time;
}
