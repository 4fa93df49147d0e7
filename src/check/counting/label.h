/* label.h -- the label of a call, its method, arguments and result: m(u) => v.
 *
 * Results are in the form of the specification (see problem.h).  The label of a call
 * that has not returned has no result.
 */
#ifndef LP_CHECK_COUNTING_LABEL_H
#define LP_CHECK_COUNTING_LABEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spec/spec.h"

struct lp_tokens;

struct lp_label {
	uint8_t method, args;
	bool pending;
	uint8_t results; /* 0 or 1 */
	int64_t arg[LP_MAX_ARGS];
	int64_t result;
};

bool lp_label_equal(const struct lp_label *a, const struct lp_label *b);

/* Finds the value that a call is about: its first argument, or the value that it
 * returned. */
bool lp_label_value(const struct lp_kind *kind, const struct lp_label *label, int64_t *value);

/* Parses <method(arguments) => result>, where the result is a number, true, false, empty,
 * nil, or pending.  The current token must be '<'; afterwards it is the one that follows
 * '>'. */
bool lp_label_parse(struct lp_tokens *t, const struct lp_kind *kind, struct lp_label *label);

void lp_label_print(const struct lp_kind *kind, const struct lp_label *label, char *text,
		    size_t size);

#endif
