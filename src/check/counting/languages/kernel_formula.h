/* kernel_formula.h -- the formula of a grammar: which counts are those of correct histories?
 *
 * Theorem 6 of Bouajjani, Emmi, Enea and Hamza (POPL 2015): for an object whose sequential runs are a context-free
 * language, and for each k, there is a formula Psi on the counters #(label, i, j) that holds iff A_k of the history is
 * correct.  This file gives the formula in existential Presburger arithmetic: there are natural numbers, the variables, for
 * which all `rows` hold and all names that are used are `reached`.  kernel.c decides the same rows for given counters.
 *
 *     a row     c1 v1 + c2 v2 + ...  =  a counter, or a number      (>= the counter, if calls are pending)
 *     reached   a name is replaced if one of its rules is used.  Such a name is either the one that the derivation begins
 *               with, or a rule that is used introduces it, and the name of that rule is reached in fewer steps
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

/* Write the name of a variable, and what it counts.  For example, "r3" counts uses of a rule: "Free[0..1] -> <lock>@0
 * Held[0..1]".  "e1" means "a word ends at place 1".  "c7" counts calls: "calls <lock> over 0..1 that take effect at 0". */
uint32_t lp_kernel_formula_variables(const struct lp_kernel_formula *f);
void lp_kernel_formula_variable(const struct lp_kernel_formula *f, uint32_t variable, char *text, size_t size);
void lp_kernel_formula_meaning(const struct lp_kernel_formula *f, uint32_t variable, char *text, size_t size);

enum lp_formula_part { LP_PART_NAMES, LP_PART_START, LP_PART_CALLS, LP_PART_LETTERS };

struct lp_formula_row {
	enum lp_formula_part part;
	const struct lp_linear_entry *entries;
	uint32_t count;
	bool at_most;      /* else equal */
	bool counted;      /* the right-hand side is the counter #(label, from, to) */
	char label[128];   /* see `counted` */
	uint32_t from, to;
	int64_t number;    /* the right-hand side, if it is not a counter */
};

uint32_t lp_kernel_formula_rows(const struct lp_kernel_formula *f);
struct lp_formula_row lp_kernel_formula_row(const struct lp_kernel_formula *f, uint32_t row);

/* The names, each with its places, such as "Free[0..1]". */
uint32_t lp_kernel_formula_names(const struct lp_kernel_formula *f);
void lp_kernel_formula_name(const struct lp_kernel_formula *f, uint32_t name, char *text, size_t size);
/* The name that a rule replaces, and the names that it introduces (UINT32_MAX: none).  A rule has the number of its
 * variable. */
uint32_t lp_kernel_formula_rules(const struct lp_kernel_formula *f);
uint32_t lp_kernel_formula_left(const struct lp_kernel_formula *f, uint32_t rule);
uint32_t lp_kernel_formula_right(const struct lp_kernel_formula *f, uint32_t rule, uint32_t which);
/* The variable that says that the derivation begins with that name; UINT32_MAX: there is none. */
uint32_t lp_kernel_formula_start(const struct lp_kernel_formula *f, uint32_t name);

#endif
