/* item.h -- work that can be sent to another process, or kept for later.
 *
 * An item is a graph, the order of its operations, and perhaps a choice.  It stands for a part of the exploration: everything that can be reached by the
 * alternatives of the choice, or, if there is no choice, from the graph.  An item may also be a walk that has been interrupted, with all its graphs and
 * choices.  The bytes of an item have the same meaning in every process that was forked from the one that loaded the program, since addresses of code and data
 * are the same there.  The numbers of operations, locations and live states differ between processes, so lp_item_read() translates them.
 */
#ifndef LP_EXPLORE_PARALLEL_ITEM_H
#define LP_EXPLORE_PARALLEL_ITEM_H

#include "ranks/bytes.h"
#include "explore/graph/frame.h"

/* Writes the remaining alternatives of choice `c` of the frame, or the whole frame if `c` is NULL. `share` is
 * the fraction of the tree of choices (walk.h) that the item stands for, and `visited` the fraction that comes
 * before it. */
void lp_item_write(struct lp_explorer *, const struct lp_frame *, const struct lp_choice *c,
		   double share, double visited, struct lp_bytes *to);

/* Writes what is left of the walk.  To be called between two executions. */
void lp_item_write_rest(struct lp_explorer *, struct lp_bytes *to);

/* Writes the whole exploration: the empty graph. */
void lp_item_write_root(struct lp_bytes *to);

/* For bytes from a file: do they have the form of an item?  Only lengths and numbers are checked. */
bool lp_item_is_whole(const uint8_t *from, size_t size);

/* Replaces the frames of the explorer by those of the item.  Returns true if the walk is to continue with the choices of these frames, and
 * false if it is to continue with the graph of the top frame. */
bool lp_item_read(struct lp_explorer *, const uint8_t *from);

#endif
