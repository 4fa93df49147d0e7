/* deliver.c -- delivers results to the terminal, to standard output as JSON, and to files. */
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
#include "report/results/forecast_report.h"
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

/* Can the file be written later?  Its present contents are kept. */
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

/* ---- forms ---- */

/* A result on its way into a form. */
struct delivery {
	const struct lp_options *options;
	const struct lp_result *result;
	const char *root;   /* what paths are relative to */
	const char *report; /* what is said about it; NULL: as on the terminal */
};

static const char *suite_of(const struct lp_options *o, char out[64])
{
	snprintf(out, 64, "linchpin %s", lp_cli_commands[o->command].name);
	return out;
}

static void one_json(FILE *out, const struct delivery *d)
{
	lp_json_result(out, d->result);
}

static void one_junit(FILE *out, const struct delivery *d)
{
	char suite[64];

	lp_junit_case(out, suite_of(d->options, suite), d->result, d->report);
}

/* The result without the name of a file that does not exist. */
static struct lp_result of_file(const struct lp_result *r)
{
	struct lp_result named = *r;

	named.subject.name = r->subject.is_stream ? NULL : r->subject.name;
	return named;
}

static void one_sarif(FILE *out, const struct delivery *d)
{
	const struct lp_result r = of_file(d->result);

	lp_sarif_result(out, &r, d->root);
}

static void one_lcov(FILE *out, const struct delivery *d)
{
	if (d->result->cover)
		lp_lcov_coverage(out, d->result->cover);
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
		fputs(p->text[LP_FORM_JUNIT][i], out);
	lp_junit_end(out);
}

static void write_sarif(FILE *out, const struct lp_options *o, const struct lp_pieces *p)
{
	const char **errors = lp_alloc(sizeof *errors * (p->count + 1));
	char root[LP_PLACE_ROOM];
	struct lp_sarif_log log = { .version = LP_VERSION, .root = root, .results = (const char *const *)p->text[LP_FORM_SARIF],
				    .result_count = p->count, .errors = errors };

	(void)o;
	lp_place_root(root);
	for (uint32_t i = 0; i < p->count; i++)
		if (p->rows[i].verdict == LP_RESULT_ERROR)
			errors[log.error_count++] = p->rows[i].what;
	lp_sarif_write(out, &log);
	lp_free(errors);
}

static const struct form {
	enum lp_option_id option;
	void (*one)(FILE *, const struct delivery *);
	void (*file)(FILE *, const struct lp_options *, const struct lp_pieces *);
} forms[LP_FORMS] = {
#define LP_FORM(name, one, file) { LP_OPT_##name, one, file },
#include "cli/forms.def"
#undef LP_FORM
};

/* The file to write in that form, or NULL: JSON goes to standard output. */
static const char *file_of(const struct lp_options *o, enum lp_form form)
{
	return form == LP_FORM_JSON ? NULL : o->at[forms[form].option].text;
}

bool lp_deliver_open(const struct lp_options *o, struct lp_error *error)
{
	static const enum lp_option_id later[] = { LP_OPT_HTML, LP_OPT_TRACE, LP_OPT_EMIT_TEST, LP_OPT_OUTPUT };
	bool good = true;

	for (size_t i = 0; i < sizeof later / sizeof *later; i++)
		if (!is_writable(o->at[later[i]].text, error))
			return false;
	for (enum lp_form f = 0; f < LP_FORMS && good; f++)
		good = create(file_of(o, f), error);
	return good;
}

static bool writes_files(const struct lp_options *o)
{
	for (enum lp_form f = 0; f < LP_FORMS; f++)
		if (file_of(o, f))
			return true;
	return false;
}

/* ---- pieces ---- */

void lp_pieces_open(struct lp_pieces *p, const struct lp_options *o, struct lp_object_row *rows, uint32_t count)
{
	*p = (struct lp_pieces){ .rows = rows, .count = count };
	for (enum lp_form f = 0; f < LP_FORMS; f++)
		if (given(o, forms[f].option))
			p->text[f] = lp_alloc_zero(count + 1, sizeof *p->text[f]);
}

void lp_pieces_close(struct lp_pieces *p)
{
	for (enum lp_form f = 0; f < LP_FORMS; f++) {
		for (uint32_t i = 0; p->text[f] && i < p->count; i++)
			lp_free(p->text[f][i]);
		lp_free(p->text[f]);
	}
}

static char *text_of(enum lp_form form, const struct delivery *d)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (out) {
		forms[form].one(out, d);
		fclose(out);
	}
	char *kept = lp_strdup(text ? text : "");
	free(text);
	return kept;
}

