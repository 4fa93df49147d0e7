/* fit.h -- does the specification fit the object: is more asked than it gives, or less?
 *
 * Less: every execution that is right is also put to stronger questions, until one is answered
 * with no.  What is left at the end the object keeps, though nobody asked.
 *
 * More: where only synchronisation is missing, the same results may come out with it, in
 * other executions.  Then no client can tell by results what it may rely on, and the
 * specification perhaps wants too much (Golovin, Kokologiannakis and Vafeiadis, POPL 2025,
 * conclusion).
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
		struct lp_clients *clients; /* NULL: it was answered with no */
		char text[64];              /* "--prop linearizable", "--sync rid" */
	} question[LP_FIT_QUESTIONS];
	uint32_t count;
	uint64_t seen;
	/* The results of a violation; in how many executions they are, and in how many of
	 * these nothing is missing. */
	struct lp_observation like;
	uint64_t alike, complete;
};

/* What is stronger than the property with that synchronisation. */
void lp_fit_open(struct lp_fit *, const struct lp_spec *, const char *property, enum lp_sync,
		 bool cached);
void lp_fit_close(struct lp_fit *); /* a zeroed one, too */

/* As lp_clients_ask(), for all questions. */
void lp_fit_ask(struct lp_fit *, bool (*go_on)(void *closure), void *closure);

/* An execution that is right.  False if a question was left undecided: nothing can be said then. */
bool lp_fit_see(struct lp_fit *, const struct lp_observation *) __attribute__((warn_unused_result));

/* An execution that is right or not: does it have the results of `like`? */
void lp_fit_compare(struct lp_fit *, const struct lp_observation *, bool right);

/* In words, or "". */
const char *lp_fit_say(const struct lp_fit *, bool violated, char *text, size_t size);

#endif
