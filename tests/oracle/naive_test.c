/* naive_test.c -- the naive enumerator against machines, and against itself.
 *
 *     naive_test [COUNT [SEED]]
 *
 * On random programs: its graphs under sc and tso are those that the machines of
 * operational.h leave behind, and verdicts too; what sc allows, every other
 * model allows; and what rc11 allows, rc11-c20 allows.  Fixed programs with known answers: spinning, deadlock, races.
 */
#include "axioms.h"
#include "generate.h"
#include "operational.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static bool contains(const struct graph_set *all, const struct graph_set *some)
{
	uint32_t i = 0;

	for (uint32_t k = 0; k < some->count; k++) {
		while (i < all->count && strcmp(all->at[i], some->at[k]) < 0)
			i++;
		if (i == all->count || strcmp(all->at[i], some->at[k])) {
			printf("  not there: %s\n", some->at[k]);
			return false;
		}
	}
	return true;
}

static void complain(const char *what, uint64_t seed, const char *text)
{
	printf("seed %llu: %s\n%s", (unsigned long long)seed, what, text);
	failures++;
}

static bool agrees_with_machine(const struct lp_script *script, enum lp_model model,
				const struct naive_result *naive)
{
	const struct naive_options options = { .model = model, .weak_fails = true, .plain = true };
	struct naive_result machine;

	operational_enumerate(script, &options, &machine);
	const bool agrees = machine.too_large ||
			    (machine.graphs.count == naive->graphs.count &&
			     contains(&machine.graphs, &naive->graphs) &&
			     machine.stuck == naive->stuck && machine.assertion == naive->assertion);
	if (!agrees)
		printf("machine: %u graphs, stuck %d, assertion %d; naive: %u, %d, %d\n",
		       machine.graphs.count, machine.stuck, machine.assertion, naive->graphs.count,
		       naive->stuck, naive->assertion);
	naive_result_drop(&machine);
	return agrees;
}

/* True if the program was small enough to say something. */
static bool check_program(uint64_t seed, const char *text)
{
	struct lp_script *script = lp_script_parse(text, NULL);
	struct naive_result of[AXIOM_MODELS];
	bool small = true;

	for (int m = 0; m < AXIOM_MODELS; m++) {
		const struct naive_options options = { .model = (enum lp_model)m, .weak_fails = true,
						       .plain = true };
		naive_enumerate(script, &options, &of[m]);
		small &= !of[m].too_large;
	}
	for (int m = 0; small && m < AXIOM_MODELS; m++) {
		if (!contains(&of[m].graphs, &of[LP_MODEL_SC].graphs))
			complain("a graph of sc is missing in another model", seed, text);
		if ((of[LP_MODEL_SC].stuck && !of[m].stuck) ||
		    (of[LP_MODEL_SC].assertion && !of[m].assertion))
			complain("a violation under sc is missing in another model", seed, text);
		if (m <= LP_MODEL_TSO && !agrees_with_machine(script, (enum lp_model)m, &of[m]))
			complain(axiom_model_names[m], seed, text);
	}
	if (small && !contains(&of[LP_MODEL_RC11_C20].graphs, &of[LP_MODEL_RC11].graphs))
		complain("shorter release sequences forbid a graph", seed, text);
	for (int m = 0; m < AXIOM_MODELS; m++)
		naive_result_drop(&of[m]);
	lp_script_drop(script);
	return small;
}

static void expect(const char *text, enum lp_model model, uint32_t graphs, bool stuck, bool race)
{
	struct lp_script *script = lp_script_parse(text, NULL);
	const struct naive_options options = { .model = model, .spin = true };
	struct naive_result found;

	naive_enumerate(script, &options, &found);
	if (found.graphs.count != graphs || found.stuck != stuck || found.race != race ||
	    found.too_large) {
		printf("%u graphs, stuck %d, race %d, too large %d: not as expected of\n%s",
		       found.graphs.count, found.stuck, found.race, found.too_large, text);
		failures++;
	}
	naive_result_drop(&found);
	lp_script_drop(script);
}

