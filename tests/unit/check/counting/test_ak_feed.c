/* test_ak_feed.c -- a monitor of A_k, fed by hand: corners, losses, repetition.
 *
 * A script is a row of events: "e1" calls enqueue(1), "E1" returns from it, "f1" is a
 * return without success; "d1" calls a dequeue by the name 1, "D1=7" returns 7 from
 * it, "D1=-" finds nothing; "p" and "P" are the same for front, "q1", "Q1=1" for
 * is_empty.  "!": a restart, with what is open unseen.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../history/random_history.h"
#include "base/error.h"
#include "check/counting/ak.h"
#include "expect.h"
#include "spec/spec.h"

/* The rules that are broken, in order: "rv fv". */
static void run(const char *script, const char *kind, unsigned k, enum lp_ak_mode mode, char *found)
{
	static const char methods[] = "edpq"; /* in the order of the table */
	uint64_t epoch[128];
	struct lp_spec spec;
	struct lp_error error;
	uint64_t open = 0;

	lp_spec_parse(&spec, kind, &error);
	struct lp_ak *m = lp_ak_open(&spec, k, mode, &error);
	found[0] = '\0';
	for (const char *at = script; *at;) {
		const char what = *at++;
		if (what == ' ')
			continue;
		if (what == '!') {
			lp_ak_restart(m, open);
			for (int i = 0; i < 128; i++)
				epoch[i] = LP_AK_UNSEEN;
			continue;
		}
		const bool returns = isupper((unsigned char)what) || what == 'f';
		const char *method = strchr(methods, what == 'f' ? 'e' : tolower((unsigned char)what));
		int64_t id = strtoll(at, (char **)&at, 10), result = what == 'f' ? 0 : 1;
		uint64_t *mine = &epoch[id % 32 + 32 * (method - methods)];
		if (*at == '=') {
			at++;
			result = *at == '-' ? LP_EMPTY : strtoll(at, (char **)&at, 10);
			at += result == LP_EMPTY;
		}
		open += *method == 'd' ? (returns ? UINT64_MAX : 1) : 0;
		if (!returns)
			*mine = lp_ak_call(m, (uint32_t)(method - methods), id);
		else if (lp_ak_return(m, *mine, (uint32_t)(method - methods), id, result)) {
			if (found[0])
				strcat(found, " ");
			strcat(found, lp_ak_rule_name(lp_ak_violation(m)->rule));
		}
	}
	if (lp_ak_unsuitable(m))
		strcat(found, found[0] ? " unsuitable" : "unsuitable");
	lp_ak_close(m);
}

