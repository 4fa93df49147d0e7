/* emit_test.c -- a client as a C program whose assertion fails, for `linchpin run`.
 *
 * The calls of a lane are made by a thread, in order.  That a call waits for one of another
 * thread is a message: a release store after the one, an acquire load, until it is
 * there, before the other.  Where a value or a lock was handed over without synchronisation, what was
 * written before is read after: a race.  The assertion says that the results are not those of the violation;
 * where nothing is wrong with them, there is none, and linchpin finds what else there is.
 * Calls may wait, rightly so, in executions that are none of this: only those are looked at in
 * which the calls return that did (where they have to for something to be wrong), and no others.
 * Names begin with lp_: those without belong to the object.
 */
#include "report/text/emit_test.h"

#include <string.h>

#include "report/result.h"

/* What is no number. */
static const struct { const char *text, *name; } words[] = {
	{ "empty", "LP_EMPTY" }, { "full", "LP_FULL" }, { "nil", "LP_NIL" }, { "nothing", "LP_VOID" },
};

/* What a result is in C, compared with the variable of the call. */
static void put_comparison(FILE *out, const struct lp_result_client *c, uint32_t call)
{
	const char *result = c->calls[call].result;

	fprintf(out, "lp_result[%u] ", call);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (!strcmp(result, words[i].text)) {
			fprintf(out, "== %s", words[i].name);
			return;
		}
	}
	if (!strncmp(result, "throws ", 7)) {
		fprintf(out, "== lp::thrown<%s>()", result + 7);
		return;
	}
	if (result[0] == '[')
		fprintf(out, "== lp_several(lp_values_%u, sizeof lp_values_%u / sizeof *lp_values_%u)", call, call,
			call);
	else if (!strcmp(result, "true"))
		fputs("!= 0", out);
	else
		fprintf(out, "== %s", strcmp(result, "false") ? result : "0");
}

/* Numbers, and what is none as C has it: "1, nil, 2". */
static void put_words(FILE *out, const char *at, size_t size)
{
	const char *end = at + size;

	while (at < end) {
		const size_t between = strspn(at, "()[], "), length = strcspn(at + between, "()[], ");
		const char *word = at + between, *name = NULL;
		for (size_t i = 0; i < sizeof words / sizeof *words; i++)
			if (strlen(words[i].text) == length && !memcmp(word, words[i].text, length))
				name = words[i].name;
		fwrite(at, 1, between, out);
		fprintf(out, "%.*s", name ? (int)strlen(name) : (int)length, name ? name : word);
		at = word + length;
	}
}

/* "cas(1, nil, 2)" as C has it. */
static void put_expression(FILE *out, const char *text)
{
	const size_t length = strcspn(text, "(");

	fprintf(out, "lp_method_%.*s", (int)length, text);
	put_words(out, text + length, strlen(text) - length);
}

/* Results of several values, to compare with: "[1, nil]". */
static void put_values(FILE *out, const struct lp_result_client *c)
{
	for (uint32_t i = 0; i < c->count; i++) {
		const char *result = c->calls[i].result;
		if (!result || result[0] != '[')
			continue;
		fprintf(out, "static const int64_t lp_values_%u[] = { ", i);
		put_words(out, result + 1, strlen(result) - 2);
		fputs(" };\n", out);
	}
}

static void put_result(FILE *out, const struct lp_result_client *c, uint32_t call)
{
	fprintf(out, "\tlp_result[%u] = ", call);
	put_expression(out, c->calls[call].text);
	fputs(";\n", out);
}

static bool is_waited_for(const struct lp_result_client *c, uint32_t call)
{
	for (uint32_t i = 0; i < c->wait_count; i++)
		if (c->waits[i][0] == call)
			return true;
	return false;
}

/* Is something wrong also if all calls return, but for those that are stuck, or before? */
static bool needs_returns(const struct lp_result *r)
{
	return strcmp(r->kind, "deadlock") && strcmp(r->kind, "liveness") && strcmp(r->kind, "endless loop");
}

/* A call that should never have waited: the others return what they did, and it does not. */
static void put_stuck(FILE *out, const struct lp_result_client *c, uint32_t call)
{
	if (!c->calls[call].stuck && !c->calls[call].result)
		return;
	fputs("\t__VERIFIER_assume(", out);
	if (c->calls[call].stuck)
		fputc('0', out);
	else
		put_comparison(out, c, call);
	fputs(");\n", out);
}

/* If the call returned what was handed over; a lock, which returns nothing, has been handed over. */
static void put_seen(FILE *out, const struct lp_result_client *c, uint32_t call)
{
	fputc('\t', out);
	if (c->calls[call].result) {
		fputs("if (", out);
		put_comparison(out, c, call);
		fputs(")\n\t\t", out);
	}
	fputs("lp_seen = lp_data;\n", out);
}

