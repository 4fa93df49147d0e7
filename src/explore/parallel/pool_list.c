/* pool_list.c -- the pieces of a pool in their order, and what was counted before each. */
#include <string.h>

#include "base/error.h"
#include "explore/parallel/pool_inside.h"

/* ---- the list ---- */

void lp_pool_link_after(struct lp_pool *p, lp_piece n, lp_piece before)
{
	struct lp_pool_slot *piece = &p->piece[n];

	LP_HOLDS(n < p->room && n != before && piece->state != LP_PIECE_FREE);
	piece->before = before;
	piece->after = before == LP_NO_PIECE ? p->first : p->piece[before].after;
	*(before == LP_NO_PIECE ? &p->first : &p->piece[before].after) = n;
	if (piece->after != LP_NO_PIECE)
		p->piece[piece->after].before = n;
	else
		p->last = n;
}

void lp_pool_take_out(struct lp_pool *p, lp_piece n)
{
	const struct lp_pool_slot *piece = &p->piece[n];

	LP_HOLDS(piece->before == LP_NO_PIECE ? p->first == n : p->piece[piece->before].after == n);
	LP_HOLDS(piece->after == LP_NO_PIECE ? p->last == n : p->piece[piece->after].before == n);
	if (piece->before != LP_NO_PIECE)
		p->piece[piece->before].after = piece->after;
	else
		p->first = piece->after;
	if (piece->after != LP_NO_PIECE)
		p->piece[piece->after].before = piece->before;
	else
		p->last = piece->before;
}

void lp_pool_clear_counts(struct lp_pool *p, lp_piece n)
{
	*lp_pool_counts_of(p, n) = (struct lp_pool_counts){ 0 };
	memset(lp_pool_outcomes_of(p, n), 0, sizeof(uint64_t) * p->texts.count);
}

void lp_pool_release(struct lp_pool *p, lp_piece n)
{
	struct lp_pool_slot *piece = &p->piece[n];

	LP_HOLDS(n < p->room && piece->state != LP_PIECE_FREE && piece->state != LP_PIECE_BORDER);
	/* What the piece has counted still counts. */
	p->ended.executions += piece->executions;
	p->ended.blocked += piece->blocked;
	piece->state = LP_PIECE_FREE;
}

lp_piece lp_pool_find_free(const struct lp_pool *p)
{
	for (lp_piece n = 0; n < p->room; n++)
		if (p->piece[n].state == LP_PIECE_FREE)
			return n;
	return LP_NO_PIECE;
}

bool lp_pool_is_border(const struct lp_pool *p, lp_piece n)
{
	return n == LP_NO_PIECE || p->piece[n].state == LP_PIECE_BORDER;
}

lp_piece lp_pool_first_queued(const struct lp_pool *p)
{
	for (lp_piece n = p->queued ? p->first : LP_NO_PIECE; n != LP_NO_PIECE;
	     n = p->piece[n].after)
		if (p->piece[n].state == LP_PIECE_QUEUED)
			return n;
	return LP_NO_PIECE;
}

lp_piece lp_pool_queue_after(struct lp_pool *p, lp_piece before, const uint8_t *bytes, size_t size, double from, double end)
{
	const lp_piece n = lp_pool_find_free(p);

	LP_HOLDS(n != LP_NO_PIECE && size);
	/* `from` and `end` are estimates: a choice may turn out to have more alternatives than were known when a part was
	 * given away. */
	p->piece[n] = (struct lp_pool_slot){ .state = LP_PIECE_QUEUED, .visited = from < end ? from : end, .end = end };
	lp_pool_clear_counts(p, n);
	lp_pool_set_item(p, n, bytes, size);
	lp_pool_link_after(p, n, before);
	p->queued++;
	atomic_fetch_add(&p->news, 1);
	return n;
}

void lp_pool_cancel_piece(struct lp_pool *p, lp_piece n)
{
	struct lp_pool_slot *piece = &p->piece[n];

	LP_HOLDS(!lp_pool_is_border(p, n) && !piece->cancelled);
	lp_pool_take_out(p, n);
	if (piece->state == LP_PIECE_RUNNING) {
		piece->state = LP_PIECE_CANCELLED; /* its worker releases it */
		piece->told = false;
		atomic_store(&piece->cancelled, true);
		p->running--;
	} else {
		p->queued -= piece->state == LP_PIECE_QUEUED;
		lp_pool_release(p, n);
	}
}

/* ---- outcomes ---- */

