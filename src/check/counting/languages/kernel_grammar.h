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

/* A symbol is a terminal or a name (a nonterminal).  Terminal t is stored as t, and name n as LP_SYMBOL_NAME + n. */
#define LP_SYMBOL_NAME UINT32_C(0x10000)

struct lp_rule {
	uint32_t left; /* a name, without LP_SYMBOL_NAME */
	uint32_t length;
	uint32_t right[2];
};

struct lp_kernel {
	const struct lp_kind *kind;
	uint32_t names; /* the number of names; name 0 is the start symbol */
	uint64_t methods; /* bit m is set if method m occurs in the grammar */
	struct {
		LP_VEC(char *);
	} spelling; /* each name as it is in the text; names that were added to split a rule have a suffix: Read'3 */
	struct {
		LP_VEC(struct lp_label);
	} terminals;
	struct {
		LP_VEC(struct lp_rule);
	} rules;
};

/* Calls with the same label and the same range of places. */
struct lp_supply {
	uint32_t terminal;    /* the label of the calls, if they have returned */
	uint32_t from, to;    /* the range of places */
	uint64_t count;
	struct lp_label open; /* if the calls are pending: they can be any terminal with this method and these arguments */
};

struct lp_supplies {
	LP_VEC(struct lp_supply);
};

/* Can a call of this supply be that terminal in a word? */
static inline bool lp_supply_gives(const struct lp_kernel *g, const struct lp_supply *s,
				   uint32_t terminal)
{
	const struct lp_label *t = &g->terminals.at[terminal];

	if (!s->open.pending)
		return s->terminal == terminal;
	return t->method == s->open.method && t->args == s->open.args &&
	       !memcmp(t->arg, s->open.arg, sizeof *t->arg * t->args);
}

/* Searches for a word that consists of these calls, each at one of its places (kernel.h); pending calls may be left
 * out.  LP_UNDECIDED: the search reached its limit. */
enum lp_finding lp_kernel_hunt(const struct lp_kernel *g, const struct lp_supplies *calls,
			       uint32_t places);

#endif