static void check_fixed_programs(void)
{
	/* Redundant iterations are left out: one graph for a spin, two for two CAS loops. */
	expect("thread\n L:\n r0 = load.acq x\n if r0 == 0 goto L\nthread\n store.rel x 1\n",
	       LP_MODEL_RC11, 1, false, false);
	expect("thread\n L:\n r0 = load.rlx x\n r1 = cas.rlx.rlx x r0 r0+1\n if r1 != r0 goto L\n"
	       "thread\n L:\n r0 = load.rlx x\n r1 = cas.rlx.rlx x r0 r0+1\n if r1 != r0 goto L\n",
	       LP_MODEL_RC11, 2, false, false);
	/* Waiting for what never comes; and for what may be overwritten. */
	expect("thread\n L:\n r0 = load.acq x\n if r0 == 0 goto L\nthread\n store.rel y 1\n",
	       LP_MODEL_RC11, 0, true, false);
	expect("thread\n await.rlx x 1\nthread\n store.rlx x 1\n store.rlx x 2\n", LP_MODEL_SC, 1, true,
	       false);
	expect("thread\n await.rlx x >= 1\nthread\n store.rlx x 1\n store.rlx x 2\n", LP_MODEL_SC, 2,
	       false, false);
	/* Two locks in opposite orders. */
	expect("thread\n lock m\n lock n\n unlock n\n unlock m\n"
	       "thread\n lock n\n lock m\n unlock m\n unlock n\n",
	       LP_MODEL_RC11, 2, true, false);
	expect("thread\n lock m\n unlock m\nthread\n lock m\n unlock m\nthread\n lock m\n unlock m\n",
	       LP_MODEL_RC11, 6, false, false);
	/* Plain accesses: published by release and acquire, or not. */
	expect("thread\n pstore p 1\n store.rel x 1\nthread\n r0 = load.acq x\n if r0 == 0 goto L\n"
	       " pload p\n L:\n", LP_MODEL_RC11, 2, false, false);
	expect("thread\n pstore p 1\n store.rlx x 1\nthread\n r0 = load.acq x\n if r0 == 0 goto L\n"
	       " pload p\n L:\n", LP_MODEL_RC11, 2, false, true);
	expect("thread\n pstore p 1\n store.rlx x 1\nthread\n r0 = load.acq x\n if r0 == 0 goto L\n"
	       " pload p\n L:\n", LP_MODEL_RA, 2, false, false);
}

/* What the judge knows of the program, as letters: race, misuse, out of bounds, ill-formed,
 * assertion, stuck. */
static void expect_verdict(const char *text, enum lp_model model, const char *want)
{
	struct lp_script *script = lp_script_parse(text, NULL);
	const struct naive_options options = { .model = model, .spin = true, .judge = true,
					       .patience = 1 };
	struct naive_result found;
	char got[8];

	naive_enumerate(script, &options, &found);
	snprintf(got, sizeof got, "%s%s%s%s%s%s", found.race ? "r" : "", found.misuse ? "m" : "",
		 found.out_of_bounds ? "o" : "", found.ill_formed ? "i" : "",
		 found.assertion ? "a" : "", found.stuck ? "s" : "");
	if (strcmp(got, want) || found.too_large) {
		printf("'%s', not '%s' as expected of\n%s", got, want, text);
		failures++;
	}
	naive_result_drop(&found);
	lp_script_drop(script);
}

