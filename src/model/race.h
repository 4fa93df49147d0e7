/* race.h -- data races on plain accesses, found with a clock per location.
 *
 * A shadow of memory remembers, for every byte, the accesses that a later one
 * could conflict with: plain writes, plain reads, atomic writes, atomic reads.
 * Two accesses conflict if they overlap, one of them writes and at least one of
 * them is plain; they race if they are also unordered by happens-before.
 * After Flanagan and Freund, "FastTrack", PLDI 2009, extended to atomic accesses.
 *
 * Happens-before comes as vector clocks: clock[u] is the number of u's events in
 * the past.  The access of thread t that follows t's first k events (an atomic
 * access: that *is* its event number k, counted from 0) is in the past of a clock
 * c iff c[t] > k.  k is the access' epoch.
 *
 * Exact: byte-granular, nothing is evicted; whenever the execution so far, fed in
 * any order that extends happens-before, has a race, access() says so at the
 * latest when the second party is fed.  All changes are undone by rewind().
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
	bool fresh; /* the thread allocated the memory, which counts as a write */
	bool freed; /* it freed the memory, which counts as a write */
};

/* What happens before an access: `width` entries; threads beyond count as 0. */
struct lp_race_past {
	const uint32_t *clock;
	uint32_t width;
};

/* Records `now`, an access to [loc, loc+size) with that past.  If it races
 * with an earlier access, returns true and stores that access in `*earlier`. */
bool lp_race_access(struct lp_race *, const struct lp_race_access *now, uintptr_t loc, size_t size,
		    struct lp_race_past, struct lp_race_access *earlier);

/* Has no other thread written to [loc, loc+size), among the writes that are still remembered? */
bool lp_race_is_alone(const struct lp_race *, uint32_t thread, uintptr_t loc, size_t size);

/* Has [loc, loc+size) not been accessed, except by the thread's allocation of it, and by thread 0 in
 * its epochs up to `early`? */
bool lp_race_is_untouched(const struct lp_race *, uint32_t thread, uint32_t early, uintptr_t loc,
			  size_t size);

/* [loc, loc+size) is a new block, allocated by `now`, a plain write that is `fresh`: forgets all
 * other accesses to it. */
void lp_race_allocated(struct lp_race *, const struct lp_race_access *now, uintptr_t loc,
		       size_t size);

/* The number of changes so far; rewind() undoes the changes after an earlier number. */
size_t lp_race_mark(const struct lp_race *);
void lp_race_rewind(struct lp_race *, size_t mark);

#endif
