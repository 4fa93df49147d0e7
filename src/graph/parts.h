/* parts.h -- locations that are accessed in parts.
 *
 *     _Atomic uint64_t both;      union with      struct { _Atomic uint32_t low, high; };
 *
 * is one location of eight bytes.  An event on it has the bytes that it accesses (`bytes`, bit i
 * for byte i) and the value of these.  co is a total order on all writes to the location.  A
 * read takes what its bytes hold at one position of co, namely that of its rf: each byte from the
 * last write to it up to there.  These writes are its sources.
 *
 * A store to a part is two events, like an RMW: a read that keeps the other bytes (`keeps`), and
 * the write, which in co is directly above the write that the read reads from.  So the writes below a
 * write to a part never change, down to the next write to all bytes, and they are in its po|rf past.
 * The models ignore such a read: it orders nothing.  Two accesses without a common byte are
 * unrelated for the models, except that co orders their writes.
 *
 *   P1  a read that is not half of an RMW has as its rf a write to one of its bytes, or LP_INIT;
 *   P2  a write to some of the bytes is half of an RMW, or of a store that keeps the other bytes.
 */
#ifndef LP_GRAPH_PARTS_H
#define LP_GRAPH_PARTS_H

#include "graph/graph.h"

/* Do the accesses, which are to the same location, have a byte in common? */
static inline bool lp_overlap(const struct lp_event *a, const struct lp_event *b)
{
	return !a->keeps && !b->keeps && (a->bytes & b->bytes || !(a->bytes | b->bytes));
}

/* The position of the last write to one of these bytes, up to position `pos` of co. */
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
	uint16_t left; /* bytes whose source is still to come; in the end, those from LP_INIT */
	lp_eid whole;  /* of a location that is not accessed in parts: the rf, if it is still to come */
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

/* Is there an fr edge from read r to `write`, which is directly above `below` in co?  If the location
 * is not accessed in parts: an immediate one. */
static inline bool lp_reads_below(const struct lp_graph *g, lp_eid r, const struct lp_event *write,
				  lp_eid below)
{
	const struct lp_event *read = lp_graph_event(g, r);

	if (!write->bytes)
		return read->rf == below;
	return read->rf != LP_NO_EVENT && lp_overlap(read, write) && lp_graph_pos(g, read->rf) < write->pos;
}

/* Are all bytes of the read uninitialised? */
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

/* The value of the bytes at position `pos` of co, of a location that is accessed in parts. */
struct lp_value lp_graph_value_of_part(const struct lp_graph *, uint32_t loc, uint32_t pos, uint16_t bytes);

/* The same for any location: `bytes` is 0 if it is not accessed in parts. */
static inline struct lp_value lp_graph_value(const struct lp_graph *g, uint32_t loc, uint32_t pos, uint16_t bytes)
{
	if (bytes)
		return lp_graph_value_of_part(g, loc, pos, bytes);
	return pos ? g->ev.at[g->locs.at[loc].co.at[pos - 1]].value : g->locs.at[loc].initial;
}

#endif
