/* kernel_program.h -- the integer program of a grammar and some calls; for kernel*.c only.
 *
 * kernel.c explains the program.  A letter is a terminal at a place.  The variables say, in this order: how often each
 * instance of a rule is used; for each place, whether the word ends there; and, for each supply of calls and each letter that
 * its calls can be, how many of the calls are this letter.
 */
#ifndef LP_CHECK_COUNTING_LANGUAGES_KERNEL_PROGRAM_H
#define LP_CHECK_COUNTING_LANGUAGES_KERNEL_PROGRAM_H

#include "check/counting/languages/kernel_grammar.h"
#include "check/counting/linear.h"

/* A rule whose names are replaced by triples.  A triple is a name with the places at which the word that is derived from the
 * name begins and ends. */
struct lp_rule_instance {
	uint32_t left;     /* the number of a triple */
	uint32_t right[2]; /* the number of a triple, or `triples` + that of a letter; UINT32_MAX if there is no such symbol */
};

struct lp_kernel_program {
	const struct lp_kernel *g;
	uint32_t places, triples, letters; /* how many there are */
	struct lp_supplies supplies;
	struct {
		LP_VEC(struct lp_rule_instance);
	} instances;
	bool *available; /* for each letter: some call can be this letter */
	bool *good;      /* for each triple: some word of available letters can be derived from it */
	bool *reached;   /* for each triple: it can be reached from the start symbol */
	struct lp_linear linear;
};

/* Begins a program without calls. */
void lp_kernel_program_open(struct lp_kernel_program *, const struct lp_kernel *g, uint32_t places);
/* Adds calls. */
void lp_kernel_program_supply(struct lp_kernel_program *, const struct lp_supply *);
/* Finds the available letters.  To be called after all calls were added. */
void lp_kernel_program_letters(struct lp_kernel_program *);
/* Makes the instances and the rows.  To be called after lp_kernel_program_letters(). */
void lp_kernel_program_make(struct lp_kernel_program *);
void lp_kernel_program_close(struct lp_kernel_program *);

#endif
