/* test_cases.c -- small histories with known answers, written as tables.
 *
 * Among them the smallest ones on which other checkers are known to err: an empty
 * removal after a finished insertion, values left over, both at once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "check/history/history_check.h"
#include "history/history.h"
#include "spec/spec.h"

struct known {
	const char *spec;
	enum lp_property property;
	enum lp_finding finding;
	uint32_t core; /* calls in the core of a violation */
	const char *table;
};

static const struct known cases[] = {
	{ "queue", LP_LINEARIZABLE, LP_CORRECT, 0, "" },
	/* an empty removal after a finished insertion */
	{ "queue", LP_LINEARIZABLE, LP_WRONG, 2,
	  "0 1 2 enq 1 -\n"
	  "1 3 4 deq - empty\n" },
	{ "queue", LP_LINEARIZABLE, LP_CORRECT, 0,
	  "0 1 3 enq 1 -\n"
	  "1 2 4 deq - empty\n" },
	/* a key becomes present, with the value that it had when it was missing */
	{ "map:init=0", LP_LINEARIZABLE, LP_CORRECT, 0,
	  "0 1 2 cas 1,0,0 true\n"
	  "1 3 4 cas 1,0,7 true\n" },
	{ "map:init=0", LP_LINEARIZABLE, LP_WRONG, 2,
	  "0 1 2 cas 1,0,0 true\n"
	  "1 3 4 cas 1,7,0 true\n" },
	/* the end of one is the start of the other: they overlap */
	{ "queue", LP_LINEARIZABLE, LP_CORRECT, 0,
	  "0 1 2 enq 1 -\n"
	  "1 2 4 deq - empty\n" },
	/* covered by two values, neither of which is enough */
	{ "queue", LP_LINEARIZABLE, LP_WRONG, 4,
	  "0 1 2 enq 1 -\n"
	  "1 3 20 deq - empty\n"
	  "0 5 6 enq 2 -\n"
	  "2 8 9 deq - 1\n"
	  "3 21 22 deq - 2\n" },
	/* a value that was never removed, inserted before one that was removed */
	{ "queue", LP_LINEARIZABLE, LP_WRONG, 3,
	  "0 1 2 enq 1 -\n"
	  "0 3 4 enq 2 -\n"
	  "1 5 6 deq - 2\n" },
	/* unless a pending removal took it */
	{ "queue", LP_LINEARIZABLE, LP_CORRECT, 0,
	  "0 1 2 enq 1 -\n"
	  "0 3 4 enq 2 -\n"
	  "2 5 ? deq - ?\n"
	  "1 5 6 deq - 2\n" },
	/* but not if it came too late */
	{ "queue", LP_LINEARIZABLE, LP_WRONG, 3,
	  "0 1 2 enq 1 -\n"
	  "0 3 4 enq 2 -\n"
	  "1 5 6 deq - 2\n"
	  "2 7 ? deq - ?\n" },
	/* the pending removal took 3, which has a later deadline than 1 seems to have */
	{ "priority_queue", LP_LINEARIZABLE, LP_CORRECT, 0,
	  "0 1 2 insert 8 -\n"
	  "0 3 4 insert 5 -\n"
	  "1 6 8 insert 1 -\n"
	  "0 7 9 insert 3 -\n"
	  "0 9 11 remove - 5\n"
	  "1 10 ? remove - ?\n"
	  "0 11 14 remove - 1\n" },
	/* 1 is taken in time, but by then 2 is there */
	{ "priority_queue", LP_LINEARIZABLE, LP_WRONG, 5,
	  "0 0 1 insert 1 -\n"
	  "0 2 3 insert 9 -\n"
	  "1 4 20 remove - 9\n"
	  "0 6 7 insert 2 -\n"
	  "2 10 ? remove - ?\n" },
	{ "stack", LP_LINEARIZABLE, LP_WRONG, 2,
	  "0 1 2 push 1 -\n"
	  "1 3 4 pop - empty\n" },
	{ "stack", LP_LINEARIZABLE, LP_WRONG, 3,
	  "0 1 2 push 1 -\n"
	  "0 3 4 push 2 -\n"
	  "0 5 6 pop - 1\n" },
	{ "stack", LP_LINEARIZABLE, LP_CORRECT, 0,
	  "0 1 2 push 1 -\n"
	  "0 3 9 push 2 -\n"
	  "1 5 6 pop - 1\n" },
	{ "stack", LP_LINEARIZABLE, LP_CORRECT, 0,
	  "0 1 2 push 1 -\n"
	  "0 3 4 push 2 -\n"
	  "1 4 ? pop - ?\n"
	  "0 5 6 pop - 1\n" },
	/* a pending insertion that was seen, and one that was not */
	{ "stack", LP_LINEARIZABLE, LP_CORRECT, 0,
	  "0 1 ? push 1 ?\n"
	  "2 1 ? push 2 ?\n"
	  "1 3 4 pop - 1\n"
	  "1 5 6 pop - empty\n" },
	{ "priority_queue", LP_LINEARIZABLE, LP_WRONG, 3,
	  "0 1 2 insert 1 -\n"
	  "0 3 4 insert 2 -\n"
	  "0 5 6 remove_min - 2\n" },
	/* an item with the same score does not have to be taken before item 8, but before item 9 */
	{ "scored_queue", LP_LINEARIZABLE, LP_CORRECT, 0,
	  "0 1 2 insert 1,7 -\n"
	  "0 3 4 insert 1,8 -\n"
	  "0 5 6 insert 2,9 -\n"
	  "0 7 8 remove - 8\n"
	  "1 9 ? remove - ?\n"
	  "0 10 11 remove - 9\n" },
	{ "scored_queue", LP_LINEARIZABLE, LP_WRONG, 3,
	  "0 1 2 insert 1,7 -\n"
	  "0 3 4 insert 1,8 -\n"
	  "0 5 6 insert 2,9 -\n"
	  "0 7 8 remove - 8\n"
	  "0 9 10 remove - 9\n"
	  "1 11 ? remove - ?\n" },
	{ "priority_queue:max", LP_LINEARIZABLE, LP_CORRECT, 0,
	  "0 1 2 insert 1 -\n"
	  "0 3 4 insert 2 -\n"
	  "0 5 6 remove_min - 2\n" },
	/* locks: what lies between two moments at which it is free does not matter, nor what lies between
	 * two at which the same thread holds it */
	{ "lock", LP_LINEARIZABLE, LP_WRONG, 2,
	  "0 1 2 lock - -\n"
	  "0 3 4 unlock - -\n"
	  "1 5 8 lock - -\n"
	  "0 6 7 trylock - false\n"
	  "1 9 10 unlock - -\n"
	  "0 11 12 lock - -\n"
	  "2 13 14 lock - -\n" },
	{ "semaphore:init=1", LP_LINEARIZABLE, LP_WRONG, 2,
	  "0 1 2 acquire - -\n"
	  "1 3 4 try_acquire - false\n"
	  "1 5 6 release - -\n"
	  "0 7 8 acquire - -\n"
	  "1 9 10 try_acquire - false\n"
	  "0 11 12 acquire - -\n" },
	/* calls that meet overlap */
	{ "queue:synchronous", LP_LINEARIZABLE, LP_CORRECT, 0,
	  "0 1 4 enq 1 -\n"
	  "1 2 3 deq - 1\n" },
	{ "queue:synchronous", LP_LINEARIZABLE, LP_WRONG, 1,
	  "0 1 2 enq 1 -\n"
	  "1 3 4 deq - 1\n" },
	{ "queue:synchronous", LP_LINEARIZABLE, LP_WRONG, 1, "0 1 2 enq 1 -\n" },
	{ "queue:synchronous", LP_LINEARIZABLE, LP_WRONG, 1, "0 1 2 deq - empty\n" },
	{ "queue:synchronous", LP_LINEARIZABLE, LP_CORRECT, 0, "0 1 ? enq 1 ?\n" },
	{ "queue:synchronous", LP_LINEARIZABLE, LP_CORRECT, 0,
	  "0 1 4 enq 1 -\n"
	  "1 2 ? deq - ?\n" },
	{ "queue:synchronous", LP_SEQUENTIAL, LP_CORRECT, 0,
	  "0 1 2 enq 1 -\n"
	  "1 3 4 deq - 1\n" },
	{ "queue:synchronous", LP_SEQUENTIAL, LP_WRONG, 2,
	  "0 1 2 enq 1 -\n"
	  "0 3 4 deq - 1\n" },
	/* Example 2.2 of the paper on COLLECT: thread 3 comes after thread 0 is done */
	{ "queue:synchronous", LP_LINEARIZABLE, LP_CORRECT, 0,
	  "0 1 4 enq 1 -\n"
	  "1 2 9 enq 2 -\n"
	  "2 3 8 deq - 1\n"
	  "3 5 7 deq - 2\n" },
	{ "queue:synchronous", LP_LINEARIZABLE, LP_WRONG, 2,
	  "0 1 4 enq 1 -\n"
	  "1 2 9 enq 2 -\n"
	  "2 3 8 deq - 2\n"
	  "3 5 7 deq - 1\n" },
	{ "set", LP_LINEARIZABLE, LP_WRONG, 2,
	  "0 1 2 insert 1 true\n"
	  "1 3 4 contains 1 false\n" },
	{ "set", LP_LINEARIZABLE, LP_WRONG, 2,
	  "0 1 5 insert 1 true\n"
	  "1 2 4 insert 1 true\n"
	  "1 7 8 contains 2 false\n" },
	{ "register", LP_LINEARIZABLE, LP_WRONG, 3,
	  "0 1 9 write 1 -\n"
	  "1 2 3 read - 1\n"
	  "1 4 5 read - 0\n" },
	{ "register", LP_LINEARIZABLE, LP_CORRECT, 0,
	  "0 1 9 write 1 -\n"
	  "1 2 3 read - 0\n"
	  "1 4 5 read - 1\n" },
	{ "register:init=nil", LP_LINEARIZABLE, LP_WRONG, 1, "0 1 2 read - 0\n" },
	/* stale, but each thread sees an order */
	{ "register", LP_SEQUENTIAL, LP_CORRECT, 0,
	  "0 1 2 write 1 -\n"
	  "1 3 4 read - 0\n" },
	{ "register", LP_SEQUENTIAL, LP_WRONG, 3,
	  "0 1 2 write 1 -\n"
	  "1 3 4 read - 1\n"
	  "1 5 6 read - 0\n" },
	/* no quiet moment before the last call */
	{ "register", LP_QUIESCENT, LP_CORRECT, 0,
	  "2 0 9 read - 0\n"
	  "0 1 2 write 1 -\n"
	  "1 3 4 read - 0\n" },
	{ "register", LP_QUIESCENT, LP_WRONG, 2,
	  "0 1 2 write 1 -\n"
	  "1 3 4 read - 0\n" },
	{ "map", LP_LINEARIZABLE, LP_CORRECT, 0,
	  "0 1 2 put a,x -\n"
	  "0 3 4 get a x\n"
	  "0 5 6 get b nil\n" },
	{ "map", LP_LINEARIZABLE, LP_WRONG, 1,
	  "0 1 2 put a,x -\n"
	  "0 3 4 put b,y -\n"
	  "0 5 6 get b x\n" },
	{ "lock", LP_LINEARIZABLE, LP_WRONG, 2,
	  "0 1 2 lock - -\n"
	  "1 3 4 lock - -\n" },
	{ "snapshot:n=3", LP_LINEARIZABLE, LP_CORRECT, 0,
	  "0 1 2 update 1,7 -\n"
	  "1 3 4 scan - 0,7,0\n" },
	{ "snapshot:n=3", LP_LINEARIZABLE, LP_WRONG, 2,
	  "0 1 2 update 1,7 -\n"
	  "1 3 4 scan - 0,0,0\n" },
	{ "queue:bounded=1", LP_LINEARIZABLE, LP_CORRECT, 0,
	  "0 1 2 enq 1 true\n"
	  "0 3 4 enq 2 full\n" },
	{ "queue", LP_LINEARIZABLE, LP_WRONG, 1, "0 3 4 enq 2 full\n" },
};

