/* kernel_program.h -- the integer program of a grammar and some calls; for kernel*.c only.
 *
 * Variables: how often each instance of a rule is used; then, for each place, whether a word ends there; then, for each
 * supply of calls, each letter that they can be and each place, how many of them are that letter there.
 */
#ifndef LP_CHECK_COUNTING_LANGUAGES_KERNEL_PROGRAM_H
#define LP_CHECK_COUNTING_LANGUAGES_KERNEL_PROGRAM_H

#include "check/counting/languages/kernel_grammar.h"
#include "check/counting/linear.h"

/* A rule whose names have places: what they derive begins at the first and ends at the second. */
struct lp_rule_instance {
	uint32_t left;     /* triples, by number */
	uint32_t right[2]; /* triples, or letters + triples; UINT32_MAX: none */
};

struct lp_kernel_program {
	const struct lp_kernel *g;
	uint32_t places, triples, letters;
	struct lp_supplies supplies;
	struct {
		LP_VEC(struct lp_rule_instance);
	} instances;
	bool *available; /* letters that some call can be */
	bool *good;      /* triples that derive a word of available letters */
	bool *reached;   /* from the start */
	struct lp_linear linear;
};

/* Begins with no calls. */
void lp_kernel_program_open(struct lp_kernel_program *, const struct lp_kernel *g, uint32_t places);
void lp_kernel_program_supply(struct lp_kernel_program *, const struct lp_supply *);
/* All calls are there: which letters there can be, ... */
void lp_kernel_program_letters(struct lp_kernel_program *);
/* ... and the program. */
void lp_kernel_program_make(struct lp_kernel_program *);
void lp_kernel_program_close(struct lp_kernel_program *);

#endif
