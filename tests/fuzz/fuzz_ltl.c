/* fuzz_ltl.c -- formulae of linear temporal logic: an error has a caret below the text; a formula has an automaton, and
 * its negation negated is itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "ltl/ltl.h"
#include "ltl/ltl_automaton.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool claim, const char *what)
{
	if (!claim) {
		fprintf(stderr, "%s\n", what);
		abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lp_error error = { .text = "" };
	struct lp_ltl l = { 0 };
	struct lp_ltl_automaton a;
	lp_ltl_id f;

	if (!lp_ltl_parse(&l, (const char *)data, size, &f, &error)) {
		const size_t length = strlen(error.text);
		must(size > 10000 || (length && error.text[length - 1] == '^'), error.text);
	} else {
		must(lp_ltl_not(&l, lp_ltl_not(&l, f)) == f, "twice negated, it is another formula");
		if (lp_ltl_automaton(&a, &l, f, &error)) {
			must(a.first.count == a.states + 1 && a.first.at[a.states] == a.edges.count, "edges without a state");
			for (uint32_t i = 0; i < a.edges.count; i++)
				must(a.edges.at[i].to < a.states, "an edge leads nowhere");
			lp_ltl_automaton_close(&a);
		}
	}
	lp_ltl_close(&l);
	return 0;
}
