/* deliver.c -- where results go. */
#include "cli/deliver.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "report/formats/github.h"
#include "report/formats/json.h"
#include "report/formats/junit.h"
#include "report/formats/sarif.h"
#include "report/results/coverage_report.h"
#include "report/source_place.h"
#include "report/text/terminal.h"

static bool given(const struct lp_options *o, enum lp_option_id id)
{
	return o->at[id].given;
}

static bool create(const char *name, struct lp_error *error)
{
	FILE *out = name ? fopen(name, "w") : NULL;

	if (name && (!out || fclose(out)))
		return lp_fail(error, "cannot write '%s': %s", name, strerror(errno));
	return true;
}

/* Can it be written, when there is something to write?  What is there stays. */
static bool is_writable(const char *name, struct lp_error *error)
{
	const int file = name ? open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
	struct stat status;

	if (file >= 0) {
		close(file);
		unlink(name);
	} else if (name && (errno != EEXIST || access(name, W_OK) || stat(name, &status))) {
		return lp_fail(error, "cannot write '%s': %s", name, strerror(errno));
	} else if (name && S_ISDIR(status.st_mode)) {
		return lp_fail(error, "cannot write '%s': it is a directory", name);
	}
	return true;
}

bool lp_deliver_open(const struct lp_options *o, struct lp_error *error)
{
	static const enum lp_option_id later[] = { LP_OPT_HTML, LP_OPT_TRACE, LP_OPT_EMIT_TEST, LP_OPT_OUTPUT };

	for (size_t i = 0; i < sizeof later / sizeof *later; i++)
		if (!is_writable(o->at[later[i]].text, error))
			return false;
	return create(o->at[LP_OPT_JUNIT].text, error) && create(o->at[LP_OPT_SARIF].text, error) &&
	       create(o->at[LP_OPT_LCOV].text, error);
}

static const char *suite_of(const struct lp_options *o, char out[64])
{
	snprintf(out, 64, "linchpin %s", lp_cli_commands[o->command].name);
	return out;
}

static struct lp_terminal terminal_of(const struct lp_options *o)
{
	struct lp_terminal terminal = lp_terminal_on(stdout);

	terminal.quiet = given(o, LP_OPT_QUIET);
	terminal.verbose = given(o, LP_OPT_VERBOSE);
	terminal.steps = given(o, LP_OPT_LIST_STEPS);
	return terminal;
}

static bool wants_marks(void)
{
	const char *actions = getenv("GITHUB_ACTIONS");
	return actions && !strcmp(actions, "true");
}

bool lp_deliver_wanted(const struct lp_options *o)
{
	return given(o, LP_OPT_JUNIT) || given(o, LP_OPT_SARIF) || wants_marks();
}

/* Standard output belongs to scripts: marks go beside, where the service finds them, too. */
void lp_deliver_marks(const struct lp_result *r, const char *root)
{
	if (wants_marks())
		lp_github_annotation(stderr, r, root);
}

static void show(const struct lp_options *o, const struct lp_result *r)
{
	struct lp_terminal terminal = terminal_of(o);

	if (r->verdict == LP_RESULT_ERROR) {
		terminal = lp_terminal_on(stderr);
		lp_terminal_result(&terminal, r);
	}
	if (given(o, LP_OPT_JSON))
		lp_json_result(o->piece ? o->piece->json : stdout, r);
	else if (r->verdict != LP_RESULT_ERROR && !(o->piece && terminal.quiet))
		lp_terminal_result(&terminal, r);
}

static void add_piece(const struct lp_options *o, const struct lp_result *r, const char *root)
{
	char suite[64];

	if (o->piece->junit)
		lp_junit_case(o->piece->junit, suite_of(o, suite), r, NULL);
	if (o->piece->sarif)
		lp_sarif_result(o->piece->sarif, r, root);
	if (o->piece->lcov && r->cover)
		lp_lcov_coverage(o->piece->lcov, r->cover);
	lp_object_row_fill(o->piece->row, r);
}

static void write_junit(FILE *out, const struct lp_options *o, const struct lp_pieces *p)
{
	struct lp_junit_sums sums = { .cases = p->count, .seconds = p->seconds };
	char suite[64];

	for (uint32_t i = 0; i < p->count; i++) {
		sums.failures += p->rows[i].verdict == LP_RESULT_VIOLATION;
		sums.errors += p->rows[i].verdict == LP_RESULT_INCONCLUSIVE ||
			       p->rows[i].verdict == LP_RESULT_ERROR;
	}
	lp_junit_begin(out, suite_of(o, suite), &sums);
	for (uint32_t i = 0; i < p->count; i++)
		fputs(p->junit[i], out);
	lp_junit_end(out);
}

