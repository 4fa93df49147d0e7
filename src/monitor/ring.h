/* ring.h -- the rings of a monitor: one for each thread that calls.
 *
 *     FREE --first call--> OWNED --thread exits--> CLOSED --checker has read it--> FREE
 *                            |
 *                            '--monitor is closed--> ORPHAN --thread exits--> (gone)
 *
 * A ring is made when no free one is left, and stays until the monitor is closed: memory
 * is bounded by the most threads there ever were at a time.
 *
 * What a thread tells the checker, in this order: that calls were lost (`gap`,
 * `gap_end`), the record (`head`), that it is between calls (`open`).  So who reads
 * `open` first and then the others knows of all calls before that.
 */
#ifndef LP_MONITOR_RING_H
#define LP_MONITOR_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "linchpin/monitor.h"

enum lp_ring_state { LP_RING_FREE, LP_RING_OWNED, LP_RING_CLOSED, LP_RING_ORPHAN };

struct lp_ring {
	struct lp_monitor_ring face;
	uint32_t state;      /* enum lp_ring_state, atomic */
	uint32_t thread;     /* number of the thread it belongs to */
	uint32_t slot;

	/* The checker's.  It stays away from `face` where it can: the thread writes there at
	 * each call, and would have to wait for the line. */
	struct lp_monitor_record *records; /* face.at */
	uint64_t mask;                     /* face.mask */
	uint32_t index;      /* among the rings of the monitor */
	uint64_t done;       /* records up to here have ended; `tail` follows it */
	uint64_t next;       /* records from `done` up to here have started, not ended */
	uint64_t seen;       /* `head`, as last read */
	bool was_mute;       /* in a call that is not recorded, when recording went on */
	uint64_t mute_head;  /* what it records from then on */
	bool is_idle;        /* no recorded call was going on then */
	uint64_t gap_done;   /* lost calls that ended up to then are dealt with */
	uint64_t key;        /* of its next event */
	uint64_t *handles;   /* of each record, for the live checker */
};

/* The end of a call that its thread never left but by ending itself. */
#define LP_RING_LEFT (UINT64_MAX >> 8)

struct lp_rings {
	struct lp_ring **at; /* atomic; NULL from the first free place on */
	uint32_t most;
	uint32_t size;       /* records in each */
	uint32_t threads;    /* that ever came; atomic */
	uint32_t refused;    /* calls of threads that found no ring; atomic */
};

static inline struct lp_ring *lp_ring_at(const struct lp_rings *s, uint32_t i)
{
	return __atomic_load_n(&s->at[i], __ATOMIC_ACQUIRE);
}

bool lp_rings_open(struct lp_rings *s, uint32_t most, uint32_t size);

/* The calling thread's new ring, or NULL if there is none left, or no memory. */
struct lp_ring *lp_rings_enter(struct lp_rings *s, uint64_t id, uint32_t slot);

/* Threads that are still alive keep theirs until they end or use the slot again. */
void lp_rings_close(struct lp_rings *s);

/* Stops the recording of calls, by anybody; `now` is not after that. */
void lp_ring_mute(struct lp_monitor_face *face, uint64_t now);

/* Bytes that a ring takes. */
uint64_t lp_ring_bytes(const struct lp_rings *s);

#endif
