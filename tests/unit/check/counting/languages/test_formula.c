/* test_formula.c -- counters, and formulae on them.
 *
 *     test_formula [RUNS [SEED]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../ak_naive.h"
#include "base/error.h"
#include "check/counting/ak.h"
#include "check/counting/counts.h"
#include "check/counting/languages/formula.h"
#include "check/counting/languages/kernel.h"
#include "../disorder.h"
#include "expect.h"
#include "spec/traits.h"

static struct lp_formulae *parse(const char *text, const char *kind, struct lp_error *error)
{
	return lp_formulae_parse("f", text, strlen(text), lp_kind_named(kind), error);
}

static void check_messages(void)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "", "f:1:1: expected a violation or a requirement, not the end" },
		{ "violation v = true", "f:1:19: expected ';', not the end" },
		{ "violation = true;", "f:1:11: expected a name, not '='" },
		{ "violation v =\n  1 + ;", "f:2:7: expected a formula or a number, not ';'" },
		{ "violation v = 1 + 2;", "f:1:15: expected a formula here, not a number" },
		{ "violation v = exists x: x;", "f:1:25: expected a formula here, not a label" },
		{ "violation v = exists x: x + 1 = 2;", "f:1:25: expected a number here, not a label" },
		{ "violation v = exists x: #(1, 0, 0) > 0;", "f:1:27: expected a label here, not a number" },
		{ "violation v = exists x: #(x, 0) > 0;", "f:1:31: expected ',', not ')'" },
		{ "violation v = exists x: shove(x);",
		  "f:1:25: 'shove' is no variable, let, predicate or method of stack" },
		{ "violation v = exists x: SameVal(x);", "f:1:34: expected ',', not ')'" },
		{ "violation v = #(<shove(1)>, 0, 0) > 0;", "f:1:18: stack has no method 'shove'" },
		{ "violation v = #(<push>, 0, 0) > 0;", "f:1:18: push takes 1 argument, not 0" },
		{ "violation v = #(<pop>, 0, 0) > 0;", "f:1:21: pop gives a result: => what?" },
		{ "violation v = 99999999999999999999 > 0;", "f:1:15: the number is too large" },
		{ "violation v = 1 > 0 @;", "f:1:21: '@' has no meaning here" },
		{ "violation v = exists k: true;", "f:1:22: expected the name of a variable, not 'k'" },
		{ "let t(x) = #(x, 0, 0);\nviolation v = exists x: t(x, x) > 0;",
		  "f:2:25: t takes 1 argument, not 2" },
		{ "let t(x) = u(x) > 0;\nlet u(x) = #(x, 0, 0);\nviolation v = exists x: t(x);",
		  "f:1:12: 'u' is no variable, let, predicate or method of stack" },
		{ "let t(x) = #(y, 0, 0);\nviolation v = exists y: t(y) > 0;",
		  "f:1:14: 'y' is no variable, let, predicate or method of stack" },
		{ "loop v = true;", "f:1:1: expected 'let', 'violation' or 'require', not 'loop'" },
		{ "violation v = some i in 0..: true;", "f:1:28: expected a formula or a number, not ':'" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct lp_error error = { 0 };
		struct lp_formulae *f = parse(cases[i].text, "stack", &error);
		if (f)
			FAIL("accepted: %s\n", cases[i].text);
		else if (strcmp(error.text, cases[i].message))
			FAIL("%s\n  says     %s\n  expected %s\n", cases[i].text, error.text,
			     cases[i].message);
		lp_formulae_close(f);
	}
	/* Too deep, too large: an error and not a crash. */
	char *deep = lp_alloc(200100);
	strcpy(deep, "violation v = ");
	memset(deep + 14, '(', 200000);
	deep[200014] = '\0';
	struct lp_error error = { 0 };
	if (parse(deep, "stack", &error) || !strstr(error.text, "nested too deeply"))
		FAIL("200,000 parentheses: %s\n", error.text);
	for (size_t i = 0; i + 4 < 200000; i += 4)
		memcpy(deep + 14 + i, "not ", 4);
	if (parse(deep, "stack", &error) || !strstr(error.text, "nested too deeply"))
		FAIL("50,000 negations: %s\n", error.text);
	size_t used = (size_t)sprintf(deep, "let a0 = true;");
	for (int i = 1; i < 40; i++)
		used += (size_t)sprintf(deep + used, "let a%d = a%d and a%d;", i, i - 1, i - 1);
	sprintf(deep + used, "violation v = a39;");
	if (parse(deep, "stack", &error) || !strstr(error.text, "too large"))
		FAIL("2^39 conjuncts: %s\n", error.text);
	lp_free(deep);
}

