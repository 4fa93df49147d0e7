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

struct lp_pool_counts lp_open_work_counts(const struct lp_open_work *w)
{
	struct lp_pool_counts sum = w->after.counts;

	for (uint32_t i = 0; i < w->count; i++)
		lp_pool_counts_add(&sum, &w->at[i].before.counts);
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

/* ---- of several machines ---- */

static void move_counted(struct lp_work_counted *to, struct lp_work_counted *from)
{
	*to = *from;
	*from = (struct lp_work_counted){ .counts = { 0 } };
}

static void add_counted(struct lp_work_counted *to, const struct lp_work_counted *from)
{
	lp_work_counted_add(to, &from->counts, from->outcomes.at, from->outcomes.count, NULL);
}

/* Appends a piece, with what was counted since the piece before it, and clears this count. */
static bool put_piece(struct lp_open_work *to, struct lp_work_counted *since, const struct lp_open_piece *p)
{
	struct lp_open_piece piece = *p;

	move_counted(&piece.before, since);
	add_counted(&piece.before, &p->before);
	LP_PUSH(to, piece);
	return !p->failed;
}

/* Appends the pieces of a part. Returns false if an error was found in the part. */
static bool put_part(struct lp_open_work *to, struct lp_work_counted *since, const struct lp_open_work *part)
{
	for (uint32_t i = 0; i < part->count; i++)
		if (!put_piece(to, since, &part->at[i]))
			return false;
	add_counted(since, &part->after);
	return true;
}

void lp_open_work_compose(const struct lp_open_work *whole, lp_open_work_part *part_of, void *closure, struct lp_open_work *out)
{
	struct lp_work_counted since = { .counts = { 0 } };
	bool more = true; /* what comes after an error is not visited */

	*out = (struct lp_open_work){ 0 };
	for (uint32_t i = 0; i < whole->count && more; i++) {
		const struct lp_open_piece *p = &whole->at[i];
		const struct lp_open_work *part = p->worker == LP_NO_WORKER ? NULL : part_of(closure, p->worker, p->number);
		if (!part) {
			more = put_piece(out, &since, p);
			continue;
		}
		add_counted(&since, &p->before);
		more = put_part(out, &since, part);
	}
	if (more)
		add_counted(&since, &whole->after);
	move_counted(&out->after, &since);
	LP_HOLDS(!since.outcomes.count && (more || LP_LAST(out).failed));
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
		LP_HOLDS(p->visited >= 0 && p->visited <= 1 && p->end >= 0 && p->end <= 1); /* otherwise lp_open_work_read()
		                                                                             * rejects the bytes */
		LP_AGREES(lp_item_is_whole(p->item, p->size));
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
