/* test_txn.c -- the checker of transactions against the definitions.
 *
 *     test_txn [--runs N] [--seed N] [--txns N] [--registers] [--repeated] LEVEL...
 *
 * What they disagree about is made smaller and printed, with its seed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "check/txn/txn.h"
#include "small.h"

static struct {
	const struct lp_txn_level *level;
	bool registers, repeated;
	uint64_t right, wrong, undecided;
} test;

/* The checker's answer; also, a cycle has to be one. */
static enum lp_finding check(const struct small *s, char *anomaly, size_t size)
{
	const struct lp_txn_options options = { .level = test.level, .initial = 0, .explain = true };
	struct lp_txn_result r;
	struct lp_error error = { .hint = "" };
	struct lp_history h;

	small_convert(s, &h);
	if (!lp_txn_check(&h, &options, &r, &error)) {
		fprintf(stderr, "refused: %s\n", error.text);
		abort();
	}
	if (r.finding == LP_WRONG && (!r.anomaly[0] || !r.core_count)) {
		fprintf(stderr, "wrong, but nothing is said of it\n");
		abort();
	}
	for (uint32_t i = 0; i < r.cycle.count; i++)
		if (r.cycle.at[i].to != r.cycle.at[(i + 1) % r.cycle.count].from || !r.is_shortest) {
			fprintf(stderr, "this is no cycle\n");
			abort();
		}
	const enum lp_finding finding = r.finding;
	snprintf(anomaly, size, "%s", r.anomaly);
	lp_txn_result_close(&r);
	lp_history_close(&h);
	return finding;
}

/* Transactions of a session follow each other. */
static bool makes_sense(const struct small *s)
{
	for (int i = 0; i < s->count; i++)
		for (int j = 0; j < s->count; j++) {
			const struct small_txn *p = &s->at[i], *q = &s->at[j];
			if (i != j && test.level->sessions && p->thread == q->thread && p->outcome != LP_TXN_UNKNOWN &&
			    (p->start < q->start || (p->start == q->start && i < j)) && p->end > q->start)
				return false;
		}
	return true;
}

static bool disagree(const struct small *s)
{
	char anomaly[64];
	const enum lp_finding finding = check(s, anomaly, sizeof anomaly);

	if (finding == LP_UNDECIDED)
		return true;
	return (finding == LP_CORRECT) != small_has(s, test.level);
}

static bool shrink(struct small *s)
{
	for (int i = 0; i < s->count; i++) {
		struct small less = *s;
		memmove(&less.at[i], &less.at[i + 1], sizeof *less.at * (size_t)(s->count - i - 1));
		less.count--;
		if (disagree(&less)) {
			*s = less;
			return true;
		}
		for (int o = 0; o < s->at[i].count; o++) {
			less = *s;
			memmove(&less.at[i].ops[o], &less.at[i].ops[o + 1], sizeof *less.at[i].ops * (size_t)(s->at[i].count - o - 1));
			less.at[i].count--;
			if (disagree(&less)) {
				*s = less;
				return true;
			}
		}
	}
	return false;
}

static void report(struct small *s, uint64_t seed)
{
	struct lp_history h;
	char anomaly[64];

	while (shrink(s))
		;
	const enum lp_finding finding = check(s, anomaly, sizeof anomaly);
	printf("seed %llu: by definition it is %s %s, but the checker says %s %s\n", (unsigned long long)seed,
	       small_has(s, test.level) ? "" : "not", test.level->name,
	       finding == LP_CORRECT ? "correct" : finding == LP_WRONG ? "wrong" : "undecided", anomaly);
	small_convert(s, &h);
	lp_history_print_json(&h, stdout);
	lp_history_close(&h);
}

static bool run(uint64_t runs, uint64_t seed, int txns)
{
	for (uint64_t i = 0; i < runs; i++) {
		struct small_random r = { (seed + i) * UINT64_C(0x2545f4914f6cdd1d) };
		struct small s;
		char anomaly[64];

		small_generate(&s, &r, !test.registers, !test.repeated, txns);
		if (!makes_sense(&s)) {
			runs += runs < UINT64_MAX / 2;
			continue;
		}
		const enum lp_finding finding = check(&s, anomaly, sizeof anomaly);
		test.right += finding == LP_CORRECT;
		test.wrong += finding == LP_WRONG;
		test.undecided += finding == LP_UNDECIDED;
		if (disagree(&s)) {
			report(&s, seed + i);
			return false;
		}
	}
	return true;
}

int main(int argc, char **argv)
{
	uint64_t runs = 1000, seed = 1;
	int txns = 5;
	bool good = true;

	for (int i = 1; i < argc && good; i++) {
		struct lp_error error;
		if (!strcmp(argv[i], "--runs"))
			runs = strtoull(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--seed"))
			seed = strtoull(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--txns"))
			txns = atoi(argv[++i]);
		else if (!strcmp(argv[i], "--registers"))
			test.registers = true;
		else if (!strcmp(argv[i], "--repeated"))
			test.repeated = test.registers = true;
		else if ((test.level = lp_txn_level_named(argv[i], &error))) {
			test.right = test.wrong = test.undecided = 0;
			good = run(runs, seed, txns);
			printf("%s: seed %llu: %llu right, %llu wrong, %llu undecided\n", test.level->name, (unsigned long long)seed,
			       (unsigned long long)test.right, (unsigned long long)test.wrong,
			       (unsigned long long)test.undecided);
			/* A test in which everything is right, or wrong, shows nothing; registers are never wrong at the least level
			 * unless they are read wrongly. */
			good &= test.right > runs / 50 && test.wrong > runs / 200;
		} else {
			printf("%s\n", error.text);
			return 2;
		}
	}
	return good ? 0 : 1;
}
