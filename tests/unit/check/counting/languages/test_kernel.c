/* test_kernel.c -- grammars against the definition of A_k, and against their words.
 *
 *     test_kernel [RUNS [SEED [CALLS]]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../history/random_history.h"
#include "../ak_naive.h"
#include "base/error.h"
#include "check/counting/ak.h"
#include "check/counting/counts.h"
#include "check/counting/languages/kernel.h"
#include "check/counting/linear.h"
#include "expect.h"

static void check_messages(void)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "", "g:1:1: expected a rule, not the end" },
		{ "S -> <lock>", "g:1:12: expected a name, '<label>', '|' or ';', not the end" },
		{ "S -> <lock> T;", "g:1:13: 'T' has no rules" },
		{ "S -> ;\nS -> <lock>;", "g:2:1: 'S' has its rules already" },
		{ "S <lock>;", "g:1:3: expected '->', not '<'" },
		{ "S -> <clock>;", "g:1:7: lock has no method 'clock'" },
		{ "S -> <trylock>;", "g:1:14: trylock gives a result: => what?" },
		{ "S -> <lock => 1>;", "g:1:12: lock gives no result" },
		{ "S -> <lock => pending>;", "g:1:6: a run has no pending calls" },
		{ "S -> <lock;", "g:1:11: expected '>', not ';'" },
		{ "| S;", "g:1:1: expected the name that a rule is for, not '|'" },
		{ "S -> S + S;", "g:1:8: '+' has no meaning here" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct lp_error error = { 0 };
		struct lp_kernel *g = lp_kernel_parse("g", cases[i].text, strlen(cases[i].text),
						      lp_kind_named("lock"), &error);
		if (g || strcmp(error.text, cases[i].message))
			FAIL("%s\n  says     %s\n  expected %s\n", cases[i].text, g ? "" : error.text,
			     cases[i].message);
		lp_kernel_close(g);
	}
}

/* Linear programs with known answers. */
static void check_linear(void)
{
	struct lp_linear l = { .variables = 2 };
	struct lp_fraction x[2];

	lp_linear_row(&l, LP_EQUAL, 7); /* 2x + 2y = 7 */
	lp_linear_put(&l, 0, 2);
	lp_linear_put(&l, 1, 2);
	lp_linear_row(&l, LP_AT_LEAST, 2); /* x - y >= 2 */
	lp_linear_put(&l, 0, 1);
	lp_linear_put(&l, 1, -1);
	if (lp_linear_solve(&l, x) != LP_CORRECT ||
	    2 * x[0].over * x[1].under + 2 * x[1].over * x[0].under != 7 * x[0].under * x[1].under)
		FAIL("linear: a solution is missed\n");
	lp_linear_row(&l, LP_AT_LEAST, 1); /* y >= 1 */
	lp_linear_put(&l, 1, 1);
	if (lp_linear_solve(&l, x) != LP_WRONG)
		FAIL("linear: a solution where there is none\n");
	lp_linear_keep(&l, 2);
	lp_linear_row(&l, LP_AT_MOST, -1); /* -x <= -3 with x + y = 3.5 */
	lp_linear_put(&l, 0, -1);
	if (lp_linear_solve(&l, x) != LP_CORRECT)
		FAIL("linear: rows are not taken back\n");
	lp_linear_close(&l);
}

static uint32_t compared, undecided_programs;

/* The search and the integer programs alone agree, where both say something. */
static const char *ways_differ(const struct lp_history *h, const struct lp_spec *spec,
			       const struct lp_kernel *g, unsigned k)
{
	uint64_t epoch[64];
	struct lp_counts c;

	lp_counts_open(&c, spec, k, 0);
	for (int64_t now = 0; now < 200; now++)
		for (int end = 0; end < 2; end++)
			for (uint32_t i = 0; i < h->count; i++) {
				const struct lp_call *call = &h->at[i];
				struct lp_label l = { .results = call->results == 1,
						      .result = call->result };
				const char *name = h->methods.at[call->method];
				l.method = (uint8_t)lp_method_named(spec->kind, name, strlen(name));
				if ((end ? call->end : call->start) != now)
					continue;
				if (end)
					lp_counts_return(&c, epoch[i], &l);
				else
					epoch[i] = lp_counts_call(&c, &l);
			}
	const enum lp_finding a = lp_kernel_decide(g, &c, LP_KERNEL_SEARCH);
	const enum lp_finding b = lp_kernel_decide(g, &c, LP_KERNEL_PROGRAM);
	lp_counts_close(&c);
	compared++;
	undecided_programs += b == LP_UNDECIDED;
	return a == LP_UNDECIDED		  ? "the search gives up" :
	       b != LP_UNDECIDED && a != b ? "search and programs differ" :
						    NULL;
}

