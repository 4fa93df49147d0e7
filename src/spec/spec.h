/* spec.h -- a specification with its parameters, ready to be run.
 *
 * `struct lp_kind` (linchpin/spec.h) describes a specification, built in or the
 * user's; `struct lp_spec` adds values for its parameters.  A spec is plain data
 * and owns nothing.  The caller of lp_state_open() owns the state.
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

/* Finds a kind by its name or by an alias; NULL if there is none.  As for lp_method_named(), case does not matter, and '-' and '_'
 * may be left out. */
const struct lp_kind *lp_kind_named(const char *name);

/* Sets an error: there is no kind `text`.  If some kind has a similar name, the hint names it.  Returns false. */
bool lp_kind_refuse(const char *text, struct lp_error *error);

/* Parses `kind` or `kind:param,param=number`: "queue:bounded=3", "register:init=nil".  A parameter
 * without a value is 1. */
bool lp_spec_parse(struct lp_spec *spec, const char *text, struct lp_error *error);

/* The same with the kind given; `params` is what would follow the colon, and NULL or "" if there are no parameters. */
bool lp_spec_of(struct lp_spec *spec, const struct lp_kind *kind, const char *params,
		struct lp_error *error);

/* The index of a parameter, or -1. */
int lp_spec_param(const struct lp_spec *spec, const char *name);

/* The value of a parameter; 0 if there is none. */
int64_t lp_spec_value(const struct lp_spec *spec, const char *name);

/* The index of a method by any of its names, ignoring case; '-' and '_' are equivalent, and
 * may be left out.  LP_NO_METHOD if there is none. */
uint32_t lp_method_named(const struct lp_kind *kind, const char *name, size_t length);

/* Writes the first name of a method to `text`, which has at least 32 bytes, and returns `text`. */
const char *lp_method_name(const struct lp_method *method, char *text);

void lp_state_open(struct lp_state *s);
void lp_state_close(struct lp_state *s);
void lp_state_begin(struct lp_state *s, const struct lp_spec *spec);
void lp_state_copy(struct lp_state *to, const struct lp_state *from);
bool lp_state_equal(const struct lp_state *a, const struct lp_state *b);

/* Is the state settled?  See lp_kind.settled. */
bool lp_spec_is_settled(const struct lp_spec *spec, const struct lp_state *s);

/* Returns the grammar of the specification's runs (check/counting/languages/kernel.h); grammars do not mention threads.  The
 * caller frees it.  Returns NULL if there is none. */
char *lp_spec_grammar(const struct lp_spec *spec);

/* Do steps look at the calls that overlap (lp_kind.overlaps)? */
bool lp_spec_uses_overlap(const struct lp_spec *spec);
/* Do steps look only at whether any call overlaps?  They do for a built-in kind with the parameter `contended`. */
bool lp_spec_only_contended(const struct lp_spec *spec);

/* Returns true if no step of the specification looks at overlapping calls.  Otherwise, sets an error which says that
 * `what` is not supported, and returns false. */
bool lp_spec_refuse_overlap(const struct lp_spec *spec, const char *what, struct lp_error *error);

/* May calls report a failure that the state alone does not explain? */
bool lp_spec_is_lenient(const struct lp_spec *spec);

/* Does the call report that it has found nothing, or no room, or that it has changed nothing? */
bool lp_method_failed(const struct lp_kind *kind, uint32_t method, const struct lp_spec_call *);

/* Does the specification have states that are not settled, because calls take effect together? */
bool lp_spec_has_meetings(const struct lp_spec *spec);

/* Would a call wait in this (settled) state, until the state changes, or until another call
 * meets it? */
bool lp_spec_waits(const struct lp_spec *spec, uint32_t method, const struct lp_state *s,
		   const struct lp_spec_call *call);

/* Runs the method; the parameters of `spec` become those of the call. */
enum lp_answer lp_spec_step(const struct lp_spec *spec, uint32_t method,
			    struct lp_state *s, struct lp_spec_call *call);

#endif
