/* test_weak_cases.c -- conditions for replicated objects: known histories, what implies what, long histories.
 *
 *     test_weak_cases [--calls N] [--runs N]
 *
 * The known ones are those of Bouajjani, Enea, Guerraoui and Hamza (POPL 2017), Figure 3, and one for each guarantee.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "check/history/history_check.h"
#include "naive_weak.h"
#include "random_weak.h"

static const char *const names[] = { "causal", "causal-memory", "causal-convergence", "pram", "session",
				     "read-your-writes", "monotonic-reads", "monotonic-writes",
				     "writes-follow-reads", "session:mr,wfr" };
enum { CONDITIONS = sizeof names / sizeof *names };

/* Which of these a history has, as bits in that order; then the history. */
static const struct {
	const char *what, *spec, *has, *calls;
} cases[] = {
	{ "a causal memory that does not converge", "map:init=0", "1101111111",
	  "0 1 2 put 1,1 -\n1 1 2 put 1,2 -\n0 3 4 get 1 2\n1 3 4 get 1 1\n" },
	{ "converges, but is no causal memory", "map:init=0", "1010111111",
	  "0 1 2 put 3,1 -\n0 3 4 put 1,1 -\n0 5 6 put 2,1 -\n"
	  "1 1 2 put 1,2 -\n1 3 4 get 3 0\n1 5 6 get 2 1\n1 7 8 get 1 2\n" },
	{ "causal, and no more", "map:init=0", "1000011111",
	  "0 1 2 put 1,1 -\n0 3 4 get 1 2\n1 1 2 put 1,2 -\n1 3 4 get 1 1\n1 5 6 get 1 2\n" },
	{ "all of them, and not sequential", "map:init=0", "1111111111",
	  "0 1 2 put 1,1 -\n0 3 4 get 2 0\n0 5 6 put 2,1 -\n0 7 8 get 1 1\n"
	  "1 1 2 put 1,2 -\n1 3 4 get 2 0\n1 5 6 put 2,2 -\n1 7 8 get 1 2\n" },
	{ "not causal", "map:init=0", "0001011111",
	  "0 1 2 put 1,1 -\n0 3 4 put 2,1 -\n1 5 6 get 2 1\n1 7 8 put 1,2 -\n2 9 10 get 1 2\n2 11 12 get 1 1\n" },
	{ "does not read its write", "register", "0000001111", "0 1 2 write 1 -\n0 3 4 read - 0\n" },
	{ "reads go back", "register", "0000010110",
	  "0 1 2 write 1 -\n1 3 4 read - 1\n1 5 6 read - 0\n" },
	{ "a later increment is seen without the one before", "counter", "0000011011",
	  "0 1 2 add 1 -\n0 3 4 add 10 -\n1 5 6 read - 10\n" },
	{ "a circle", "register", "0001000000", "0 1 2 read - 2\n0 3 4 write 1 -\n1 1 2 read - 1\n1 3 4 write 2 -\n" },
	{ "what was seen with another update is read after it was overwritten", "map", "1000011110",
	  "1 1 2 put 2,13 -\n1 3 4 get 2 13\n1 5 6 put 1,18 -\n2 7 8 put 2,21 -\n"
	  "0 9 10 get 1 18\n0 11 12 get 2 21\n0 13 14 get 2 13\n" },
	{ "an element comes back", "set", "0000010110",
	  "0 1 2 insert 1 -\n0 3 4 remove 1 1\n1 5 6 read - 1\n1 7 8 read - -\n1 9 10 read - 1\n" },
};

static bool decide(const struct lp_history *h, const struct lp_spec *spec, const struct lp_weak *weak, bool explain,
		   struct lp_check_result *r)
{
	const struct lp_check_options options = { .property = LP_WEAK, .weak = weak, .explain = explain };
	struct lp_error error = { 0 };

	if (lp_history_check(h, spec, &options, r, &error))
		return true;
	fprintf(stderr, "%s\n", error.text);
	return false;
}