static uint32_t found_at(const struct lp_history *h, const struct lp_spec *spec, unsigned k,
			 bool *undecided)
{
	const struct lp_ak_options options = { .k = k };
	struct lp_ak_result r;
	struct lp_error error = { 0 };

	if (!lp_ak_check(h, spec, &options, &r, &error) || strcmp(r.method, "grammar")) {
		fprintf(stderr, "%s %s\n", r.method, error.text);
		exit(1);
	}
	*undecided = !r.violated && r.reason[0];
	return r.violated ? r.call : UINT32_MAX;
}

static bool uses(const struct lp_history *h, const char *method)
{
	for (uint32_t i = 0; i < h->count; i++)
		if (!strcmp(h->methods.at[h->at[i].method], method))
			return true;
	return false;
}

static const char *disagreement(const struct lp_history *h, const struct lp_spec *spec, unsigned k)
{
	bool undecided;
	const uint32_t naive = naive_first(h, spec, k), ours = found_at(h, spec, k, &undecided);

	if (undecided)
		return "undecided";
	/* The grammar has neither readings of a semaphore nor the holder of a lock, so the answer is only sound. */
	if (uses(h, "value") || (!strcmp(spec->kind->name, "lock") && !spec->param[0]))
		return naive == UINT32_MAX && ours != UINT32_MAX ? "reports what is right" : NULL;
	return naive != ours ? "differs from the definition" : NULL;
}

static void shrink(struct lp_history *h, const struct lp_spec *spec, unsigned k)
{
	for (uint32_t i = 0; i < h->count;) {
		const struct lp_call gone = h->at[i];
		memmove(h->at + i, h->at + i + 1, sizeof *h->at * (--h->count - i));
		if (disagreement(h, spec, k)) {
			i = 0;
			continue;
		}
		memmove(h->at + i + 1, h->at + i, sizeof *h->at * (h->count++ - i));
		h->at[i++] = gone;
	}
}

static void check_random(const char *text, uint32_t runs, uint64_t seed, uint32_t calls)
{
	uint32_t found[5] = { 0 };
	struct lp_spec spec;
	struct lp_error error;

	if (!lp_spec_parse(&spec, text, &error)) {
		FAIL("%s\n", error.text);
		return;
	}
	char *grammar = lp_spec_grammar(&spec);
	struct lp_kernel *g = lp_kernel_parse("g", grammar, strlen(grammar), spec.kind, &error);
	for (uint32_t i = 0; i < runs; i++) {
		struct random_source r = { (seed + i) * UINT64_C(0x2545f4914f6cdd1d) };
		struct lp_history h = { 0 };
		const struct shape_of_history shape = { .calls = 1 + below(&r, calls),
							.threads = 1 + below(&r, 4),
							.pending_in_16 = below(&r, 3) ? 0 : 3,
							.few_methods = below(&r, 3) ? 0 : 3 };
		const unsigned k = below(&r, 5);
		random_history(&h, &spec, &shape, &r);
		for (uint32_t c = 0; c < h.count; c++) {
			if (strcmp(text, "lock")) /* grammars know no threads */
				h.at[c].thread = 0;
			if (h.at[c].results == LP_RESULT_UNKNOWN)
				h.at[c].end = LP_PENDING;
		}
		const char *what = disagreement(&h, &spec, k);
		if (!what && i % 4 == 0 && k < 3) /* programs are slow for more */
			what = ways_differ(&h, &spec, g, k);
		if (what) {
			FAIL("%s, seed %llu, k = %u: %s\n", text, (unsigned long long)(seed + i), k, what);
			shrink(&h, &spec, k);
			lp_history_print_table(&h, stderr);
			i = runs;
		}
		bool undecided;
		found[k] += found_at(&h, &spec, k, &undecided) != UINT32_MAX;
		lp_history_close(&h);
	}
	lp_kernel_close(g);
	lp_free(grammar);
	printf("%-28s %u histories, wrong for k = 0 .. 4: %u %u %u %u %u\n", text, runs, found[0],
	       found[1], found[2], found[3], found[4]);
}

/* Grammars over a counter's labels; `accept` is the language by hand, on words of
 * i(ncrement) and d(ecrement). */
struct language {
	const char *grammar;
	bool (*accept)(const char *word, uint32_t length);
};

static bool is_i_n_d_n(const char *w, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (w[i] != (i < n / 2 ? 'i' : 'd'))
			return false;
	return n % 2 == 0;
}

static bool is_palindrome(const char *w, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (w[i] != w[n - 1 - i])
			return false;
	return true;
}

