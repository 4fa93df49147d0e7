/* kernel_grammar.h -- the internal form of a grammar; private to kernel*.c.
 *
 * Right-hand sides have at most two symbols.  The parser splits longer ones by adding nonterminals.
 */
#ifndef LP_CHECK_COUNTING_LANGUAGES_KERNEL_GRAMMAR_H
#define LP_CHECK_COUNTING_LANGUAGES_KERNEL_GRAMMAR_H

#include <string.h>

#include "base/vec.h"
#include "check/counting/label.h"
#include "check/history/history_check.h"

/* A symbol is a terminal, which is a label, or a name, which is a nonterminal.  Terminal t is stored as t, and name n as
 * LP_SYMBOL_NAME + n. */
#define LP_SYMBOL_NAME UINT32_C(0x10000)

struct lp_rule {
	uint32_t left; /* the name that the rule replaces, without LP_SYMBOL_NAME */
	uint32_t length; /* the number of symbols on the right-hand side: 0, 1 or 2 */
	uint32_t right[2];
};

struct lp_kernel {
	const struct lp_kind *kind;
	uint32_t names; /* the number of names; name 0 is the start symbol */
	uint64_t methods; /* bit m is set if method m occurs in the grammar */
	struct {
		LP_VEC(char *);
	} spelling; /* each name as text; a name that was added to split a rule of Read is called Read'3 or similar */
	struct {
		LP_VEC(struct lp_label);
	} terminals;
	struct {
		LP_VEC(struct lp_rule);
	} rules;
};

/* Calls with the same label and the same range of places. */
struct lp_supply {
	uint32_t terminal;    /* for calls that have returned: their label */
	uint32_t from, to;    /* the range of places */
	uint64_t count;       /* the number of calls */
	struct lp_label open; /* for pending calls: their label, with `pending` set.  They can be any terminal with this method
			       * and these arguments */
};

struct lp_supplies {
	LP_VEC(struct lp_supply);
};

/* Can a call of the supply be the given terminal in a word? */
static inline bool lp_supply_gives(const struct lp_kernel *g, const struct lp_supply *s,
				   uint32_t terminal)
{
	const struct lp_label *t = &g->terminals.at[terminal];

	if (!s->open.pending)
		return s->terminal == terminal;
	return t->method == s->open.method && t->args == s->open.args &&
	       !memcmp(t->arg, s->open.arg, sizeof *t->arg * t->args);
}

/* Searches for a word that consists of these calls, each at one of its places (kernel.h).  Pending calls may be left
 * out.  LP_UNDECIDED: the search gave up. */
enum lp_finding lp_kernel_hunt(const struct lp_kernel *g, const struct lp_supplies *calls,
			       uint32_t places);

#endif