static void check_scripts(void)
{
	static const struct {
		const char *kind;
		unsigned k;
		const char *script, *found;
	} cases[] = {
		/* rv needs no order at all */
		{ "queue", 0, "d1 D1=7", "rv" },
		{ "queue", 0, "e7 d1 D1=7 E7", "" },
		{ "queue", 0, "e7 E7 d1 d2 D1=7 D2=7", "rv" },
		{ "queue", 0, "e7 d1 d2 D1=7 D2=7 E7", "rv" },
		{ "queue", 0, "d1 D1=7 e7 E7", "rv" },
		/* the same value again, once it is gone */
		{ "queue", 2, "e7 E7 d1 D1=7 e7 E7 d1 D1=7", "" },
		{ "queue", 2, "e7 E7 d1 D1=7 e7 E7 d1 D1=7 d2 D2=7", "rv" },
		/* but not before, also not while its insertion is open */
		{ "queue", 2, "e7 E7 e7 E7 d1 D1=9", "unsuitable" },
		{ "queue", 2, "e7 d1 D1=7 e7 E7 d1 D1=9", "unsuitable" },
		/* insertions that fail */
		{ "queue", 2, "e7 f7", "full" },
		{ "queue:bounded=1", 2, "e7 f7 e7 E7 d1 D1=7", "" },
		{ "queue:bounded=1", 2, "e7 d1 D1=7 f7", "rv" },
		/* fv, with the pair that is removed in the wrong order */
		{ "queue", 2, "e1 E1 e2 E2 d1 D1=2", "fv" },
		{ "queue", 1, "e1 E1 e2 E2 d1 D1=2", "" },
		{ "queue", 2, "e1 e2 E1 E2 d1 D1=2", "" },
		/* an open removal may have taken 1, until it turns out that it did not */
		{ "queue", 2, "e1 E1 e2 E2 d1 d2 D1=2", "" },
		{ "queue", 2, "e1 E1 e2 E2 d1 d2 D1=2 D2=1", "" },
		{ "queue", 2, "e1 E1 e2 E2 d1 d2 D1=2 D2=-", "fv" },
		{ "queue", 3, "e1 E1 e2 E2 d1 D1=2 d2 D2=1", "fv fv" },
		/* reported once, not at each removal after that */
		{ "queue", 2, "e1 E1 e2 E2 d1 D1=2 e3 E3 d1 D1=3 e4 E4 d1 D1=4", "fv" },
		/* ev: by removals, by looking, by asking */
		{ "queue", 1, "e1 E1 d1 D1=-", "ev" },
		{ "queue", 1, "e1 E1 p1 P1=-", "ev" },
		{ "queue", 1, "e1 E1 q1 Q1=1", "ev" },
		{ "queue", 1, "e1 E1 q1 Q1=0", "" },
		{ "queue", 1, "e1 d1 E1 D1=-", "" },
		{ "queue", 1, "e1 E1 d1 d2 D1=-", "" },
		{ "queue", 1, "e1 E1 d1 d2 D1=- D2=1", "" },
		{ "queue", 1, "e1 E1 d1 d2 D1=- D2=-", "ev" },
		{ "queue", 3, "e1 E1 d1 D1=- d2 D2=1", "ev" },
		/* each on its own */
		{ "queue", 1, "e1 E1 d1 D1=- d1 D1=-", "ev ev" },
		/* figure 5: 1 is there first, then 2; neither all the time */
		{ "queue", 3, "e1 E1 d9 e2 E2 d1 D1=1 D9=- d2 D2=2", "ev" },
		{ "queue", 3, "e1 E1 d9 e2 d1 D1=1 E2 D9=- d2 D2=2", "" },
		/* lv */
		{ "stack", 2, "e1 E1 e2 E2 d1 D1=1", "lv" },
		{ "stack", 1, "e1 E1 e2 E2 d1 D1=1", "" },
		{ "stack", 3, "e1 E1 e2 E2 d1 D1=1 d2 D2=2", "lv lv" },
		{ "stack", 3, "e1 E1 e2 E2 d1 d2 D1=1 D2=2", "" },
		{ "stack", 3, "e1 E1 e2 d1 E2 D1=1 d2 D2=2", "" },
		/* only rv and ev for these */
		{ "priority_queue", 3, "e2 E2 e1 E1 d1 D1=2", "" },
		{ "priority_queue", 1, "e2 E2 d1 D1=-", "ev" },
		/* after a loss: what was not seen is not told about, what was, is */
		{ "queue", 2, "e1 E1 ! d1 D1=1 d1 D1=9", "" },
		{ "queue", 2, "d1 e1 ! E1 D1=1", "" },
		{ "queue", 2, "! e1 E1 e2 E2 d1 D1=2", "fv" },
		{ "queue", 2, "d3 ! e1 E1 e2 E2 d1 D1=2", "" },
		{ "queue", 2, "d3 ! e1 E1 e2 E2 d1 D1=2 D3=5", "fv" },
		{ "queue", 2, "! e1 E1 d1 D1=-", "ev" },
		{ "queue", 2, "e7 E7 e7 ! E7 e8 E8 d1 D1=-", "ev" },
	};
	char found[256];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		run(cases[i].script, cases[i].kind, cases[i].k, LP_AK_RULES, found);
		if (strcmp(found, cases[i].found))
			FAIL("%s, k = %u, %s: found '%s', expected '%s'\n", cases[i].kind, cases[i].k,
			     cases[i].script, found, cases[i].found);
	}
	/* 3 is on top of 1, and 4 on top of 1 or of 3; only one of them can be taken by
	 * the removal that is open.  No two values are to blame. */
	run("e1 E1 e3 e4 E3 d1 E4 d2 D1=1", "stack", 4, LP_AK_RULES, found);
	if (strcmp(found, ""))
		FAIL("the rules see more than they should: '%s'\n", found);
	run("e1 E1 e3 e4 E3 d1 E4 d2 D1=1", "stack", 4, LP_AK_COMPLETE, found);
	if (strcmp(found, "order"))
		FAIL("a complete look does not see it: '%s'\n", found);
}

