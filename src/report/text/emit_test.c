/* emit_test.c -- a client as a program, in C or C++, whose assertion fails: for `linchpin run`, or natively.
 *
 * Each lane is a thread, which makes its calls in order.  If a call must come after a call of another thread, a message
 * orders them: a release store after the first call, and before the second an acquire load that is repeated until it
 * reads the message.  If the violation is that a value or a lock was handed over without synchronisation,
 * one thread writes a variable before its call, and the other thread reads the variable after its call: this is a race.
 * The assertion says that the results are not those of the violation.  If the results are correct, and the violation is
 * another error, there is no assertion, and linchpin finds that error.  An execution ends as soon as a call returns
 * another result than in the violation.
 * If the error depends on which calls return, main() only considers executions in which the same calls return as in the
 * violation, because in other executions calls may be allowed to wait.  If the specification lets no
 * call wait, main() does not need this restriction, which saves most of the executions.
 *
 * Without linchpin the client is tried many times, each time in its own process, since many objects cannot be
 * initialised again.  Names begin with lp_: those without belong to the object.
 */
#include "report/text/emit_test.h"

#include <string.h>

#include "report/result.h"

/* What is not a number. */
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

/* Writes the values as C: numbers, and the names of values that are not numbers: "1, nil, 2". */
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

/* Does the violation require that calls return which did?  Not if it is a deadlock or an endless loop. */
static bool needs_returns(const struct lp_result *r)
{
	return r->error != LP_ERROR_DEADLOCK && r->error != LP_ERROR_LIVENESS && r->error != LP_ERROR_ENDLESS;
}

/* Has main() to ask which calls have returned?  Not if all did, and none may wait: one that does is an error, too. */
static bool asks_returns(const struct lp_result *r)
{
	const struct lp_result_client *c = r->violation->client;
	bool waits = !c->prompt;

	for (uint32_t i = 0; i < c->count; i++)
		waits |= c->calls[i].stuck || c->calls[i].open;
	return needs_returns(r) && waits;
}

/* Leaves out executions in which the call returns another result than in the violation, or returns although it did not. */
static void put_outcome(FILE *out, const struct lp_result_client *c, uint32_t call)
{
	if (!c->calls[call].stuck && !c->calls[call].result)
		return;
	fputs("\tLP_ASSUME(", out);
	if (c->calls[call].stuck)
		fputc('0', out);
	else
		put_comparison(out, c, call);
	fputs(");\n", out);
}

/* Reads the variable if the call returned the value that was handed over.  A lock returns nothing, and is always
 * handed over. */
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

