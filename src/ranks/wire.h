/* wire.h -- inside ranks/: what linchpin and linchpin-mpi say to each other.
 *
 * Frames: a header, then `size` bytes.  The first one comes from linchpin-mpi, when all ranks have joined: HELLO.
 */
#ifndef LP_RANKS_WIRE_H
#define LP_RANKS_WIRE_H

#include <stdint.h>

struct lp_frame_header {
	uint32_t peer; /* the receiver, or the sender */
	uint32_t tag;
	uint64_t size;
};

/* The peer of frames that are no messages. */
#define LP_WIRE_CONTROL UINT32_MAX

enum lp_wire {
	LP_WIRE_HELLO, /* to linchpin: its rank, how many there are, and of each the lowest rank on its host: uint32_t */
	LP_WIRE_ABORT, /* to linchpin-mpi: the exit status, uint32_t */
	LP_WIRE_BYE,   /* in both directions: nothing follows */
};

#endif
