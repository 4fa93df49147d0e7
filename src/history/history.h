/* history.h -- recorded calls: their threads, methods, times and results.
 *
 * A call is an interval of time.  Call a precedes call b if a ended before b started.
 * If a ended exactly when b started, a and b overlap, unless `ties_are_ordered` is set.
 * If it is set, a precedes b, unless both are calls without duration: these overlap.
 * In all other cases, a does not precede b.
 *
 * A call without an end is pending: it may have taken effect at any time after its
 * start, or not at all.  A call may also have an end and an unknown result.
 *
 * A call is identified by its index, a 32-bit id.  Calls are in the order in which they
 * were read.
 *
 * Values are 64-bit integers, as in linchpin/spec.h.  A text is represented by a number
 * below LP_LOWEST (texts.h).
 *
 * Invariants:
 *   H1  start <= end, both within +-2^62, or end is LP_PENDING;
 *   H2  a pending call's result is unknown;
 *   H3  the results of a call with several results are values[result], values[result + 1], ...
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
	int64_t result;  /* the result, if there is one; if there are several, the index of the first one in
			  * `values` */
	uint32_t thread;
	uint32_t line;   /* the line of the input, from 1 */
	uint16_t method; /* index into `methods` */
	uint8_t args;    /* the number of arguments */
	uint32_t results; /* the number of results, or LP_RESULT_UNKNOWN */
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
	} values;   /* the results of calls with several results */
	struct lp_texts *texts; /* NULL: no text occurs */
	struct lp_txns *txns; /* if calls are transactions, what each of them did (txns.h); otherwise NULL */
	char *name; /* the name of the input, for messages; NULL: none */

	/* `has_initial`: the format defines the initial value of a register or of a missing key.  `initial` is this
	 * value: LP_NIL, or the empty text. */
	bool has_initial;
	int64_t initial;

	bool ties_are_ordered;
	bool has_times; /* some call has explicit times; false: times are the order of events */
	bool in_billionths; /* some time was not a whole number, so all times are in billionths of the unit of the input */
	bool is_cut;    /* lp_read_watch.is_enough() ended reading before the end of the input */

	/* After recording, results were added to the invocations: an invocation may list the result after the
	 * arguments.  Until lp_history_fit() separates the two, `arg` may contain both, and `result` of a call without
	 * results is the last value of its return, or LP_VOID. */
	bool is_completed;
};

void lp_history_close(struct lp_history *h);

/* Returns the index of a method's name, which is added if it is new.  UINT16_MAX: there are too many methods. */
uint16_t lp_history_method(struct lp_history *h, const char *name, size_t length);

/* Returns the value that represents a text.  Creates h->texts if it is NULL. */
int64_t lp_history_text(struct lp_history *h, const char *text, size_t length);

/* How many units of times make one unit of the input. */
static inline int64_t lp_history_unit(const struct lp_history *h)
{
	return h->in_billionths ? INT64_C(1000000000) : 1;
}

static inline bool lp_call_is_pending(const struct lp_call *c)
{
	return c->end == LP_PENDING;
}

/* Returns a sort key for the start or the end of a call: call a precedes call b iff the key of the end of a is below the
 * key of the start of b. */
static inline uint64_t lp_call_moment(const struct lp_history *h, const struct lp_call *c, bool end)
{
	const int64_t time = end ? c->end : c->start;
	const bool is_instant = c->start == c->end;

	/* The key of the largest time would overflow, so that time gets the same key as the time before it. */
	if (!h->ties_are_ordered)
		return (uint64_t)(time + LP_MAX_TIME - (time == LP_MAX_TIME)) << 1 | end;
	/* At equal times: ends, then calls without duration, then starts. */
	return (uint64_t)(time + LP_MAX_TIME / 4) << 2 | (is_instant ? 1u + end : end ? 0u : 3u);
}