/* Is the first statement of `text` broken by the whole of the history, with this k? */
static bool is_broken(const char *text, const char *kind, const char *table, unsigned k)
{
	struct lp_history h = { 0 };
	struct lp_spec spec;
	struct lp_error error = { 0 };
	struct lp_ak_options options = { .k = k, .every = 1000 };
	struct lp_ak_result r = { 0 };
	struct lp_formulae *f = parse(text, kind, &error);

	options.formulae = f;
	if (!f || !lp_spec_parse(&spec, kind, &error) ||
	    !lp_history_parse(&h, "case", LP_FORMAT_TABLE, table, strlen(table), &error) ||
	    !lp_ak_check(&h, &spec, &options, &r, &error))
		FAIL("%s\n%s\n", error.text, text);
	lp_formulae_close(f);
	lp_history_close(&h);
	return r.violated;
}

static void check_meaning(void)
{
	static const char table[] = "0 1 2 push 1 -\n"  /* [0,0] */
				    "1 3 9 pop - 1\n"   /* [1,3] */
				    "0 4 5 push 2 -\n"  /* [1,1] */
				    "0 6 7 pop - 2\n"   /* [2,2] */
				    "0 8 9 pop - empty\n" /* [3,3] */
				    "2 9 ? push 3 ?\n"; /* [3,3], open */
	static const struct {
		const char *formula;
		unsigned k;
		bool broken;
	} cases[] = {
		{ "violation v = #(<push(1)>, 0, 0) = 1;", 3, true },
		{ "violation v = #(<push(1)>, 1, 1) = 1;", 3, false },
		{ "violation v = #(<pop => 1>, 1, 3) = 1 and #(<pop => 1>, 1, 2) = 0;", 3, true },
		{ "require v = #(<pop => empty>, k, k) = 1;", 3, false },
		{ "violation v = #(<pop => empty>, 2, 2) = 1;", 2, true },
		{ "violation v = #(<push(2)>, 0, 0) = 1 and #(<pop => 1>, 0, 2) = 1;", 2, true },
		{ "violation v = #(<push(3) => pending>, k, k) = 1;", 3, true },
		{ "violation v = #(<push(7)>, 0, 0) = 0;", 3, true },
		{ "violation v = exists x: pop(x) and EmptyVal(x) and #(x, k, k) > 0;", 1, true },
		{ "violation v = exists x, y: push(x) and pop(y) and SameVal(x, y) and #(x, 1, 1) > 0;", 3,
		  true },
		{ "violation v = exists x, y: push(x) and pop(y) and SameVal(x, y) and #(x, 3, 3) > 0;", 3,
		  false },
		{ "violation v = forall x: sum i in 0..k: sum j in i..k: #(x, i, j) = 1;", 3, true },
		{ "violation v = (sum i in 0..k: i * 2 + 1) = 2 * k * 2 - 3 * 2 + 7 and k = 3;", 3, true },
		{ "violation v = forall x: push(x) -> Pending(x) or exists y: pop(y) and SameVal(x, y);", 3,
		  true },
		{ "violation v = not (exists x: HasVal(x) and Removes(x) and Inserts(x));", 0, true },
		{ "violation v = all i in 0..k: some j in 0..k: i + j = k;", 4, true },
		{ "violation v = all i in 3..2: false;", 4, true },
		{ "violation v = false -> false -> false;", 0, true },
		{ "violation v = 1 <= 1 and 1 >= 1 and not 2 <= 1 and not 1 >= 2 and 2 - 1 < 2;", 0, true },
		{ "violation v = true or true and false;", 0, true },
		{ "violation v = exists x, y: not Equal(x, y) and push(x) and push(y);", 0, true },
		{ "let p = 1 < 2; let q(n, x) = n != 2 and p and push(x);\n"
		  "violation v = exists x: q(k, x); // with a comment",
		  3, true },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (is_broken(cases[i].formula, "stack", table, cases[i].k) != cases[i].broken)
			FAIL("k = %u: %s\n", cases[i].k, cases[i].formula);
}

/* The paper's figure 4 as it is printed reports a history that is correct. */
static void check_figure_4(void)
{
	static const char printed[] =
		"let total(x, i, j) = sum a in i..j: sum b in a..j: #(x, a, b);\n"
		"let before(x, y) = some i in 0..k-1:\n"
		"    total(x, 0, i) > 0 and total(y, 0, i) = 0 and total(x, i+1, k) = 0;\n"
		"let match(x, y) = push(x) and pop(y) and SameVal(x, y);\n"
		"violation ev = exists x, y, z: match(x, z) and EmptyVal(y) and before(x, y)\n"
		"    and before(y, z);\n";
	static const char table[] = "0 1 2 push 1 true\n"
				    "1 1 4 pop - empty\n"
				    "0 3 5 pop - 1\n" /* [1,2] */
				    "1 6 7 push 2 true\n";
	/* pop - empty spans [0,1], so that the other pop has to begin at 2. */
	static const char later[] = "0 1 2 push 1 true\n"
				    "1 1 4 pop - empty\n"
				    "2 3 3 push 9 true\n"
				    "0 5 6 pop - 1\n";
	struct lp_history h = { 0 };
	struct lp_spec spec;
	struct lp_error error;

	lp_spec_parse(&spec, "queue", &error);
	lp_history_parse(&h, "case", LP_FORMAT_TABLE, later, strlen(later), &error);
	if (naive_violates(&h, &spec, 2))
		FAIL("the example is wrong\n");
	lp_history_close(&h);
	if (!is_broken(printed, "queue", later, 2))
		FAIL("figure 4 as printed does not report the right history\n");
	if (is_broken(lp_kind_traits(spec.kind)->formulae, "queue", later, 2) ||
	    is_broken(lp_kind_traits(spec.kind)->formulae, "queue", table, 2))
		FAIL("the bundled formulae report a right history\n");
}

/* All counters of A_k, against the intervals of the definition. */
static const char *counters_differ(const struct lp_history *h, const struct lp_spec *spec, unsigned k)
{
	uint64_t epoch[64];
	uint32_t from, to;
	const char *what = NULL;
	struct lp_counts c;

	/* Feed: at each time, starts before ends. */
	lp_counts_open(&c, spec, k, 0);
	for (int64_t now = 0; now < 200; now++)
		for (int end = 0; end < 2; end++)
			for (uint32_t i = 0; i < h->count; i++) {
				const struct lp_call *call = &h->at[i];
				struct lp_label l = { .args = call->args, .results = call->results == 1,
						      .arg = { call->arg[0] }, .result = call->result };
				const char *name = h->methods.at[call->method];
				l.method = (uint8_t)lp_method_named(spec->kind, name, strlen(name));
				if ((end ? call->end : call->start) != now)
					continue;
				if (end)
					lp_counts_return(&c, epoch[i], &l);
				else
					epoch[i] = lp_counts_call(&c, &l);
			}
	const uint32_t n = naive_length(h), base = n > k ? n - k : 0;
	uint64_t sum = 0;
	for (uint32_t i = 0; i < c.labels.count; i++)
		for (from = 0; from <= k; from++)
			for (to = from; to <= k; to++)
				sum += lp_counts_number(&c, i, from, to);
	if (sum != h->count || c.now != n)
		what = "calls are missing, or too many, or the length differs";
	for (uint32_t i = 0; i < h->count && !what; i++) {
		const struct lp_call *call = &h->at[i];
		struct lp_label l = { .args = call->args, .results = call->results == 1,
				      .arg = { call->arg[0] }, .result = call->result,
				      .pending = lp_call_is_pending(call) };
		const char *name = h->methods.at[call->method];
		uint64_t expected = 0;
		l.method = (uint8_t)lp_method_named(spec->kind, name, strlen(name));
		naive_interval(h, i, &from, &to);
		const uint32_t x = from > base ? from - base : 0, y = to > base ? to - base : 0;
		for (uint32_t j = 0; j < h->count; j++) {
			const struct lp_call *other = &h->at[j];
			naive_interval(h, j, &from, &to);
			expected += other->method == call->method &&
				    (!call->args || other->arg[0] == call->arg[0]) &&
				    lp_call_is_pending(other) == lp_call_is_pending(call) &&
				    (lp_call_is_pending(call) || other->result == call->result) &&
				    (from > base ? from - base : 0) == x &&
				    (to > base ? to - base : 0) == y;
		}
		const uint32_t id = lp_counts_find(&c, &l);
		if (id == UINT32_MAX || lp_counts_number(&c, id, x, y) != expected)
			what = "a counter differs from the definition";
	}
	lp_counts_close(&c);
	return what;
}

/* The bundled formulae report only what A_k forbids, and no earlier than the rules. */
static const char *formulae_differ(const struct lp_history *h, const struct lp_spec *spec,
				   const struct lp_formulae *f, unsigned k, uint32_t *found)
{
	struct lp_ak_options options = { .k = k, .formulae = f };
	struct lp_ak_result text, rules;
	struct lp_error error;
	const char *what = NULL;

	if (!lp_ak_check(h, spec, &options, &text, &error))
		return "does not bind";
	options.formulae = NULL;
	if (!lp_ak_check(h, spec, &options, &rules, &error))
		return "does not bind";
	if (text.violated) {
		struct lp_history part;
		naive_prefix(&part, h, text.call);
		if (!naive_violates(&part, spec, k))
			what = "the formulae report what A_k allows";
		lp_free(part.at);
		if (!rules.violated || rules.events > text.events)
			what = "the rules find less than the formulae";
		++*found;
	}
	return what;
}

static void check_random(uint32_t runs, uint64_t seed, const char *kind)
{
	struct lp_spec spec;
	struct lp_error error = { 0 };
	uint32_t found = 0;

	lp_spec_parse(&spec, kind, &error);
	struct lp_formulae *f = parse(lp_kind_traits(spec.kind)->formulae, kind, &error);
	if (!f) {
		FAIL("%s\n", error.text);
		return;
	}
	for (uint32_t i = 0; i < runs; i++) {
		struct random_source r = { (seed + i) * UINT64_C(0x2545f4914f6cdd1d) };
		struct lp_history h = { 0 };
		const unsigned k = below(&r, 5);
		disorder(&h, &spec, 1 + below(&r, 8), &r);
		const char *what = counters_differ(&h, &spec, k);
		if (!what)
			what = formulae_differ(&h, &spec, f, k, &found);
		if (what) {
			FAIL("%s, seed %llu, k = %u: %s\n", kind, (unsigned long long)(seed + i), k, what);
			lp_history_print_table(&h, stderr);
			i = runs;
		}
		lp_history_close(&h);
	}
	printf("%s: %u histories, %u violations found by formulae\n", kind, runs, found);
	lp_formulae_close(f);
}

/* Dropping labels of values that are gone changes no answer, and bounds the memory. */
static void check_copies(uint64_t seed)
{
	struct lp_spec spec;
	struct lp_error error = { 0 };
	struct lp_formulae *f;
	uint32_t most = 0, broken = 0;

	lp_spec_parse(&spec, "queue", &error);
	f = parse(lp_kind_traits(spec.kind)->formulae, "queue", &error);
	for (uint32_t run = 0; run < 3; run++) {
		struct random_source r = { (seed + run) * UINT64_C(0x2545f4914f6cdd1d) };
		struct lp_counts few, all;
		int64_t fifo[8], next = 0;
		uint32_t there = 0;
		bool same = true;

		lp_counts_open(&few, &spec, 2, lp_formulae_copies(f));
		lp_counts_open(&all, &spec, 2, 0);
		for (uint32_t step = 0; step < 400 && same; step++) {
			/* Calls in pairs that overlap; now and then out of order. */
			struct lp_label l[2];
			uint64_t epoch[2][2];
			for (uint32_t i = 0; i < 2; i++) {
				const bool takes = there == 4 || (there && below(&r, 2));
				l[i] = (struct lp_label){ .method = takes, .args = !takes, .results = 1,
							  .result = 1 };
				if (takes) {
					const uint32_t which = step > 40 && below(&r, 30) == 0 ?
								       there - 1 : 0;
					l[i].result = fifo[which];
					memmove(fifo + which, fifo + which + 1,
						sizeof *fifo * (--there - which));
				} else {
					l[i].arg[0] = fifo[there++] = ++next;
				}
				epoch[i][0] = lp_counts_call(&few, &l[i]);
				epoch[i][1] = lp_counts_call(&all, &l[i]);
			}
			for (uint32_t i = 0; i < 2; i++) {
				lp_counts_return(&few, epoch[i][0], &l[i]);
				lp_counts_return(&all, epoch[i][1], &l[i]);
			}
			const uint32_t x = lp_formulae_broken(f, &few, NULL, 0, NULL);
			if (x != UINT32_MAX || step % 60 == 0)
				same = x == lp_formulae_broken(f, &all, NULL, 0, NULL);
			broken += x != UINT32_MAX;
			if (few.labels.count > most)
				most = few.labels.count;
		}
		if (!same)
			FAIL("copies, seed %llu: dropping labels changes the answer\n",
			     (unsigned long long)(seed + run));
		lp_counts_close(&few);
		lp_counts_close(&all);
	}
	printf("copies: at most %u labels of 800 kept; %u times broken\n", most, broken);
	if (most > 300 || !broken)
		FAIL("copies: %u labels are kept, %u times broken\n", most, broken);
	lp_formulae_close(f);
}

/* The block of the manual that begins with this line. */
static char *block_of(const char *manual, const char *line)
{
	char *text = lp_strdup(strstr(manual, line));

	/* It ends before the first line that is neither indented nor empty. */
	for (char *at = strchr(text, '\n'); at; at = strchr(at + 1, '\n'))
		if (at[1] != ' ' && at[1] != '\n') {
			at[1] = '\0';
			break;
		}
	return text;
}

static void check_manual(void)
{
	FILE *f = fopen(LP_MANUAL, "r");
	char *manual = lp_alloc_zero(1, 100000);
	struct lp_error error = { 0 };

	if (!f || !fread(manual, 1, 99999, f))
		FAIL("cannot read '%s'\n", LP_MANUAL);
	if (f)
		fclose(f);
	char *formulae = block_of(manual, "    let total"), *grammar = block_of(manual, "    // many readers");
	struct lp_formulae *a = parse(formulae, "stack", &error);
	if (!a)
		FAIL("the formulae of the manual: %s\n", error.text);
	struct lp_kernel *b = lp_kernel_parse("f", grammar, strlen(grammar), lp_kind_named("rwlock"), &error);
	if (!b)
		FAIL("the grammar of the manual: %s\n", error.text);
	lp_formulae_close(a);
	lp_kernel_close(b);
	lp_free(formulae);
	lp_free(grammar);

	/* Labels: each is one of some kind. */
	char *labels = block_of(manual, "    <push(7)>");
	for (char *at = strchr(labels, '<'); at; at = strchr(at, '<')) {
		char text[100];
		bool known = false;
		char *end = strstr(at, ">   ") ? strstr(at, ">   ") : strchr(at, '\n') - 1;
		snprintf(text, sizeof text, "violation v = #(%.*s, 0, 0) > 0;", (int)(end - at + 1), at);
		for (uint32_t i = 0; i < lp_kind_count() && !known; i++) {
			struct lp_formulae *one = parse(text, lp_kind_at(i)->name, &error);
			known = one != NULL;
			lp_formulae_close(one);
		}
		if (!known)
			FAIL("the manual's %s\n", text);
		at = end;
	}
	lp_free(labels);
	lp_free(manual);
}

/* Spoilt texts are parsed or told what is wrong with them, with a position. */
static void check_mutations(uint64_t seed)
{
	static const char bits[] = "()<>=->#;:,..letkexistsnotand|~0123456789 x";
	uint32_t parsed = 0;

	for (uint32_t i = 0; i < 4000; i++) {
		struct random_source r = { (seed + i) * UINT64_C(0x2545f4914f6cdd1d) };
		struct lp_spec spec;
		struct lp_error error = { 0 };
		const bool grammar = i % 2;
		lp_spec_parse(&spec, grammar ? "rwlock" : below(&r, 2) ? "queue" : "stack", &error);
		char *text = grammar ? lp_spec_grammar(&spec) : lp_strdup(lp_kind_traits(spec.kind)->formulae);
		size_t length = strlen(text);
		for (uint32_t j = 1 + below(&r, 3); j; j--) {
			const size_t at = below(&r, (uint32_t)length);
			if (below(&r, 4) == 0)
				length = at + 1; /* cut off */
			else if (below(&r, 3) == 0)
				memmove(text + at, text + at + 1, --length - at);
			else
				text[at] = bits[below(&r, sizeof bits - 1)];
		}
		bool good;
		if (grammar) {
			struct lp_kernel *g = lp_kernel_parse("f", text, length, spec.kind, &error);
			good = g != NULL;
			lp_kernel_close(g);
		} else {
			struct lp_formulae *f = lp_formulae_parse("f", text, length, spec.kind, &error);
			good = f != NULL;
			lp_formulae_close(f);
		}
		parsed += good;
		if (!good && strncmp(error.text, "f:", 2))
			FAIL("no position: %s\n", error.text);
		lp_free(text);
	}
	printf("mutations: %u of 4000 parsed\n", parsed);
}

int main(int argc, char **argv)
{
	const uint32_t runs = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 5000;
	const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;

	check_messages();
	check_meaning();
	check_figure_4();
	check_random(runs, seed, "queue");
	check_random(runs, seed, "stack");
	check_copies(seed);
	check_mutations(seed);
	check_manual();
	return expect_status();
}
