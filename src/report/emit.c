/* emit.c -- a client as a C program whose assertion fails, for `linchpin run`.
 *
 * The calls of a lane are made by a thread, in order.  That a call waits for one of another
 * thread is a message: a release store after the one, an acquire load, until it is
 * there, before the other.  The assertion says that the results are not those of the violation;
 * where nothing is wrong with them, there is none, and linchpin finds what else there is.
 * Names begin with lp_: those without belong to the object.
 */
#include "report/emit.h"

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
	if (!strcmp(result, "true"))
		fputs("!= 0", out);
	else
		fprintf(out, "== %s", strcmp(result, "false") ? result : "0");
}

/* "cas(1, nil, 2)" as C has it. */
static void put_expression(FILE *out, const char *text)
{
	const char *at = text + strcspn(text, "(");

	fprintf(out, "lp_method_%.*s", (int)(at - text), text);
	while (*at) {
		const size_t between = strspn(at, "(), "), length = strcspn(at + between, "(), ");
		const char *word = at + between, *name = NULL;
		for (size_t i = 0; i < sizeof words / sizeof *words; i++)
			if (strlen(words[i].text) == length && !memcmp(word, words[i].text, length))
				name = words[i].name;
		fwrite(at, 1, between, out);
		fprintf(out, "%.*s", name ? (int)strlen(name) : (int)length, name ? name : word);
		at = word + length;
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

static void put_call(FILE *out, const struct lp_result_client *c, uint32_t call)
{
	for (uint32_t i = 0; i < c->wait_count; i++)
		if (c->waits[i][1] == call)
			fprintf(out, "\twhile (!__atomic_load_n(&lp_done[%u], __ATOMIC_ACQUIRE))\n\t\t;\n",
				c->waits[i][0]);
	put_result(out, c, call);
	if (is_waited_for(c, call))
		fprintf(out, "\t__atomic_store_n(&lp_done[%u], 1, __ATOMIC_RELEASE);\n", call);
}

static void put_threads(FILE *out, const struct lp_result_client *c)
{
	for (uint32_t lane = 1; lane < c->lanes; lane++) {
		fprintf(out, "static void *lp_lane_%u(void *unused)\n{\n\t(void)unused;\n", lane);
		for (uint32_t i = c->pre; i < c->count; i++)
			if (c->calls[i].lane == lane)
				put_call(out, c, i);
		fputs("\treturn NULL;\n}\n\n", out);
	}
}

static void put_main(FILE *out, const struct lp_result_client *c, bool results)
{
	const char *separator = "\tassert(!(";

	fputs("int main(void)\n{\n\tpthread_t thread[LP_LANES];\n\n"
	      "\tlp_client_blocks(LP_HARNESS_SETUP);\n", out);
	for (uint32_t i = 0; i < c->pre; i++)
		put_result(out, c, i);
	for (uint32_t lane = 1; lane < c->lanes; lane++)
		fprintf(out, "\tpthread_create(&thread[%u], NULL, lp_lane_%u, NULL);\n", lane, lane);
	for (uint32_t lane = 1; lane < c->lanes; lane++)
		fprintf(out, "\tpthread_join(thread[%u], NULL);\n", lane);
	for (uint32_t i = 0; results && i < c->count; i++) {
		if (!c->calls[i].result)
			continue;
		fputs(separator, out);
		put_comparison(out, c, i);
		separator = " && ";
	}
	if (*separator == ' ')
		fputs("));\n", out);
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
	      "extern const struct lp_harness_entry *const __start_lp_harness[];\n"
	      "extern const struct lp_harness_entry *const __stop_lp_harness[];\n\n"
	      "static void lp_client_blocks(int kind)\n{\n"
	      "\tfor (const struct lp_harness_entry *const *e = __start_lp_harness;\n"
	      "\t     e != __stop_lp_harness; e++)\n"
	      "\t\tif ((*e)->kind == kind)\n\t\t\t(*e)->body(NULL);\n}\n\n", out);
	put_threads(out, c);
	put_main(out, c, !strcmp(r->kind, "not linearizable"));
}