static void write_sarif(FILE *out, const struct lp_options *o, const struct lp_pieces *p)
{
	const char **errors = lp_alloc(sizeof *errors * (p->count + 1));
	char root[LP_PLACE_ROOM];
	struct lp_sarif_log log = { .version = LP_VERSION, .root = root, .results = p->sarif,
				    .result_count = p->count, .errors = errors };

	(void)o;
	lp_place_root(root);
	for (uint32_t i = 0; i < p->count; i++)
		if (p->rows[i].verdict == LP_RESULT_ERROR)
			errors[log.error_count++] = p->rows[i].what;
	lp_sarif_write(out, &log);
	lp_free(errors);
}

static void write_lcov(FILE *out, const struct lp_options *o, const struct lp_pieces *p)
{
	(void)o;
	for (uint32_t i = 0; p->lcov && i < p->count; i++)
		fputs(p->lcov[i], out);
}

bool lp_deliver_files(const struct lp_options *o, const struct lp_pieces *p)
{
	static const struct {
		enum lp_option_id option;
		void (*write)(FILE *, const struct lp_options *, const struct lp_pieces *);
	} files[] = {
		{ LP_OPT_JUNIT, write_junit }, { LP_OPT_SARIF, write_sarif }, { LP_OPT_LCOV, write_lcov },
	};
	bool good = true;

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		const char *name = o->at[files[i].option].text;
		FILE *out = name ? fopen(name, "w") : NULL;

		if (out)
			files[i].write(out, o, p);
		if (name && (!out || ferror(out) | fclose(out))) {
			fprintf(stderr, "linchpin: cannot write '%s': %s\n", name, strerror(errno));
			good = false;
		}
	}
	return good;
}

char *lp_deliver_text(const struct lp_options *o, const struct lp_result *r, const char *root,
		      bool sarif, const char *report)
{
	char *text = NULL, suite[64];
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (out && sarif)
		lp_sarif_result(out, r, root);
	else if (out)
		lp_junit_case(out, suite_of(o, suite), r, report);
	if (out)
		fclose(out);
	char *kept = lp_strdup(text ? text : "");
	free(text);
	return kept;
}

static char *lcov_text(const struct lp_result *r)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (out && r->cover)
		lp_lcov_coverage(out, r->cover);
	if (out)
		fclose(out);
	char *kept = lp_strdup(text ? text : "");
	free(text);
	return kept;
}

int lp_deliver(const struct lp_options *o, const struct lp_result *r)
{
	const int status = lp_cli_exit_status(r->verdict);
	char root[LP_PLACE_ROOM];

	lp_place_root(root);
	show(o, r);
	lp_deliver_marks(r, root);
	if (o->piece) {
		add_piece(o, r, root);
		return status;
	}
	if (!given(o, LP_OPT_JUNIT) && !given(o, LP_OPT_SARIF) && !given(o, LP_OPT_LCOV))
		return status;
	struct lp_object_row row;
	lp_object_row_fill(&row, r);
	char *junit = lp_deliver_text(o, r, root, false, NULL);
	char *sarif = lp_deliver_text(o, r, root, true, NULL);
	char *lcov = lcov_text(r);
	const struct lp_pieces one = { .rows = &row, .junit = (const char *const *)&junit,
				       .sarif = (const char *const *)&sarif, .lcov = (const char *const *)&lcov,
				       .count = 1, .seconds = r->seconds };
	const bool good = lp_deliver_files(o, &one);
	lp_free(junit);
	lp_free(sarif);
	lp_free(lcov);
	return good ? status : LP_EXIT_USAGE;
}

int lp_deliver_error(const struct lp_options *o, const struct lp_error *error)
{
	return lp_deliver(o, &(struct lp_result){
		.verdict = LP_RESULT_ERROR,
		.subject = o->operand_count ? o->operands[0] : NULL,
		.text = error->text,
		.hint = error->hint[0] ? error->hint : NULL,
	});
}

int lp_deliver_all(const struct lp_options *o, const struct lp_pieces *p)
{
	const struct lp_terminal terminal = terminal_of(o);

	if (given(o, LP_OPT_JSON))
		lp_json_objects(stdout, p->rows, p->json, p->count, p->seconds);
	else if (!terminal.quiet)
		lp_terminal_objects(&terminal, p->rows, p->count, p->seconds);
	return lp_deliver_files(o, p) ? lp_cli_exit_status(lp_objects_verdict(p->rows, p->count)) :
				   LP_EXIT_USAGE;
}
