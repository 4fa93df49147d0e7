/* emit.c -- a client as a C program whose assertion fails, for `linchpin run`.
 *
 * The calls of a lane are made by a thread, in order.  That a call waits for one of another
 * thread is a message: a release store after the one, an acquire load, until it is
 * there, before the other.  The assertion says that the results are not those of the violation.
 */
#include "report/emit.h"

#include <string.h>

#include "report/result.h"

/* What a result is in C, compared with the variable of the call. */
static void put_comparison(FILE *out, const struct lp_result_client *c, uint32_t call)
{
	static const char *const words[][2] = { { "empty", "== LP_EMPTY" }, { "full", "== LP_FULL" },
						{ "nil", "== LP_NIL" },     { "nothing", "== LP_VOID" },
						{ "true", "!= 0" },         { "false", "== 0" } };
	const char *result = c->calls[call].result;

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (!strcmp(result, words[i][0])) {
			fprintf(out, "result[%u] %s", call, words[i][1]);
			return;
		}
	}
	fprintf(out, "result[%u] == %s", call, result);
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
			fprintf(out, "\twhile (!__atomic_load_n(&done[%u], __ATOMIC_ACQUIRE))\n\t\t;\n",
				c->waits[i][0]);
	fprintf(out, "\tresult[%u] = lp_method_%s;\n", call, c->calls[call].text);
	if (is_waited_for(c, call))
		fprintf(out, "\t__atomic_store_n(&done[%u], 1, __ATOMIC_RELEASE);\n", call);
}

static void put_threads(FILE *out, const struct lp_result_client *c)
{
	for (uint32_t lane = 1; lane < c->lanes; lane++) {
		fprintf(out, "static void *thread_%u(void *unused)\n{\n\t(void)unused;\n", lane);
		for (uint32_t i = c->pre; i < c->count; i++)
			if (c->calls[i].lane == lane)
				put_call(out, c, i);
		fputs("\treturn NULL;\n}\n\n", out);
	}
}

static void put_main(FILE *out, const struct lp_result_client *c)
{
	const char *separator = "";

	fputs("int main(void)\n{\n\tpthread_t thread[LANES];\n\n"
	      "\tlp_client_blocks(LP_HARNESS_SETUP);\n", out);
	for (uint32_t i = 0; i < c->pre; i++)
		fprintf(out, "\tresult[%u] = lp_method_%s;\n", i, c->calls[i].text);
	for (uint32_t lane = 1; lane < c->lanes; lane++)
		fprintf(out, "\tpthread_create(&thread[%u], NULL, thread_%u, NULL);\n", lane, lane);
	for (uint32_t lane = 1; lane < c->lanes; lane++)
		fprintf(out, "\tpthread_join(thread[%u], NULL);\n", lane);
	fputs("\tassert(!(", out);
	for (uint32_t i = 0; i < c->count; i++) {
		if (!c->calls[i].result)
			continue;
		fputs(separator, out);
		put_comparison(out, c, i);
		separator = " && ";
	}
	fprintf(out, "%s));\n\treturn 0;\n}\n", *separator ? "" : "0");
}

void lp_emit_test(FILE *out, const struct lp_result *r, const char *object)
{
	const struct lp_result_client *c = r->violation->client;

	fprintf(out, "/* A client of '%s' that goes wrong (%s): linchpin run finds it. */\n",
		r->subject, r->kind);
	fprintf(out, "#include \"%s\"\n\n#undef NDEBUG\n#include <assert.h>\n#include <pthread.h>\n\n",
		object);
	fprintf(out, "enum { LANES = %u, CALLS = %u };\n\n", c->lanes, c->count);
	fputs("static int64_t result[CALLS];\nstatic int done[CALLS];\n\n"
	      "extern const struct lp_harness_entry *const __start_lp_harness[];\n"
	      "extern const struct lp_harness_entry *const __stop_lp_harness[];\n\n"
	      "static void lp_client_blocks(int kind)\n{\n"
	      "\tfor (const struct lp_harness_entry *const *e = __start_lp_harness;\n"
	      "\t     e != __stop_lp_harness; e++)\n"
	      "\t\tif ((*e)->kind == kind)\n\t\t\t(*e)->body(NULL);\n}\n\n", out);
	put_threads(out, c);
	put_main(out, c);
}
