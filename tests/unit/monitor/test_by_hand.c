/* test_by_hand.c -- live checkers fed with a few calls, for cases that random calls rarely reach.
 *
 * A case is a table of calls as in docs/histories.md.  If calls were lost at first, the contents after moment `lost`
 * are unknown, and calls that are open then started in the gap. If there is room for only a few values, the checker
 * must still not give up, because values that have left need no room.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "history/history.h"
#include "monitor/live/live_checker.h"

struct hand_case {
	const char *what, *spec, *table;
	bool wrong;
	uint64_t lost;
	uint32_t room; /* 0: enough */
	bool repeats;
	uint64_t unclear, ignored; /* the number of calls that the message names */
};

static const struct hand_case cases[] = {
	{ .what = "a value twice, in a knot with others, does not lie on them forever",
	  .spec = "stack",
	  .table = "0 1 2 push 1 -\n"
		   "0 3 4 push 2 -\n"
		   "0 5 6 push 3 -\n"
		   "0 7 8 push 4 -\n"
		   "1 10 50 pop - 1\n" /* from now on they are one knot */
		   "0 12 13 push 4 -\n"
		   "0 14 15 pop - 4\n"
		   "0 16 17 pop - 4\n"
		   "0 30 31 pop - 3\n"
		   "0 40 41 pop - 2\n",
	  .unclear = 4 },
	{ .what = "the same with one that leaves too early",
	  .spec = "stack",
	  .table = "0 1 2 push 1 -\n"
		   "0 3 4 push 2 -\n"
		   "0 5 6 push 3 -\n"
		   "0 7 8 push 4 -\n"
		   "1 10 50 pop - 1\n"
		   "0 12 13 push 4 -\n"
		   "0 14 15 pop - 4\n"
		   "0 16 17 pop - 4\n"
		   "0 30 31 pop - 2\n"
		   "0 40 41 pop - 3\n",
	  .wrong = true },
	{ .what = "keys that are gone take no room",
	  .spec = "set",
	  .table = "0 1 2 insert 1 true\n"
		   "0 3 4 remove 1 true\n"
		   "0 5 6 contains 2 false\n"
		   "0 7 8 insert 3 true\n"
		   "0 9 10 remove 3 true\n"
		   "0 11 12 insert 4 true\n"
		   "0 13 14 insert 5 true\n"
		   "0 15 16 contains 4 true\n",
	  .room = 2 },
	{ .what = "nor do those that may be there, as they may have been",
	  .spec = "set",
	  .table = "0 11 20 insert 1 true\n"
		   "1 12 21 remove 1 true\n"
		   "0 22 30 insert 2 true\n"
		   "1 23 31 remove 2 true\n"
		   "0 32 40 insert 3 true\n"
		   "1 33 41 remove 3 true\n"
		   "0 51 52 insert 4 true\n"
		   "0 53 54 contains 4 true\n",
	  .lost = 10, .room = 2 },
	{ .what = "a key that was used in a gap is looked at when no call uses it any more",
	  .spec = "set",
	  .table = "0 5 20 insert 1 true\n"
		   "0 21 22 contains 1 true\n"
		   "0 23 24 contains 1 false\n",
	  .lost = 10, .wrong = true },
	{ .what = "and not before",
	  .spec = "set",
	  .table = "0 5 20 insert 1 true\n"
		   "1 11 12 contains 1 true\n"
		   "1 13 14 contains 1 false\n",
	  .lost = 10, .unclear = 2 },
	{ .what = "a result that means nothing is forgotten when no call uses the key",
	  .spec = "set",
	  .table = "0 1 5 insert 1 7\n"
		   "1 2 3 contains 1 true\n"
		   "1 4 6 contains 1 false\n"
		   "0 7 8 contains 1 true\n"
		   "0 9 10 contains 1 false\n",
	  .wrong = true },
	{ .what = "until then it says nothing of it",
	  .spec = "set",
	  .table = "0 1 7 insert 1 7\n"
		   "1 2 3 contains 1 true\n"
		   "1 4 6 contains 1 false\n"
		   "0 8 9 contains 1 true\n",
	  .unclear = 3 },
	{ .what = "who asks how many keys there are is not looked at",
	  .spec = "set",
	  .table = "0 1 2 insert 1 true\n"
		   "0 3 4 size - 7\n"
		   "0 5 6 is_empty - true\n"
		   "0 7 8 remove 1 true\n",
	  .ignored = 2 },
	{ .what = "a call that removes it then does not remove it again",
	  .spec = "set",
	  .table = "0 5 20 contains 1 true\n"
		   "1 11 12 remove 1 true\n"
		   "0 21 22 insert 1 true\n"
		   "0 23 24 remove 1 true\n"
		   "0 25 26 remove 1 true\n",
	  .lost = 10, .wrong = true },
	{ .what = "a register that lost calls, and has values twice, is still looked at",
	  .spec = "register",
	  .table = "0 11 12 write 5 -\n"
		   "0 13 14 write 6 -\n"
		   "0 15 16 read - 5\n",
	  .lost = 10, .repeats = true, .wrong = true },
	{ .what = "what was there before may be written again",
	  .spec = "register",
	  .table = "0 11 12 read - 5\n"
		   "0 13 14 write 6 -\n"
		   "0 15 16 read - 6\n"
		   "0 17 18 write 5 -\n"
		   "0 19 20 read - 5\n",
	  .lost = 10, .repeats = true },
	{ .what = "while it is read",
	  .spec = "register",
	  .table = "0 11 20 write 5 -\n"
		   "1 12 13 read - 5\n" /* what was there before */
		   "1 14 15 write 6 -\n"
		   "1 16 17 read - 6\n"
		   "1 21 22 read - 5\n",
	  .lost = 10, .repeats = true, .unclear = 1 },
	{ .what = "by a call that began before, too",
	  .spec = "register",
	  .table = "0 5 20 write 5 -\n"
		   "1 11 12 read - 5\n"
		   "1 14 15 write 6 -\n"
		   "1 16 17 read - 6\n"
		   "1 21 22 read - 5\n",
	  .lost = 10, .repeats = true, .unclear = 1 },
	{ .what = "but once",
	  .spec = "register",
	  .table = "0 5 20 write 5 -\n"
		   "1 11 12 read - 5\n"
		   "1 14 15 write 6 -\n"
		   "1 16 17 read - 6\n"
		   "1 18 19 read - 5\n"
		   "1 21 22 read - 6\n",
	  .lost = 10, .repeats = true, .wrong = true },
};

