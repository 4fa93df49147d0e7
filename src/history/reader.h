/* reader.h -- what the parsers of all formats share: a position in a text, the parsing of
 * values, and the matching of returns with calls.
 */
#ifndef LP_HISTORY_READER_H
#define LP_HISTORY_READER_H

#include "history/history.h"

#include "base/error.h"
#include "base/hash_index.h"
#include "base/vec.h"
#include "history/txns.h"

/* Values that were parsed before it is known whether they are arguments or results. */
struct lp_values {
	LP_VEC(int64_t);
};

/* The open call of a thread. */
struct lp_open {
	uint32_t thread;
	uint32_t id; /* the index of the open call; UINT32_MAX: none is open */
};

struct lp_reader {
	struct lp_history *h;
	const char *name; /* the name of the input, for messages */
	const char *at, *end; /* the text that is left */
	uint32_t line; /* the line of `at`, from 1 */
	struct lp_error *error;

	/* The open call of each thread, for formats that log calls and returns one
	 * by one.  There is an entry for each thread that has called so far. */
	struct {
		LP_VEC(struct lp_open);
	} open;
	struct lp_hash_index by_thread;
	uint32_t dropped; /* the number of calls that are known not to have happened */
	int64_t now;      /* the number of events so far, which is the time in formats
			   * without explicit times */
	bool is_prefix;   /* more of the text may arrive later, so the text may end within
			   * a vector */

	const struct lp_read_watch *watch; /* NULL: none */
	const char *begin; /* the beginning of the text */
	uint64_t before, size; /* if the text is read in pieces: the number of bytes
			        * before this piece, and in the whole file; 0: the whole
			        * text is in memory */
	uint32_t steps;   /* counts lines or entries, to call watch->go_on() from time to
			   * time */
	struct lp_values values; /* the values of the line that is being read */
};

/* Sets an error that begins with "name:line: ".  Returns false. */
bool lp_reader_fail(const struct lp_reader *r, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* To be called for each line or entry.  Returns false, with the error set, if reading must
 * end. */
bool lp_reader_goes_on(struct lp_reader *r);

/* Writes the next characters from `at` to `text`, in printable form, for messages. */
const char *lp_reader_excerpt(const struct lp_reader *r, char text[24]);

/* Parses a number, [sign]digits, at `at`.  Returns where parsing stopped, or NULL if there
 * is no number or if it is out of range. */
const char *lp_reader_number(const char *at, const char *end, int64_t *number);

/* Returns the value of a word in a table, or of a word without quotes in another format.
 * The word is a number; or empty, full, nil, true or false; or otherwise a text. */
int64_t lp_reader_word(struct lp_history *h, const char *word, size_t length);

/* Makes the values the results of a call.  Returns false, with the error set, if there are
 * too many. */
bool lp_reader_set_results(struct lp_reader *r, struct lp_call *c, const int64_t *values, uint32_t count);

/* Sets `*method` to the index of a method's name.  Returns false, with the error set, if the
 * name is not allowed, or if there are too many methods. */
bool lp_reader_method(struct lp_reader *r, const char *name, size_t length, uint16_t *method);

/* For event logs: adds a pending call.  The caller fills in its method, arguments and, later,
 * results.  Returns NULL, with the error set, if the thread already has an open call. */
struct lp_call *lp_reader_call(struct lp_reader *r, uint32_t thread);

/* Ends the open call of `thread`, and returns the call; NULL, with the error set, if there is
 * none. */
struct lp_call *lp_reader_return(struct lp_reader *r, uint32_t thread);

/* Returns the open call of `thread`, which stays open; NULL if there is none. */
struct lp_call *lp_reader_open(struct lp_reader *r, uint32_t thread);

/* Is `name` the method of the call?  If not, sets the error and returns false. */
bool lp_reader_is_of(struct lp_reader *r, const struct lp_call *c, const char *name, size_t length);

/* Records that the call did not happen. */
void lp_reader_drop(struct lp_reader *r, struct lp_call *c);
void lp_reader_close(struct lp_reader *r); /* removes the dropped calls from the history */

/* How a format writes lists and values, for lp_txn_parse(). */
struct lp_txn_syntax {
	bool (*begin)(struct lp_reader *r);           /* if a list begins here, enters it
						       * and returns true */
	int (*more)(struct lp_reader *r, bool first); /* > 0: there is another element; 0:
						       * the list has ended, and was
						       * left; < 0: error.  `first`: no
						       * element was read yet */
	bool (*scalar)(struct lp_reader *r, int64_t *value); /* reads a value that is no list */
};

enum lp_txn_type { LP_TXN_INVOKE, LP_TXN_OK, LP_TXN_FAIL, LP_TXN_INFO };

/* Parses a list of operations into the draft of the history's transactions (txns.h). */
bool lp_txn_parse(struct lp_reader *r, const struct lp_txn_syntax *s);
bool lp_txn_type_named(const char *name, size_t length, enum lp_txn_type *type);
enum lp_txn_outcome lp_txn_outcome_of(enum lp_txn_type type);

/* Records that a transaction begins (LP_TXN_INVOKE) or ends.  If `has_value` is set, the
 * operations of the transaction are in the draft. */
bool lp_txn_event(struct lp_reader *r, uint32_t thread, enum lp_txn_type type, bool has_value);

/* The parsers. */
bool lp_table_parse(struct lp_reader *r);
bool lp_json_parse(struct lp_reader *r);
bool lp_edn_parse(struct lp_reader *r);
bool lp_etcd_parse(struct lp_reader *r);

/* Does the beginning of the text look like a log of etcd? */
bool lp_etcd_looks_so(const char *text, size_t size);

#endif
