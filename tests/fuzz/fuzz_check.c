/* fuzz_check.c -- checkers against each other.
 *
 * The first byte chooses specification and property, the rest is a table.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "check/history/history_check.h"
#include "check/quasi/quasi.h"
#include "history/history.h"
#include "spec/spec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_CALLS = 10 };

static const char *const specs[] = {
	"queue", "stack", "priority_queue", "set", "multiset", "register", "map", "counter",
	"deque", "lock", "rwlock", "semaphore", "snzi", "mailbox", "snapshot", "queue:synchronous",
	"queue:bounded=1", "stack:blocking", "priority_queue:max", "register:init=nil",
};

static void fail(const char *what, const struct lp_history *h)
{
	fprintf(stderr, "%s\n", what);
	lp_history_print_table(h, stderr);
	abort();
}

/* LP_UNDECIDED also if it does not fit. */
static enum lp_finding decide(const struct lp_history *h, const struct lp_spec *spec,
			      const struct lp_check_options *options, struct lp_check_result *r)
{
	struct lp_error error = { 0 };

	if (lp_history_check(h, spec, options, r, &error))
		return r->finding;
	if (strncmp(error.text, "name:", 5) && !strstr(error.text, "quasi"))
		fail(error.text, h);
	*r = (struct lp_check_result){ 0 };
	return LP_UNDECIDED;
}

static void check_core(const struct lp_history *h, const struct lp_spec *spec,
		       const struct lp_check_options *options, const struct lp_check_result *found)
{
	struct lp_history part = *h;
	struct lp_check_result r;

	part.at = malloc(sizeof *part.at * (found->core_count + 1));
	part.count = part.room = found->core_count;
	for (uint32_t i = 0; i < found->core_count; i++) {
		part.at[i] = h->at[found->core[i]];
		if (found->core_open[i]) {
			part.at[i].end = LP_PENDING;
			part.at[i].results = LP_RESULT_UNKNOWN;
		}
	}
	if (decide(&part, spec, options, &r) == LP_CORRECT)
		fail("the core is right", h);
	lp_check_result_close(&r);
	free(part.at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lp_history h = { 0 };
	struct lp_error error = { 0 };
	struct lp_spec spec;
	struct lp_quasi quasi = { .count = 1, .classes = { { UINT64_MAX, 1 } } };
	struct lp_check_options quick = { .explain = true, .seconds = 1, .quasi = &quasi };
	struct lp_check_result a, b;

	if (!size || !lp_history_parse(&h, "name", LP_FORMAT_TABLE, (const char *)data + 1, size - 1,
				       &error))
		return 0;
	quick.property = (enum lp_property)(data[0] / 20 % 5);
	if (h.count <= MOST_CALLS && lp_spec_parse(&spec, specs[data[0] % 20], &error)) {
		struct lp_check_options search = quick;
		search.general = true;
		search.explain = false;
		const enum lp_finding fast = decide(&h, &spec, &quick, &a);
		const enum lp_finding slow = decide(&h, &spec, &search, &b);
		if (fast != slow && fast != LP_UNDECIDED && slow != LP_UNDECIDED)
			fail("they differ", &h);
		if (fast == LP_WRONG)
			check_core(&h, &spec, &search, &a);
		lp_check_result_close(&a);
		lp_check_result_close(&b);
	}
	lp_history_close(&h);
	return 0;
}
