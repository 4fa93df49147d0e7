/* guess.h -- guesses what a header declares: the object, its specification, and which function is which method.
 *
 * The object is the type that most functions take a pointer to as their first parameter, or the class that has most methods.
 * A function may be a method by the end of its name, after an underscore: msqueue_enqueue is enqueue.  The kind of object is
 * the one with most methods found in this way; among several, the one whose name occurs in that of the type, a function or the header.
 */
#ifndef LP_CLI_INIT_GUESS_H
#define LP_CLI_INIT_GUESS_H

#include "cli/init/declared.h"

struct lp_kind;
struct lp_method;

enum lp_guessed_role { LP_GUESSED_NOTHING, LP_GUESSED_METHOD, LP_GUESSED_SETUP, LP_GUESSED_TEARDOWN };

struct lp_guessed {
	enum lp_guessed_role role;
	const char *name;              /* of a method: what the harness calls it */
	const struct lp_method *method;
};

struct lp_guess {
	const struct lp_declarations *declarations;
	const char *type;              /* of the object; NULL: there is none, all of it is global */
	bool handed_out;               /* the set-up returns a pointer to it */
	const struct lp_kind *kind;    /* NULL: not known */
	struct lp_guessed *at;         /* by declaration */
};

/* `file`: the name of the header. */
void lp_guess(struct lp_guess *, const struct lp_declarations *, const char *file);
void lp_guess_close(struct lp_guess *);

/* Is the function about the object?  Then that is its first parameter, if it is not a method of a class. */
bool lp_guess_concerns(const struct lp_guess *, const struct lp_declared *);

#endif
