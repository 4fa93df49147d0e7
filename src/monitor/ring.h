/* ring.h -- the rings of a monitor: one for each calling thread.
 *
 *     (new) --first call--> OWNED --thread exits--> LEFT --first call of another thread--> OWNED
 *                             |
 *                             '--monitor is closed--> ORPHAN --thread exits--> (gone)
 *
 * When a thread ends, the next new thread takes over its ring, even if the checker has not read all of it.  This is possible
 * because the calls of the two threads follow each other like those of one thread.  So there are never more rings than there were
 * threads at one time, even if the checker is slow.  But a ring can become full although each thread makes few calls; recording
 * then stops.
 *
 * A *turn* is the part of a ring that one thread writes.  A turn begins with a special record (LP_MONITOR_TURN), which is written
 * with the first recorded call of the turn:
 *
 *     arg      the number of the thread in the lower half, and that of the previous turn's thread in the upper half
 *     result   where the previous turn began
 *
 * With these records, the checker finds the thread of each record in the ring.
 *
 * When a call returns, its thread writes to these fields of `face`, in this order: to `gap` and `gap_end`, if calls were lost; to
 * `head`, which publishes the record of the call; and to `open`, which then says that the thread is between calls.  If the checker
 * reads `open` first and the other fields afterwards, it knows all calls before the moment at which it read `open`.
 */
#ifndef LP_MONITOR_RING_H
#define LP_MONITOR_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "linchpin/monitor.h"

enum lp_ring_state { LP_RING_OWNED, LP_RING_LEFT, LP_RING_ORPHAN };

struct lp_ring {
	struct lp_monitor_ring face;
	uint32_t state;      /* enum lp_ring_state, atomic */
	uint32_t slot;

	/* Fields that the calling thread uses. */
	uint32_t thread;     /* the number of the thread */
	bool is_new;         /* the current turn has no record yet */
	uint64_t turn;       /* the index of the first record of the last turn that has one */
	uint32_t turn_thread;

	/* Fields that the checker uses.  The checker avoids reading `face`: the thread writes there at each call, and would have to
	 * wait for the cache line if the checker had read it. */
	struct lp_monitor_record *records; /* face.at */
	uint64_t mask;                     /* face.mask */
	uint32_t index;      /* the index of this ring among the rings of the monitor */
	uint64_t done;       /* the starts and ends of all calls before this record were passed on; `face.tail` is set to `done`
			      * from time to time */
	uint64_t next;       /* of the calls from `done` to the record before this one, only the starts were passed on */
	uint64_t seen;       /* `face.head`, as last read */
	bool was_mute;       /* the thread was in an unrecorded call when recording was switched on */
	uint64_t mute_head;  /* the index of the first record after that call */
	bool is_idle;        /* no recorded call was open when the checker last looked */
	uint64_t gap_done;   /* the checker has taken into account all gaps that ended up to this time */
	uint64_t key;        /* the sort key of the ring's next event */
	uint64_t now_turn;   /* the index of the record that begins the turn in which the checker is reading */
	uint32_t now_thread;
	uint64_t *handles;   /* for each record, the handle of the live checker */
};

/* The value of `face.gap_end` if a thread has ended within a gap.  The gap has ended, too, but it is not known when. */
#define LP_RING_UNTOLD (UINT64_MAX >> 8)

struct lp_rings {
	struct lp_ring **at; /* atomic; NULL from the first free place on */
	uint32_t most;       /* the largest number of rings */
	uint32_t size;       /* the number of records in each ring */
	uint32_t threads;    /* the number of threads that ever made a call; atomic */
	uint32_t refused;    /* the number of calls by threads without a ring; atomic */
	uint32_t outside;    /* the number of those calls that are open now; atomic */
};

static inline struct lp_ring *lp_ring_at(const struct lp_rings *s, uint32_t i)
{
	return __atomic_load_n(&s->at[i], __ATOMIC_ACQUIRE);
}

/* Returns the number of the thread that made the call of record i, which must not be before `done`. */
static inline uint32_t lp_ring_thread(const struct lp_ring *r, uint64_t i)
{
	uint32_t thread = r->now_thread;

	for (uint64_t turn = r->now_turn; i < turn;) {
		const struct lp_monitor_record *rec = &r->records[turn & r->mask];
		thread = (uint32_t)((uint64_t)rec->arg >> 32);
		turn = (uint64_t)rec->result;
	}
	return thread;
}

bool lp_rings_open(struct lp_rings *s, uint32_t most, uint32_t size);

/* Returns a ring for the calling thread.  Returns NULL if there is no free ring, or no memory.  The thread then counts as being in
 * a call without a ring, until it calls lp_rings_outside_ends(). */
struct lp_ring *lp_rings_enter(struct lp_rings *s, uint64_t id, uint32_t slot);
void lp_rings_outside_ends(struct lp_rings *s);

/* Returns the time at which the last gap of a ring ended.  If the thread could not record this time, reads it from `clock`. */
uint64_t lp_ring_gap_end(struct lp_ring *r, const uint64_t *clock);

/* Closes the monitor's rings.  A thread that is still alive keeps its ring until it ends, or until another monitor uses the slot.
 * `alone`: the caller is the only thread. */
void lp_rings_close(struct lp_rings *s, bool alone);

/* Stops the recording of calls.  Any thread may call this function.  `now` is a time that the caller has read from the clock. */
void lp_ring_mute(struct lp_monitor_face *face, uint64_t now);

/* The size of a ring in bytes. */
uint64_t lp_ring_bytes(const struct lp_rings *s);

#endif
