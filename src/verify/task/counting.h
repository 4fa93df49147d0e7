/* counting.h -- the user's formulae or grammar for A_k. */
#ifndef LP_VERIFY_TASK_COUNTING_H
#define LP_VERIFY_TASK_COUNTING_H

#include <stdbool.h>

struct lp_error;
struct lp_formulae;
struct lp_kernel;
struct lp_kind;
struct lp_options;
struct lp_spec;

/* At most one of `formulae` and `kernel` is set.  If both are NULL, the formulae or the grammar of
 * the specification are used. */
struct lp_counting {
	struct lp_formulae *formulae;
	struct lp_kernel *kernel; /* what was read from the grammar */
	const char *file; /* the file that was read; or NULL */
};

/* Reads the file of --formulae or --grammar, each of which requires --ak. */
bool lp_counting_open(struct lp_counting *c, const struct lp_options *options,
		      const struct lp_kind *kind, struct lp_error *error);
/* The same as lp_counting_open(), for the check of an object.  Fails also if the object's specification has calls with several
 * results. */
bool lp_counting_for_objects(struct lp_counting *c, const struct lp_options *options,
			     const struct lp_spec *spec, struct lp_error *error);
/* Reads the grammar in the file. */
bool lp_counting_grammar(struct lp_counting *c, const char *file, const struct lp_kind *kind, struct lp_error *error);

/* Do the formulae or the grammar name values?  If so, calls that differ only in values are
 * not alike. */
bool lp_counting_names_values(const struct lp_counting *c);

void lp_counting_close(struct lp_counting *c);

#endif
