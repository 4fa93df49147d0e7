/* race.h -- data races on plain accesses, found with vector clocks.
 *
 * For every byte, a shadow of memory remembers the accesses with which a later access could
 * conflict: plain writes, plain reads, atomic writes, atomic reads.  Two accesses conflict if they
 * overlap, one of them writes and at least one of them is plain; they race if they are also
 * unordered by happens-before.  After Flanagan and Freund, "FastTrack", PLDI 2009, extended to
 * atomic accesses.
 *
 * The caller passes happens-before as vector clocks: clock[u] is the number of events of thread u
 * in the past.  An access has an epoch k: a plain access of thread t that follows the first k events
 * of t has epoch k, and so has an atomic access that is event number k of t, counted from 0.  The
 * access is in the past of a clock c iff c[t] > k.
 *
 * Detection is exact up to the first race: the shadow distinguishes bytes, and forgets no access that
 * matters.  The caller may pass the accesses of an execution to lp_race_access() in any order that
 * extends happens-before.  As soon as both accesses of some race have been passed, a race has been
 * reported.  lp_race_rewind() undoes changes.
 */
#ifndef LP_MODEL_RACE_H
#define LP_MODEL_RACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lp_race;

struct lp_race *lp_race_open(void);
void lp_race_close(struct lp_race *);

struct lp_race_access {
	uint32_t thread;
	uint32_t epoch;
	uintptr_t pc;
	bool write, atomic;
	bool fresh; /* the thread has allocated the memory, which counts as a write */
	bool freed; /* the thread has freed the memory, which counts as a write */
};

/* The clock of the events that happen before an access.  It has `width` entries; the entries of further
 * threads are taken to be 0. */
struct lp_race_past {
	const uint32_t *clock;
	uint32_t width;
};

/* Records `now`, an access to [loc, loc+size) with that past.  If `now` races with an access that was
 * recorded before, returns true and stores that other access in `*earlier`. */
bool lp_race_access(struct lp_race *, const struct lp_race_access *now, uintptr_t loc, size_t size,
		    struct lp_race_past, struct lp_race_access *earlier);

/* Were all writes to [loc, loc+size) that the shadow still remembers made by this thread? */
bool lp_race_is_alone(const struct lp_race *, uint32_t thread, uintptr_t loc, size_t size);

/* Does the shadow remember no accesses to [loc, loc+size), except the allocation of this memory by the
 * thread, and accesses of thread 0 in epochs up to `early`? */
bool lp_race_is_untouched(const struct lp_race *, uint32_t thread, uint32_t early, uintptr_t loc,
			  size_t size);

/* To be called for a new block [loc, loc+size).  `now` is its allocation, a plain write that is `fresh`.
 * Forgets all other accesses to the block. */
void lp_race_allocated(struct lp_race *, const struct lp_race_access *now, uintptr_t loc,
		       size_t size);

/* lp_race_mark() returns the number of changes so far.  lp_race_rewind() undoes all changes since `mark` was returned. */
size_t lp_race_mark(const struct lp_race *);
void lp_race_rewind(struct lp_race *, size_t mark);

#endif