static void check_fixed_verdicts(void)
{
	/* An access that happens before the free, one that need not, and one after it. */
	expect_verdict("thread\n store.rlx b 1\n store.rel x 1\n"
		       "thread\n await.acq x 1\n free b\n", LP_MODEL_RC11, "");
	expect_verdict("thread\n store.rlx b 1\n store.rlx x 1\n"
		       "thread\n await.acq x 1\n free b\n", LP_MODEL_RC11, "m");
	expect_verdict("thread\n store.rlx b 1\n store.rlx x 1\n"
		       "thread\n await.acq x 1\n free b\n", LP_MODEL_SC, "");
	expect_verdict("thread\n store.rel x 1\n load.rlx b\n"
		       "thread\n await.acq x 1\n free b\n", LP_MODEL_TSO, "m");
	expect_verdict("thread\n free b\n store.rel x 1\n"
		       "thread\n await.acq x 1\n pload b\n", LP_MODEL_RA, "m");
	expect_verdict("thread\n free b\nthread\n free b\n", LP_MODEL_RC11, "m");
	expect_verdict("thread\n lock m\n unlock m\n free m\nthread\n lock m\n unlock m\n",
		       LP_MODEL_RC11, "m");
	/* The allocation is a plain write, and has to come first at any rate. */
	expect_verdict("thread\n alloc b\n store.rel x 1\n"
		       "thread\n await.acq x 1\n pload b\n", LP_MODEL_RC11, "");
	expect_verdict("thread\n alloc b\n store.rlx x 1\n"
		       "thread\n await.acq x 1\n pload b\n", LP_MODEL_RC11, "r");
	expect_verdict("thread\n alloc b\n store.rel x 1\n"
		       "thread\n load.acq x\n store.rlx b 1\n", LP_MODEL_RC11, "ri");
	expect_verdict("thread\n r0 = alloc n@\n store.rel x r0\n"
		       "thread\n r0 = load.acq x\n load.rlx n@r0\n", LP_MODEL_RC11, "o");
	/* A redundant iteration that races, though nothing else comes of it. */
	expect_verdict("thread\n L:\n r0 = load.rlx x\n if r0 != 1 goto M\n pload d\n M:\n"
		       " if r0 != 2 goto L\n store.rlx y 1\n"
		       "thread\n store.rlx x 1\n store.rlx x 2\n await.rlx y 1\n pstore d 1\n",
		       LP_MODEL_RC11, "r");
	/* Who waits looks at what it waits for. */
	expect_verdict("thread\n pstore m 1\n store.rel m 0\nthread\n lock m\n unlock m\n",
		       LP_MODEL_SC, "r");
	expect_verdict("thread\n free x\nthread\n require.rlx x 1\n", LP_MODEL_RC11, "m");
	/* An end that is not reached, and semaphores. */
	expect_verdict("thread\n assume r0 != 0\n free b\nthread\n store.rlx b 1\n", LP_MODEL_RC11, "");
	expect_verdict("thread\n pstore b 1\n post s\nthread\n wait s\n free b\n", LP_MODEL_RC11, "");
	expect_verdict("init s 1\nthread\n pstore b 1\n post s\nthread\n wait s\n free b\n",
		       LP_MODEL_RC11, "m");
	expect_verdict("thread\n wait s\n post s\nthread\n wait s\n post s\n", LP_MODEL_RC11, "s");
	expect_verdict("thread\n r0 = trylock m\n if r0 != 0 goto L\n pstore p 1\n unlock m\n L:\n"
		       "thread\n lock m\n pload p\n unlock m\n", LP_MODEL_RC11, "");
	expect_verdict("thread\n trylock m\n pstore p 1\n unlock m\n"
		       "thread\n lock m\n pload p\n unlock m\n", LP_MODEL_RC11, "r");
}

int main(int argc, char **argv)
{
	const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 300;
	const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	uint64_t small = 0;

	check_fixed_programs();
	check_fixed_verdicts();
	for (uint64_t seed = first; seed < first + count && !failures; seed++) {
		const unsigned features = seed % 3 ? (unsigned)(seed * 7) & 63 & ~4u : 0;
		char *text = generate_script(seed, features, 4 + (unsigned)(seed % 5));

		small += check_program(seed, text);
		free(text);
	}
	printf("%llu programs, of which %llu small enough; %d failures\n", (unsigned long long)count,
	       (unsigned long long)small, failures);
	return failures || small * 2 < count;
}
