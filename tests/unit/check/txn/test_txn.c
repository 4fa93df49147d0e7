/* test_txn.c -- the checker of transactions against the definitions.
 *
 *     test_txn [--runs N] [--seed N] [--txns N] [--registers|--repeated|--mixed] LEVEL...
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
	enum small_keys keys;
	bool repeated;
	bool may_derive; /* edges that follow from a search */
	uint64_t right, wrong, undecided;
} test;

/* Does the list have something that the transaction appends to the key? */
static bool has_some(const struct small_op *read, const struct small_txn *t)
{
	for (int o = 0; o < t->count; o++)
		for (int e = 0; e < read->length; e++)
			if (t->ops[o].action == LP_TXN_APPEND && t->ops[o].key == read->key && t->ops[o].value == read->list[e])
				return true;
	return false;
}

/* Is an edge of a cycle what it says?  Of lists, whose versions can be looked up. */
static bool is_edge(const struct small *s, const struct lp_txn_edge *e, int key)
{
	const struct small_txn *from = &s->at[e->from], *to = &s->at[e->to];
	const enum lp_txn_edge_kind kind = lp_txn_kind(e->what);
	bool seen = false, other = false; /* a read that shows it, and one that has what comes later but not what comes before */

	if (kind == LP_TXN_RT)
		return from->outcome == LP_TXN_COMMITTED && from->end < to->start;
	if (kind == LP_TXN_SO)
		return from->thread == to->thread && from->start <= to->start;
	for (int t = 0; t < s->count; t++)
		for (int o = 0; o < s->at[t].count; o++) {
			const struct small_op *op = &s->at[t].ops[o];
			if (op->action != LP_TXN_READ || op->key != key || s->at[t].outcome != LP_TXN_COMMITTED)
				continue;
			if (kind == LP_TXN_WR ? t == (int)e->to : kind == LP_TXN_WW || t == (int)e->from)
				seen |= has_some(op, kind == LP_TXN_RW ? to : from) != (kind == LP_TXN_RW);
			other |= kind == LP_TXN_WW && has_some(op, to) && !has_some(op, from);
		}
	return seen && !other;
}

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
	for (uint32_t i = 0; i < r.cycle.count && test.keys == SMALL_LISTS && strcmp(r.anomaly, "G0"); i++)
		if (!is_edge(s, &r.cycle.at[i], (int)h.txns->keys.at[r.cycle.at[i].what >> 3].name) && !test.may_derive) {
			fprintf(stderr, "%s: from %u to %u there is no such edge\n", r.anomaly, r.cycle.at[i].from, r.cycle.at[i].to);
			lp_history_print_json(&h, stderr);
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

		small_generate(&s, &r, test.keys, !test.repeated, txns);
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
			test.keys = SMALL_REGISTERS;
		else if (!strcmp(argv[i], "--mixed"))
			test.keys = SMALL_MIXED;
		else if (!strcmp(argv[i], "--repeated")) {
			test.repeated = true;
			test.keys = SMALL_REGISTERS;
		}
		else if ((test.level = lp_txn_level_named(argv[i], &error))) {
			test.right = test.wrong = test.undecided = 0;
			test.may_derive = test.level->base == LP_TXN_SNAPSHOT;
			good = run(runs, seed, txns);
			printf("%s: seed %llu: %llu right, %llu wrong, %llu undecided\n", test.level->name, (unsigned long long)seed,
			       (unsigned long long)test.right, (unsigned long long)test.wrong,
			       (unsigned long long)test.undecided);
			/* A test in which everything is correct, or wrong, shows nothing; registers are never wrong at the least level
			 * unless they are read wrongly. */
			good &= test.right > runs / 50 && test.wrong > runs / 200;
		} else {
			printf("%s\n", error.text);
			return 2;
		}
	}
	return good ? 0 : 1;
}
