/* txn_spec.c -- the specification of transactions, by name. */
#include "check/txn/txn_spec.h"

#include <stddef.h>
#include <string.h>

#include "linchpin/spec.h"

static const struct lp_param params[] = {
	{ .name = "init", .fallback = LP_NIL, .about = "what a register holds at first" },
};

const struct lp_kind lp_txn_spec = {
	.name = "transactions",
	.about = "of histories only: transactions on lists and registers (docs/transactions.md)",
	.data = LP_DATA_EQUALITY,
	.params = params,
	.param_count = 1,
};

bool lp_txn_spec_is(const char *text, const char **after)
{
	static const char *const names[] = { "transactions", "list-append", "rw-register" };
	const size_t length = strcspn(text, ":");

	*after = text[length] ? text + length + 1 : NULL;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strlen(names[i]) == length && !strncmp(names[i], text, length))
			return true;
	return false;
}
