/* live_checker.h -- checkers that see calls as time goes by, and forget what is settled.
 *
 * A stream (stream.h) gives them the start and the end of each call, in the order of
 * time, at equal times starts first: calls overlap if they share a moment.  Since a call
 * is recorded when it returns, all of it is known at its start already.
 *
 * Each is exact: the calls up to some moment are found wrong iff no linearization of
 * them exists, as decided by src/check/ on the whole history (fast_*.c have the
 * conditions and their sources; here they are evaluated in the order of time).  After a
 * gap, a period in which calls were lost, they start from an unknown state, and remain
 * sound.
 *
 * A value that is present twice at a time is left out when this is noticed.  After a gap it
 * cannot be noticed; `repeats` says that it must be expected.
 *
 * A checker calls lp_live_wrong() if calls are wrong, and lp_live_stuck() if it cannot
 * continue; in both cases the stream makes it forget everything.
 */
#ifndef LP_MONITOR_LIVE_LIVE_CHECKER_H
#define LP_MONITOR_LIVE_LIVE_CHECKER_H

#include <stdbool.h>
#include <stdint.h>

#include "linchpin/monitor.h"
#include "spec/spec.h"

#define LP_LIVE_NEVER UINT64_MAX

struct lp_live_call {
	uint64_t start, end;
	int64_t arg, result;
	uint64_t tie;    /* of calls with the same end, the one with the lower tie ends first */
	uint32_t thread;
	uint32_t method;
	const int64_t *words; /* all arguments, then all results; only for kinds that need them */
	uint32_t word_count;
};

enum {
	LP_LIVE_CORE = 64,   /* calls of a violation, at most */
	LP_LIVE_METHODS = 16,
	LP_LIVE_WORDS = 72,  /* arguments and results of a call, at most */
};

/* Records of a thread, the first of which starts, or ends, at `time`. */
struct lp_live_run {
	struct lp_monitor_record *records; /* a ring */
	uint64_t *handles;                 /* of each */
	uint64_t mask;
	uint64_t from, to;
	uint64_t time;
	uint64_t floor;                    /* starts before that count as at that time */
	uint32_t thread;
};

struct lp_live;

struct lp_live_kind {
	bool (*open)(struct lp_live *);
	void (*close)(struct lp_live *);

	/* Forgets everything.  If `unknown`, the state is not known; calls that are not passed
	 * from now on have ended by `until`. */
	void (*forget)(struct lp_live *, bool unknown, uint64_t until);

	/* `carried`: it started before the last gap ended.  If the handle is left 0, end() is not
	 * called for the call. */
	void (*start)(struct lp_live *, const struct lp_live_call *, uint64_t *handle, bool carried);
	void (*end)(struct lp_live *, const struct lp_live_call *, uint64_t handle);

	/* If live->has_runs: processes the first starts, or ends, of a run, as long as they are
	 * simple, and returns their number. */
	uint64_t (*starts)(struct lp_live *, const struct lp_live_run *);
	uint64_t (*ends)(struct lp_live *, const struct lp_live_run *);

	/* Does the call do something that the checker does not support?  Then it counts as lost.
	 * NULL: never. */
	bool (*is_beyond)(const struct lp_live *, const struct lp_live_call *);

	/* Called from time to time, and at the end, to check what is usually delayed.  NULL: nothing is. */
	void (*look)(struct lp_live *);
	uint64_t (*bytes)(const struct lp_live *);

	bool wants_ticks; /* each call should have its own tick, and needs all of its words */
};

struct lp_live {
	const struct lp_live_kind *kind;
	const struct lp_spec *spec;
	void *self;
	uint32_t most;         /* values */
	uint64_t rank;         /* of the current event: 1, 2, 3, ... */
	uint64_t now;          /* its time */

	char names[LP_LIVE_METHODS][32];
	bool repeats;          /* values may be present twice: by the configuration, or because one was */
	bool has_runs;         /* kind->starts and kind->ends are worth trying */
	uint64_t ignored, unclear;
	const char *stuck;     /* why it cannot continue; NULL: it can */
	unsigned k;            /* of A_k */
	uint64_t going_on;     /* the maximum number of open calls when it was made to forget */

	/* A violation that was found.  It is reported when the time is after `due`, unless one of
	 * its values turns out to be present twice by then. */
	bool wrong;
	uint64_t due;
	const char *why;
	bool is_partial;       /* the core is not all of it */
	bool has_base;         /* it begins with `base` (as parameter init), not with the first state */
	int64_t base;
	char words[256];
	struct lp_monitor_op core[LP_LIVE_CORE];
	uint32_t core_count;
};

/* NULL if there is none for this kind of object.  Exact ones are preferred, unless `ak`. */
const struct lp_live_kind *lp_live_kind_of(const struct lp_spec *spec, bool ak);

extern const struct lp_live_kind lp_live_queue, lp_live_stack, lp_live_set, lp_live_register, lp_live_states, lp_live_ak;

/* False if there is no memory; to be closed in any case. */
bool lp_live_open(struct lp_live *live, const struct lp_live_kind *kind,
		  const struct lp_spec *spec, uint32_t most, unsigned k);
void lp_live_close(struct lp_live *live);

/* Calls are added to the core first.  What does not fit is left out. */
void lp_live_blame(struct lp_live *live, struct lp_monitor_op op);
void lp_live_blame_call(struct lp_live *live, const struct lp_live_call *c);
void lp_live_wrong(struct lp_live *live, const char *why, uint64_t due);

/* The checker has to forget although nothing was lost, so violations may be missed.  This is
 * counted, and `why` is reported. */
void lp_live_stuck(struct lp_live *live, const char *why);

/* Values that do not fit into a table any more. */
#define LP_LIVE_TOO_MANY "more values than config.values, or no memory for them"

/* This value is present twice: drops a violation that concerns it. */
void lp_live_retract(struct lp_live *live, int64_t value);

#endif
