/* label.h -- the label of a call: its method, arguments and result, m(u) => v.
 *
 * Results have the form that the specification expects (enum lp_shape).  The label of a
 * call that has not returned has no result.
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

/* Finds the value that a call is about: its first argument or, without arguments, the value
 * that it returned.  Returns false if there is neither. */
bool lp_label_value(const struct lp_kind *kind, const struct lp_label *label, int64_t *value);

/* Parses <method(arguments) => result>, where the result is a number, true, false, empty,
 * nil, or pending.  The current token must be '<'; afterwards, the current token is the one
 * after '>'.  Returns false, with an error, if the text is not a label. */
bool lp_label_parse(struct lp_tokens *t, const struct lp_kind *kind, struct lp_label *label);

void lp_label_print(const struct lp_kind *kind, const struct lp_label *label, char *text,
		    size_t size);

#endif
