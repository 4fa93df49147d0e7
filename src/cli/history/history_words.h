/* history_words.h -- recorded calls as text, for reports; allocated in an arena. */
#ifndef LP_CLI_HISTORY_HISTORY_WORDS_H
#define LP_CLI_HISTORY_HISTORY_WORDS_H

#include <stdbool.h>
#include <stdint.h>

struct lp_arena;
struct lp_check_result;
struct lp_history;
struct lp_history_result;
struct lp_history_violation;
struct lp_recorded_call;
struct lp_spec;

struct lp_history_words {
	struct lp_arena *arena; /* the arena of all texts and arrays in a result */
	const struct lp_spec *spec;
};

/* Fills in the number of calls and of threads. */
void lp_history_count(const struct lp_history *h, struct lp_history_result *out);

/* Returns the violation that `r` describes: its core and the longest attempt, as text. */
const struct lp_history_violation *lp_history_words_violation(const struct lp_history_words *w,
							      const struct lp_history *h,
							      const struct lp_check_result *r,
							      const char *subject);

/* Fills in a call of a violation.  `open`: the history is already wrong before the call
 * returns. */
void lp_history_words_call(const struct lp_history_words *w, const struct lp_history *h, uint32_t id, bool open,
			   const char *subject, struct lp_recorded_call *out);

/* Returns the calls of a violation as the text of a client: "enqueue(1); enqueue(2) |
 * dequeue()". */
const char *lp_history_words_client(const struct lp_history_words *w, const struct lp_history_violation *v);

/* Fills in all calls in short form, sorted by start, for the HTML page. */
void lp_history_words_all(const struct lp_history_words *w, const struct lp_history *h,
			  struct lp_history_result *out);

#endif
