/* pool_parts.c -- parts of another pool in the pool of this machine: adds them, gives ends of them back,
 * and ends them. */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "explore/parallel/pool_inside.h"

/* Both the border and the piece need room. */
static bool add_part(struct lp_pool *p, uint32_t part, const struct lp_pool_piece *piece)
{
	const lp_piece border = lp_pool_find_free(p);

	if (border == LP_NO_PIECE)
		return false;
	p->piece[border] = (struct lp_pool_slot){ .state = LP_PIECE_BORDER, .part = part };
	if (lp_pool_find_free(p) == LP_NO_PIECE) {
		p->piece[border].state = LP_PIECE_FREE;
		return false;
	}
	lp_pool_clear_counts(p, border);
	const lp_piece before = p->last;
	lp_pool_link_after(p, border, before);
	lp_pool_queue_after(p, before, piece->bytes, piece->size, piece->visited, piece->end);
	return true;
}

/* The border of the part; LP_NO_PIECE if it has none here. */
static lp_piece border_of(const struct lp_pool *p, uint32_t part)
{
	for (lp_piece n = p->first; n != LP_NO_PIECE; n = p->piece[n].after)
		if (p->piece[n].state == LP_PIECE_BORDER && p->piece[n].part == part)
			return n;
	return LP_NO_PIECE;
}

bool lp_pool_add(struct lp_pool *p, uint32_t part, const struct lp_pool_piece *piece)
{
	lp_pool_lock(p);
	LP_HOLDS(p->parts && border_of(p, part) == LP_NO_PIECE);
	const bool added = piece->size <= p->items.room && add_part(p, part, piece);
	lp_pool_unlock(p);
	lp_pool_wake(&p->news, 1);
	return added;
}

void lp_pool_want(struct lp_pool *p, uint32_t pieces)
{
	atomic_store(&p->abroad, pieces);
}

bool lp_pool_withdraw(struct lp_pool *p, uint32_t *part, double *from, struct lp_bytes *item, struct lp_bytes *after)
{
	bool found = false;

	lp_pool_lock(p);
	for (lp_piece b = p->first; b != LP_NO_PIECE && !found && p->abroad; b = p->piece[b].after) {
		const lp_piece n = p->piece[b].before;
		if (p->piece[b].state != LP_PIECE_BORDER || n == LP_NO_PIECE || p->piece[n].state != LP_PIECE_QUEUED)
			continue;
		found = true;
		LP_HOLDS(p->queued && p->piece[n].size && !p->piece[n].outdated);
		*part = p->piece[b].part;
		*from = p->piece[n].visited;
		item->count = 0;
		lp_bytes_put(item, lp_pool_item_of(p, n), p->piece[n].size);
		after->count = 0;
		lp_pool_put_counts(p, b, after);
		lp_pool_clear_counts(p, b);
		lp_pool_pass_on(p, n);
		lp_pool_take_out(p, n);
		lp_pool_release(p, n);
		p->queued--;
		p->abroad--;
	}
	lp_pool_unlock(p);
	return found;
}

void lp_pool_cancel(struct lp_pool *p, uint32_t part)
{
	lp_pool_lock(p);
	const lp_piece b = border_of(p, part);
	while (b != LP_NO_PIECE && !lp_pool_is_border(p, p->piece[b].before))
		lp_pool_cancel_piece(p, p->piece[b].before);
	lp_pool_unlock(p);
}

/* The first piece of the border's part; the border itself if the part has no pieces. */
static lp_piece begin_of(const struct lp_pool *p, lp_piece border)
{
	lp_piece n = border;

	while (!lp_pool_is_border(p, p->piece[n].before))
		n = p->piece[n].before;
	return n;
}

void lp_pool_end_parts(struct lp_pool *p)
{
	lp_pool_lock(p);
	for (lp_piece n = p->first, next; n != LP_NO_PIECE; n = next) {
		next = p->piece[n].after;
		if (p->piece[n].state != LP_PIECE_QUEUED && p->piece[n].state != LP_PIECE_RUNNING)
			continue;
		lp_pool_pass_on(p, n);
		lp_pool_take_out(p, n);
		lp_pool_release(p, n);
	}
	p->queued = p->running = 0;
	lp_pool_unlock(p);
}

/* Removes the part whose first piece is n. This is the border, or a piece in which an error was
 * found. */
static void take_part(struct lp_pool *p, lp_piece n, lp_piece border, struct lp_bytes *result)
{
	LP_HOLDS(n == border || p->piece[n].after == border); /* a piece with an error is the last
	                                                       * of its part */
	result->count = 0;
	lp_pool_put_counts(p, n, result);
	if (n != border) {
		const double visited = p->piece[n].visited;
		lp_bytes_put(result, &visited, sizeof visited);
		lp_bytes_put(result, lp_pool_item_of(p, n), p->piece[n].size);
		lp_pool_take_out(p, n);
		lp_pool_release(p, n);
	}
	lp_pool_take_out(p, border);
	p->piece[border].state = LP_PIECE_FREE;
}

static enum lp_pool_part look_at_part(struct lp_pool *p, lp_piece border, struct lp_bytes *result)
{
	const lp_piece n = begin_of(p, border), last = p->piece[border].before;
	const bool failed = p->piece[n].state == LP_PIECE_FAILED;

	LP_HOLDS(p->parts && p->piece[border].state == LP_PIECE_BORDER);
	if (n == border || failed) {
		take_part(p, n, border, result);
		return failed ? LP_PART_FAILED : LP_PART_DONE;
	}
	if (p->piece[last].state != LP_PIECE_FAILED || p->piece[last].told)
		return LP_PART_NONE;
	p->piece[last].told = true;
	return LP_PART_FAILING;
}

enum lp_pool_part lp_pool_part_ended(struct lp_pool *p, uint32_t *part, struct lp_bytes *result)
{
	enum lp_pool_part how = LP_PART_NONE;

	lp_pool_lock(p);
	for (lp_piece n = p->first, next; n != LP_NO_PIECE && how == LP_PART_NONE; n = next) {
		next = p->piece[n].after;
		*part = p->piece[n].part;
		if (p->piece[n].state == LP_PIECE_BORDER)
			how = look_at_part(p, n, result);
	}
	lp_pool_unlock(p);
	return how;
}

bool lp_pool_finish_part(struct lp_pool *p, lp_piece n, bool failed, struct lp_cursor *from)
{
	struct lp_pool_failure failure = { .visited = 0 };
	struct lp_bytes frame = { 0 };
	struct lp_pool_counted c;

	lp_pool_get_counted(&c, from);
	if (failed)
		lp_cursor_get(from, &failure.visited, sizeof failure.visited);
	if (failed && !from->bad)
		lp_bytes_put(&frame, from->at, from->left);
	failure.frame = &frame;
	from->bad |= n >= p->room;
	if (!from->bad && failed)
		lp_pool_fail(p, n, &c.counts, c.outcomes.at, c.outcomes.count, failure);
	else if (!from->bad)
		lp_pool_finish(p, n, &c.counts, c.outcomes.at, c.outcomes.count);
	lp_pool_drop_counted(&c);
	lp_free(frame.at);
	return !from->bad;
}
