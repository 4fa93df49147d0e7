/* history_check.h -- is this history correct?
 *
 * The entry point is lp_history_check().  It converts the history to the form of the
 * specification (problem.h), splits it by key where that is sound, and decides each part
 * by the quickest exact method that applies: a near-linear one (fast/) or the general
 * search (search.h).  The answer is correct, wrong, or undecided because a limit was reached.
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
	LP_QUIESCENT,    /* calls keep their order if at some moment between them no call is open */
	LP_SERIALIZABLE, /* every order of the calls is allowed */
	LP_QUASI,        /* like linearizable, but a run that is close to a correct one is enough: quasi.h */
	LP_WEAK,         /* replicated objects, where each thread sees some of the calls: weak.h */
};

enum lp_finding { LP_CORRECT, LP_WRONG, LP_UNDECIDED };

/* Searches call this function from time to time, with the number of steps so far.  If it returns false, the search
 * ends. */
typedef bool (*lp_check_go_on)(void *closure, uint64_t steps);

struct lp_check_options {
	enum lp_property property;
	const struct lp_quasi *quasi; /* for LP_QUASI: the factors */
	const struct lp_weak *weak;   /* for LP_WEAK: which condition */
	bool general;           /* use the general search even where a quicker method applies */
	bool explain;           /* find the core of a violation */
	double seconds;         /* the limit on time; 0: no limit */
	size_t memory;          /* the limit on memory for the states that the search stores, in bytes; 0: 1 GB */
	uint32_t jobs;          /* the number of threads, for keys that are checked separately; 0: 1 */
	double explain_seconds; /* the time for making the core small; 0: 2 seconds */
	lp_check_go_on go_on;   /* NULL: not asked */
	void *closure;
};

/* Why a call cannot come next after the longest attempt at a linearization. */
enum lp_stuck_why {
	LP_STUCK_REJECTED, /* the specification rejects the call's result in this state */
	LP_STUCK_BLOCKED,  /* the call would wait in this state */
	LP_STUCK_LATER,    /* another call has to come first */
};

struct lp_stuck {
	uint32_t call;
	enum lp_stuck_why why;
	bool gives_known;
	int64_t gives;  /* LP_STUCK_REJECTED: the result that would be correct here, if `gives_known` */
	uint32_t first; /* LP_STUCK_LATER: the call that has to come first */
};

struct lp_check_result {
	enum lp_finding finding;
	char method[64];   /* how the answer was found: "queue in linear time", "search" */
	char reason[256];  /* why the history is wrong or undecided; "" if it is correct */
	uint64_t steps;    /* the steps of the search, summed over all parts */
	uint32_t parts;    /* the number of parts into which the history was split by key; 1 if it was not split */
	double seconds;

	/* For a violation: calls that are wrong by themselves, in the order of their starts.  They would be wrong
	 * even if the calls with `core_open` set had not returned.  `core_is_minimal`: nothing more can be left out
	 * in the ways of core.h. */
	uint32_t *core;
	bool *core_open;
	uint32_t core_count;
	bool core_is_minimal;

	/* The longest attempt at a linearization of the core, in order. */
	uint32_t *partial;
	uint32_t partial_count;

	/* The other calls of the core that returned, and why none of them can come next. */
	struct lp_stuck *stuck;
	uint32_t stuck_count;
};

/* Returns false if the history does not fit the specification (unknown method, missing result, ...).  Then `error`
 * says why, and in which line. */
bool lp_history_check(const struct lp_history *h, const struct lp_spec *spec,
		      const struct lp_check_options *options, struct lp_check_result *result,
		      struct lp_error *error);
void lp_check_result_close(struct lp_check_result *result);

/* A variant of lp_history_check() for very many calls, which takes about half the memory.  It only uses quick methods,
 * and removes the calls from `h`.  If it returns true, the history is correct.  If it returns false, nothing is known:
 * the history must be read again and given to lp_history_check(). */
bool lp_history_check_lean(struct lp_history *h, const struct lp_spec *spec, const struct lp_check_options *options,
			   struct lp_check_result *result);

#endif
