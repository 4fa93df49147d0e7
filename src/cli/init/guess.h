/* guess.h -- guesses what a header declares: the object, its specification, and which function is which method.
 *
 * The object is the type that most functions take a pointer to as their first parameter, or the class that has most methods.
 * Whether a function may be a method depends on the end of its name, after an underscore or ::.  For example,
 * msqueue_enqueue is the method enqueue.  The kind of the object is the one of which most methods are found in this
 * way.  If several kinds have equally many, it is the one whose name is part of the name of the type, of a function or
 * of the header.
 */
#ifndef LP_CLI_INIT_GUESS_H
#define LP_CLI_INIT_GUESS_H

#include "cli/init/declared.h"

struct lp_kind;
struct lp_method;

enum lp_guessed_role { LP_GUESSED_NOTHING, LP_GUESSED_METHOD, LP_GUESSED_SETUP, LP_GUESSED_TEARDOWN };

struct lp_guessed {
	enum lp_guessed_role role;
	const char *name;              /* for a method: its name in the harness */
	const struct lp_method *method;
};

struct lp_guess {
	const struct lp_declarations *declarations;
	const char *type;              /* the type of the object; NULL: there is none, because the object is global */
	bool handed_out;               /* the set-up function returns a pointer to the object */
	const struct lp_kind *kind;    /* NULL: not known */
	struct lp_guessed *at;         /* for each declaration */
};

/* Makes the guesses.  `file` is the name of the header. */
void lp_guess(struct lp_guess *, const struct lp_declarations *, const char *file);
void lp_guess_close(struct lp_guess *);

/* Returns true if the function works on the object.  The object is then its first parameter, unless the function is a
 * method of a class. */
bool lp_guess_concerns(const struct lp_guess *, const struct lp_declared *);

#endif
