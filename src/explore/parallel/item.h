/* item.h -- work that can be sent to another process.
 *
 * An item is a graph, the order of its operations, and perhaps a choice: the remainder of
 * an exploration from there on is whatever the alternatives of the choice, or else the graph,
 * lead to.  As bytes it means the same to every process that was forked from the one
 * which loaded the program (addresses of code and of data are the same there), though
 * they number operations, locations and live states each in its own way.
 */
#ifndef LP_EXPLORE_PARALLEL_ITEM_H
#define LP_EXPLORE_PARALLEL_ITEM_H

#include "explore/graph/frame.h"

struct lp_bytes {
	LP_VEC(uint8_t);
};

/* Writes what is left of choice `c` of the frame; or, if it is NULL, the whole frame.
 * `share` and `visited` are for the explorer's measure of the tree. */
void lp_item_write(struct lp_explorer *, const struct lp_frame *, const struct lp_choice *c,
		   double share, double visited, struct lp_bytes *to);

/* Writes the work that is everything: the empty graph. */
void lp_item_write_root(struct lp_bytes *to);

/* Makes the explorer's only frame the one written.  Was there a choice? */
bool lp_item_read(struct lp_explorer *, const uint8_t *from);

#endif