static int64_t last_time(const struct lp_history *h)
{
	int64_t last = 0;

	for (uint32_t i = 0; i < h->count; i++)
		last = h->at[i].end > last ? h->at[i].end : last;
	return last;
}

static struct lp_live_call call_of(const struct lp_history *h, const struct lp_spec *spec, uint32_t i)
{
	const struct lp_call *c = &h->at[i];
	const char *name = h->methods.at[c->method];

	return (struct lp_live_call){ .start = (uint64_t)c->start, .end = (uint64_t)c->end,
				      .arg = c->args ? c->arg[0] : LP_VOID,
				      .result = c->results ? c->result : LP_VOID,
				      .tie = i, .thread = c->thread,
				      .method = lp_method_named(spec->kind, name, strlen(name)) };
}

/* Is a violation found, and certain? */
static bool is_found(const struct lp_live *live, uint64_t time)
{
	return live->wrong && time > live->due;
}

/* Starts come before ends, as everywhere. */
static bool play(struct lp_live *live, const struct lp_history *h, const struct hand_case *k)
{
	uint64_t handle[64] = { 0 };
	const uint64_t last = (uint64_t)last_time(h) + 1;
	bool found = false;

	for (uint64_t time = 1; time <= last && !found && !live->stuck; time++) {
		if (time == k->lost + 1)
			live->kind->forget(live, k->lost, k->lost);
		for (uint32_t i = 0; i < h->count; i++) {
			const struct lp_live_call c = call_of(h, live->spec, i);
			const bool carried = time == k->lost + 1 && c.start <= k->lost;
			if (!carried && (c.start != time || time <= k->lost))
				continue;
			live->rank++;
			live->now = time;
			live->kind->start(live, &c, &handle[i], carried);
		}
		for (uint32_t i = 0; i < h->count && time > k->lost; i++) {
			const struct lp_live_call c = call_of(h, live->spec, i);
			if (c.end != time)
				continue;
			live->rank++;
			live->now = time;
			live->kind->end(live, &c, handle[i]);
		}
		found = is_found(live, time);
	}
	if (!found && !live->stuck && live->kind->look) {
		live->now = last + 1;
		live->kind->look(live);
	}
	return found || is_found(live, last + 1);
}

