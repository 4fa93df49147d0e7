/* kernel_grammar.h -- a grammar in a form to compute with; for kernel*.c only.
 *
 * Right sides have at most two symbols: longer ones were cut with new names.
 */
#ifndef LP_CHECK_KERNEL_GRAMMAR_H
#define LP_CHECK_KERNEL_GRAMMAR_H

#include "base/vec.h"
#include "check/label.h"

/* A terminal t is t, a name n is LP_SYMBOL_NAME + n. */
#define LP_SYMBOL_NAME UINT32_C(0x10000)

struct lp_rule {
	uint32_t left; /* a name, without LP_SYMBOL_NAME */
	uint32_t length;
	uint32_t right[2];
};

struct lp_kernel {
	const struct lp_kind *kind;
	uint32_t names; /* the first one is the start */
	uint64_t methods; /* that occur */
	struct {
		LP_VEC(struct lp_label);
	} terminals;
	struct {
		LP_VEC(struct lp_rule);
	} rules;
};

#endif
