/* kernel_grammar.h -- a grammar in a form to compute with; for kernel*.c only.
 *
 * Right-hand sides have at most two symbols: longer ones are divided by new nonterminals.
 */
#ifndef LP_CHECK_COUNTING_LANGUAGES_KERNEL_GRAMMAR_H
#define LP_CHECK_COUNTING_LANGUAGES_KERNEL_GRAMMAR_H

#include <string.h>

#include "base/vec.h"
#include "check/counting/label.h"
#include "check/history/history_check.h"

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
		LP_VEC(char *);
	} spelling; /* of names, as the text has them; those that divide longer rules have a mark: Read'3 */
	struct {
		LP_VEC(struct lp_label);
	} terminals;
	struct {
		LP_VEC(struct lp_rule);
	} rules;
};

/* Calls that are alike. */
struct lp_supply {
	uint32_t terminal;    /* of calls that are over */
	uint32_t from, to;    /* places */
	uint64_t count;
	struct lp_label open; /* if pending: any terminal with this method and arguments */
};

struct lp_supplies {
	LP_VEC(struct lp_supply);
};

/* Can these calls be that terminal? */
static inline bool lp_supply_gives(const struct lp_kernel *g, const struct lp_supply *s,
				   uint32_t terminal)
{
	const struct lp_label *t = &g->terminals.at[terminal];

	if (!s->open.pending)
		return s->terminal == terminal;
	return t->method == s->open.method && t->args == s->open.args &&
	       !memcmp(t->arg, s->open.arg, sizeof *t->arg * t->args);
}

/* Is there a word of these calls?  By looking for one, for a while. */
enum lp_finding lp_kernel_hunt(const struct lp_kernel *g, const struct lp_supplies *calls,
			       uint32_t places);

#endif
