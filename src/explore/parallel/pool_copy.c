/* pool_copy.c -- fills a pool with its first pieces, and copies all of its pieces at one moment. */
#include "base/error.h"
#include "explore/parallel/open_work.h"
#include "explore/parallel/pool_inside.h"

enum { COPY = 1 << 29 }; /* bytes of all items, at most */

static void fill_piece(struct lp_pool *p, lp_piece n, const struct lp_open_piece *from)
{
	struct lp_pool_slot *piece = &p->piece[n];

	LP_HOLDS(n < p->room && from->size && (p->last == LP_NO_PIECE || p->piece[p->last].state != LP_PIECE_FAILED));
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
	const struct lp_pool_counts sum = lp_open_work_counts(w);

	for (uint32_t i = 0; i < w->count; i++)
		fill_piece(p, i, &w->at[i]);
	lp_pool_add_counts(p, LP_NO_PIECE, &w->after.counts, w->after.outcomes.at, w->after.outcomes.count);
	LP_VALID(lp_pool_validate(p));
	p->ended.executions = p->counted = sum.executions;
	p->ended.blocked = sum.blocked;
}

static void copy_counted(struct lp_pool *p, lp_piece n, struct lp_work_counted *to)
{
	const uint64_t *counted = lp_pool_outcomes_of(p, n);

	LP_HOLDS(!to->outcomes.count);
	to->counts = *lp_pool_counts_of(p, n);
	for (uint32_t i = 0; i < p->texts.count; i++)
		if (counted[i]) /* texts do not move as long as the pool exists */
			LP_PUSH(&to->outcomes, (struct lp_outcome){ p->texts.bytes + p->texts.at[i], counted[i] });
}

/* The frame of a piece's error. In a pool of parts, each failed piece has its frame instead of its
 * item. */
static const uint8_t *frame_of(struct lp_pool *p, lp_piece n)
{
	return p->parts ? lp_pool_item_of(p, n) : p->frame.at;
}

/* The address of its item is filled in when `bytes` no longer moves. */
static void copy_piece(struct lp_pool *p, lp_piece n, struct lp_open_work *work, struct lp_bytes *bytes)
{
	const struct lp_pool_slot *piece = &p->piece[n];
	struct lp_open_piece to = { .visited = piece->visited, .end = piece->end, .failed = piece->state == LP_PIECE_FAILED, .number = n,
				    .worker = piece->state == LP_PIECE_RUNNING ? piece->worker : LP_NO_WORKER, .size = piece->size };

	if (to.failed && !p->parts) {
		to.visited = p->frame.visited;
		to.size = (uint32_t)p->frame.size;
	}
	LP_HOLDS(to.size && !piece->outdated);
	lp_bytes_put(bytes, to.failed ? frame_of(p, n) : lp_pool_item_of(p, n), to.size);
	copy_counted(p, n, &to.before);
	LP_PUSH(work, to);
}

/* The pieces from `first` to the border `end`, or to the end of the list. */
static void copy_pieces(struct lp_pool *p, lp_piece first, lp_piece end, struct lp_open_work *work, struct lp_bytes *bytes)
{
	for (lp_piece n = first; n != end; n = p->piece[n].after)
		copy_piece(p, n, work, bytes);
	copy_counted(p, end, &work->after);
	const uint8_t *item = bytes->at;
	for (uint32_t i = 0; i < work->count; item += work->at[i++].size)
		work->at[i].item = item;
	LP_HOLDS(item == bytes->at + bytes->count);
}

/* Are the pieces recorded? When there is another reason to stop, workers end their pieces in the middle without a
 * record. */
static bool is_recorded(const struct lp_pool *p)
{
	const enum lp_pool_stop stop = lp_pool_stopped(p);

	return stop == LP_POOL_RUNS || stop == LP_POOL_DONE || lp_pool_keeps_rest(p);
}

static bool can_copy(const struct lp_pool *p)
{
	size_t size = 0;

	for (lp_piece n = p->first; n != LP_NO_PIECE; n = p->piece[n].after) {
		const bool failed = p->piece[n].state == LP_PIECE_FAILED;
		const size_t item = failed && !p->parts ? p->frame.size : p->piece[n].size;
		size += item;
		if (failed ? !item : p->piece[n].outdated)
			return false;
	}
	return size <= COPY && is_recorded(p) && !p->discarded;
}

bool lp_pool_copy(struct lp_pool *p, struct lp_open_work *work, struct lp_bytes *bytes)
{
	*work = (struct lp_open_work){ 0 };
	bytes->count = 0;
	lp_pool_lock(p);
	const bool can = can_copy(p);
	if (can)
		copy_pieces(p, p->first, LP_NO_PIECE, work, bytes);
	lp_pool_unlock(p);
	return can;
}

bool lp_pool_copy_parts(struct lp_pool *p, struct lp_bytes *to)
{
	struct lp_bytes items = { 0 };
	lp_piece first = LP_NO_PIECE;

	lp_pool_lock(p);
	const bool can = can_copy(p);
	for (lp_piece n = can ? p->first : LP_NO_PIECE; n != LP_NO_PIECE; n = p->piece[n].after) {
		struct lp_open_work work = { 0 };
		if (first == LP_NO_PIECE)
			first = n;
		if (p->piece[n].state != LP_PIECE_BORDER)
			continue;
		items.count = 0;
		copy_pieces(p, first, n, &work, &items);
		lp_bytes_put(to, &p->piece[n].part, sizeof p->piece[n].part);
		lp_open_work_write(&work, to);
		lp_open_work_drop(&work);
		first = LP_NO_PIECE;
	}
	lp_pool_unlock(p);
	lp_free(items.at);
	return can;
}
