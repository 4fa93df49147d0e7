/* wire.h -- for ranks/ only: the protocol between linchpin and linchpin-mpi.
 *
 * Both sides send frames: a header, then `size` bytes.  When all ranks have joined, linchpin-mpi sends the first
 * frame, HELLO.
 */
#ifndef LP_RANKS_WIRE_H
#define LP_RANKS_WIRE_H

#include <stdint.h>

struct lp_frame_header {
	uint32_t peer; /* to linchpin-mpi: the receiver; to linchpin: the sender */
	uint32_t tag;
	uint64_t size;
};

/* The value of `peer` in frames that are not messages.  The tag of such a frame is from enum lp_wire. */
#define LP_WIRE_CONTROL UINT32_MAX

enum lp_wire {
	LP_WIRE_HELLO, /* to linchpin, as uint32_t: its rank, the number of ranks, and for each rank the lowest rank on the same host */
	LP_WIRE_ABORT, /* to linchpin-mpi, as uint32_t: the exit status with which all ranks are to end */
	LP_WIRE_BYE,   /* in both directions: the last frame */
};

#endif
