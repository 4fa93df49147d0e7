/* history_check.h -- is this history right?
 *
 * One entry for everybody: lp_history_check().  It brings the history into the
 * form of the specification, splits it by key where that is sound, and decides
 * each part by the quickest exact method that applies: one of the near-linear ones
 * (fast_*.c) or the general search (search.c).  There is no third kind of answer
 * than right, wrong, or "undecided within the limits".
 */
#ifndef LP_CHECK_HISTORY_HISTORY_CHECK_H
#define LP_CHECK_HISTORY_HISTORY_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lp_error;
struct lp_history;
struct lp_quasi;
struct lp_spec;
struct lp_weak;

enum lp_property {
	LP_LINEARIZABLE, /* calls that do not overlap keep their order */
	LP_SEQUENTIAL,   /* calls of the same thread keep their order */
	LP_QUIESCENT,    /* calls keep their order across a moment without open calls */
	LP_SERIALIZABLE, /* any order will do */
	LP_QUASI,        /* as linearizable, but only close to a right run: quasi.h */
	LP_WEAK,         /* each thread sees some of the calls: weak.h */
};

enum lp_finding { LP_CORRECT, LP_WRONG, LP_UNDECIDED };

/* Is asked now and then while a search goes on, after so many steps: false ends it. */
typedef bool (*lp_check_go_on)(void *closure, uint64_t steps);

struct lp_check_options {
	enum lp_property property;
	const struct lp_quasi *quasi; /* for LP_QUASI: how close */
	const struct lp_weak *weak;   /* for LP_WEAK: which condition */
	bool general;           /* use the search even where something quicker applies */
	bool explain;           /* find the core of a violation */
	double seconds;         /* 0: no limit */
	size_t memory;          /* bytes for what the search remembers; 0: 1 GB */
	uint32_t jobs;          /* threads for keys that are checked separately; 0: 1 */
	double explain_seconds; /* for making the core small; 0: 2 */
	lp_check_go_on go_on;   /* NULL: nobody is asked */
	void *closure;
};

/* Why a call cannot come next. */
enum lp_stuck_why {
	LP_STUCK_REJECTED, /* its result is wrong here */
	LP_STUCK_BLOCKED,  /* it waits here */
	LP_STUCK_LATER,    /* another call has to come first */
};

struct lp_stuck {
	uint32_t call;
	enum lp_stuck_why why;
	bool gives_known;
	int64_t gives;  /* rejected: what it would give here, if that is known */
	uint32_t first; /* later: the call that has to come first */
};

struct lp_check_result {
	enum lp_finding finding;
	char method[64];   /* "queue in linear time", "search" */
	char reason[256];  /* why it is wrong or undecided; "" if it is right */
	uint64_t steps;    /* of the search, over all parts */
	uint32_t parts;
	double seconds;

	/* A violation: calls that are already wrong by themselves, by start.  If
	 * `core_open` is set for one, it is already so if that call had not returned.
	 * If minimal, nothing more can be left out in a way that makes sense (core.h). */
	uint32_t *core;
	bool *core_open;
	uint32_t core_count;
	bool core_is_minimal;

	/* As far as one gets with the calls of the core, in order. */
	uint32_t *partial;
	uint32_t partial_count;

	/* The other calls of the core that returned, and why none can come next. */
	struct lp_stuck *stuck;
	uint32_t stuck_count;
};

/* False if the history does not fit the specification (unknown method, missing
 * result, ...): `error` says what, with the line. */
bool lp_history_check(const struct lp_history *h, const struct lp_spec *spec,
		      const struct lp_check_options *options, struct lp_check_result *result,
		      struct lp_error *error);
void lp_check_result_close(struct lp_check_result *result);

/* The same for very many calls, by the quick methods alone and in about half the memory: `h` has no calls afterwards.
 * False if it is not found right that way, or if it was not tried: then read it once more. */
bool lp_history_check_lean(struct lp_history *h, const struct lp_spec *spec, const struct lp_check_options *options,
			   struct lp_check_result *result);

#endif
