/* try_txn.c -- large histories of transactions, from a simulated database: for benchmarks, and for people.
 *
 *     try_txn --generate N [--registers] [--snapshots] [--threads N] [--keys N] [--writes N] [--lost PERCENT]
 *             [--wrong] [--seed N]
 *
 * prints a history in EDN.  Each thread begins a transaction, and commits it later; so many keys are in use at a time, and
 * each is replaced by a new one after so many writes.  What is read and written counts from the commit, or, with
 * --snapshots, reads count from the begin, and a transaction aborts if a key that it writes was written since.  Of some the
 * outcome is lost.  With --wrong, one transaction in the middle reads what was there before.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/vec.h"
#include "small.h"

enum { MOST = 4 }; /* operations of a transaction */

struct written {
	int64_t value;
	uint64_t when;
};

struct key {
	LP_VEC(struct written);
	uint32_t begun; /* writes that were begun */
};

struct op {
	bool writes;
	uint32_t key;
	int64_t value;
};

struct running {
	bool is_open;
	uint64_t begin;
	uint32_t count, process;
	struct op ops[MOST];
};

static struct {
	uint64_t txns, seed;
	uint32_t threads, keys, writes, lost;
	bool registers, snapshots, wrong;
} options = { .threads = 8, .keys = 10, .writes = 64, .seed = 1 };

static struct {
	LP_VEC(struct key);
} keys;
static uint32_t *active; /* keys in use */
static uint64_t now, index_, spoilt;
static struct small_random source;

static uint32_t new_key(void)
{
	LP_PUSH(&keys, (struct key){ .count = 0 });
	return keys.count - 1;
}

/* How many of the versions of a key there were at that time. */
static uint32_t versions_at(const struct key *k, uint64_t when)
{
	uint32_t count = k->count;

	while (count && k->at[count - 1].when > when)
		count--;
	return count;
}

static void put_seen(const struct key *k, const struct op *op, uint32_t count)
{
	printf("[:r %u ", op->key);
	if (!count)
		fputs("nil", stdout);
	else if (options.registers)
		printf("%lld", (long long)k->at[count - 1].value);
	for (uint32_t i = 0; i < count && !options.registers; i++)
		printf("%c%lld", i ? ' ' : '[', (long long)k->at[i].value);
	fputs(count && !options.registers ? "]]" : "]", stdout);
}

/* What it wrote itself follows what there was. */
static void put_read(const struct running *t, uint32_t i, uint64_t when)
{
	const struct op *op = &t->ops[i];
	struct key seen = { .count = 0 };
	const struct key *k = &keys.at[op->key];

	LP_RESERVE(&seen, k->count + MOST);
	seen.count = versions_at(k, when);
	if (options.wrong && !spoilt && t->begin > options.txns && seen.count > 2 && !i) {
		spoilt = 1;
		seen.count -= 2;
	}
	if (seen.count)
		memcpy(seen.at, k->at, sizeof *seen.at * seen.count);
	for (uint32_t o = 0; o < i; o++)
		if (t->ops[o].writes && t->ops[o].key == op->key)
			seen.at[seen.count++] = (struct written){ t->ops[o].value, when };
	put_seen(&seen, op, seen.count);
	lp_free(seen.at);
}

static void put_event(const struct running *t, const char *type, bool reads, uint64_t when)
{
	printf("{:type :%s, :f :txn, :value [", type);
	for (uint32_t i = 0; i < t->count; i++) {
		const struct op *op = &t->ops[i];
		if (i)
			putchar(' ');
		if (op->writes)
			printf("[:%s %u %lld]", options.registers ? "w" : "append", op->key, (long long)op->value);
		else if (reads)
			put_read(t, i, when);
		else
			printf("[:r %u nil]", op->key);
	}
	printf("], :process %u, :time %llu, :index %llu}\n", t->process, (unsigned long long)now * 1000,
	       (unsigned long long)index_++);
}

static void begin(struct running *t)
{
	t->is_open = true;
	t->begin = ++now;
	t->count = 1 + small_below(&source, MOST);
	for (uint32_t i = 0; i < t->count; i++) {
		const uint32_t which = small_below(&source, options.keys);
		struct op *op = &t->ops[i];
		if (keys.at[active[which]].begun == options.writes)
			active[which] = new_key();
		op->key = active[which];
		op->writes = small_below(&source, 2);
		if (op->writes)
			op->value = (int64_t)++keys.at[op->key].begun;
	}
	put_event(t, "invoke", false, 0);
}

static bool conflicts(const struct running *t)
{
	for (uint32_t i = 0; i < t->count; i++) {
		const struct key *k = &keys.at[t->ops[i].key];
		if (t->ops[i].writes && k->count && k->at[k->count - 1].when > t->begin)
			return true;
	}
	return false;
}

static void end(struct running *t, uint32_t threads)
{
	const bool fails = options.snapshots && conflicts(t), lost = small_below(&source, 100) < options.lost;

	now++;
	if (!fails && lost) {
		put_event(t, "info", false, 0);
	} else {
		put_event(t, fails ? "fail" : "ok", !fails, options.snapshots ? t->begin : now);
	}
	for (uint32_t i = 0; i < t->count && !fails; i++)
		if (t->ops[i].writes)
			LP_PUSH(&keys.at[t->ops[i].key], (struct written){ t->ops[i].value, now });
	t->is_open = false;
	t->process += lost ? threads : 0;
}

static void generate(void)
{
	struct running *all = lp_alloc_zero(options.threads, sizeof *all);
	uint64_t begun = 0, ended = 0;

	active = lp_alloc(sizeof *active * options.keys);
	for (uint32_t i = 0; i < options.keys; i++)
		active[i] = new_key();
	for (uint32_t i = 0; i < options.threads; i++)
		all[i].process = i;
	while (ended < options.txns) {
		struct running *t = &all[small_below(&source, options.threads)];
		if (t->is_open) {
			end(t, options.threads);
			ended++;
		} else if (begun < options.txns) {
			begin(t);
			begun++;
		}
	}
	for (uint32_t i = 0; i < keys.count; i++)
		lp_free(keys.at[i].at);
	lp_free(keys.at);
	lp_free(active);
	lp_free(all);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *next = i + 1 < argc ? argv[i + 1] : "0";
		if (!strcmp(argv[i], "--registers"))
			options.registers = true;
		else if (!strcmp(argv[i], "--snapshots"))
			options.snapshots = true;
		else if (!strcmp(argv[i], "--wrong"))
			options.wrong = true;
		else if (!strcmp(argv[i], "--generate"))
			options.txns = strtoull(next, NULL, 10), i++;
		else if (!strcmp(argv[i], "--threads"))
			options.threads = (uint32_t)atoi(next), i++;
		else if (!strcmp(argv[i], "--keys"))
			options.keys = (uint32_t)atoi(next), i++;
		else if (!strcmp(argv[i], "--writes"))
			options.writes = (uint32_t)atoi(next), i++;
		else if (!strcmp(argv[i], "--lost"))
			options.lost = (uint32_t)atoi(next), i++;
		else if (!strcmp(argv[i], "--seed"))
			options.seed = strtoull(next, NULL, 10), i++;
		else
			return fprintf(stderr, "try_txn: there is no option '%s'\n", argv[i]), 2;
	}
	if (!options.txns || !options.threads || !options.keys || !options.writes)
		return fprintf(stderr, "try_txn: --generate N is missing, or something is 0\n"), 2;
	source.state = options.seed;
	generate();
	return 0;
}
