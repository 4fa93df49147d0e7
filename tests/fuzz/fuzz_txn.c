/* fuzz_txn.c -- transactions: readers, and checks at all levels.  The first byte chooses the format, the second the level. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "check/txn/txn.h"
#include "history/history.h"
#include "history/txns.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const levels[] = {
	"strict-serializable", "strong-session-serializable", "serializable", "strong-snapshot-isolation",
	"strong-session-snapshot-isolation", "snapshot-isolation", "read-committed", "read-uncommitted",
};

static void fail(const char *what, const char *text)
{
	fprintf(stderr, "%s: %s\n", what, text);
	abort();
}

static bool read_txns(struct lp_history *h, const char *name, enum lp_format format, const char *text, size_t size,
		      struct lp_error *error)
{
	*h = (struct lp_history){ .txns = lp_alloc_zero(1, sizeof *h->txns) };
	return lp_history_parse(h, name, format, text, size, error);
}

/* What the checker says: a cycle has to be one, whose edges can be put into words. */
static int judge(const struct lp_history *h, const struct lp_txn_level *level)
{
	const struct lp_txn_options options = { .level = level, .initial = LP_NIL, .explain = true, .seconds = 2 };
	struct lp_txn_result r;
	struct lp_error error = { 0 };
	char text[64];

	if (!lp_txn_check(h, &options, &r, &error))
		return -1;
	for (uint32_t i = 0; i < r.cycle.count; i++) {
		lp_txn_edge_describe(h, &r.cycle.at[i], text, sizeof text);
		if (r.cycle.at[i].to != r.cycle.at[(i + 1) % r.cycle.count].from)
			fail("no cycle", r.anomaly);
	}
	if (r.finding == LP_WRONG && !r.core_count)
		fail("nothing to show", r.anomaly);
	const int finding = (int)r.finding;
	lp_txn_result_close(&r);
	return finding;
}

/* Printed and read again, it is the same. */
static void reads_back(const struct lp_history *h, const struct lp_txn_level *level)
{
	char *json = NULL;
	size_t size;
	FILE *to = open_memstream(&json, &size);
	struct lp_history again;
	struct lp_error error = { 0 };

	lp_history_print_json(h, to);
	fclose(to);
	if (!read_txns(&again, "again", LP_FORMAT_JSON, json, size, &error))
		fail("not read back", error.text);
	if (again.count != h->count)
		fail("another number of transactions", json);
	/* With times, transactions of a thread can overlap, and then they make no session. */
	const int before = judge(h, level), after = judge(&again, level);
	if (before != after && !(level->sessions && after < 0))
		fail("another verdict", json);
	free(json);
	lp_history_close(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lp_history h;
	struct lp_error error = { 0 };
	char text[64];

	if (size < 2 || size > 4096)
		return 0;
	const char *name = data[0] & 1 ? "name.json" : "name.edn";
	if (read_txns(&h, name, LP_FORMAT_AUTO, (const char *)data + 2, size - 2, &error)) {
		for (uint32_t i = 0; i < h.count; i++)
			lp_call_describe(&h, i, text, sizeof text);
		reads_back(&h, lp_txn_level_named(levels[data[1] % 8], &error));
	} else if (strncmp(error.text, name, strlen(name)) || error.text[strlen(name)] != ':' ||
		   strchr(error.text, '\n')) {
		fail("not a message", error.text);
	}
	lp_history_close(&h);
	return 0;
}