static int failures;

static void check_case(const struct known *k)
{
	struct lp_history h = { 0 };
	struct lp_spec spec;
	struct lp_error error = { 0 };
	struct lp_check_result r = { 0 };
	struct lp_check_options options = { .property = k->property, .explain = true };

	if (!lp_spec_parse(&spec, k->spec, &error) ||
	    !lp_history_parse(&h, "case", LP_FORMAT_TABLE, k->table, strlen(k->table), &error) ||
	    !lp_history_check(&h, &spec, &options, &r, &error)) {
		fprintf(stderr, "%s: %s\n%s", k->spec, error.text, k->table);
		failures++;
	} else if (r.finding != k->finding || r.core_count != k->core ||
		   (k->finding == LP_WRONG) != (r.reason[0] != '\0')) {
		fprintf(stderr, "%s: finding %d, expected %d; core of %u, expected %u; '%s'\n%s", k->spec,
			r.finding, k->finding, r.core_count, k->core, r.reason, k->table);
		failures++;
	}
	lp_check_result_close(&r);
	lp_history_close(&h);
}

/* What does not fit the specification is a message with a line. */
static void check_misfit(const char *kind, enum lp_property property, const char *table,
			 const char *expected)
{
	struct lp_history h = { 0 };
	struct lp_spec spec;
	struct lp_error error = { 0 };
	struct lp_check_result r = { 0 };
	struct lp_check_options options = { .property = property };

	if (!lp_spec_parse(&spec, kind, &error) ||
	    !lp_history_parse(&h, "case", LP_FORMAT_TABLE, table, strlen(table), &error) ||
	    lp_history_check(&h, &spec, &options, &r, &error) || !strstr(error.text, expected)) {
		fprintf(stderr, "%s: expected '%s', not '%s'\n%s", kind, expected, error.text, table);
		failures++;
	}
	lp_check_result_close(&r);
	lp_history_close(&h);
}

