/* switch.h -- ranks without MPI: forked processes, and one more that passes their messages on as linchpin-mpi does.
 *
 * Messages of one rank to another stay in order; otherwise each is held back for a random time, so that those of different
 * ranks overtake each other.
 */
#ifndef LP_TESTS_UNIT_RANKS_SWITCH_H
#define LP_TESTS_UNIT_RANKS_SWITCH_H

#include <stdint.h>

#include "ranks/ranks.h"

struct switch_options {
	uint32_t ranks;
	uint64_t seed;       /* of the delays */
	unsigned delay_us;   /* the longest one */
	uint32_t hosts;      /* rank r is on host r % hosts; 0: all are on one */
};

/* Forks the switch and the ranks; each calls run() and exits with what it returns, having closed the ranks.  The ranks are killed after
 * `seconds`.  status[r] is that of rank r as waitpid() has it. */
void switch_run(const struct switch_options *, int (*run)(struct lp_ranks *, void *closure), void *closure,
		unsigned seconds, int *status);

#endif