/* A cycle that nothing leads to must not help. */
static bool is_island(const char *w, uint32_t n)
{
	if (n == 1)
		return w[0] == 'i';
	bool good = n >= 3 && w[0] == 'i' && w[1] == 'i';
	for (uint32_t i = 2; i < n && good; i++)
		good = w[i] == 'd';
	return good;
}

static bool is_multiple(const char *w, uint32_t n)
{
	uint32_t d = 0;

	for (uint32_t i = 0; i < n; i++)
		d += w[i] == 'd';
	return d % 3 == 0;
}

static const struct language languages[] = {
	{ "S -> | <increment> S <decrement>;", is_i_n_d_n },
	{ "S -> | <increment> | <decrement> | <increment> S <increment> | <decrement> S <decrement>;",
	  is_palindrome },
	{ "S -> <increment> | <increment> <increment> B; B -> <decrement> B | <decrement>;", is_island },
	{ "S -> | <increment> S | <decrement> A; A -> <increment> A | <decrement> B;\n"
	  "B -> <increment> B | <decrement> S;",
	  is_multiple },
	/* the same with chains and names that derive nothing */
	{ "S -> T | U; T -> | <increment> S | <decrement> A; U -> <increment> U;\n"
	  "A -> N <increment> A | <decrement> B N; N -> | M; M -> N; B -> <increment> B | <decrement> S;",
	  is_multiple },
};

struct words {
	const struct lp_history *h;
	const struct language *language;
	unsigned k;
	char word[16];
	uint32_t length;
	uint64_t done;
};

/* Is some linearization of A_k, with any of the open calls, in the language? */
static bool some_word(struct words *w)
{
	const struct lp_history *h = w->h;
	bool complete = true, found = false;

	for (uint32_t i = 0; i < h->count; i++)
		complete &= (w->done >> i & 1) || lp_call_is_pending(&h->at[i]);
	if (complete && w->language->accept(w->word, w->length))
		return true;
	for (uint32_t i = 0; i < h->count && !found; i++) {
		bool ready = !(w->done >> i & 1);
		for (uint32_t j = 0; j < h->count && ready; j++)
			ready = (w->done >> j & 1) || !naive_before(h, w->k, j, i);
		if (!ready)
			continue;
		w->word[w->length++] = h->methods.at[h->at[i].method][0];
		w->done |= UINT64_C(1) << i;
		found = some_word(w);
		w->done &= ~(UINT64_C(1) << i);
		w->length--;
	}
	return found;
}

static void check_language(const struct language *language, uint32_t runs, uint64_t seed)
{
	struct lp_spec spec;
	struct lp_error error = { 0 };
	uint32_t in = 0, out = 0;

	lp_spec_parse(&spec, "counter", &error);
	struct lp_kernel *g = lp_kernel_parse("g", language->grammar, strlen(language->grammar),
					      spec.kind, &error);
	if (!g) {
		FAIL("%s\n", error.text);
		return;
	}
	for (uint32_t i = 0; i < runs; i++) {
		struct random_source r = { (seed + i) * UINT64_C(0x2545f4914f6cdd1d) };
		struct lp_history h = { 0 };
		const unsigned k = below(&r, 4);
		const uint32_t calls = 1 + below(&r, 6);
		uint32_t open[3] = { 0 }, next = 0;
		for (int64_t now = 0; next < calls || below(&r, 6); now++) {
			uint32_t *mine = &open[below(&r, 3)];
			if (!*mine && next < calls) {
				const char *name = below(&r, 2) ? "increment" : "decrement";
				struct lp_call c = { .start = now, .end = LP_PENDING,
						     .results = LP_RESULT_UNKNOWN };
				c.method = lp_history_method(&h, name, 9);
				LP_PUSH(&h, c);
				*mine = ++next;
			} else if (*mine && below(&r, 8)) {
				h.at[*mine - 1].end = now;
				h.at[*mine - 1].results = 0;
				*mine = 0;
			}
		}
		/* A language need not be closed under prefixes: all of it, at once. */
		const char *what = i % 4 == 0 && k < 3 ? ways_differ(&h, &spec, g, k) : NULL;
		struct lp_ak_options options = { .k = k, .kernel = g, .every = 1000 };
		struct lp_ak_result result;
		struct words w = { .h = &h, .language = language, .k = k };
		const bool expected = some_word(&w);
		bool returned = false;
		for (uint32_t c = 0; c < h.count; c++)
			returned |= !lp_call_is_pending(&h.at[c]);
		if (what || !lp_ak_check(&h, &spec, &options, &result, &error) ||
		    (returned && (result.violated == expected || (!result.violated && result.reason[0])))) {
			FAIL("%s\nseed %llu, k = %u: %s\n", language->grammar,
			     (unsigned long long)(seed + i), k,
			     what				    ? what :
			     !result.violated && result.reason[0] ? "undecided" :
			     expected				    ? "a word is not found" :
								      "found where there is no word");
			lp_history_print_table(&h, stderr);
			i = runs;
		}
		*(expected ? &in : &out) += 1;
		lp_history_close(&h);
	}
	printf("%.40s...: %u in, %u out\n", language->grammar, in, out);
	lp_kernel_close(g);
}