void lp_pieces_add(struct lp_pieces *p, uint32_t i, const struct lp_options *o, const struct lp_result *r, const char *report)
{
	char root[LP_PLACE_ROOM];
	const struct delivery d = { o, r, root, report };

	lp_place_root(root);
	lp_object_row_fill(&p->rows[i], r);
	for (enum lp_form f = 0; f < LP_FORMS; f++)
		if (file_of(o, f))
			p->text[f][i] = text_of(f, &d);
}

bool lp_deliver_files(const struct lp_options *o, const struct lp_pieces *p)
{
	bool good = true;

	for (enum lp_form f = 0; f < LP_FORMS; f++) {
		const char *name = file_of(o, f);
		FILE *out = name ? fopen(name, "w") : NULL;

		if (out && forms[f].file)
			forms[f].file(out, o, p);
		for (uint32_t i = 0; out && !forms[f].file && i < p->count; i++)
			fputs(p->text[f][i], out);
		if (name && (!out || ferror(out) | fclose(out))) {
			fprintf(stderr, "linchpin: cannot write '%s': %s\n", name, strerror(errno));
			good = false;
		}
	}
	return good;
}

/* ---- the terminal, and all together ---- */

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
	return writes_files(o) || wants_marks();
}

/* Standard output is for scripts, so annotations go to standard error, which the service reads as well. */
void lp_deliver_marks(const struct lp_result *r)
{
	const struct lp_result named = of_file(r);
	char root[LP_PLACE_ROOM];

	lp_place_root(root);
	if (wants_marks())
		lp_github_annotation(stderr, &named, root);
}

static void show(const struct lp_options *o, const struct lp_result *r)
{
	struct lp_terminal terminal = terminal_of(o);

	if (r->verdict == LP_RESULT_ERROR) {
		terminal = lp_terminal_on(stderr);
		lp_terminal_result(&terminal, r);
	}
	if (given(o, LP_OPT_JSON))
		lp_json_result(o->piece ? o->piece->file[LP_FORM_JSON] : stdout, r);
	else if (r->verdict != LP_RESULT_ERROR && !(o->piece && terminal.quiet))
		lp_terminal_result(&terminal, r);
}

static void add_piece(const struct lp_options *o, const struct lp_result *r, const char *root)
{
	const struct delivery d = { .options = o, .result = r, .root = root };

	for (enum lp_form f = 0; f < LP_FORMS; f++)
		if (o->piece->file[f] && f != LP_FORM_JSON) /* show() writes that */
			forms[f].one(o->piece->file[f], &d);
	lp_object_row_fill(o->piece->row, r);
}

int lp_deliver(const struct lp_options *o, const struct lp_result *r)
{
	const int status = lp_cli_exit_status(r->verdict);
	char root[LP_PLACE_ROOM];

	lp_place_root(root);
	show(o, r);
	lp_deliver_marks(r);
	if (o->piece) {
		add_piece(o, r, root);
		return status;
	}
	if (!writes_files(o))
		return status;
	struct lp_object_row row;
	struct lp_pieces one;
	lp_pieces_open(&one, o, &row, 1);
	one.seconds = r->seconds;
	lp_pieces_add(&one, 0, o, r, NULL);
	const bool good = lp_deliver_files(o, &one);
	lp_pieces_close(&one);
	return good ? status : LP_EXIT_USAGE;
}

int lp_deliver_error(const struct lp_options *o, const struct lp_error *error)
{
	return lp_deliver(o, &(struct lp_result){
		.verdict = LP_RESULT_ERROR,
		.subject.name = o->operand_count ? o->operands[0] : NULL,
		.text = error->text,
		.hint = error->hint[0] ? error->hint : NULL,
	});
}

int lp_deliver_all(const struct lp_options *o, const struct lp_pieces *p)
{
	const struct lp_terminal terminal = terminal_of(o);

	if (given(o, LP_OPT_JSON))
		lp_json_objects(stdout, p->rows, (const char *const *)p->text[LP_FORM_JSON], p->count, p->seconds);
	else if (!terminal.quiet)
		lp_terminal_objects(&terminal, p->rows, p->count, p->seconds);
	return lp_deliver_files(o, p) ? lp_cli_exit_status(lp_objects_verdict(p->rows, p->count)) :
				   LP_EXIT_USAGE;
}

int lp_deliver_forecast(const struct lp_options *o, const struct lp_forecast_report *f)
{
	(given(o, LP_OPT_JSON) ? lp_forecast_report_json : lp_forecast_report_text)(stdout, f);
	return 0;
}
