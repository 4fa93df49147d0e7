/* model.h -- memory models: which graphs are executions.
 *
 * An explorer asks a model about one event at a time: an event that is added to a consistent graph,
 * and that has no successor in po or rf.  For such an event the model can express coherence by one
 * number, the floor: the highest position in co that the thread is already aware of.  A read may read
 * from the write at the floor or from any write above it; a write goes above the floor.
 *
 *     floor = max ({ pos(w) : w in the past } u { pos(rf(r)) : r in the past })
 *
 * where w stands for the writes to the location, and r for the reads of it.  The past contains the
 * events that the model orders before the new event: for ra and rc11 those that happen before it; for
 * sc its ancestors in po|rf|co|fr; for tso its ancestors in ghb (and po).  Why the floor suffices: all
 * outgoing edges of the new event (fr, co) lead to writes above its position.  So the new event is on
 * a cycle if and only if one of those writes is in its past.  Since co is total, only the highest write
 * in the past has to be compared with the position.
 *
 * A location that is accessed in parts (graph/parts.h) is treated as one location per byte, with
 * one co for all of them.  There is an rf edge from each source of a read to the read, and an fr edge
 * from a read to each later write to one of its bytes.  For ra and rc11 only the co of each byte
 * counts, so the floor of an access is the highest floor of its bytes.  For sc and tso the whole of co
 * counts, because it is the order in which the writes reach memory.  All models ignore a read that
 * belongs to a store to a part, and only keeps the other bytes of the location.
 */
#ifndef LP_MODEL_MODEL_H
#define LP_MODEL_MODEL_H

#include "graph/graph.h"

struct lp_model_class {
	const char *name;

	/* The memory order that the model uses in place of the order that the program gives to an access
	 * or fence. */
	enum lp_order (*order)(enum lp_event_kind, enum lp_order);

	/* The floor for the event that `proto` describes (kind, order, flags, thread, index, loc,
	 * bytes).  The event is not in the graph yet, or it is a read in the graph without rf.  The
	 * event is never a read that keeps the other bytes: for such a read lp_model_floor() asks for the
	 * floor of its write. */
	uint32_t (*floor)(const struct lp_graph *, const struct lp_event *proto);

	/* Event `e` was just added, at or above its floor.  Does the graph obey the axioms that the
	 * floor does not cover? */
	bool (*accepts)(const struct lp_graph *, lp_eid e);

	/* A release sequence contains later stores of the same thread, as in C11 but not in C++20.
	 * The field makes no difference if order() turns every atomic store into a release. */
	bool stores_continue;

	/* Happens-before decides which writes can be read, so the memory orders in the program matter.  In
	 * the other models (sc, tso) plain accesses can interleave like atomic ones, so races can be
	 * ignored. */
	bool by_hb;

	/* Memory has one value at a time, which all threads read. */
	bool one_memory;

	/* A graph without seq_cst events is consistent if and only if it is coherent (irreflexive (hb ; eco?))
	 * and po | rf is acyclic.  Then the relations of calls.h decide which orders a client can add.  For
	 * other models, lp_calls_possible() is asked. */
	bool coherence_suffices;
};

/* One constant for each model. rc11 has the release sequences of C11, rc11_c20 those of C++20. */
#define LP_MODEL(NAME, word, class) extern const struct lp_model_class class;
#define LP_MODEL_VARIANT LP_MODEL
#include "model/models.def"
#undef LP_MODEL
#undef LP_MODEL_VARIANT

/* Adds synchronises-with to the clocks of event `e`, which was just added, from the memory orders
 * in the graph (hb.c).  Only order() and `stores_continue` of the model make a difference. */
void lp_model_synchronise(const struct lp_model_class *, struct lp_graph *, lp_eid e);

/* The floor of an access whose past is the set of events in the clock `past`. */
uint32_t lp_model_floor_of(const struct lp_graph *, const struct lp_event *proto,
			   const uint32_t *past);

/* The floor of the event that `proto` describes.  With `write`, `proto` describes the read of an
 * RMW, and the result is the floor of the RMW's write. */
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

/* The clock of the events that happen before the event at `index` of a thread, without those that
 * happen before it only because of its own synchronisation.  NULL for the first event of thread 0. */
static inline const uint32_t *lp_model_past(const struct lp_graph *g, uint32_t thread,
					    uint32_t index)
{
	const lp_eid before = lp_graph_before(g, thread, index);
	return before == LP_NO_EVENT ? NULL : lp_graph_clock(g, before, LP_CLOCK_HB);
}

#endif