/* A specification of one's own: a register that may forget, so that one call leads
 * to several states, and a read that says nothing. */
static void forgetful_begin(struct lp_state *s, const int64_t *param)
{
	(void)param;
	lp_state_push(s, 0);
}

static enum lp_answer forgetful_write(struct lp_state *s, const struct lp_spec_call *c)
{
	if (c->choice > 1)
		return LP_REJECTS;
	s->at[0] = c->choice ? 0 : c->arg[0];
	return LP_ACCEPTS;
}

static enum lp_answer forgetful_read(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_answers(c, s->at[0]);
}

static void check_own_kind(const char *table, enum lp_finding expected)
{
	static const struct lp_method methods[] = {
		{ "write", 1, LP_NOTHING, LP_CHOOSES, forgetful_write },
		{ "read", 0, LP_VALUE, LP_READS, forgetful_read },
	};
	static const struct lp_kind kind = { .name = "forgetful", .methods = methods,
					     .method_count = 2, .begin = forgetful_begin };
	struct lp_history h = { 0 };
	struct lp_spec spec;
	struct lp_error error = { 0 };
	struct lp_check_result r = { 0 };
	struct lp_check_options options = { .explain = true };

	if (!lp_spec_of(&spec, &kind, NULL, &error) ||
	    !lp_history_parse(&h, "case", LP_FORMAT_TABLE, table, strlen(table), &error) ||
	    !lp_history_check(&h, &spec, &options, &r, &error) || r.finding != expected) {
		fprintf(stderr, "forgetful: finding %d, expected %d %s\n%s", r.finding, expected,
			error.text, table);
		failures++;
	}
	lp_check_result_close(&r);
	lp_history_close(&h);
}