static void put_call(FILE *out, const struct lp_result *r, uint32_t call)
{
	const struct lp_result_client *c = r->violation->client;

	for (uint32_t i = 0; i < c->wait_count; i++)
		if (c->waits[i][1] == call)
			fprintf(out, "\twhile (!__atomic_load_n(&lp_done[%u], __ATOMIC_ACQUIRE))\n\t\t;\n",
				c->waits[i][0]);
	if (c->missing && call == c->missing_from)
		fputs("\tlp_data = 1; /* to be seen after the value, or the lock, is received */\n", out);
	put_result(out, c, call);
	if (c->missing && call == c->missing_to)
		put_seen(out, c, call);
	if (!strcmp(r->kind, "stuck"))
		put_stuck(out, c, call);
	if (is_waited_for(c, call) || (needs_returns(r) && !c->calls[call].stuck))
		fprintf(out, "\t__atomic_store_n(&lp_done[%u], 1, __ATOMIC_RELEASE);\n", call);
}

static void put_threads(FILE *out, const struct lp_result *r)
{
	const struct lp_result_client *c = r->violation->client;

	for (uint32_t lane = 1; lane < c->lanes; lane++) {
		fprintf(out, "static void *lp_lane_%u(void *unused)\n{\n\t(void)unused;\n", lane);
		for (uint32_t i = c->pre; i < c->count; i++)
			if (c->calls[i].lane == lane)
				put_call(out, r, i);
		fputs("\treturn NULL;\n}\n\n", out);
	}
}

/* The results are those of the violation.  If there are none, it is wrong that all calls return. */
static void put_assertion(FILE *out, const struct lp_result_client *c)
{
	const char *separator = "\tassert(!(";

	for (uint32_t i = 0; i < c->count; i++) {
		if (!c->calls[i].result)
			continue;
		fputs(separator, out);
		put_comparison(out, c, i);
		separator = " && ";
	}
	fputs(*separator == ' ' ? "));\n" : "\tassert(!\"these calls return\");\n", out);
}

static void put_main(FILE *out, const struct lp_result *r)
{
	const struct lp_result_client *c = r->violation->client;

	fputs("int main(void)\n{\n\tpthread_t thread[LP_LANES];\n\n"
	      "\tlp_client_blocks(LP_HARNESS_SETUP);\n", out);
	for (uint32_t i = 0; i < c->pre; i++)
		put_result(out, c, i);
	for (uint32_t lane = 1; lane < c->lanes; lane++)
		fprintf(out, "\tpthread_create(&thread[%u], NULL, lp_lane_%u, NULL);\n", lane, lane);
	for (uint32_t i = c->pre; i < c->count && needs_returns(r); i++)
		if (!c->calls[i].stuck)
			fprintf(out, "\t__VERIFIER_assume(__atomic_load_n(&lp_done[%u], __ATOMIC_ACQUIRE));\n", i);
	for (uint32_t lane = 1; lane < c->lanes; lane++)
		fprintf(out, "\tpthread_join(thread[%u], NULL);\n", lane);
	if (!strcmp(r->kind, "not linearizable"))
		put_assertion(out, c);
	fputs("\tlp_client_blocks(LP_HARNESS_INVARIANT);\n\tlp_client_blocks(LP_HARNESS_TEARDOWN);\n"
	      "\treturn 0;\n}\n", out);
}

void lp_emit_test(FILE *out, const struct lp_result *r, const char *object)
{
	const struct lp_result_client *c = r->violation->client;

	fprintf(out, "/* A client of '%s' that goes wrong (%s): linchpin run finds it. */\n",
		r->subject, r->kind);
	fprintf(out, "#include \"%s\"\n\n#undef NDEBUG\n#include <assert.h>\n#include <pthread.h>\n\n",
		object);
	fprintf(out, "enum { LP_LANES = %u, LP_CALLS = %u };\n\n", c->lanes, c->count);
	fputs("static int64_t lp_result[LP_CALLS];\nstatic int lp_done[LP_CALLS];\n\n"
	      "void __VERIFIER_assume(int);\n"
	      "extern const struct lp_harness_entry *const __start_lp_harness[];\n"
	      "extern const struct lp_harness_entry *const __stop_lp_harness[];\n\n"
	      "__attribute__((no_sanitize(\"thread\"))) static void lp_client_blocks(int kind)\n{\n"
	      "\tfor (const struct lp_harness_entry *const *e = __start_lp_harness;\n"
	      "\t     e != __stop_lp_harness; e++)\n"
	      "\t\tif ((*e)->kind == kind)\n\t\t\t(*e)->body(NULL);\n}\n\n", out);
	put_values(out, c);
	if (c->missing)
		fputs("int lp_data, lp_seen;\n\n", out);
	put_threads(out, r);
	put_main(out, r);
}
