/* spec.h -- a specification with its parameters, ready to be run.
 *
 * A `struct lp_kind` (linchpin/spec.h) describes a specification, either a built-in
 * one or one of the user's.  A `struct lp_spec` adds values for its parameters; it is
 * plain data and owns nothing.  The caller of lp_state_open() owns the state.
 */
#ifndef LP_SPEC_SPEC_H
#define LP_SPEC_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "linchpin/spec.h"

struct lp_error;

struct lp_spec {
	const struct lp_kind *kind;
	int64_t param[LP_MAX_PARAMS];
	bool given[LP_MAX_PARAMS]; /* the user gave the value; otherwise it is the default */
};

#define LP_NO_METHOD UINT32_MAX

/* The built-in kinds, in the order of kinds.def. */
uint32_t lp_kind_count(void);
const struct lp_kind *lp_kind_at(uint32_t index);

/* Finds a built-in kind by its name or by an alias; NULL if there is none.  Case does not matter, '-' and '_' are equivalent, and
 * both may be left out. */
const struct lp_kind *lp_kind_named(const char *name);

/* Sets an error, which says that there is no kind `text`.  If some kind has a similar name, the hint names this kind.  Returns
 * false. */
bool lp_kind_refuse(const char *text, struct lp_error *error);

/* Parses `kind` or `kind:param,param=number`, such as "queue:bounded=3" or "register:init=nil".  A
 * parameter that is given without a value gets the value 1. */
bool lp_spec_parse(struct lp_spec *spec, const char *text, struct lp_error *error);

/* Like lp_spec_parse(), for a given kind.  `params` is the text after the colon; NULL or "" if no parameters are given. */
bool lp_spec_of(struct lp_spec *spec, const struct lp_kind *kind, const char *params,
		struct lp_error *error);

/* Returns the index of a parameter; -1 if the kind has no parameter with this name. */
int lp_spec_param(const struct lp_spec *spec, const char *name);

/* Returns the value of a parameter; 0 if the kind has no parameter with this name. */
int64_t lp_spec_value(const struct lp_spec *spec, const char *name);

/* Returns the index of a method, given by any of its names; LP_NO_METHOD if there is none.  Case does
 * not matter, '-' and '_' are equivalent, and both may be left out. */
uint32_t lp_method_named(const struct lp_kind *kind, const char *name, size_t length);

/* Writes the first name of a method to `text`, which has at least 32 bytes, and returns `text`. */
const char *lp_method_name(const struct lp_method *method, char *text);

/* Makes an empty state. */
void lp_state_open(struct lp_state *s);
void lp_state_close(struct lp_state *s);
/* Sets the state to the initial state of the specification. */
void lp_state_begin(struct lp_state *s, const struct lp_spec *spec);
void lp_state_copy(struct lp_state *to, const struct lp_state *from);
bool lp_state_equal(const struct lp_state *a, const struct lp_state *b);

/* Is the state settled (lp_kind.settled)? */
bool lp_spec_is_settled(const struct lp_spec *spec, const struct lp_state *s);

/* Returns the grammar of the specification's runs (check/counting/languages/kernel.h), as text which the caller frees; NULL if
 * there is none.  Grammars do not mention threads. */
char *lp_spec_grammar(const struct lp_spec *spec);

/* Do steps of the specification look at overlapping calls?  A user's kind says so (lp_kind.overlaps); for a built-in kind it
 * depends on the parameters `weak` and `contended`. */
bool lp_spec_uses_overlap(const struct lp_spec *spec);
/* Do steps look only at whether some call overlaps, not at which calls overlap?  True for a built-in kind with the parameter
 * `contended`. */
bool lp_spec_only_contended(const struct lp_spec *spec);

/* Returns true if no step of the specification looks at overlapping calls.  Otherwise, sets an error which says that
 * `what` is not supported, and returns false. */
bool lp_spec_refuse_overlap(const struct lp_spec *spec, const char *what, struct lp_error *error);

/* Does the specification let calls report a failure that the state alone does not explain? */
bool lp_spec_is_lenient(const struct lp_spec *spec);

/* Does the result of the call say that it has found nothing, or no room, or has changed nothing?  False if the result is
 * unknown. */
bool lp_method_failed(const struct lp_kind *kind, uint32_t method, const struct lp_spec_call *);

/* Does the specification have meetings: calls that take effect together, with a state between them that is not settled? */
bool lp_spec_has_meetings(const struct lp_spec *spec);

/* Would the call wait in this state, which must be settled, until the state changes or until another
 * call meets it? */
bool lp_spec_waits(const struct lp_spec *spec, uint32_t method, const struct lp_state *s,
		   const struct lp_spec_call *call);

/* Runs the method on the state.  Sets call->param to the parameters of `spec`. */
enum lp_answer lp_spec_step(const struct lp_spec *spec, uint32_t method,
			    struct lp_state *s, struct lp_spec_call *call);

#endif