/* The number of an outcome; LP_POOL_ROOM if there is no room for it. */
static uint32_t number_of(struct lp_pool *p, const char *text)
{
	const size_t size = strlen(text) + 1;

	for (uint32_t i = 0; i < p->texts.count; i++)
		if (!strcmp(p->texts.bytes + p->texts.at[i], text))
			return i;
	if (p->texts.count == LP_POOL_ROOM || p->texts.used + size > LP_POOL_TEXTS)
		return LP_POOL_ROOM;
	memcpy(p->texts.bytes + p->texts.used, text, size);
	p->texts.at[p->texts.count] = p->texts.used;
	p->texts.used += (uint32_t)size;
	return p->texts.count++; /* its counts are zero in all pieces */
}

struct lp_pool_counts lp_pool_counts_in(const struct lp_exploration *e)
{
	return (struct lp_pool_counts){ e->executions, e->blocked, e->abandoned, e->cut, e->left, e->left_pc };
}

void lp_pool_counts_put(const struct lp_pool_counts *counts, struct lp_exploration *out)
{
	out->executions = counts->executions;
	out->blocked = counts->blocked;
	out->abandoned = counts->abandoned;
	out->cut = counts->cut;
	out->left = counts->left;
	out->left_pc = counts->left_pc;
}

void lp_pool_counts_add(struct lp_pool_counts *to, const struct lp_pool_counts *counts)
{
	to->executions += counts->executions;
	to->blocked += counts->blocked;
	to->abandoned += counts->abandoned;
	to->cut += counts->cut;
	to->left += counts->left;
	if (counts->left_pc && (!to->left_pc || counts->left_pc < to->left_pc))
		to->left_pc = counts->left_pc;
}

void lp_pool_add_counts(struct lp_pool *p, lp_piece to, const struct lp_pool_counts *counts,
		       const struct lp_outcome *outcomes, uint32_t count)
{
	uint64_t *o = lp_pool_outcomes_of(p, to);

	lp_pool_counts_add(lp_pool_counts_of(p, to), counts);
	for (uint32_t i = 0; i < count; i++) {
		if (!outcomes[i].executions)
			continue;
		const uint32_t n = number_of(p, outcomes[i].text);
		if (n == LP_POOL_ROOM)
			lp_pool_stop(p, LP_POOL_OUTCOMES);
		else
			o[n] += outcomes[i].executions;
	}
}

void lp_pool_pass_on(struct lp_pool *p, lp_piece n)
{
	const lp_piece after = p->piece[n].after;
	const uint64_t *from = lp_pool_outcomes_of(p, n);
	uint64_t *to = lp_pool_outcomes_of(p, after);

	LP_HOLDS(p->piece[n].state != LP_PIECE_BORDER && p->piece[n].state != LP_PIECE_FREE);
	lp_pool_counts_add(lp_pool_counts_of(p, after), &p->piece[n].done);
	for (uint32_t i = 0; i < p->texts.count; i++)
		to[i] += from[i];
}

void lp_pool_set_item(struct lp_pool *p, lp_piece n, const uint8_t *bytes, size_t size)
{
	LP_HOLDS(size <= p->items.room);
	p->piece[n].size = (uint32_t)size;
	memcpy(lp_pool_item_of(p, n), bytes, size);
}

void lp_pool_set_frame(struct lp_pool *p, const uint8_t *bytes, size_t size, double visited)
{
	p->frame.visited = visited;
	p->frame.size = size <= LP_POOL_FRAME ? size : 0;
	memcpy(p->frame.at, bytes, p->frame.size);
}

/* ---- counts as bytes ---- */

void lp_pool_put_counts(struct lp_pool *p, lp_piece n, struct lp_bytes *to)
{
	const uint64_t *counted = lp_pool_outcomes_of(p, n);
	const uint32_t at = to->count;
	uint32_t count = 0;

	lp_bytes_put(to, lp_pool_counts_of(p, n), sizeof(struct lp_pool_counts));
	lp_bytes_put(to, &count, sizeof count);
	for (uint32_t i = 0; i < p->texts.count; i++) {
		if (!counted[i])
			continue;
		lp_bytes_put(to, &counted[i], sizeof counted[i]);
		lp_bytes_put_text(to, p->texts.bytes + p->texts.at[i]);
		count++;
	}
	memcpy(to->at + at + sizeof(struct lp_pool_counts), &count, sizeof count);
}

void lp_pool_get_counted(struct lp_pool_counted *c, struct lp_cursor *from)
{
	*c = (struct lp_pool_counted){ .counts = { 0 } };
	lp_cursor_get(from, &c->counts, sizeof c->counts);
	for (uint32_t left = lp_cursor_u32(from); left && !from->bad; left--) {
		const uint64_t executions = lp_cursor_u64(from);
		const char *text = lp_cursor_text(from);
		if (text)
			LP_PUSH(&c->outcomes, (struct lp_outcome){ text, executions });
	}
}

void lp_pool_drop_counted(struct lp_pool_counted *c)
{
	for (uint32_t i = 0; i < c->outcomes.count; i++)
		lp_free((char *)c->outcomes.at[i].text);
	lp_free(c->outcomes.at);
}
