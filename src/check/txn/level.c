/* level.c -- levels of isolation by name. */
#include "check/txn/level.h"

#include <string.h>

#include "base/error.h"

static const struct lp_txn_level levels[] = {
	{ "strict-serializable", "strictly serializable", LP_TXN_SERIAL, false, true },
	{ "strong-session-serializable", "strong session serializable", LP_TXN_SERIAL, true, false },
	{ "serializable", "serializable", LP_TXN_SERIAL, false, false },
	{ "repeatable-read", "repeatable read", LP_TXN_SERIAL, false, false }, /* PL-2.99, without predicates */
	{ "strong-snapshot-isolation", "strongly snapshot isolated", LP_TXN_SNAPSHOT, false, true },
	{ "strong-session-snapshot-isolation", "strong session snapshot isolated", LP_TXN_SNAPSHOT, true, false },
	{ "snapshot-isolation", "snapshot isolated", LP_TXN_SNAPSHOT, false, false },
	{ "read-committed", "read committed", LP_TXN_READ_COMMITTED, false, false },
	{ "read-uncommitted", "read uncommitted", LP_TXN_READ_UNCOMMITTED, false, false },
	/* What the properties of objects are for objects with many keys. */
	{ "linearizable", "strictly serializable", LP_TXN_SERIAL, false, true },
	{ "sequential", "strong session serializable", LP_TXN_SERIAL, true, false },
};

/* As on the command line, hyphens may be left out. */
static bool is_same(const char *a, const char *b)
{
	for (;; a++, b++) {
		a += *a == '-';
		b += *b == '-';
		if (*a != *b || !*a)
			return *a == *b;
	}
}

const struct lp_txn_level *lp_txn_level_named(const char *name, struct lp_error *error)
{
	for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
		if (is_same(levels[i].name, name))
			return &levels[i];
	lp_fail(error, "transactions have no property '%s': it is one of strict-serializable, strong-session-serializable, "
		       "serializable, repeatable-read, strong-snapshot-isolation, strong-session-snapshot-isolation, "
		       "snapshot-isolation, read-committed, read-uncommitted", name);
	return NULL;
}

const struct lp_txn_level *lp_txn_level_below(const struct lp_txn_level *level)
{
	struct lp_txn_level below = { .base = level->base, .sessions = level->realtime };

	if (!level->realtime && !level->sessions) {
		if (level->base == LP_TXN_READ_UNCOMMITTED)
			return NULL;
		below.base = (enum lp_txn_base)(level->base - 1);
	}
	for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
		if (levels[i].base == below.base && levels[i].sessions == below.sessions && !levels[i].realtime)
			return &levels[i];
	return NULL;
}
