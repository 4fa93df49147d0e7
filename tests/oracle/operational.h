/* operational.h -- sc and tso as machines, to hold the axioms against.
 *
 * A machine with one memory that threads access in turn (sc), or with a store
 * buffer a thread (tso).  All interleavings are run; what they leave behind as
 * graphs must be exactly what the axioms allow (Owens, Sarkar, Sewell 2009).
 */
#ifndef LP_ORACLE_OPERATIONAL_H
#define LP_ORACLE_OPERATIONAL_H

#include "naive.h"

/* `options->model` is sc or tso; `spin` is not supported.  Fills graphs, stuck,
 * assertion and too_large. */
void operational_enumerate(const struct lp_script *, const struct naive_options *options,
			   struct naive_result *out);

#endif
