/* naive_quasi.h -- quasi-linearizability as docs/quasi.md defines it, straight from there.
 *
 * For one order P of calls, all runs R are tried.  The caller goes through the orders:
 * those that a history, a client or the threads of an object allow.  Nothing of src/check is
 * used but the factors.
 */
#ifndef LP_TESTS_NAIVE_QUASI_H
#define LP_TESTS_NAIVE_QUASI_H

#include <stdbool.h>
#include <stdint.h>

#include "check/quasi/quasi.h"
#include "spec/spec.h"

enum { NAIVE_QUASI_CALLS = 24, NAIVE_QUASI_MENU = 512 };

struct naive_call {
	uint32_t method;
	int64_t arg[LP_MAX_ARGS];
	uint32_t thread;
	uint32_t results; /* 0 or 1; if more, they are at `values` */
	int64_t result;
	const int64_t *values;
};

struct naive_quasi {
	const struct lp_spec *spec;
	const struct lp_quasi *rule;
	struct naive_call call[NAIVE_QUASI_CALLS]; /* P */
	uint32_t count;
	/* Calls that may follow: at most `further` of these, one after the other. */
	struct naive_call menu[NAIVE_QUASI_MENU];
	uint32_t menu_count, further;
	/* Must say yes to the state of R after P, before others follow; NULL: not asked. */
	bool (*rests)(void *closure, const struct lp_state *);
	void *closure;
};

/* A set of values, of which those that are none are left out. */
struct naive_values {
	int64_t at[64];
	uint32_t count;
};
void naive_values_add(struct naive_values *, int64_t value);

/* Calls of all methods that change anything, with such arguments and results. */
void naive_quasi_fill_menu(struct naive_quasi *, const struct naive_values *);

/* Can it go on to be as Definition 4 has it?  For specifications of numbers: does nothing so
 * far speak against it? */
bool naive_quasi_fits(struct naive_quasi *);

/* Whatever it is a specification of: does nothing so far speak against it? */
bool naive_quasi_fits_so_far(const struct naive_quasi *);

#endif
