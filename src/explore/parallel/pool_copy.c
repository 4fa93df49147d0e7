/* pool_copy.c -- all pieces of a pool at once: what it begins with, and what is left at a moment. */
#include "base/error.h"
#include "explore/parallel/open_work.h"
#include "explore/parallel/pool_inside.h"

enum { COPY = 1 << 30 }; /* bytes of all items */

static void fill_piece(struct lp_pool *p, lp_piece n, const struct lp_open_piece *from)
{
	struct lp_pool_slot *piece = &p->piece[n];

	*piece = (struct lp_pool_slot){ .state = from->failed ? LP_PIECE_FAILED : LP_PIECE_QUEUED, .before = p->last, .after = LP_NO_PIECE,
				 .visited = from->visited, .end = from->end };
	if (p->last == LP_NO_PIECE)
		p->first = n;
	else
		p->piece[p->last].after = n;
	p->last = n;
	if (from->failed)
		lp_pool_set_frame(p, from->item, from->size, from->visited);
	else
		lp_pool_set_item(p, n, from->item, from->size);
	p->queued += !from->failed;
	lp_pool_add_counts(p, n, &from->before.counts, from->before.outcomes.at, from->before.outcomes.count);
}

void lp_pool_fill(struct lp_pool *p, const struct lp_open_work *w)
{
	for (uint32_t i = 0; i < w->count; i++) {
		fill_piece(p, i, &w->at[i]);
		p->blocked += w->at[i].before.counts.blocked;
	}
	lp_pool_add_counts(p, LP_NO_PIECE, &w->after.counts, w->after.outcomes.at, w->after.outcomes.count);
	p->executions = p->counted = lp_open_work_executions(w);
	p->blocked += w->after.counts.blocked;
}

static void copy_counted(struct lp_pool *p, lp_piece n, struct lp_work_counted *to)
{
	const uint64_t *counted = lp_pool_outcomes_of(p, n);

	LP_HOLDS(!to->outcomes.count);
	to->counts = *lp_pool_counts_of(p, n);
	for (uint32_t i = 0; i < p->texts.count; i++)
		if (counted[i]) /* texts stay where they are as long as the pool is there */
			LP_PUSH(&to->outcomes, (struct lp_outcome){ p->texts.bytes + p->texts.at[i], counted[i] });
}

/* Where its item is is filled in when `bytes` does not move any more. */
static void copy_piece(struct lp_pool *p, lp_piece n, struct lp_open_work *work, struct lp_bytes *bytes)
{
	const struct lp_pool_slot *piece = &p->piece[n];
	struct lp_open_piece to = { .visited = piece->visited, .end = piece->end, .failed = piece->state == LP_PIECE_FAILED };

	if (to.failed)
		to.visited = p->frame.visited;
	to.size = to.failed ? (uint32_t)p->frame.size : piece->size;
	lp_bytes_put(bytes, to.failed ? p->frame.at : lp_pool_item_of(p, n), to.size);
	copy_counted(p, n, &to.before);
	LP_PUSH(work, to);
}

static bool can_copy(const struct lp_pool *p)
{
	size_t size = 0;

	for (lp_piece n = p->first; n != LP_NO_PIECE; n = p->piece[n].after) {
		const bool failed = p->piece[n].state == LP_PIECE_FAILED;
		size += failed ? p->frame.size : p->piece[n].size;
		if (failed ? !p->frame.size : p->piece[n].outdated)
			return false;
	}
	return size <= COPY && p->stop != LP_POOL_TORN;
}

bool lp_pool_copy(struct lp_pool *p, struct lp_open_work *work, struct lp_bytes *bytes)
{
	*work = (struct lp_open_work){ 0 };
	bytes->count = 0;
	lp_pool_lock(p);
	const bool can = can_copy(p);
	for (lp_piece n = can ? p->first : LP_NO_PIECE; n != LP_NO_PIECE; n = p->piece[n].after)
		copy_piece(p, n, work, bytes);
	if (can)
		copy_counted(p, LP_NO_PIECE, &work->after);
	lp_pool_unlock(p);
	const uint8_t *item = bytes->at;
	for (uint32_t i = 0; i < work->count; item += work->at[i++].size)
		work->at[i].item = item;
	return can;
}
