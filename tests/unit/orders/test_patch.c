/* test_patch.c -- orders changed in a line of text: the line afterwards, or the reason why it could not be changed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "orders/patch.h"

struct row {
	const char *text;      /* the operation begins at the @, which is taken out */
	const char *operation;
	enum lp_order_use use;
	enum lp_order order, failure;
	const char *wanted;    /* "" if the line is gone; NULL if it cannot be done, ... */
	const char *trouble;   /* ... for this reason */
};

#define LOAD "load", LP_USE_LOAD
#define STORE "store", LP_USE_STORE
#define ADD "fetch_add", LP_USE_RMW
#define XCHG "exchange", LP_USE_RMW
#define CAS "compare-exchange", LP_USE_RMW
#define FENCE "fence", LP_USE_FENCE

static const struct row rows[] = {
	/* C11 */
	{ "a = @atomic_load(&x);", LOAD, LP_ACQ, LP_PLAIN, "a = atomic_load_explicit(&x, memory_order_acquire);", NULL },
	{ "a = @atomic_load_explicit(&x, READ);", LOAD, LP_RLX, LP_PLAIN,
	  "a = atomic_load_explicit(&x, memory_order_relaxed);", NULL },
	{ "@atomic_store(&x, f(1, 2));", STORE, LP_REL, LP_PLAIN,
	  "atomic_store_explicit(&x, f(1, 2), memory_order_release);", NULL },
	{ "@atomic_fetch_add(&x, ')');", ADD, LP_ACQREL, LP_PLAIN,
	  "atomic_fetch_add_explicit(&x, ')', memory_order_acq_rel);", NULL },
	{ "@atomic_compare_exchange_weak(&x, &a, b)", CAS, LP_REL, LP_RLX,
	  "atomic_compare_exchange_weak_explicit(&x, &a, b, memory_order_release, memory_order_relaxed)", NULL },
	{ "@atomic_compare_exchange_weak_explicit(&x, &a, b, memory_order_seq_cst, memory_order_relaxed)", CAS, LP_REL,
	  LP_RLX, "atomic_compare_exchange_weak_explicit(&x, &a, b, memory_order_release, memory_order_relaxed)", NULL },
	{ "@atomic_flag_test_and_set(&f)", XCHG, LP_ACQ, LP_PLAIN,
	  "atomic_flag_test_and_set_explicit(&f, memory_order_acquire)", NULL },
	/* fences */
	{ "@atomic_thread_fence(memory_order_seq_cst);", FENCE, LP_ACQREL, LP_PLAIN,
	  "atomic_thread_fence(memory_order_acq_rel);", NULL },
	{ "	@atomic_thread_fence(memory_order_seq_cst);", FENCE, LP_RLX, LP_PLAIN, "", NULL },
	{ "if (a) @atomic_thread_fence(memory_order_seq_cst);", FENCE, LP_RLX, LP_PLAIN, "if (a) (void)0;", NULL },
	/* C++ */
	{ "a = x.@load();", LOAD, LP_ACQ, LP_PLAIN, "a = x.load(std::memory_order_acquire);", NULL },
	{ "p->x.@store(1, std::memory_order_seq_cst);", STORE, LP_REL, LP_PLAIN,
	  "p->x.store(1, std::memory_order_release);", NULL },
	{ "p->@store(1, std::memory_order::seq_cst);", STORE, LP_REL, LP_PLAIN,
	  "p->store(1, std::memory_order::release);", NULL },
	{ "x.@compare_exchange_strong(a, b, memory_order_acq_rel)", CAS, LP_REL, LP_RLX,
	  "x.compare_exchange_strong(a, b, memory_order_release, memory_order_relaxed)", NULL },
	{ "@std::atomic_thread_fence(std::memory_order_seq_cst);", FENCE, LP_REL, LP_PLAIN,
	  "std::atomic_thread_fence(std::memory_order_release);", NULL },
	/* builtins */
	{ "@__atomic_load_n(&x, __ATOMIC_SEQ_CST)", LOAD, LP_ACQ, LP_PLAIN, "__atomic_load_n(&x, __ATOMIC_ACQUIRE)", NULL },
	{ "@__atomic_store_n(&x, 1, ORDER)", STORE, LP_REL, LP_PLAIN, "__atomic_store_n(&x, 1, __ATOMIC_RELEASE)", NULL },
	{ "@__atomic_compare_exchange_n(&x, &a, b, 0, 5, 5)", CAS, LP_ACQREL, LP_ACQ,
	  "__atomic_compare_exchange_n(&x, &a, b, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)", NULL },
	/* parameters */
	{ "@swing(&q->tail, a, memory_order_acq_rel);", CAS, LP_REL, LP_RLX, "swing(&q->tail, a, memory_order_release);",
	  NULL },
	{ "@swing(&q->tail, a, ORDER);", CAS, LP_REL, LP_RLX, NULL, "no argument is known to be its order" },
	/* what is an argument of a macro has the macro's place */
	{ "@atomic_store_explicit(&x, atomic_load_explicit(&y, READ), WRITE);", LOAD, LP_RLX, LP_PLAIN,
	  "atomic_store_explicit(&x, atomic_load_explicit(&y, memory_order_relaxed), WRITE);", NULL },
	{ "@atomic_store_explicit(&x, atomic_load_explicit(&y, READ), WRITE);", STORE, LP_REL, LP_PLAIN,
	  "atomic_store_explicit(&x, atomic_load_explicit(&y, READ), memory_order_release);", NULL },
	{ "@atomic_exchange(&x, atomic_compare_exchange_strong(&y, &a, b))", XCHG, LP_REL, LP_PLAIN,
	  "atomic_exchange_explicit(&x, atomic_compare_exchange_strong(&y, &a, b), memory_order_release)", NULL },
	/* what cannot be done */
	{ "@x++;", ADD, LP_RLX, LP_PLAIN, NULL, "it is an operator, or comes from a macro" },
	{ "a @= 1;", STORE, LP_RLX, LP_PLAIN, NULL, "it is an operator, or comes from a macro" },
	{ "@__sync_fetch_and_add(&x, 1);", ADD, LP_RLX, LP_PLAIN, NULL, "__sync operations have no order to write" },
	{ "@atomic_load(&x, y, z)", LOAD, LP_RLX, LP_PLAIN, NULL, "it has another number of arguments than expected" },
};

