/* test_ak_sound.c -- A_k never says more than the exact check.
 *
 *     test_ak_sound [--runs N] [--seed S] [--calls N] SPEC...
 *
 * Random histories of all kinds with all of their parameters: all methods, pending calls, unknown results,
 * values that come again.  Whatever A_k reports, in either mode and with whatever k, has no
 * linearization by brute force.  A history that disproves it is made smaller and printed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../history/brute.h"
#include "../history/random_history.h"
#include "../history/random_options.h"
#include "base/error.h"
#include "check/counting/ak.h"

static uint32_t reported;

/* The k and mode with which A_k reports it; false if there are none. */
static bool is_reported(const struct lp_history *h, const struct lp_spec *spec, unsigned *with)
{
	static const unsigned ks[] = { 0, 1, 2, 4, 8 };

	for (unsigned i = 0; i < 2 * sizeof ks / sizeof *ks; i++) {
		const struct lp_ak_options options = { .k = ks[i / 2],
						       .mode = i % 2 ? LP_AK_COMPLETE : LP_AK_RULES };
		struct lp_ak_result r;
		struct lp_error error = { 0 };
		*with = i;
		if (!lp_ak_check(h, spec, &options, &r, &error)) {
			fprintf(stderr, "%s\n", error.text);
			exit(1);
		}
		if (r.violated)
			return true;
	}
	return false;
}

static bool is_unsound(const struct lp_history *h, const struct lp_spec *spec, unsigned *with)
{
	return is_reported(h, spec, with) && brute_is_right(h, spec, LP_LINEARIZABLE);
}

static void shrink(struct lp_history *h, const struct lp_spec *spec)
{
	unsigned with;

	for (uint32_t i = 0; i < h->count;) {
		const struct lp_call gone = h->at[i];
		memmove(h->at + i, h->at + i + 1, sizeof *h->at * (--h->count - i));
		if (is_unsound(h, spec, &with)) {
			i = 0;
			continue;
		}
		memmove(h->at + i + 1, h->at + i, sizeof *h->at * (h->count++ - i));
		h->at[i++] = gone;
	}
}

static bool run(const char *text, uint32_t runs, uint64_t seed, uint32_t calls)
{
	struct lp_spec spec;
	struct lp_error error;
	bool good = true;

	reported = 0;
	if (!lp_spec_parse(&spec, text, &error)) {
		fprintf(stderr, "%s\n", error.text);
		return false;
	}
	for (uint32_t i = 0; i < runs && good; i++) {
		struct random_source r = { (seed + i) * UINT64_C(0x2545f4914f6cdd1d) };
		struct lp_history h = { 0 };
		unsigned with;
		const struct shape_of_history shape = { .calls = 1 + below(&r, calls),
							.threads = 1 + below(&r, 4),
							.pending_in_16 = below(&r, 3) ? 0 : 3,
							.distinct_in_16 = 12,
							.another_in_16 = 2,
							.few_methods = below(&r, 4) };
		random_history(&h, &spec, &shape, &r);
		const bool reports = is_reported(&h, &spec, &with);
		reported += reports;
		if (reports && brute_is_right(&h, &spec, LP_LINEARIZABLE)) {
			good = false;
			shrink(&h, &spec);
			is_unsound(&h, &spec, &with);
			fprintf(stderr, "%s, seed %llu, %s look: reported, but right\n", text,
				(unsigned long long)(seed + i), with % 2 ? "complete" : "quick");
			lp_history_print_table(&h, stderr);
		}
		lp_history_close(&h);
	}
	printf("%-32s %u histories, %u reported\n", text, runs, reported);
	return good;
}

int main(int argc, char **argv)
{
	struct random_options o = { .runs = 100000, .calls = 6, .seed = 1 };
	bool good = true;
	int at = 1;

	while (at + 1 < argc && takes_random_option(argv, at, &o))
		at += 2;
	printf("seed %llu\n", (unsigned long long)o.seed);
	for (; at < argc; at++)
		good &= run(argv[at], o.runs, o.seed, o.calls);
	return !good;
}
