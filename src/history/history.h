/* history.h -- recorded calls: their threads, methods, times and results.
 *
 * A call is an interval of time.  One call precedes another iff it ended before
 * the other started.  If one ends exactly when the other starts, they overlap, unless
 * `ties_are_ordered`: then the first precedes the second, except that calls without
 * duration at the same time overlap each other.
 * A call without an end is pending: it may have taken effect at any time after its
 * start, or not at all.  A call may also have an end and an unknown result.
 *
 * Calls are named by their index, a 32-bit id, in the order they were read.
 *
 * Values are 64-bit integers as in linchpin/spec.h.  A text is a value too: the
 * number that lp_texts gave it, below LP_LOWEST.
 *
 * Invariants:
 *   H1  start <= end, both within +-2^62, or end is LP_PENDING;
 *   H2  a pending call's result is unknown;
 *   H3  a call with more than one result has them in `values` from `result` on.
 *
 * Ownership: lp_history_close() frees everything; a zeroed history is empty.
 */
#ifndef LP_HISTORY_HISTORY_H
#define LP_HISTORY_HISTORY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/vec.h"
#include "linchpin/spec.h"

#define LP_PENDING INT64_MAX
#define LP_MAX_TIME (INT64_C(1) << 62)

enum {
	LP_RESULT_UNKNOWN = 0xffffff, /* the value of lp_call.results if the results are unknown */
	LP_MAX_RESULTS = LP_RESULT_UNKNOWN - 1,
};

struct lp_call {
	int64_t start, end;
	int64_t arg[LP_MAX_ARGS];
	int64_t result;  /* the result, if there is one; the index of the first in `values`, if there are several */
	uint32_t thread;
	uint32_t line;   /* where it was read, from 1 */
	uint16_t method; /* index into `methods` */
	uint8_t args;
	uint32_t results;
};

struct lp_texts;
struct lp_txns;

struct lp_history {
	LP_VEC(struct lp_call);
	struct {
		LP_VEC(char *);
	} methods; /* the names of methods as the input spells them */
	struct {
		LP_VEC(int64_t);
	} values;
	struct lp_texts *texts;
	struct lp_txns *txns; /* if calls are transactions, what each of them did (txns.h); else NULL */
	char *name; /* the name of the input, for messages; or NULL */

	/* The initial value of a register or a missing key, if the format defines
	 * one: LP_NIL, or the empty text. */
	bool has_initial;
	int64_t initial;

	bool ties_are_ordered;
	bool has_times; /* some call has explicit times, instead of the order of events */
	bool is_cut;    /* reading ended before the input did: lp_read_watch.is_enough */

	/* The arguments of a call may be followed by its result, because the history was completed
	 * afterwards: lp_history_fit() separates them.  `result` of a call without results is then the last
	 * value of its return, LP_VOID if none. */
	bool is_completed;
};

void lp_history_close(struct lp_history *h);

/* The index of a method's name, added if it is new. */
uint16_t lp_history_method(struct lp_history *h, const char *name, size_t length);

/* The value of a text; h->texts is created when it is first needed. */
int64_t lp_history_text(struct lp_history *h, const char *text, size_t length);

static inline bool lp_call_is_pending(const struct lp_call *c)
{
	return c->end == LP_PENDING;
}

/* A sort key for the start or the end of a call: one call precedes another iff the key of its end is below that of the other's start. */
static inline uint64_t lp_call_moment(const struct lp_history *h, const struct lp_call *c, bool end)
{
	const int64_t time = end ? c->end : c->start;
	const bool is_instant = c->start == c->end;

	/* The largest time would overflow, and has the number of the time before it. */
	if (!h->ties_are_ordered)
		return (uint64_t)(time + LP_MAX_TIME - (time == LP_MAX_TIME)) << 1 | end;
	/* At equal times: ends, then calls without duration, then starts. */
	return (uint64_t)(time + LP_MAX_TIME / 4) << 2 | (is_instant ? 1u + end : end ? 0u : 3u);
}

/* The results of a call; NULL if they are unknown. */
static inline const int64_t *lp_call_results(const struct lp_history *h,
					     const struct lp_call *c)
{
	if (c->results == LP_RESULT_UNKNOWN)
		return NULL;
	return c->results > 1 ? h->values.at + c->result : &c->result;
}

enum lp_format {
	LP_FORMAT_AUTO, /* by suffix, then by the text */
	LP_FORMAT_TABLE,
	LP_FORMAT_JSON,
	LP_FORMAT_EDN,
	LP_FORMAT_ETCD,
};

struct lp_kind;
struct lp_error;

/* From now on, a call that ends when another starts precedes it.  False if times are beyond 2^60. */
bool lp_history_order_ties(struct lp_history *h, struct lp_error *error);

/* In histories that have arguments and results in one place (`is_completed`), moves the values after the arguments of
 * a call's method to its results. */
void lp_history_fit(struct lp_history *h, const struct lp_kind *kind);

struct lp_error;

/* Sets an error about a call that was read: "name:line: ...".  Returns false. */
bool lp_call_fail(const struct lp_history *h, const struct lp_call *c, struct lp_error *error,
		  const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Finds the format called "table", "json", "edn", "etcd", "kv" or "auto"; returns false for any other name. */
bool lp_format_named(const char *name, enum lp_format *format);

/* Reads a file; "-" is the standard input; a file whose name ends in .gz is decompressed.
 * Messages start with "name:line: ".  `h` must be empty.  If it has `txns` (also empty), calls are read as
 * transactions. */
bool lp_history_read(struct lp_history *h, const char *name, enum lp_format format,
		     struct lp_error *error);

/* go_on() is called from time to time while a file is read.  If `lines` is 0, `bytes` of `size` (0: not
 * known) have been read; otherwise all bytes are read, and that many lines are parsed.  If it returns
 * false, reading ends as with an error. */
struct lp_read_watch {
	bool (*go_on)(void *closure, uint64_t lines, uint64_t bytes, uint64_t size);
	void *closure;

	/* Called from time to time for a pipe, when no input has arrived for a while or much has: are the calls so far
	 * enough?  If so, reading ends, and they are the history.  Only used for formats that list events in their
	 * order, so that later input cannot have happened earlier.  NULL: never. */
	bool (*is_enough)(void *closure, struct lp_history *so_far);
};

bool lp_history_read_watched(struct lp_history *h, const char *name, enum lp_format format,
			     const struct lp_read_watch *watch, struct lp_error *error);

/* The same from memory; `name` is for the messages and for its suffix. */
bool lp_history_parse(struct lp_history *h, const char *name, enum lp_format format,
		      const char *text, size_t size, struct lp_error *error);

/* Prints the history so that reading it gives the same history.  For tables this requires
 * that no text is empty or has spaces or commas; for JSON, that no text is one of its words for
 * other values. */
void lp_history_print_table(const struct lp_history *h, FILE *to);
void lp_history_print_json(const struct lp_history *h, FILE *to);
void lp_history_print_json_value(const struct lp_history *h, int64_t value, FILE *to);

/* A call for reports, written to `text`: `enqueue(1) -> empty`; or its parts, `enqueue(1)`
 * and `empty`.  The latter is "" if there is no result, and "?" if it is unknown. */
const char *lp_call_describe(const struct lp_history *h, uint32_t id, char *text, size_t size);
const char *lp_call_describe_call(const struct lp_history *h, uint32_t id, char *text, size_t size);
const char *lp_call_describe_result(const struct lp_history *h, uint32_t id, char *text,
				    size_t size);
const char *lp_call_describe_value(const struct lp_history *h, int64_t value, char *text, size_t size);

#endif