/* Counts grow forever; the answer must not become wrong or slow. */
static void check_long(void)
{
	struct lp_spec spec;
	struct lp_error error = { 0 };
	struct lp_counts c;

	lp_spec_parse(&spec, "lock", &error);
	char *text = lp_spec_grammar(&spec);
	struct lp_kernel *g = lp_kernel_parse("g", text, strlen(text), spec.kind, &error);
	const struct lp_label lock = { .method = 0 }, unlock = { .method = 2 };
	lp_counts_open(&c, &spec, 2, 0);
	for (uint32_t i = 0; i < 1000000; i++) {
		lp_counts_return(&c, lp_counts_call(&c, &lock), &lock);
		lp_counts_return(&c, lp_counts_call(&c, &unlock), &unlock);
	}
	if (lp_kernel_decide(g, &c, LP_KERNEL_BOTH) != LP_CORRECT ||
	    lp_kernel_decide(g, &c, LP_KERNEL_SEARCH) != LP_CORRECT ||
	    lp_kernel_decide(g, &c, LP_KERNEL_PROGRAM) != LP_CORRECT)
		FAIL("a long run of a lock is not found right\n");
	lp_counts_return(&c, lp_counts_call(&c, &unlock), &unlock);
	if (lp_kernel_decide(g, &c, LP_KERNEL_BOTH) != LP_WRONG ||
	    lp_kernel_decide(g, &c, LP_KERNEL_SEARCH) == LP_CORRECT ||
	    lp_kernel_decide(g, &c, LP_KERNEL_PROGRAM) != LP_WRONG)
		FAIL("one unlock too many is not found\n");
	if (c.spans.count > 200)
		FAIL("%u spans are kept\n", c.spans.count);
	lp_counts_close(&c);
	lp_kernel_close(g);
	lp_free(text);
}

/* Two readers, then a writer, over and over, looked at all the time. */
static void check_long_rwlock(void)
{
	struct lp_spec spec;
	struct lp_error error = { 0 };
	struct lp_counts c;

	lp_spec_parse(&spec, "rwlock", &error);
	char *text = lp_spec_grammar(&spec);
	struct lp_kernel *g = lp_kernel_parse("g", text, strlen(text), spec.kind, &error);
	const struct lp_label round[] = { { .method = 0 }, { .method = 2 }, { .method = 3 }, { .method = 5 } };
	lp_counts_open(&c, &spec, 2, 0);
	for (uint32_t i = 0; i < 2000; i++)
		for (uint32_t step = 0; step < 4; step++) {
			const uint32_t calls = step < 2 ? 2 : 1; /* that overlap */
			uint64_t epoch[2];
			for (uint32_t j = 0; j < calls; j++)
				epoch[j] = lp_counts_call(&c, &round[step]);
			for (uint32_t j = 0; j < calls; j++) {
				lp_counts_return(&c, epoch[j], &round[step]);
				if (i % 10 == 0 && lp_kernel_decide(g, &c, LP_KERNEL_BOTH) != LP_CORRECT)
					FAIL("round %u, step %u of a right rwlock\n", i, step);
			}
		}
	for (uint32_t step = 0; step < 3; step += 2) /* a reader and a writer */
		lp_counts_return(&c, lp_counts_call(&c, &round[step ? 2 : 0]), &round[step ? 2 : 0]);
	if (lp_kernel_decide(g, &c, LP_KERNEL_BOTH) != LP_WRONG)
		FAIL("a writer beside a reader is not found after a long time\n");
	lp_counts_close(&c);
	lp_kernel_close(g);
	lp_free(text);
}

int main(int argc, char **argv)
{
	static const char *const specs[] = { "lock", "lock:anyone", "rwlock", "semaphore:init=0",
					     "semaphore:init=2", "semaphore:init=1,bounded=2" };
	const uint32_t runs = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 500;
	const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	const uint32_t calls = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 6;

	check_messages();
	check_linear();
	check_long();
	check_long_rwlock();
	for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
		check_language(&languages[i], runs, seed);
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
		check_random(specs[i], runs, seed, calls);
	printf("%u compared with programs alone, which left %u undecided\n", compared,
	       undecided_programs);
	if (undecided_programs > compared / 20)
		FAIL("programs leave too much undecided\n");
	return expect_status();
}
