/* history.h -- recorded calls: who called what, when, and what came back.
 *
 * A call is an interval of time.  One call precedes another iff it ended before
 * the other started; if the end of one is the start of the other, they overlap, unless
 * `ties_are_ordered`: then it precedes, too, except that calls of no duration at the same
 * time overlap each other.
 * A call without end is pending: it may have taken effect, at any time after its
 * start, or not.  A call may also have an end and an unknown result.
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
	LP_RESULT_UNKNOWN = 0xffffff, /* as the number of results */
	LP_MAX_RESULTS = LP_RESULT_UNKNOWN - 1,
};

struct lp_call {
	int64_t start, end;
	int64_t arg[LP_MAX_ARGS];
	int64_t result;  /* if there is one; if more: where they are in `values` */
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
	} methods; /* their names as the input spells them */
	struct {
		LP_VEC(int64_t);
	} values;
	struct lp_texts *texts;
	struct lp_txns *txns; /* what each call did, if they are transactions (txns.h); else NULL */
	char *name; /* where it was read, for messages; or NULL */

	/* What a register or a missing key holds at first in this format, if the
	 * format says so: LP_NIL, or the empty text. */
	bool has_initial;
	int64_t initial;

	bool ties_are_ordered;
	bool has_times; /* some call was given with its times, rather than as it happened */
	bool is_cut;    /* reading ended before the input did: lp_read_watch.is_enough */

	/* What a call was given may be followed by what it gave, since it is a history that was completed
	 * afterwards: lp_history_fit() tells them apart.  `result` of a call without results is then the last
	 * value that its return had, LP_VOID if none. */
	bool is_completed;
};

void lp_history_close(struct lp_history *h);

/* The index of a method's name, added if it is new. */
uint16_t lp_history_method(struct lp_history *h, const char *name, size_t length);

/* The value of a text; the texts of a history are made when first needed. */
int64_t lp_history_text(struct lp_history *h, const char *text, size_t length);

static inline bool lp_call_is_pending(const struct lp_call *c)
{
	return c->end == LP_PENDING;
}

/* When a call starts, or ends: sorted by that, a call that precedes another ends before the other starts. */
static inline uint64_t lp_call_moment(const struct lp_history *h, const struct lp_call *c, bool end)
{
	const int64_t time = end ? c->end : c->start;
	const bool is_instant = c->start == c->end;

	/* The last time of all has no number of its own, and is that of the time before. */
	if (!h->ties_are_ordered)
		return (uint64_t)(time + LP_MAX_TIME - (time == LP_MAX_TIME)) << 1 | end;
	/* Ends, then what takes no time, then starts. */
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
	LP_FORMAT_AUTO, /* by suffix, then by what the text looks like */
	LP_FORMAT_TABLE,
	LP_FORMAT_JSON,
	LP_FORMAT_EDN,
	LP_FORMAT_ETCD,
};

struct lp_kind;
struct lp_error;

/* From now on, a call that ends when another starts precedes it.  False if times are beyond 2^60. */
bool lp_history_order_ties(struct lp_history *h, struct lp_error *error);

/* Moves what is beyond the arguments of a call's method to its results, in histories that have both in
 * one place. */
void lp_history_fit(struct lp_history *h, const struct lp_kind *kind);

struct lp_error;

/* Says what is wrong with a call that was read: "name:line: ...".  Returns false. */
bool lp_call_fail(const struct lp_history *h, const struct lp_call *c, struct lp_error *error,
		  const char *format, ...) __attribute__((format(printf, 4, 5)));

/* "table", "json", "edn", "etcd", "kv", "auto"; false if it is none of them. */
bool lp_format_named(const char *name, enum lp_format *format);

/* Reads a file; "-" is the standard input; a name that ends in .gz is unpacked.
 * Messages start with "name:line: ".  `h` must be empty; if it has `txns`, which are empty then, the calls are
 * transactions. */
bool lp_history_read(struct lp_history *h, const char *name, enum lp_format format,
		     struct lp_error *error);

/* Asked now and then while a file is read: `bytes` of `size` (0: not known) are there; or, if
 * `lines` is not 0, all are there, and so many lines of them are understood.  False ends it,
 * as an error would. */
struct lp_read_watch {
	bool (*go_on)(void *closure, uint64_t lines, uint64_t bytes, uint64_t size);
	void *closure;

	/* Asked of a pipe now and then, when nothing has come for a while or a lot has come: is this, the calls so far,
	 * all that is wanted?  Then reading ends, and that is the history.  Only asked if the format tells what
	 * happened one after the other, so that what is still to come cannot have happened before.  NULL: never. */
	bool (*is_enough)(void *closure, struct lp_history *so_far);
};

bool lp_history_read_watched(struct lp_history *h, const char *name, enum lp_format format,
			     const struct lp_read_watch *watch, struct lp_error *error);

/* The same from memory; `name` is for the messages and for its suffix. */
bool lp_history_parse(struct lp_history *h, const char *name, enum lp_format format,
		      const char *text, size_t size, struct lp_error *error);

/* Prints what the reader reads back as the same history; of tables that holds if no
 * text is empty or has spaces or commas, of JSON if none is one of its words for other
 * values. */
void lp_history_print_table(const struct lp_history *h, FILE *to);
void lp_history_print_json(const struct lp_history *h, FILE *to);
void lp_history_print_json_value(const struct lp_history *h, int64_t value, FILE *to);

/* One call for people: `enqueue(1) -> empty`, into `text`; or its parts, `enqueue(1)`
 * and `empty`, the latter "" if there is none and "?" if it is not known. */
const char *lp_call_describe(const struct lp_history *h, uint32_t id, char *text, size_t size);
const char *lp_call_describe_call(const struct lp_history *h, uint32_t id, char *text, size_t size);
const char *lp_call_describe_result(const struct lp_history *h, uint32_t id, char *text,
				    size_t size);
const char *lp_value_describe(const struct lp_history *h, int64_t value, char *text, size_t size);

#endif
