/* futile.h -- iterations that nothing can save.
 *
 * A thread went round a loop without changing anything; the graph is of use only if a
 * write that is still to come makes one of the iteration's reads take another value,
 * and the thread then goes another way.  If no such write will come, the graph can be
 * abandoned.  Whether one will come is not known, so it is guessed from experience, and
 * the guess is checked:
 *
 *   - the explorer remembers, for every location and value, the most writes of it that
 *     any graph had (and in all of the location), and assumes that no graph will have
 *     more;
 *   - it finds out which values, read one after another, make an iteration redundant, by
 *     letting the thread try: its behaviour is a function of its live state and of
 *     what it reads.
 *
 * When an assumption that was relied on turns out wrong, the exploration begins anew,
 * with what was learned (`broken`).  So the last run relied on no wrong assumption about
 * any graph that it visited.
 *
 * Why it then relied on none about the graphs that it did not visit.  Let r be the last
 * read of the iteration that is not maximal; a graph is only abandoned if there is one, and
 * if all reads added after it are of the same thread.  While the thread is stuck nothing
 * that was there is taken out (that would take r out, which is not maximal), so a write that
 * saves it makes the counts exceed the assumption: the first graph that proves us wrong,
 * in the order of the whole tree, has the thread still stuck.  Take the stuck iteration
 * from r on out of it and let r read from the end of co instead.  That graph has the
 * same writes, and so have the executions that it grows into; they were reached by trying
 * the alternatives of r (or of the write that r reads from) from the end of co, or by not
 * revisiting r, both of which come before; so that graph was not the first.
 */
#ifndef LP_EXPLORE_FUTILE_H
#define LP_EXPLORE_FUTILE_H

#include "base/vec.h"
#include "explore/ops.h"
#include "graph/graph.h"

struct lp_futile_value {
	uint32_t loc;
	uint32_t most; /* writes of the value that a graph had; 0: only initially there */
	struct lp_value value;
};

struct lp_futile_loc {
	uint32_t most;     /* writes that a graph had */
	bool relied;       /* some graph was abandoned because of that */
	struct { LP_VEC(uint32_t); } values;
};

/* What is known after certain values were read in an iteration. */
struct lp_futile_node {
	uint64_t a, b;     /* fingerprint: where the iteration began, and the values */
	uint32_t next;     /* operation that reads next, or one of these */
#define LP_FUTILE_ROUND UINT32_MAX       /* none: the iteration was redundant */
#define LP_FUTILE_ON (UINT32_MAX - 1)    /* none: it goes on to something else */
};

struct lp_futile {
	struct { LP_VEC(struct lp_futile_value); } value;
	struct { LP_VEC(struct lp_futile_loc); } loc;
	struct { LP_VEC(struct lp_futile_node); } node;
	struct lp_futile_table { uint32_t *at, mask; } by_value, by_node;
	bool broken;
	uint64_t abandoned; /* graphs */
};

void lp_futile_open(struct lp_futile *);
void lp_futile_close(struct lp_futile *);

/* Learns that a graph has the initial value, or the write `w`. */
void lp_futile_initial(struct lp_futile *, uint32_t loc, struct lp_value);
void lp_futile_wrote(struct lp_futile *, const struct lp_graph *, lp_eid w);

struct lp_explorer;

/* The thread has just gone round in the top frame: its events from index `begin` on
 * changed nothing.  Tells whether nothing can save it.  The machine may be moved
 * back.  `maximal(g, e)` is the explorer's. */
bool lp_is_futile(struct lp_explorer *, uint32_t thread, uint32_t begin,
		  bool (*maximal)(const struct lp_graph *, lp_eid));

#endif
