/* counting.h -- the user's formulae or grammar for A_k. */
#ifndef LP_CLI_HISTORY_COUNTING_H
#define LP_CLI_HISTORY_COUNTING_H

#include <stdbool.h>

struct lp_error;
struct lp_formulae;
struct lp_kernel;
struct lp_kind;
struct lp_options;

/* At most one of them; both NULL: what the specification brings. */
struct lp_counting {
	struct lp_formulae *formulae;
	struct lp_kernel *kernel;
	const char *file; /* that it was read from */
};

/* By --formulae and --grammar, which --ak has to go with. */
bool lp_counting_open(struct lp_counting *c, const struct lp_options *options,
		      const struct lp_kind *kind, struct lp_error *error);
void lp_counting_close(struct lp_counting *c);

#endif
