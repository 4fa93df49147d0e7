/* parts.h -- locations that are accessed in parts.
 *
 *     _Atomic uint64_t both;      union with      struct { _Atomic uint32_t low, high; };
 *
 * is one location of eight bytes.  An event on such a location says which bytes it accesses (bit i
 * of `bytes` for byte i), and has the value of these bytes. co is a total order on all writes to
 * the location.  A read returns the values that its bytes have at one position of co, the position
 * of its rf: it takes each byte from the last write to this byte at or below that position.  The
 * writes from which it takes bytes are its sources.
 *
 * A store to a part is two events, like an RMW: a read with `keeps` set, which keeps the other bytes,
 * and a write, which is directly above the rf of the read in co.  Consider a write to a part, and the
 * nearest write to all bytes below it in co.  No other write can be inserted in co between these two, and
 * all writes between them are in the po|rf past of the write to the part.  The models ignore a read with
 * `keeps`: it orders nothing.  For the models two accesses without a common byte are unrelated, except
 * that co orders them if both are writes.
 *
 * Invariants:
 *   P1  the rf of a read is LP_INIT or a write to one of the bytes that the read accesses; but if the read is half of an RMW, or of a
 *       store that keeps the other bytes, its rf may also be a write to other bytes;
 *   P2  a write to some of the bytes is half of an RMW, or of a store that keeps the other bytes.
 */
#ifndef LP_GRAPH_PARTS_H
#define LP_GRAPH_PARTS_H

#include "graph/graph.h"

/* Do two accesses to the same location have a byte in common? */
static inline bool lp_overlap(const struct lp_event *a, const struct lp_event *b)
{
	return !a->keeps && !b->keeps && (a->bytes & b->bytes || !(a->bytes | b->bytes));
}

/* The position in co of the last write to one of these bytes at or below position `pos`; 0 if there is no such
 * write. */
static inline uint32_t lp_source_pos(const struct lp_graph *g, uint32_t loc, uint32_t pos,
				     uint16_t bytes)
{
	while (bytes && pos && !(g->ev.at[g->locs.at[loc].co.at[pos - 1]].bytes & bytes))
		pos--;
	return pos;
}

/* Iterates over the sources of a read:
 *
 *     struct lp_sources s = lp_sources(g, read);
 *     for (lp_eid w; (w = lp_next_source(g, &s)) != LP_INIT;)
 */
struct lp_sources {
	uint32_t loc, pos;
	uint16_t left; /* the bytes whose source the iteration has not returned yet; when the iteration
	                * has ended, the bytes that come from LP_INIT */
	lp_eid whole;  /* if the location is not accessed in parts: the rf, until the iteration has
	                * returned it */
};

static inline struct lp_sources lp_sources(const struct lp_graph *g, const struct lp_event *read)
{
	if (!read->bytes)
		return (struct lp_sources){ .whole = read->rf };
	return (struct lp_sources){ read->loc, read->rf < LP_INIT ? g->ev.at[read->rf].pos : 0,
				    read->bytes, LP_INIT };
}

static inline lp_eid lp_next_source(const struct lp_graph *g, struct lp_sources *s)
{
	if (s->whole < LP_INIT) {
		const lp_eid w = s->whole;
		s->whole = LP_INIT;
		return w;
	}
	while (s->pos && s->left) {
		const lp_eid w = g->locs.at[s->loc].co.at[--s->pos];
		if (!(g->ev.at[w].bytes & s->left))
			continue;
		s->left &= (uint16_t)~g->ev.at[w].bytes;
		return w;
	}
	return LP_INIT;
}

/* Is there an fr edge from read r to `write`?  `below` is the write directly below `write` in co.  If the
 * location is not accessed in parts, only immediate fr edges count. */
static inline bool lp_reads_below(const struct lp_graph *g, lp_eid r, const struct lp_event *write,
				  lp_eid below)
{
	const struct lp_event *read = lp_graph_event(g, r);

	if (!write->bytes)
		return read->rf == below;
	return read->rf != LP_NO_EVENT && lp_overlap(read, write) && lp_graph_pos(g, read->rf) < write->pos;
}

/* Does the read return only bytes that were never written and have no initial value? */
static inline bool lp_reads_unwritten(const struct lp_graph *g, const struct lp_event *read)
{
	const struct lp_loc *loc = &g->locs.at[read->loc];

	if (!loc->uninitialised || read->keeps)
		return false;
	if (!read->bytes)
		return read->rf == LP_INIT;
	struct lp_sources s = lp_sources(g, read);
	while (lp_next_source(g, &s) != LP_INIT)
		;
	return s.left == read->bytes && !(read->bytes & ~loc->uninitialised);
}

/* The value that these bytes have at position `pos` of co, for a location that is accessed in
 * parts. */
struct lp_value lp_graph_value_of_part(const struct lp_graph *, uint32_t loc, uint32_t pos, uint16_t bytes);

/* The same for any location: `bytes` is 0 if the location is not accessed in parts. */
static inline struct lp_value lp_graph_value(const struct lp_graph *g, uint32_t loc, uint32_t pos, uint16_t bytes)
{
	if (bytes)
		return lp_graph_value_of_part(g, loc, pos, bytes);
	return pos ? g->ev.at[g->locs.at[loc].co.at[pos - 1]].value : g->locs.at[loc].initial;
}

#endif