/* Wide and wrong only at the end: limits make it undecided, never correct or wrong. */
static void check_limits(void)
{
	struct lp_history h = { 0 };
	struct lp_spec spec;
	struct lp_error error = { 0 };
	struct lp_check_result r;
	struct lp_check_options options = { .memory = 1 << 16 };
	const uint16_t add = lp_history_method(&h, "fetch_add", 9);

	for (uint32_t i = 0; i < 24; i++) {
		struct lp_call c = { .start = 1, .end = 9, .thread = i, .line = i + 1,
				     .method = add, .args = 1, .arg = { INT64_C(1) << i },
				     .results = 1, .result = 1 << 30 };
		if (i)
			c.results = LP_RESULT_UNKNOWN;
		LP_PUSH(&h, c);
	}
	if (!lp_spec_parse(&spec, "counter", &error) ||
	    !lp_history_check(&h, &spec, &options, &r, &error) || r.finding != LP_UNDECIDED ||
	    !strstr(r.reason, "memory")) {
		fprintf(stderr, "memory limit: %s\n", error.text);
		failures++;
	}
	lp_check_result_close(&r);
	options = (struct lp_check_options){ .seconds = 0.05 };
	if (!lp_history_check(&h, &spec, &options, &r, &error) || r.finding != LP_UNDECIDED ||
	    !strstr(r.reason, "time")) {
		fprintf(stderr, "time limit: finding %d '%s'\n", r.finding, r.reason);
		failures++;
	}
	lp_check_result_close(&r);
	lp_history_close(&h);
}

int main(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check_case(&cases[i]);
	check_misfit("queue", LP_LINEARIZABLE, "0 1 2 enq 1 -\n0 3 4 frob 1 -\n",
		     "case:2: queue has no method 'frob' (it has enqueue, dequeue");
	check_misfit("queue", LP_LINEARIZABLE, "0 1 2 enq - -\n", "case:1: enq takes 1 argument, not 0");
	check_misfit("queue", LP_LINEARIZABLE, "0 1 2 deq - -\n", "case:1: deq gives a value or empty, not nothing");
	check_misfit("set", LP_LINEARIZABLE, "0 1 2 contains 1 7\n", "contains gives true or false, not 7");
	check_misfit("register", LP_SEQUENTIAL, "0 1 4 read - 0\n0 2 5 read - 0\n",
		     "case:2: thread 0 calls before its call of line 1 has returned");
	check_own_kind("0 1 2 write 5 -\n0 3 4 read - 5\n", LP_CORRECT);
	check_own_kind("0 1 2 write 5 -\n0 3 4 read - 0\n", LP_CORRECT);
	check_own_kind("0 1 2 write 5 -\n0 3 4 read - 0\n0 5 6 read - 5\n", LP_WRONG);
	check_limits();
	return failures != 0;
}