/* Is it wrong because of what calls returned, or did not? */
static bool is_judged(const struct lp_result *r)
{
	return r->error == LP_ERROR_STUCK || r->error == LP_ERROR_NOT_LINEARIZABLE;
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
	if (is_judged(r))
		put_outcome(out, c, call);
	if (is_waited_for(c, call) || (asks_returns(r) && !c->calls[call].stuck))
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

/* Calls that had not returned need not return: results are compared before their threads are joined. */
static bool has_open(const struct lp_result_client *c)
{
	for (uint32_t i = c->pre; i < c->count; i++)
		if (c->calls[i].open)
			return true;
	return false;
}

static void put_main(FILE *out, const struct lp_result *r)
{
	const struct lp_result_client *c = r->violation->client;
	const bool judged = r->error == LP_ERROR_NOT_LINEARIZABLE, early = judged && has_open(c) && asks_returns(r);

	fputs("static int lp_client(void)\n{\n\tpthread_t thread[LP_LANES];\n\n"
	      "\tlp_client_blocks(LP_HARNESS_SETUP);\n", out);
	for (uint32_t i = 0; i < c->pre; i++)
		put_result(out, c, i);
	for (uint32_t lane = 1; lane < c->lanes; lane++)
		fprintf(out, "\tpthread_create(&thread[%u], NULL, lp_lane_%u, NULL);\n", lane, lane);
	for (uint32_t i = c->pre; i < c->count && asks_returns(r); i++)
		if (!c->calls[i].stuck && !(early && c->calls[i].open))
			fprintf(out, "\tLP_RETURNED(__atomic_load_n(&lp_done[%u], __ATOMIC_ACQUIRE));\n", i);
	if (early)
		put_assertion(out, c);
	for (uint32_t lane = 1; lane < c->lanes; lane++)
		fprintf(out, "\tpthread_join(thread[%u], NULL);\n", lane);
	if (judged && !early)
		put_assertion(out, c);
	fputs("\tlp_client_blocks(LP_HARNESS_INVARIANT);\n\tlp_client_blocks(LP_HARNESS_TEARDOWN);\n"
	      "\treturn 0;\n}\n", out);
}

/* What linchpin provides, and how it is done without it. */
static const char provided[] =
	"#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
	"#ifdef __linchpin__\n"
	"void __VERIFIER_assume(int);\n"
	"#define LP_ASSUME(condition) __VERIFIER_assume(condition)\n"
	"#define LP_RETURNED(condition) __VERIFIER_assume(condition)\n"
	"#else\n"
	"#ifndef __cplusplus /* no headers: an object may have a function link() of its own */\n"
	"int fork(void);\n"
	"int waitpid(int, int *, int);\n"
	"unsigned alarm(unsigned);\n"
	"void _exit(int);\n"
	"#endif\n"
	"#define LP_ASSUME(condition) ((condition) ? (void)0 : _exit(0))\n"
	"#define LP_RETURNED(condition) ((void)0)\n"
	"int64_t lp_call_argument(unsigned index) { (void)index; return 0; }\n"
	"void lp_call_returns(int64_t result) { (void)result; }\n"
	"void lp_invariant_broken(void) { abort(); }\n"
	"void lp_point(int64_t result) { (void)result; }\n"
	"void lp_outcome(const char *text) { (void)text; }\n"
	"unsigned lp_choose(unsigned count) { return (unsigned)rand() % count; }\n"
	"void *lp_pool_alloc(size_t size) { return malloc(size); }\n"
	"void lp_pool_free(void *block) { (void)block; /* it may still be read */ }\n"
	"unsigned lp_thread(void)\n{\n"
	"\tstatic unsigned last;\n\tstatic __thread unsigned mine;\n\n"
	"\treturn mine ? mine : (mine = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED));\n}\n"
	"void lp_partial_lock(struct lp_partial *l)\n{\n"
	"\twhile (__atomic_exchange_n(&l->word, 1, __ATOMIC_ACQUIRE))\n\t\t;\n}\n"
	"void lp_partial_unlock(struct lp_partial *l) { __atomic_store_n(&l->word, 0, __ATOMIC_RELEASE); }\n"
	"int64_t lp_several(const int64_t *values, unsigned count)\n{\n"
	"\tuint64_t sum = count;\n\n"
	"\tfor (unsigned i = 0; i < count; i++)\n"
	"\t\tsum = (sum ^ (uint64_t)values[i]) * 1099511628211u;\n"
	"\treturn (int64_t)sum;\n}\n"
	"#endif\n"
	"extern const struct lp_harness_entry *const __start_lp_harness[];\n"
	"extern const struct lp_harness_entry *const __stop_lp_harness[];\n"
	"#ifdef __cplusplus\n}\n#endif\n\n"
	"__attribute__((no_sanitize(\"thread\"))) static void lp_client_blocks(int kind)\n{\n"
	"\tfor (const struct lp_harness_entry *const *e = __start_lp_harness;\n"
	"\t     e != __stop_lp_harness; e++)\n"
	"\t\tif ((*e)->kind == kind)\n\t\t\t(*e)->body(NULL);\n}\n\n";

/* How the client is run: once under linchpin, else many times. */
static const char mains[] =
	"#ifdef __linchpin__\n"
	"int main(void)\n{\n\treturn lp_client();\n}\n"
	"#else\n"
	"int main(int argc, char **argv)\n{\n"
	"\tconst long times = argc > 1 ? atol(argv[1]) : 10000;\n\n"
	"\tfor (long i = 1; i <= times; i++) {\n"
	"\t\tint status = 0;\n"
	"\t\tconst int child = fork(); /* with an object that is new */\n\n"
	"\t\tif (!child) {\n"
	"\t\t\talarm(5);\n"
	"\t\t\texit(lp_client());\n"
	"\t\t}\n"
	"\t\tif (child < 0 || waitpid(child, &status, 0) < 0) {\n"
	"\t\t\tperror(\"cannot start a process\");\n"
	"\t\t\treturn 2;\n"
	"\t\t}\n"
	"\t\tif (status == 14 && !LP_HANGS) /* the alarm: calls may wait */\n"
	"\t\t\tcontinue;\n"
	"\t\tif (status) {\n"
	"\t\t\tfprintf(stderr, \"attempt %ld went wrong\\n\", i);\n"
	"\t\t\treturn 1;\n"
	"\t\t}\n"
	"\t}\n"
	"\tprintf(\"nothing went wrong in %ld attempts\\n\", times);\n"
	"\treturn 0;\n}\n"
	"#endif\n";

/* Within a comment, which it must not end: what has an asterisk is in quotes. */
static void put_in_comment(FILE *out, const char *text)
{
	for (; *text; text++) {
		putc(*text, out);
		if (text[0] == '*' && text[1] == '/')
			fputs("''", out); /* nothing, between quotes */
	}
}

static void put_head(FILE *out, const struct lp_result *r, const struct lp_emitted *e)
{
	fprintf(out, "/* A client of '%s' that goes wrong (%s).\n *\n *     ", r->subject.name, r->kind);
	put_in_comment(out, e->run);
	fputs("\n *\n * finds out how.  Without linchpin it is tried many times, which may or may not hit upon it:\n *\n *     ", out);
	put_in_comment(out, e->native);
	fputs(" && ./client 100000\n *\n * and with -fsanitize=thread races are seen.\n */\n", out);
}

void lp_emit_test(FILE *out, const struct lp_result *r, const struct lp_emitted *e)
{
	const struct lp_result_client *c = r->violation->client;
	const bool hangs = !needs_returns(r) || r->error == LP_ERROR_STUCK;

	put_head(out, r, e);
	fprintf(out, "#include \"%s\"\n\n#undef NDEBUG\n#include <assert.h>\n#include <pthread.h>\n"
		"#include <stdio.h>\n#include <stdlib.h>\n", e->object);
	fputs("#if defined __cplusplus && !defined __linchpin__\n#include <sys/wait.h>\n#include <unistd.h>\n#endif\n\n", out);
	fprintf(out, "enum { LP_LANES = %u, LP_CALLS = %u, LP_HANGS = %d };\n\n", c->lanes, c->count, hangs);
	fprintf(out, "static int64_t lp_result[LP_CALLS];\n%s\n",
		c->wait_count || asks_returns(r) ? "static int lp_done[LP_CALLS];\n" : "");
	fputs(provided, out);
	put_values(out, c);
	if (c->missing)
		fputs("int lp_data, lp_seen;\n\n", out);
	put_threads(out, r);
	put_main(out, r);
	fputs(mains, out);
}