static bool known_cases(void)
{
	bool good = true;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct lp_history h = { 0 };
		struct lp_spec spec;
		struct lp_error error;
		char has[CONDITIONS + 1] = "";
		if (!lp_spec_parse(&spec, cases[i].spec, &error) ||
		    !lp_history_parse(&h, "case.tab", LP_FORMAT_TABLE, cases[i].calls, strlen(cases[i].calls), &error)) {
			fprintf(stderr, "%s\n", error.text);
			return false;
		}
		for (int c = 0; c < CONDITIONS; c++) {
			struct lp_weak weak;
			struct lp_check_result r;
			lp_weak_parse(&weak, names[c], &error);
			good &= decide(&h, &spec, &weak, false, &r);
			has[c] = r.finding == LP_CORRECT ? '1' : r.finding == LP_WRONG ? '0' : '?';
			lp_check_result_close(&r);
		}
		if (strcmp(has, cases[i].has)) {
			fprintf(stderr, "%s: it has %s, not %s\n", cases[i].what, has, cases[i].has);
			good = false;
		}
		lp_history_close(&h);
	}
	return good;
}

/* docs/histories.md: the first implies the second. */
static const char *const implications[][2] = {
	{ "session", "causal" }, { "causal-memory", "session" }, { "causal-convergence", "session" },
	{ "causal-memory", "pram" }, { "session", "read-your-writes" }, { "session", "monotonic-reads" },
	{ "session", "monotonic-writes" }, { "session", "writes-follow-reads" },
};

static bool implied(const char *kind, uint32_t runs)
{
	struct lp_spec spec;
	struct lp_error error;

	lp_spec_parse(&spec, kind, &error);
	for (uint32_t i = 0; i < runs; i++) {
		struct random_source r = { (i + 1) * UINT64_C(0x2545f4914f6cdd1d) };
		struct lp_history h = { 0 };
		random_weak(&h, &spec, 5, &r);
		for (size_t k = 0; k < sizeof implications / sizeof *implications; k++) {
			struct lp_weak strong, weak;
			lp_weak_parse(&strong, implications[k][0], &error);
			lp_weak_parse(&weak, implications[k][1], &error);
			if (naive_weak_is_right(&h, &spec, &strong) && !naive_weak_is_right(&h, &spec, &weak)) {
				fprintf(stderr, "%s, run %u: %s, but not %s\n", kind, i, implications[k][0],
					implications[k][1]);
				lp_history_print_table(&h, stderr);
				return false;
			}
		}
		lp_history_close(&h);
	}
	return true;
}

enum { SESSIONS = 8, KEYS = 20 };

/* A store that broadcasts causally; the last writer wins, by a Lamport clock. */
struct store {
	struct lp_history h;
	struct random_source r;
	struct write {
		uint32_t stamp, session, needs[SESSIONS];
		int64_t key, value;
	} *writes[SESSIONS];
	uint32_t made[SESSIONS], known[SESSIONS][SESSIONS], clock[SESSIONS];
	struct write *held[SESSIONS][KEYS];
	uint16_t put, get;
};

static void apply(struct store *s, uint32_t session, struct write *w)
{
	struct write **held = &s->held[session][w->key];

	if (!*held || (*held)->stamp < w->stamp || ((*held)->stamp == w->stamp && (*held)->session < w->session))
		*held = w;
	s->clock[session] = s->clock[session] > w->stamp ? s->clock[session] : w->stamp;
	s->known[session][w->session]++;
}

static void deliver(struct store *s, uint32_t session)
{
	const uint32_t from = below(&s->r, SESSIONS);

	if (s->known[session][from] == s->made[from])
		return;
	struct write *w = &s->writes[from][s->known[session][from]];
	for (uint32_t t = 0; t < SESSIONS; t++)
		if (s->known[session][t] < w->needs[t])
			return;
	apply(s, session, w);
}

