/* histories.h -- the results for recorded histories, as plain data.
 *
 * There is one lp_history_result per file.  The checker fills it in, and the writers below
 * show it.  Its strings belong to the caller.
 */
#ifndef LP_REPORT_RESULTS_HISTORIES_H
#define LP_REPORT_RESULTS_HISTORIES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "report/result.h"

struct lp_json;
struct lp_terminal;

/* A call of a violation. */
struct lp_recorded_call {
	uint32_t thread;
	int64_t start, end;  /* `end` is not set if the call is pending */
	bool pending;
	bool open;           /* the call returned, but the history is already wrong without its
			      * return */
	const char *call;    /* "enqueue(1)" */
	const char *result;  /* "empty"; "" if there is none, "?" if it is not known */
	const char *where;   /* "h.tab:12" */
};

/* Why a call of the violation cannot come next in the longest attempt. */
struct lp_recorded_stuck {
	uint32_t call;       /* index into the calls */
	const char *why;     /* "rejected", "blocked", "later" */
	const char *gives;   /* for "rejected": the result that would be correct; or
			      * NULL */
	uint32_t first;      /* for "later": the call that has to come first */
};

/* A pair of transactions of which one has to come before the other. */
struct lp_recorded_edge {
	uint32_t from, to;   /* indices into the calls */
	const char *kind;    /* "ww", "wr", "rw", "process", "realtime" */
	const char *text;    /* why: "r x [1] has not seen append x 2" */
};

struct lp_history_violation {
	const struct lp_recorded_call *calls; /* a core: calls that are already wrong without the
					       * other calls of the history, sorted by start */
	uint32_t call_count;
	bool minimal;        /* no further call can be left out of the core */
	const uint32_t *order; /* the longest attempt at a linearization, as indices into
			        * the calls */
	uint32_t order_count;
	const struct lp_recorded_stuck *stuck;
	uint32_t stuck_count;
	const char *client;  /* "enqueue(1); enqueue(2) | dequeue()" */
	const char *anomaly; /* for transactions: "G-single"; else NULL, and the fields
			      * below are not set */
	const struct lp_recorded_edge *edges; /* the edges of a cycle: each edge begins at the call
					       * at which the previous edge ends */
	uint32_t edge_count; /* may be 0 */
};

/* What the check by counting (A_k, docs/counting.md) says about a history, for one k. */
struct lp_counted_result {
	unsigned k;
	uint64_t events;     /* the number of calls and returns up to the one at which the
			      * history was found wrong */
	bool seen;           /* the history is wrong according to A_k */
	const char *text;    /* if `seen`: what is wrong; else why there is no answer, or
			      * NULL */
	uint32_t thread, line; /* if `seen`: the thread and the line of the call whose
			        * return revealed the violation */
};

/* A call in short form, for the picture of all calls. */
struct lp_recorded {
	int64_t start, end;  /* end: not set if the call is pending */
	uint32_t thread;
	uint32_t line;       /* in the file */
	bool pending;
	const char *text;    /* "dequeue() -> 1" */
};

struct lp_history_result {
	enum lp_result_verdict verdict;
	const char *subject; /* the file */
	const char *claim;   /* "linearizable" */
	const char *kind;    /* for a violation: "not linearizable" */
	enum lp_error_kind error; /* the kind as a row of errors.def, if there is one; else
				   * LP_ERROR_NONE */
	const char *text;    /* why it is wrong, undecided, or cannot be read; or NULL */
	const char *method;  /* how it was decided; or NULL */
	uint64_t calls, pending, threads, parts, steps;
	double seconds;      /* reading and checking */
	const struct lp_history_violation *violation; /* or NULL */
	const struct lp_recorded *recorded; /* all calls, or some of them; NULL if they
					     * were not asked for */
	uint32_t recorded_count;
	const struct lp_counted_result *counted; /* for each k from 0 to the k that was asked for;
						  * or NULL */
	uint32_t counted_count;
};

/* The results of all histories, and what they have in common. */
struct lp_histories_result {
	const struct lp_history_result *at;
	uint32_t count;
	const char *prop;    /* as given: "quasi:dequeue=2" */
	const char *spec;    /* as given: "queue:bounded=2" */
	double seconds;
	uint64_t peak_rss_kb;
};

/* Returns the verdict for all histories: an error takes precedence over a violation, and a
 * violation over "undecided". */
enum lp_result_verdict lp_histories_verdict(const struct lp_histories_result *);

/* Prints one history; `brief`: leaves out what several histories have in common. */
void lp_terminal_history(const struct lp_terminal *, const struct lp_histories_result *,
			 const struct lp_history_result *, bool brief);
/* Prints the sums over several histories. */
void lp_terminal_histories(const struct lp_terminal *, const struct lp_histories_result *);
void lp_json_histories(FILE *out, const struct lp_histories_result *);
void lp_json_put_histories(struct lp_json *, const char *name, const struct lp_histories_result *);

/* Prints a call of a violation: "T3 enqueue(1) h.tab:12 (has not returned)". */
void lp_terminal_recorded(const struct lp_terminal *, const struct lp_recorded_call *);

/* Draws the calls of a violation as intervals in the lanes of their threads, as wide as
 * the terminal. */
void lp_terminal_intervals(const struct lp_terminal *, const struct lp_history_violation *);

/* Prints the transactions of a violation, and how they depend on each other. */
void lp_terminal_dependencies(const struct lp_terminal *, const struct lp_history_violation *);

#endif
