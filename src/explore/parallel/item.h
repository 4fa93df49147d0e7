/* item.h -- work that can be sent to another process, or kept for later.
 *
 * An item is a graph, the order of its operations, and perhaps a choice.  It stands for a part
 * of the exploration: all that the alternatives of the choice lead to, or, if there is no choice, all
 * that the graph leads to.  It may also be a walk that has been interrupted: all its graphs and choices.  Its bytes have the same meaning in every process that was forked from the
 * one that loaded the program, since addresses of code and data are the same there.  The numbers of
 * operations, locations and live states differ between processes, and are translated.
 */
#ifndef LP_EXPLORE_PARALLEL_ITEM_H
#define LP_EXPLORE_PARALLEL_ITEM_H

#include "ranks/bytes.h"
#include "explore/graph/frame.h"

/* Writes the alternatives that are left of choice `c` of the frame; or, if it is NULL, the whole
 * frame.  `share` and `visited` are the fractions of the tree that the item is, and that lie before it. */
void lp_item_write(struct lp_explorer *, const struct lp_frame *, const struct lp_choice *c,
		   double share, double visited, struct lp_bytes *to);

/* Writes what is left of the walk, which is between two executions. */
void lp_item_write_rest(struct lp_explorer *, struct lp_bytes *to);

/* Writes the whole exploration: the empty graph. */
void lp_item_write_root(struct lp_bytes *to);

/* Reads an item into the explorer, which then has its frames only.  Returns whether the walk goes on with their choices, rather than
 * with the graph. */
bool lp_item_read(struct lp_explorer *, const uint8_t *from);

#endif