/* Returns the results of a call; NULL if they are unknown. */
static inline const int64_t *lp_call_results(const struct lp_history *h,
					     const struct lp_call *c)
{
	if (c->results == LP_RESULT_UNKNOWN)
		return NULL;
	return c->results > 1 ? h->values.at + c->result : &c->result;
}

enum lp_format {
	LP_FORMAT_AUTO, /* recognised by the suffix of the file's name, or else by the text */
	LP_FORMAT_TABLE,
	LP_FORMAT_JSON,
	LP_FORMAT_EDN,
	LP_FORMAT_ETCD,
};

struct lp_kind;
struct lp_error;

/* Sets `ties_are_ordered`.  Returns false, with an error, if some time is not between -2^60 and 2^60. */
bool lp_history_order_ties(struct lp_history *h, struct lp_error *error);

/* If `is_completed` is set, moves the values in `arg` that are no arguments of the method to the results of the
 * call. */
void lp_history_fit(struct lp_history *h, const struct lp_kind *kind);

struct lp_error;

/* Sets an error about a call.  The message begins with the place where the call was read: "name:line: ...".  Returns false. */
bool lp_call_fail(const struct lp_history *h, const struct lp_call *c, struct lp_error *error,
		  const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Finds a format by its name: "auto", "table", "json" or "jsonl", "edn", "jepsen" or "kv", "etcd".  Returns false if there is no
 * such format. */
bool lp_format_named(const char *name, enum lp_format *format);

/* Reads a file; "-" is the standard input.  A file whose name ends in .gz is decompressed.
 * Messages start with "name:line: ".  `h` must be empty, except that the caller may have set `txns` to an empty
 * struct: then calls are read as transactions. */
bool lp_history_read(struct lp_history *h, const char *name, enum lp_format format,
		     struct lp_error *error);

/* Functions that are called while a file is read. */
struct lp_read_watch {
	/* Called from time to time.  While bytes are read, `lines` is 0, `bytes` is the number of bytes so far, and `size`
	 * the size of the file (0: not known).  While lines are parsed, `lines` is their number so far.  If the function
	 * returns false, reading ends with an error. */
	bool (*go_on)(void *closure, uint64_t lines, uint64_t bytes, uint64_t size);
	void *closure;

	/* For a pipe: are the calls that were read so far enough?  If so, reading ends, and these calls are the
	 * history.  The function is called when no input has arrived for a while, or when much has arrived, and only
	 * for formats that list events in their order, where later input cannot be about earlier events.  NULL:
	 * always read to the end. */
	bool (*is_enough)(void *closure, struct lp_history *so_far);
};

bool lp_history_read_watched(struct lp_history *h, const char *name, enum lp_format format,
			     const struct lp_read_watch *watch, struct lp_error *error);

/* Reads a history from memory.  `name` is used in messages, and its suffix may determine the format. */
bool lp_history_parse(struct lp_history *h, const char *name, enum lp_format format,
		      const char *text, size_t size, struct lp_error *error);

/* Print the history in a format from which the same history can be read again, with two exceptions.  In a table, a text
 * that is empty or has spaces or commas is read differently.  In JSON, a text that is a word for another value, such as
 * "empty", is read as that value. */
void lp_history_print_table(const struct lp_history *h, FILE *to);
void lp_history_print_json(const struct lp_history *h, FILE *to);
void lp_history_print_json_value(const struct lp_history *h, int64_t value, FILE *to);

/* Write text for reports to `text`, and return `text`: a whole call, `dequeue() -> empty`; a call without its result,
 * `dequeue()`; the result of a call, `empty`, which is "" if there is no result, and "?" if it is unknown; or a single
 * value. */
const char *lp_call_describe(const struct lp_history *h, uint32_t id, char *text, size_t size);
const char *lp_call_describe_call(const struct lp_history *h, uint32_t id, char *text, size_t size);
const char *lp_call_describe_result(const struct lp_history *h, uint32_t id, char *text,
				    size_t size);
const char *lp_call_describe_value(const struct lp_history *h, int64_t value, char *text, size_t size);

#endif
