/* axioms.h -- the memory models as their papers define them, on dense matrices.
 *
 * Nothing here is shared with src/model/, on purpose: this is what src/model/ is
 * held against.  An RMW is one event that reads and writes; a failed CAS reads.
 * rc11-c20 is rc11 with the release sequences of C++20.
 */
#ifndef LP_ORACLE_AXIOMS_H
#define LP_ORACLE_AXIOMS_H

#include "models.h"
#include "relation.h"

struct axiom_event {
	bool reads, writes, fence;
	bool locked;  /* an RMW instruction, even if its write did not take place */
	bool barrier; /* a spawn or join: orders everything, in every model */
	bool frees;   /* ends the life of `loc`; no event of any model */
	bool looks;   /* nor is an operation that has come to `loc`, and may have to wait there: for
	               * races and lifetimes it is an atomic read */
	uint8_t order;
	lp_tid thread;
	uintptr_t loc;
};

/* A candidate execution.  Filled by the caller: events, po (within threads), sync
 * (initial writes before everything, spawn, join), rf.  Then axioms_prepare()
 * derives what does not depend on co; then co may be set and judged repeatedly. */
struct candidate {
	unsigned count;
	struct axiom_event event[MAX_EVENTS];
	struct rel po, sync, rf, co;
	bool early; /* tso: whatever was not yet drained may be read early, by other threads, too */

	set all, R, W, U, F;
	struct rel loc;       /* pairs of accesses to the same location */
	struct rel hb;        /* of rc11 and ra; for sc and tso, which only ask for races, that of ra */
};

void axioms_prepare(struct candidate *, enum lp_model);
bool axioms_consistent(const struct candidate *, enum lp_model);

/* Both, for a candidate that has its co; hb is derived only where that is needed. */
bool axioms_possible(struct candidate *, enum lp_model);

/* Two conflicting accesses, at least one of them plain, that hb does not order. */
bool axioms_race(const struct candidate *);

/* An access that does not happen before the end of its location's life. */
bool axioms_use_after_free(const struct candidate *);

#endif
