/* pool_validate.c -- the invariants of a pool, checked without relying on derived data. */
#include "explore/parallel/pool_inside.h"

/* L1: the list is linked in both directions, has no cycle, and ends at `last`. */
static bool links_are_fine(const struct lp_pool *p)
{
	lp_piece before = LP_NO_PIECE;
	uint32_t length = 0;

	for (lp_piece n = p->first; n != LP_NO_PIECE; before = n, n = p->piece[n].after)
		if (n >= p->room || p->piece[n].before != before || length++ == p->room)
			return false;
	return p->last == before;
}

/* L2: pieces that are free or cancelled are not in the list, and all others are.  `queued` and `running` are the numbers of pieces in these states. */
static bool states_are_fine(const struct lp_pool *p)
{
	uint32_t queued = 0, running = 0, listed = 0, others = 0;

	for (lp_piece n = p->first; n != LP_NO_PIECE; n = p->piece[n].after, listed++)
		if (p->piece[n].state == LP_PIECE_FREE || p->piece[n].state == LP_PIECE_CANCELLED)
			return false;
	for (lp_piece n = 0; n < p->room; n++) {
		queued += p->piece[n].state == LP_PIECE_QUEUED;
		running += p->piece[n].state == LP_PIECE_RUNNING;
		others += p->piece[n].state != LP_PIECE_FREE && p->piece[n].state != LP_PIECE_CANCELLED;
	}
	return queued == p->queued && running == p->running && others == listed;
}

/* L3: the item of a piece that waits, or is worked on, fits into its room. */
static bool items_are_fine(const struct lp_pool *p)
{
	for (lp_piece n = p->first; n != LP_NO_PIECE; n = p->piece[n].after)
		if (p->piece[n].size > p->items.room)
			return false;
	return p->texts.count <= LP_POOL_ROOM;
}

bool lp_pool_validate(const struct lp_pool *p)
{
	return links_are_fine(p) && states_are_fine(p) && items_are_fine(p);
}
