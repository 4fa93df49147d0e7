/* counts.c -- programs whose number of executions is published.
 *
 * The kernels are those by which stateless model checkers are compared; their
 * counts under RC11 are the same for every exact explorer.
 */
#include "counts.h"

#include "base/error.h"

#include <stdio.h>

struct script_text {
	FILE *out;
	char *text;
	size_t size;
};

static void begin(struct script_text *t)
{
	t->out = open_memstream(&t->text, &t->size);
	if (!t->out)
		LP_BUG("cannot write a script");
}

static char *end(struct script_text *t)
{
	fclose(t->out);
	return t->text;
}

/* n threads, one fetch_add each. */
static char *ainc(unsigned n)
{
	struct script_text t = { 0 };

	begin(&t);
	for (unsigned i = 0; i < n; i++)
		fputs("thread\n add.rlx x 1\n", t.out);
	return end(&t);
}

/* Thread i turns i-1 into i. */
static char *casrot(unsigned n)
{
	struct script_text t = { 0 };

	begin(&t);
	for (unsigned i = 1; i <= n; i++)
		fprintf(t.out, "thread\n cas.rlx.rlx x %u %u\n", i - 1, i);
	return end(&t);
}

static char *readers(unsigned n)
{
	struct script_text t = { 0 };

	begin(&t);
	fputs("thread\n store.rel x 1\n", t.out);
	for (unsigned i = 0; i < n; i++)
		fputs("thread\n load.acq x\n", t.out);
	return end(&t);
}

/* One thread looks for the last zero of a[0..n]; thread j sets a[j] to a[j-1]+1. */
static char *lastzero(unsigned n)
{
	struct script_text t = { 0 };

	begin(&t);
	fputs("thread\n", t.out);
	for (unsigned i = n + 1; i-- > 0;)
		fprintf(t.out, " r0 = load.acq a%u\n if r0 == 0 goto found\n", i);
	fputs(" found:\n", t.out);
	for (unsigned j = 1; j <= n; j++)
		fprintf(t.out, "thread\n r0 = load.acq a%u\n store.rel a%u r0+1\n", j - 1, j);
	return end(&t);
}

static char *fib(unsigned n)
{
	struct script_text t = { 0 };

	begin(&t);
	fputs("init x 1\ninit y 1\n", t.out);
	for (int second = 0; second < 2; second++) {
		fputs("thread\n", t.out);
		for (unsigned i = 0; i < n; i++)
			fprintf(t.out, " r0 = load.acq x\n r1 = load.acq y\n store.rel %c r0+r1\n",
				second ? 'y' : 'x');
	}
	fputs("thread\n r0 = load.acq x\n if r0 > 144 goto out\n r1 = load.acq y\n out:\n", t.out);
	return end(&t);
}

static char *big0(unsigned n)
{
	struct script_text t = { 0 };

	begin(&t);
	fputs("thread\n", t.out);
	for (const char *l = "xyzwxyz"; *l; l++)
		fprintf(t.out, " load.acq %c\n", *l);
	fputs("thread\n load.acq x\n load.acq y\n load.acq z\n", t.out);
	for (const char *pair = "xyzw"; *pair; pair += 2) {
		fputs("thread\n", t.out);
		for (unsigned i = 1; i <= n; i++)
			fprintf(t.out, " store.rel %c %u\n store.rel %c %u\n", pair[0], i, pair[1], i);
	}
	return end(&t);
}

static char *fixed(const char *text)
{
	struct script_text t = { 0 };

	begin(&t);
	fputs(text, t.out);
	return end(&t);
}

static char *sb(unsigned n)
{
	(void)n;
	return fixed("thread\n store.rlx x 1\n load.rlx y\nthread\n store.rlx y 1\n load.rlx x\n");
}

static char *sb_sc(unsigned n)
{
	(void)n;
	return fixed("thread\n store.sc x 1\n load.sc y\nthread\n store.sc y 1\n load.sc x\n");
}