static void check_limits(void)
{
	static const struct {
		const char *kind, *message;
		unsigned k;
		enum lp_ak_mode mode;
	} cases[] = {
		{ "queue", "", 64, LP_AK_RULES },
		{ "queue", "k is at most 64, not 65", 65, LP_AK_RULES },
		{ "stack", "", 8, LP_AK_COMPLETE },
		{ "stack", "a complete check has k at most 8, not 9", 9, LP_AK_COMPLETE },
		{ "queue", "", 9, LP_AK_COMPLETE },
		{ "register", "no counting rules for 'register'", 2, LP_AK_RULES },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct lp_error error = { 0 };
		struct lp_spec spec;
		lp_spec_parse(&spec, cases[i].kind, &error);
		struct lp_ak *m = lp_ak_open(&spec, cases[i].k, cases[i].mode, &error);
		if (strcmp(m ? "" : error.text, cases[i].message))
			FAIL("%s, k = %u: %s\n", cases[i].kind, cases[i].k, error.text);
		lp_ak_close(m);
	}
}

/* A correct object, with events lost now and then: nothing is reported. */
static void check_losses(bool is_stack, uint64_t seed)
{
	enum { THREADS = 5 };
	struct {
		bool open, takes, done;
		uint64_t epoch;
		int64_t value;
	} t[THREADS] = { 0 };
	struct random_source r = { seed };
	struct lp_spec spec;
	struct lp_error error;
	int64_t there[64], next = 0;
	uint32_t count = 0, restarts = 0;

	lp_spec_parse(&spec, is_stack ? "stack" : "queue", &error);
	struct lp_ak *m = lp_ak_open(&spec, below(&r, 5), below(&r, 2) ? LP_AK_RULES : LP_AK_COMPLETE,
				     &error);
	bool losing = false;
	for (uint32_t i = 0; i < 20000; i++) {
		const uint32_t c = below(&r, THREADS);
		if (below(&r, losing ? 20 : 300) == 0) {
			losing = !losing;
			uint64_t open = 0;
			for (uint32_t j = 0; j < THREADS; j++) {
				open += t[j].open && t[j].takes;
				t[j].epoch = LP_AK_UNSEEN;
			}
			if (!losing)
				lp_ak_restart(m, open);
			restarts += !losing;
		}
		if (!t[c].open) {
			t[c].open = true;
			t[c].done = false;
			t[c].takes = count >= 50 || below(&r, 2);
			t[c].value = t[c].takes ? 0 : ++next;
			t[c].epoch = losing ? LP_AK_UNSEEN : lp_ak_call(m, t[c].takes, t[c].value);
		} else if (!t[c].done) {
			if (!t[c].takes) {
				there[count++] = t[c].value;
			} else if (!count) {
				t[c].value = LP_EMPTY;
			} else if (is_stack) {
				t[c].value = there[--count];
			} else {
				t[c].value = there[0];
				memmove(there, there + 1, sizeof *there * --count);
			}
			t[c].done = true;
		} else {
			t[c].open = false;
			if (!losing && lp_ak_return(m, t[c].epoch, t[c].takes, t[c].takes ? 0 : t[c].value,
						    t[c].takes ? t[c].value : 1)) {
				FAIL("%s, seed %llu: reported after a loss: %s\n", is_stack ? "stack" : "queue",
				     (unsigned long long)seed,
				     lp_ak_rule_name(lp_ak_violation(m)->rule));
				break;
			}
		}
	}
	if (restarts < 3)
		FAIL("there were no losses\n");
	lp_ak_close(m);
}

int main(void)
{
	check_scripts();
	check_limits();
	for (uint64_t seed = 1; seed <= 20; seed++) {
		check_losses(false, seed);
		check_losses(true, seed);
	}
	return expect_status();
}
