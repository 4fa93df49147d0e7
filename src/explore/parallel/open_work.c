/* open_work.c -- what is left of an exploration, as bytes. */
#include "explore/parallel/open_work.h"

#include <string.h>

#include "base/error.h"
#include "ranks/records.h"

void lp_open_work_all(struct lp_open_work *w, const struct lp_bytes *root)
{
	*w = (struct lp_open_work){ 0 };
	LP_PUSH(w, (struct lp_open_piece){ .end = 1, .item = root->at, .size = root->count });
}

void lp_open_work_drop(struct lp_open_work *w)
{
	for (uint32_t i = 0; i < w->count; i++)
		lp_free(w->at[i].before.outcomes.at);
	lp_free(w->after.outcomes.at);
	lp_free(w->at);
	*w = (struct lp_open_work){ 0 };
}

uint64_t lp_open_work_executions(const struct lp_open_work *w)
{
	uint64_t sum = w->after.counts.executions;

	for (uint32_t i = 0; i < w->count; i++)
		sum += w->at[i].before.counts.executions;
	return sum;
}

static struct lp_outcome *outcome_of(struct lp_work_counted *c, const char *text, struct lp_arena *arena)
{
	for (uint32_t i = 0; i < c->outcomes.count; i++)
		if (!strcmp(c->outcomes.at[i].text, text))
			return &c->outcomes.at[i];
	LP_PUSH(&c->outcomes, (struct lp_outcome){ arena ? lp_arena_strdup(arena, text) : text, 0 });
	LP_HOLDS(!LP_LAST(&c->outcomes).executions);
	return &LP_LAST(&c->outcomes);
}

void lp_work_counted_add(struct lp_work_counted *to, const struct lp_pool_counts *counts, const struct lp_outcome *outcomes,
		    uint32_t count, struct lp_arena *arena)
{
	lp_pool_counts_add(&to->counts, counts);
	for (uint32_t i = 0; i < count; i++)
		if (outcomes[i].executions)
			outcome_of(to, outcomes[i].text, arena)->executions += outcomes[i].executions;
}

/* ---- as bytes ---- */

static void put_counted(const struct lp_work_counted *c, struct lp_bytes *to)
{
	const struct lp_pool_counts *n = &c->counts;
	const uint64_t numbers[] = { n->executions, n->blocked, n->abandoned, n->cut, n->left, n->left_pc };

	lp_bytes_put(to, numbers, sizeof numbers);
	lp_bytes_put_number(to, c->outcomes.count);
	for (uint32_t i = 0; i < c->outcomes.count; i++) {
		lp_bytes_put_line(to, c->outcomes.at[i].text);
		lp_bytes_put_number(to, c->outcomes.at[i].executions);
	}
}

void lp_open_work_write(const struct lp_open_work *w, struct lp_bytes *to)
{
	lp_bytes_put_number(to, w->count);
	for (uint32_t i = 0; i < w->count; i++) {
		const struct lp_open_piece *p = &w->at[i];
		LP_HOLDS(!p->failed || i + 1 == w->count);
		put_counted(&p->before, to);
		lp_bytes_put(to, &p->visited, sizeof p->visited);
		lp_bytes_put(to, &p->end, sizeof p->end);
		lp_bytes_put_number(to, p->failed);
		lp_bytes_put_string(to, p->item, p->size);
	}
	put_counted(&w->after, to);
}

static void get_counted(struct lp_work_counted *c, struct lp_cursor *from)
{
	uint64_t numbers[6];

	lp_cursor_get(from, numbers, sizeof numbers);
	c->counts = (struct lp_pool_counts){ numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5] };
	for (uint64_t n = lp_cursor_u64(from); n && !from->bad; n--) {
		const char *text = lp_cursor_line(from);
		const uint64_t executions = lp_cursor_u64(from);
		if (!from->bad)
			LP_PUSH(&c->outcomes, (struct lp_outcome){ text, executions });
	}
}

static void get_piece(struct lp_open_piece *p, struct lp_cursor *from)
{
	get_counted(&p->before, from);
	lp_cursor_get(from, &p->visited, sizeof p->visited);
	lp_cursor_get(from, &p->end, sizeof p->end);
	p->failed = lp_cursor_number(from, 1);
	const struct lp_cursor item = lp_cursor_string(from);
	p->item = item.at;
	p->size = (uint32_t)item.left;
	from->bad |= item.bad || item.left > UINT32_MAX || !(p->visited >= 0 && p->visited <= 1 && p->end >= 0 && p->end <= 1) ||
		     !lp_item_is_whole(p->item, p->size);
}

bool lp_open_work_read(struct lp_open_work *w, struct lp_cursor *from)
{
	*w = (struct lp_open_work){ 0 };
	for (uint64_t n = lp_cursor_u64(from); n && !from->bad; n--) {
		struct lp_open_piece p = { .failed = false };
		get_piece(&p, from);
		LP_PUSH(w, p);
		from->bad |= p.failed && n > 1; /* what comes after an error is not visited */
	}
	get_counted(&w->after, from);
	if (from->bad)
		lp_open_work_drop(w);
	return !from->bad;
}
