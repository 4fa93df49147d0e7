/* fit.h -- does the specification require less than the object guarantees, or more than it can guarantee?
 *
 * Too little: every correct execution is also checked against stronger properties.  A property is dropped when an execution
 * violates it.  The properties that remain at the end are guaranteed by the object, but not required by the specification.
 *
 * Too much: the results of a violation may be correct, so that only synchronisation is missing, and other executions with the same
 * results may have this synchronisation.  In this case a client cannot tell from the results whether it may rely on the
 * synchronisation, and perhaps the specification requires too much (Golovin, Kokologiannakis and Vafeiadis, POPL 2025, conclusion).
 */
#ifndef LP_VERIFY_FIT_H
#define LP_VERIFY_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check/clients/clients.h"

enum { LP_FIT_QUESTIONS = 8 };

struct lp_fit {
	struct {
		struct lp_clients *clients; /* NULL: some execution violated the property */
		char text[64];              /* "--prop linearizable", "--sync rid" */
	} question[LP_FIT_QUESTIONS];
	uint32_t count;
	uint64_t seen;                      /* the number of executions about which questions were asked */
	/* `like` has the results of a violation.  `alike` is the number of executions with these results, and
	 * `complete` is the number of those that are correct. */
	struct lp_observation like;
	uint64_t alike, complete;
};

/* Prepares the questions: properties, and degrees of synchronisation, that are stronger than the given ones.  `cached` is passed to
 * lp_clients_open(). */
void lp_fit_open(struct lp_fit *, const struct lp_spec *, const char *property, enum lp_sync,
		 bool cached);
void lp_fit_close(struct lp_fit *); /* also accepts a zeroed struct */

/* Sets the callback `go_on` for all questions, as lp_clients_ask() does for one. */
void lp_fit_ask(struct lp_fit *, bool (*go_on)(void *closure), void *closure);

/* Asks all questions about a correct execution.  Returns false if a question could not be decided; the caller then ends the
 * exploration, and there are no answers. */
bool lp_fit_see(struct lp_fit *, const struct lp_observation *) __attribute__((warn_unused_result));

/* Counts an execution if it has the results of `like`.  `right`: the execution is correct. */
void lp_fit_compare(struct lp_fit *, const struct lp_observation *, bool right);

/* Writes the answer in words to `text`, and returns `text`; "" if there is no answer. */
const char *lp_fit_say(const struct lp_fit *, bool violated, char *text, size_t size);

#endif