static char *iriw(unsigned n)
{
	(void)n;
	return fixed("thread\n store.rel x 1\nthread\n store.rel y 1\n"
		     "thread\n load.acq x\n load.acq y\nthread\n load.acq y\n load.acq x\n");
}

static char *mp(unsigned n)
{
	(void)n;
	return fixed("thread\n store.rlx x 1\n store.rlx y 1\nthread\n load.rlx y\n load.rlx x\n");
}

static char *lb(unsigned n)
{
	(void)n;
	return fixed("thread\n load.rlx x\n store.rlx y 1\nthread\n load.rlx y\n store.rlx x 1\n");
}

static char *two_plus_two_w(unsigned n)
{
	(void)n;
	return fixed("thread\n store.rlx x 1\n store.rlx y 2\nthread\n store.rlx y 1\n store.rlx x 2\n");
}

const struct count_case count_cases[] = {
	{ "SB", sb, 0, LP_MODEL_SC, 3 },
	{ "SB", sb, 0, LP_MODEL_TSO, 4 },
	{ "SB", sb, 0, LP_MODEL_RA, 4 },
	{ "SB", sb, 0, LP_MODEL_RC11, 4 },
	{ "SB+sc", sb_sc, 0, LP_MODEL_TSO, 3 },
	{ "SB+sc", sb_sc, 0, LP_MODEL_RA, 4 },
	{ "SB+sc", sb_sc, 0, LP_MODEL_RC11, 3 },
	{ "MP", mp, 0, LP_MODEL_SC, 3 },
	{ "MP", mp, 0, LP_MODEL_TSO, 3 },
	{ "MP", mp, 0, LP_MODEL_RA, 3 },
	{ "MP", mp, 0, LP_MODEL_RC11, 4 },
	{ "LB", lb, 0, LP_MODEL_RC11, 3 },
	{ "2+2W", two_plus_two_w, 0, LP_MODEL_SC, 3 },
	{ "2+2W", two_plus_two_w, 0, LP_MODEL_RA, 4 },
	{ "2+2W", two_plus_two_w, 0, LP_MODEL_RC11, 4 },
	{ "IRIW", iriw, 0, LP_MODEL_SC, 15 },
	{ "IRIW", iriw, 0, LP_MODEL_TSO, 15 },
	{ "IRIW", iriw, 0, LP_MODEL_RA, 16 },
	{ "IRIW", iriw, 0, LP_MODEL_RC11, 16 },
	{ "ainc", ainc, 3, LP_MODEL_RC11, 6 },
	{ "ainc", ainc, 7, LP_MODEL_RC11, 5040 },
	{ "ainc", ainc, 7, LP_MODEL_SC, 5040 },
	{ "casrot", casrot, 2, LP_MODEL_RC11, 2 },
	{ "casrot", casrot, 3, LP_MODEL_RC11, 5 },
	{ "casrot", casrot, 4, LP_MODEL_RC11, 14 },
	{ "casrot", casrot, 5, LP_MODEL_RC11, 43 },
	{ "casrot", casrot, 6, LP_MODEL_RC11, 144 },
	{ "casrot", casrot, 7, LP_MODEL_RC11, 523 },
	{ "casrot", casrot, 8, LP_MODEL_RC11, 2048 },
	{ "casrot", casrot, 9, LP_MODEL_RC11, 8597 },
	{ "readers", readers, 4, LP_MODEL_RC11, 16 },
	{ "readers", readers, 13, LP_MODEL_RC11, 8192 },
	{ "lastzero", lastzero, 10, LP_MODEL_RC11, 3328 },
	{ "lastzero", lastzero, 15, LP_MODEL_RC11, 147456 },
	{ "fib", fib, 5, LP_MODEL_RC11, 525630 },
	{ "big0", big0, 3, LP_MODEL_RC11, 82472 },
};
const unsigned count_case_count = sizeof count_cases / sizeof *count_cases;
