/* kernel_formula.h -- the formula of a grammar, which says which counts are those of correct histories.
 *
 * Theorem 6 of Bouajjani, Emmi, Enea and Hamza (POPL 2015): for an object whose sequential runs are a context-free
 * language, and for each k, there is a formula Psi on the counters #(label, i, j) that holds iff A_k of the history is
 * correct.  This file gives the formula in existential Presburger arithmetic.  A name is a nonterminal with the places at
 * which the derived word begins and ends (kernel.c).  The formula says that there are natural numbers, called the variables,
 * for which all rows hold and all names that are replaced are reached.  kernel.c decides the same rows for given counters.
 *
 *     a row     c1 v1 + c2 v2 + ...  =  a counter, or a number      (<= the counter, if its calls are pending)
 *     reached   a name is replaced if one of its rules is used.  Each such name must be the name with which the derivation
 *               begins, or be introduced by a rule whose name is reached in fewer steps
 *
 * Ownership: the formula refers to the grammar, which must outlive it.
 */
#ifndef LP_CHECK_COUNTING_LANGUAGES_KERNEL_FORMULA_H
#define LP_CHECK_COUNTING_LANGUAGES_KERNEL_FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check/counting/linear.h"

struct lp_error;
struct lp_kernel;
struct lp_kernel_formula;

/* Returns NULL, with the error set, if the formula would be too long. */
struct lp_kernel_formula *lp_kernel_formula_open(const struct lp_kernel *g, unsigned k, struct lp_error *error);
void lp_kernel_formula_close(struct lp_kernel_formula *f);

/* Returns the number of variables.  A variable is given by its index. */
uint32_t lp_kernel_formula_variables(const struct lp_kernel_formula *f);
/* The first function writes the name of a variable, the second its meaning.  For example, "r3" says how often the rule
 * "Free[0..1] -> <lock>@0 Held[0..1]" is used, "e1" is 1 iff "the word ends at place 1", and "c7" is the number of "calls
 * <lock> over 0..1 that take effect at 0". */
void lp_kernel_formula_variable(const struct lp_kernel_formula *f, uint32_t variable, char *text, size_t size);
void lp_kernel_formula_meaning(const struct lp_kernel_formula *f, uint32_t variable, char *text, size_t size);

/* What a row says. */
enum lp_formula_part {
	LP_PART_NAMES,   /* a name is introduced as often as it is replaced */
	LP_PART_START,   /* the word ends at exactly one place */
	LP_PART_CALLS,   /* each call that has returned is one letter of the word; a pending call is at most one */
	LP_PART_LETTERS  /* a letter is introduced by rules as often as calls are this letter */
};

struct lp_formula_row {
	enum lp_formula_part part;
	const struct lp_linear_entry *entries; /* the left-hand side */
	uint32_t count;    /* the number of entries */
	bool at_most;      /* the relation is <=; false: it is = */
	bool counted;      /* the right-hand side is the counter #(label, from, to); false: it is `number` */
	char label[128];
	uint32_t from, to;
	int64_t number;
};

uint32_t lp_kernel_formula_rows(const struct lp_kernel_formula *f);
struct lp_formula_row lp_kernel_formula_row(const struct lp_kernel_formula *f, uint32_t row);

/* The number of names, and the text of a name, which contains its places: "Free[0..1]". */
uint32_t lp_kernel_formula_names(const struct lp_kernel_formula *f);
void lp_kernel_formula_name(const struct lp_kernel_formula *f, uint32_t name, char *text, size_t size);
/* The first function returns the number of rules; the index of a rule is that of its variable.  lp_kernel_formula_left()
 * returns the index of the name that the rule replaces.  lp_kernel_formula_right() returns the index of the first (`which`
 * is 0) or second (1) symbol that the rule introduces; UINT32_MAX if this symbol is not a name. */
uint32_t lp_kernel_formula_rules(const struct lp_kernel_formula *f);
uint32_t lp_kernel_formula_left(const struct lp_kernel_formula *f, uint32_t rule);
uint32_t lp_kernel_formula_right(const struct lp_kernel_formula *f, uint32_t rule, uint32_t which);
/* The variable that says that the derivation begins with this name; UINT32_MAX: no derivation can begin with it. */
uint32_t lp_kernel_formula_start(const struct lp_kernel_formula *f, uint32_t name);

#endif
