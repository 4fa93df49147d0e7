/* bytes.h -- judges of scripts whose accesses are to parts of locations, byte by byte.
 *
 * Under sc and tso, a machine: memory is bytes; an access takes place as a whole; under tso each
 * thread has a buffer of stores, and a load takes each of its bytes from the youngest store to it in
 * its thread's buffer, or else from memory.  All interleavings are run.
 *
 * Under ra and rc11, axioms: rf is a choice of a write for each unit of four bytes, or two, of each read, co a
 * total order on the writes to a location, of which each unit has its part.
 *
 *     coherence, for each unit      irreflexive (hb ; eco?)
 *     no tearing                    acyclic (rf | co | fr), each joined over the units; with `early`
 *                                   reads of a thread's own writes do not count in it
 *     atomicity, psc, no-thin-air   as in axioms.c; loc is having a byte in common
 *
 * Happens-before is that of each execution, from the rf of all bytes.  Shares with the explorers the
 * script (src/program/) and nothing else.
 */
#ifndef LP_ORACLE_BYTES_H
#define LP_ORACLE_BYTES_H

#include "describe.h"
#include "explore/explore.h"

struct bytes_result {
	struct graph_set outcomes; /* sorted */
	bool race, too_large;
};

/* sc or tso. */
void bytes_run(const struct lp_script *, enum lp_model, struct bytes_result *out);

/* ra or rc11. */
void bytes_enumerate(const struct lp_script *, enum lp_model, bool early, struct bytes_result *out);

void bytes_drop(struct bytes_result *);

#endif
