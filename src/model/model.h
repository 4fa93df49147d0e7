/* model.h -- memory models: which graphs are executions.
 *
 * A model is asked about one event at a time, the last of an otherwise consistent
 * graph, nothing of which comes after it in po or rf.  Then all it has to say about
 * coherence is a floor: the least position in co that the thread must already be
 * aware of.  A read may read from that position or any above; a write goes above it.
 *
 *     floor = max { pos(w) : w in the past } u { pos(rf(r)) : r in the past }
 *
 * where the past is what the model orders before the new event: happens-before for
 * ra and rc11; the ancestors in po|rf|co|fr for sc, in ghb (and po) for tso.  Why that
 * suffices: the new event's outgoing edges all lead to writes above its position
 * (fr, co) and from there on; an edge back to it makes a cycle exactly if one of
 * those is in its past, and since co is total the highest one in the past decides.
 *
 * A location that is accessed in parts (graph/parts.h) is treated as one location per byte, with
 * one co for all of them.  rf goes from each source of a read to the read; fr goes from a read to the
 * later writes to one of its bytes.  For ra and rc11 only the co of each byte counts, so the floor
 * is the highest floor of its bytes.  For sc and tso all of co counts, as the order in which
 * writes reach memory.  All models ignore a read that keeps the other bytes of its location.
 */
#ifndef LP_MODEL_MODEL_H
#define LP_MODEL_MODEL_H

#include "graph/graph.h"

struct lp_model_class {
	const char *name;

	/* The memory order that the model uses for an access or fence with that order. */
	enum lp_order (*order)(enum lp_event_kind, enum lp_order);

	/* The floor for an event that `proto` describes (kind, order, flags, thread,
	 * index, loc, bytes) and that is not in the graph yet, or is a read there without rf.
	 * The floor of a read that keeps the other bytes is that of its write: lp_model_floor(). */
	uint32_t (*floor)(const struct lp_graph *, const struct lp_event *proto);

	/* Is the graph consistent after its event `e` was added, in what the floor does not
	 * cover? */
	bool (*accepts)(const struct lp_graph *, lp_eid e);

	/* A release sequence contains later stores of the same thread, as in C11 but not in C++20.
	 * Makes no difference if order() makes every atomic store a release. */
	bool stores_continue;

	/* Happens-before, and so the memory orders in the program, decides what can be read.  In the
	 * other models (sc, tso) plain accesses can interleave like atomic ones, so races can be ignored. */
	bool by_hb;
};

/* All of them.  rc11 has the release sequences of C11, rc11_c20 those of C++20. */
#define LP_MODEL(NAME, word, class) extern const struct lp_model_class class;
#define LP_MODEL_VARIANT LP_MODEL
#include "model/models.def"
#undef LP_MODEL
#undef LP_MODEL_VARIANT

/* Adds synchronises-with to the clocks of event `e`, which was just added, from the memory orders
 * in the graph (hb.c).  Models differ in order() and in their release sequences. */
void lp_model_synchronise(const struct lp_model_class *, struct lp_graph *, lp_eid e);

/* The floor of an access with respect to a set closed under po, given as a clock. */
uint32_t lp_model_floor_of(const struct lp_graph *, const struct lp_event *proto,
			   const uint32_t *past);

/* The floor of the event; with `write`, that of the write of the RMW whose read it is. */
static inline uint32_t lp_model_floor(const struct lp_model_class *model, const struct lp_graph *g,
				      const struct lp_event *proto, bool write)
{
	if (!write && !proto->keeps)
		return model->floor(g, proto);
	struct lp_event e = *proto;
	e.kind = LP_EV_WRITE;
	e.keeps = false;
	return model->floor(g, &e);
}

/* The clock of what happens before the event at `index` of a thread, without what that event
 * itself synchronises with; NULL if nothing happens before it. */
static inline const uint32_t *lp_model_past(const struct lp_graph *g, uint32_t thread,
					    uint32_t index)
{
	const lp_eid before = lp_graph_before(g, thread, index);
	return before == LP_NO_EVENT ? NULL : lp_graph_clock(g, before, LP_CLOCK_HB);
}

#endif