static void call(struct store *s, uint32_t number)
{
	const uint32_t session = below(&s->r, SESSIONS);
	struct lp_call c = { .thread = session, .start = 2 * (int64_t)number, .end = 2 * (int64_t)number + 1,
			     .line = number + 1, .args = 1 };

	for (uint32_t i = below(&s->r, 2 * SESSIONS); i; i--)
		deliver(s, session);
	c.arg[0] = below(&s->r, KEYS);
	if (below(&s->r, 2)) {
		struct write *w = &s->writes[session][s->made[session]++];
		*w = (struct write){ .stamp = ++s->clock[session], .session = session, .key = c.arg[0], .value = number };
		memcpy(w->needs, s->known[session], sizeof w->needs);
		apply(s, session, w);
		c.method = s->put;
		c.args = 2;
		c.arg[1] = number;
	} else {
		const struct write *w = s->held[session][c.arg[0]];
		c.method = s->get;
		c.results = 1;
		c.result = w ? w->value : LP_NIL;
	}
	LP_PUSH(&s->h, c);
}

/* A key that had a value for a session has none. */
static void spoil(struct lp_history *h)
{
	uint32_t last = 0;

	for (uint32_t i = 0; i < h->count / 2; i++)
		if (h->at[i].results == 1 && h->at[i].result != LP_NIL)
			last = i;
	for (uint32_t i = last + 1; i < h->count; i++)
		if (h->at[i].results == 1 && h->at[i].thread == h->at[last].thread &&
		    h->at[i].arg[0] == h->at[last].arg[0]) {
			h->at[i].result = LP_NIL;
			return;
		}
}

static bool decide_long(const struct lp_history *h, const char *name, bool wrong)
{
	struct lp_spec spec;
	struct lp_error error;
	struct lp_weak weak;
	struct lp_check_result r;

	lp_spec_parse(&spec, "map", &error);
	lp_weak_parse(&weak, name, &error);
	bool good = decide(h, &spec, &weak, true, &r);
	printf("%u calls, %s: %s, %.2f s, core of %u calls\n", h->count, name,
	       r.finding == LP_CORRECT ? "right" : r.finding == LP_WRONG ? "wrong" : "undecided", r.seconds, r.core_count);
	good &= r.finding == (wrong ? LP_WRONG : LP_CORRECT) && (!wrong || (r.core_count <= 6 && r.core_is_minimal));
	lp_check_result_close(&r);
	return good;
}

static void simulate(struct store *s, uint32_t calls)
{
	s->put = lp_history_method(&s->h, "put", 3);
	s->get = lp_history_method(&s->h, "get", 3);
	for (uint32_t i = 0; i < SESSIONS; i++)
		s->writes[i] = lp_alloc(sizeof **s->writes * calls);
	for (uint32_t i = 0; i < calls; i++)
		call(s, i);
	for (uint32_t i = 0; i < SESSIONS; i++)
		lp_free(s->writes[i]);
}

/* This store is no causal memory, and need not be PRAM consistent. */
static bool long_history(uint32_t calls)
{
	static const char *const conditions[] = { "causal", "causal-convergence", "session" };
	struct store s = { .r = { 42 } };
	bool good = true;

	simulate(&s, calls);
	for (int wrong = 0; wrong < 2; wrong++) {
		if (wrong)
			spoil(&s.h);
		for (int c = 0; c < 3; c++)
			good &= decide_long(&s.h, conditions[c], wrong);
	}
	lp_history_close(&s.h);
	return good;
}

/* Single guarantees, whose views are no clocks of updates. */
static bool longer_history(uint32_t calls)
{
	static const char *const conditions[] = { "read-your-writes", "monotonic-reads", "monotonic-writes",
						  "writes-follow-reads", "session:ryw,mr", "session:mr,wfr", "eventual" };
	struct store s = { .r = { 43 } };
	bool good = true;

	simulate(&s, calls);
	for (size_t c = 0; c < sizeof conditions / sizeof *conditions; c++)
		good &= decide_long(&s.h, conditions[c], false);
	lp_history_close(&s.h);
	return good;
}

int main(int argc, char **argv)
{
	static const char *const kinds[] = { "register", "map", "set", "counter" };
	uint32_t calls = 20000, runs = 2000;
	bool good = known_cases();

	for (int at = 1; at + 1 < argc; at += 2)
		*(strcmp(argv[at], "--calls") ? &runs : &calls) = (uint32_t)strtoul(argv[at + 1], NULL, 10);
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
		good &= implied(kinds[k], runs);
	good &= long_history(calls);
	return !(longer_history(15 * calls) && good);
}