/* Applies a difference that has no line before or after the changed one. */
static void added_lines(const char *difference, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	for (const char *line = difference; *line; line = strchr(line, '\n') + 1)
		if (line[0] == '+' && line[1] != '+')
			used += (size_t)snprintf(out + used, size - used, "%.*s", (int)(strchr(line, '\n') - line - 1),
						 line + 1);
}

static int test_row(const struct row *r)
{
	char text[256], got[512], *difference = NULL;
	const char *at = strchr(r->text, '@');
	size_t size;
	FILE *out = open_memstream(&difference, &size);
	struct lp_order_edit edit = { .line = 1, .column = (uint32_t)(at - r->text) + 1, .use = r->use,
				      .operation = r->operation, .order = r->order, .failure = r->failure };

	snprintf(text, sizeof text, "%.*s%s\n", (int)(at - r->text), r->text, at + 1);
	const uint32_t done = lp_orders_patch(&(struct lp_text){ text, strlen(text) }, &edit, 1, "a", "b", out);
	fclose(out);
	added_lines(difference, got, sizeof got);
	const bool right = r->wanted ? done == 1 && !edit.trouble && !strcmp(got, r->wanted) :
				       !done && edit.trouble && !strcmp(edit.trouble, r->trouble) && !*difference;
	if (!right)
		printf("%s\n  becomes %s (%s)\n", r->text, got, edit.trouble ? edit.trouble : "done");
	free(difference);
	return !right;
}

/* Several edits, lines around them, a line that goes, no newline at the end. */
static int test_whole(void)
{
	static const char text[] = "1\n2\n3\n4\n	atomic_store(&x, 1);\n	atomic_thread_fence(F);\n7\n8\n9\n10\n11\n12\n"
				   "13\n14\natomic_load(&x)";
	static const char wanted[] =
		"--- a/q.c\n+++ b/q.c\n@@ -2,8 +2,7 @@\n 2\n 3\n 4\n-	atomic_store(&x, 1);\n-	atomic_thread_fence(F);\n"
		"+	atomic_store_explicit(&x, 1, memory_order_release);\n 7\n 8\n 9\n@@ -12,4 +11,4 @@\n 12\n 13\n 14\n"
		"-atomic_load(&x)\n\\ No newline at end of file\n+atomic_load_explicit(&x, memory_order_relaxed)\n"
		"\\ No newline at end of file\n";
	struct lp_order_edit edits[] = {
		{ .line = 5, .column = 2, .operation = "store", .use = LP_USE_STORE, .order = LP_REL },
		{ .line = 6, .column = 2, .operation = "fence", .use = LP_USE_FENCE, .order = LP_RLX },
		{ .line = 15, .column = 1, .operation = "load", .use = LP_USE_LOAD, .order = LP_RLX },
	};
	char *got = NULL;
	size_t size;
	FILE *out = open_memstream(&got, &size);
	const uint32_t done = lp_orders_patch(&(struct lp_text){ text, sizeof text - 1 }, edits, 3, "a/q.c", "b/q.c", out);

	fclose(out);
	const bool right = done == 3 && !strcmp(got, wanted);
	if (!right)
		printf("got:\n%s\nwanted:\n%s\n", got, wanted);
	free(got);
	return !right;
}

int main(void)
{
	const size_t count = sizeof rows / sizeof *rows;
	int wrong = test_whole();

	for (size_t i = 0; i < count; i++)
		wrong += test_row(&rows[i]);
	printf("%zu texts, %d wrong\n", count + 1, wrong);
	return wrong ? 1 : 0;
}
