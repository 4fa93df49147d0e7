/* observations.c -- all that clients can see of an object, as text.
 *
 *     observations OBJECT [options of `linchpin check`] [-- COMPILER FLAGS]
 *
 * For each client of --ops N (every multiset of up to N calls), --ops METHOD=N,... or --client, and
 * each way in which its calls can end, a line: the calls with their results, and which orders a client
 * could have put them in, of all strict partial orders on them, as a number in base 16 with a bit for
 * each.  With --client the order is the client's.  Of two objects with the same lines no client can
 * tell which is which by what calls return; if those of the one are among those of the other, no
 * client can tell that it has not the other one.  (compare.py does that.)
 *
 * The specification has no part in it, nor has what calls synchronise for others.  Calls of one method
 * are not taken for alike: say --no-symmetry.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "verify/task/observe.h"

struct printer {
	struct lp_check check;
	struct lp_sightings observer; /* of the client that is explored */
	uint64_t clients;
	bool failed;
};

static void print_endings(const struct lp_sightings *o)
{
	for (uint32_t i = 0; i < o->endings.count; i++) {
		uint32_t w = LP_ENDING_WORDS;
		while (w > 1 && !o->endings.at[i].possible[w - 1])
			w--;
		printf("%s\t%" PRIx64, o->endings.at[i].text, o->endings.at[i].possible[w - 1]);
		while (--w > 0)
			printf("%016" PRIx64, o->endings.at[i].possible[w - 1]);
		putchar('\n');
	}
}

static bool visit(void *closure, const struct lp_plan_client *client)
{
	struct printer *o = closure;
	struct lp_exploration e = { 0 };

	lp_sightings_clear(&o->observer);
	lp_check_client(&o->check, client);
	lp_task_explore(&o->check.task, &e);
	o->clients++;
	if (e.verdict != LP_VERIFIED) {
		fprintf(stderr, "%s: %s\n", e.kind ? lp_error_name(e.kind) : "inconclusive", e.reason ? e.reason : e.text ? e.text : "");
		o->failed = true;
	}
	print_endings(&o->observer);
	return !o->failed;
}

static bool explore(struct printer *o, const struct lp_options *options, struct lp_error *error)
{
	const struct lp_plan plan = {
		.harness = &o->check.harness, .visit = visit, .closure = o,
		.pre = (uint32_t)lp_task_count(&o->check.task, LP_OPT_PRE),
		.shapes = o->check.task.native.findings.identity,
	};
	const struct lp_option_value *ops = &options->at[LP_OPT_OPS], *client = &options->at[LP_OPT_CLIENT];
	uint32_t count[64];
	struct lp_harness_calls calls = { 0 };
	bool good = true;

	lp_task_begin(&o->check.task);
	if (client->given) {
		good = lp_harness_calls(&o->check.harness, client->text, &calls, error);
		if (good)
			lp_plan_one(&plan, &calls);
		lp_free(calls.at);
	} else if (ops->given && strchr(ops->text, '=')) {
		good = lp_plan_parse(&o->check.harness, ops->text, count, error);
		if (good)
			lp_plan_multiset(&plan, count);
	} else {
		lp_plan_sizes(&plan, ops->given ? (uint32_t)strtoul(ops->text, NULL, 10) : 4);
	}
	lp_task_end(&o->check.task);
	return good;
}

int main(int argc, char **argv)
{
	static struct printer o;
	struct lp_options options;
	struct lp_error error = { .hint = "" };

	if (!lp_options_parse(LP_COMMAND_CHECK, argc - 1, (const char **)argv + 1, &options, &error) ||
	    !lp_check_open(&o.check, &options, &error)) {
		fprintf(stderr, "%s\n", error.text);
		return 2;
	}
	lp_sightings_open(&o.observer, &o.check);
	if (!explore(&o, &options, &error)) {
		fprintf(stderr, "%s\n", error.text);
		o.failed = true;
	}
	fprintf(stderr, "%" PRIu64 " clients, %" PRIu64 " executions\n", o.clients, o.observer.executions);
	const bool failed = o.failed || !o.clients;
	lp_sightings_close(&o.observer);
	lp_check_close(&o.check);
	lp_options_close(&options);
	return failed;
}
