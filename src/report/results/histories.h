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
	bool open;           /* the call returned, but the part before its return is already wrong */
	const char *call;    /* "enqueue(1)" */
	const char *result;  /* "empty"; "" if there is none, "?" if it is not known */
	const char *where;   /* "h.tab:12" */
};

/* Why one of these calls cannot come next. */
struct lp_recorded_stuck {
	uint32_t call;       /* index into the calls */
	const char *why;     /* "rejected", "blocked", "later" */
	const char *gives;   /* rejected: what it would give; or NULL */
	uint32_t first;      /* later: the call that has to come first */
};

/* A pair of transactions of which one has to come before the other. */
struct lp_recorded_edge {
	uint32_t from, to;   /* indices into the calls */
	const char *kind;    /* "ww", "wr", "rw", "process", "realtime" */
	const char *text;    /* why: "r x [1] has not seen append x 2" */
};

struct lp_history_violation {
	const struct lp_recorded_call *calls; /* wrong by themselves; by start */
	uint32_t call_count;
	bool minimal;        /* nothing more can be left out */
	const uint32_t *order; /* as far as one gets, indices into the calls */
	uint32_t order_count;
	const struct lp_recorded_stuck *stuck;
	uint32_t stuck_count;
	const char *client;  /* "enqueue(1); enqueue(2) | dequeue()" */
	const char *anomaly; /* of transactions: "G-single"; else NULL, and nothing follows */
	const struct lp_recorded_edge *edges; /* a circle: each begins where the one before ends */
	uint32_t edge_count; /* may be 0 */
};

/* What counting over the last k intervals sees of a history. */
struct lp_counted_result {
	unsigned k;
	uint64_t events;     /* calls and returns looked at, up to where it is seen to be wrong */
	bool seen;
	const char *text;    /* seen: what; else why nothing can be said, or NULL */
	uint32_t thread, line; /* seen: of the call whose return gave it away */
};

/* Any call, in short: for the picture of all of them. */
struct lp_recorded {
	int64_t start, end;  /* end: not if it is pending */
	uint32_t thread;
	uint32_t line;       /* of the file */
	bool pending;
	const char *text;    /* "dequeue() -> 1" */
};

struct lp_history_result {
	enum lp_result_verdict verdict;
	const char *subject; /* the file */
	const char *claim;   /* "linearizable" */
	const char *kind;    /* of a violation: "not linearizable" */
	enum lp_error_kind error; /* the same, if it is a row of errors.def; else LP_ERROR_NONE */
	const char *text;    /* why it is wrong, undecided, or cannot be read; or NULL */
	const char *method;  /* how it was decided; or NULL */
	uint64_t calls, pending, threads, parts, steps;
	double seconds;      /* reading and checking */
	const struct lp_history_violation *violation; /* or NULL */
	const struct lp_recorded *recorded; /* all of them, or a part; NULL if not asked for */
	uint32_t recorded_count;
	const struct lp_counted_result *counted; /* for k = 0, 1, ... up to the one asked for; or NULL */
	uint32_t counted_count;
};

/* All of them, and what they have in common. */
struct lp_histories_result {
	const struct lp_history_result *at;
	uint32_t count;
	const char *prop;    /* as given: "quasi:dequeue=2" */
	const char *spec;    /* as given: "queue:bounded=2" */
	double seconds;
	uint64_t peak_rss_kb;
};

/* An error beats a violation, which beats what is undecided. */
enum lp_result_verdict lp_histories_verdict(const struct lp_histories_result *);

/* One history; `brief` leaves out what is the same for several of them. */
void lp_terminal_history(const struct lp_terminal *, const struct lp_histories_result *,
			 const struct lp_history_result *, bool brief);
/* The sum of several. */
void lp_terminal_histories(const struct lp_terminal *, const struct lp_histories_result *);
void lp_json_histories(FILE *out, const struct lp_histories_result *);
void lp_json_put_histories(struct lp_json *, const char *name, const struct lp_histories_result *);

/* A call of a violation: "T3   enqueue(1)  h.tab:12  (has not returned)". */
void lp_terminal_recorded(const struct lp_terminal *, const struct lp_recorded_call *);

/* The calls of a violation as intervals, threads as lanes, for the terminal's width. */
void lp_terminal_intervals(const struct lp_terminal *, const struct lp_history_violation *);

/* Transactions of a violation, and how they depend on each other. */
void lp_terminal_dependencies(const struct lp_terminal *, const struct lp_history_violation *);

#endif
