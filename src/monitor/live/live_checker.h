/* live_checker.h -- checkers that receive calls in the order of time, and forget each value as soon as it can no longer affect
 * later calls.
 *
 * A stream (stream.h) passes the starts and ends of calls to a checker, in the order of time.  At equal times starts come first, so
 * a call that starts when another one ends overlaps with it.  Since a call is recorded when it returns, its end and its result are
 * already known at its start.
 *
 * Each checker except lp_live_ak is exact, unless calls were lost, a value is present twice, or the checker had to forget its data:
 * it finds the calls so far wrong iff they have no linearization, although some checks are delayed (look()).  An exact checker
 * evaluates, in the order of time, the same conditions as src/check/ does for a whole history (fast_*.c have the conditions and
 * their sources).  A gap is a period in which calls were lost.  After a gap, a checker starts from an unknown state, and reports
 * only true violations.
 *
 * A value may be in the object twice at the same time.  As soon as the checker notices this, it no longer checks the value.  If the
 * first of the two was inserted in a gap or before it, the checker cannot notice this; `repeats` says that such values must be
 * expected.
 *
 * A checker calls lp_live_wrong() if calls are wrong, and lp_live_stuck() if it cannot continue.  In both cases the stream calls
 * forget().
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
	uint64_t tie;    /* of calls with equal `end`, the one with the lowest tie ends first */
	uint32_t thread;
	uint32_t method;
	const int64_t *words; /* all arguments, then all results; only for kinds that need them */
	uint32_t word_count;
};

enum {
	LP_LIVE_CORE = 64,   /* the largest number of calls in the core of a violation */
	LP_LIVE_METHODS = 16,
	LP_LIVE_WORDS = 72,  /* the largest number of arguments and results of a call, together */
};

/* A run: the records `from` .. `to` - 1 of a ring, all made by one thread.  `time` is the time at which the first call of the run
 * starts, for starts(); or ends, for ends(). */
struct lp_live_run {
	struct lp_monitor_record *records; /* the ring; record i is records[i & mask] */
	uint64_t *handles;                 /* one for each record */
	uint64_t mask;
	uint64_t from, to;
	uint64_t time;
	uint64_t floor;                    /* a call that starts before this time is treated as if it started at this time */
	uint32_t thread;
};

struct lp_live;

struct lp_live_kind {
	bool (*open)(struct lp_live *);
	void (*close)(struct lp_live *);

	/* Forgets everything.  If `unknown`, the state of the object is not known from now on; every call that is never passed to
	 * the checker has ended by the time `until`. */
	void (*forget)(struct lp_live *, bool unknown, uint64_t until);

	/* `carried`: the call started before the last gap ended.  If the function leaves the handle 0,
	 * end() is not called for this call. */
	void (*start)(struct lp_live *, const struct lp_live_call *, uint64_t *handle, bool carried);
	void (*end)(struct lp_live *, const struct lp_live_call *, uint64_t handle);

	/* Used if live->has_runs.  starts() processes the starts of the calls of a run, and ends() their ends.  Each stops at the
	 * first call that is not simple, and returns the number of calls before it. */
	uint64_t (*starts)(struct lp_live *, const struct lp_live_run *);
	uint64_t (*ends)(struct lp_live *, const struct lp_live_run *);

	/* Does the call do something that the checker does not support?  Such a call counts as lost.
	 * NULL: the checker supports all calls. */
	bool (*is_beyond)(const struct lp_live *, const struct lp_live_call *);

	/* Makes the checks that the checker delays.  Called from time to time, and at the end.  NULL: no check is delayed. */
	void (*look)(struct lp_live *);
	uint64_t (*bytes)(const struct lp_live *);

	bool wants_ticks; /* each call should have a tick of its own (the clock then advances at each call), and is passed with all
			   * of its words */
};

struct lp_live {
	const struct lp_live_kind *kind;
	const struct lp_spec *spec;
	void *self;
	uint32_t most;         /* the largest number of values */
	uint64_t rank;         /* the number of the current event: 1, 2, 3, ... */
	uint64_t now;          /* the time of the current event */

	char names[LP_LIVE_METHODS][32];
	bool repeats;          /* values may be present twice: the configuration says so, or it has happened */
	bool has_runs;         /* kind->starts and kind->ends are worth trying */
	uint64_t ignored, unclear; /* the numbers of calls that were not checked: `ignored`: of sorts that the checker leaves out;
				    * `unclear`: on values that were present twice */
	const char *stuck;     /* why the checker cannot continue; NULL if it can */
	unsigned k;            /* the parameter of A_k */
	uint64_t going_on;     /* how many calls may have been open when forget() was called, at most */

	/* A violation that was found.  It is reported after the time `due`, unless one of its values turns
	 * out to be present twice before that. */
	bool wrong;
	uint64_t due;
	const char *why;
	bool is_partial;       /* the core does not have all calls of the violation */
	bool has_base;         /* the core does not begin in the initial state, but with the value `base` (as the parameter init) */
	int64_t base;
	char words[256];
	struct lp_monitor_op core[LP_LIVE_CORE];
	uint32_t core_count;
};

/* Returns a checker for the specification: an exact one; if there is none, or if `ak`, lp_live_ak.  Returns NULL if no checker
 * supports the specification. */
const struct lp_live_kind *lp_live_kind_of(const struct lp_spec *spec, bool ak);

extern const struct lp_live_kind lp_live_queue, lp_live_stack, lp_live_set, lp_live_register, lp_live_states, lp_live_ak;

/* Returns false if there is no memory.  The caller closes the checker even then. */
bool lp_live_open(struct lp_live *live, const struct lp_live_kind *kind,
		  const struct lp_spec *spec, uint32_t most, unsigned k);
void lp_live_close(struct lp_live *live);

/* Adds a call to the core; to be called before lp_live_wrong().  Calls that do not fit are left out. */
void lp_live_blame(struct lp_live *live, struct lp_monitor_op op);
void lp_live_blame_call(struct lp_live *live, const struct lp_live_call *c);
void lp_live_wrong(struct lp_live *live, const char *why, uint64_t due);

/* To be called if the checker must forget its data although no call was lost.  Violations may then be missed.  So the calls of this
 * function are counted, and `why` is reported. */
void lp_live_stuck(struct lp_live *live, const char *why);

/* A reason for lp_live_stuck(): a table has no room for another value. */
#define LP_LIVE_TOO_MANY "more values than config.values, or no memory for them"

/* To be called when the value is present twice: drops the violation if the value is part of it. */
void lp_live_retract(struct lp_live *live, int64_t value);

#endif