static bool run(const struct hand_case *k)
{
	struct lp_history h = { 0 };
	struct lp_error error;
	struct lp_spec spec;
	struct lp_live live;

	if (!lp_spec_parse(&spec, k->spec, &error) ||
	    !lp_history_parse(&h, "case", LP_FORMAT_TABLE, k->table, strlen(k->table), &error) ||
	    !lp_live_open(&live, lp_live_kind_of(&spec, false), &spec, k->room ? k->room : 64, 0))
		exit(1);
	live.repeats = k->repeats;
	const bool found = play(&live, &h, k);
	const bool counted = live.unclear == k->unclear && live.ignored == k->ignored;
	const bool good = found == k->wrong && !live.stuck && (counted || k->wrong);
	printf("%-4s %s: %s, %s, %llu unclear, %llu ignored\n", good ? "ok" : "FAIL", k->what,
	       found ? live.why : "not wrong", live.stuck ? live.stuck : "not given up",
	       (unsigned long long)live.unclear, (unsigned long long)live.ignored);
	lp_live_close(&live);
	lp_history_close(&h);
	return good;
}

/* More insertions at a time than a set first has room for; then one key is removed twice. */
static bool run_crowd(void)
{
	enum { CROWD = 1500 };
	struct lp_live_call c = { .result = 1 };
	static uint64_t handle[CROWD + 2];
	struct lp_error error;
	struct lp_spec spec;
	struct lp_live live;

	if (!lp_spec_parse(&spec, "set", &error) ||
	    !lp_live_open(&live, &lp_live_set, &spec, 1u << 16, 0))
		exit(1);
	live.kind->forget(&live, false, 0);
	for (uint32_t i = 0; i < 2 * CROWD + 4; i++) {
		const bool ends = i >= CROWD && (i < 2 * CROWD || i % 2);
		const uint32_t n = i < 2 * CROWD ? i % CROWD : CROWD + (i - 2 * CROWD) / 2;
		c.arg = n < CROWD ? n : 700;
		c.method = lp_method_named(spec.kind, n < CROWD ? "insert" : "remove", 6);
		c.start = n < CROWD ? n + 1 : 2 * CROWD + 2 * (uint64_t)n;
		c.end = n < CROWD ? CROWD + n + 1 : c.start + 1;
		c.tie = c.thread = n;
		live.rank++;
		live.now = ends ? c.end : c.start;
		if (ends)
			live.kind->end(&live, &c, handle[n]);
		else
			live.kind->start(&live, &c, &handle[n], false);
		if (live.wrong != (i == 2 * CROWD + 3) || live.stuck)
			break;
	}
	const bool good = live.wrong && !live.stuck && live.rank == 2 * CROWD + 4;
	printf("%-4s many insertions at a time\n", good ? "ok" : "FAIL");
	lp_live_close(&live);
	return good;
}

int main(void)
{
	bool good = run_crowd();

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		good &= run(&cases[i]);
	return !good;
}
