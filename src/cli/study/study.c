/* study.c -- `linchpin study`: compares tables of expected verdicts with the actual ones.
 *
 * Each row runs in its own process, by the command that a user would type.  So a row that crashes or never ends does
 * not affect the others.
 */
#include "cli/commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/deliver.h"
#include "cli/study/study_job.h"
#include "cli/study/study_done.h"
#include "cli/study/study_reports.h"
#include "cli/study/study_words.h"
#include "frontend/compile/compile.h"
#include "report/formats/json.h"
#include "report/text/progress.h"
#include "report/text/terminal.h"
#include "report/words.h"
#include "verify/interrupt.h"

enum { PATH_ROOM = 1024, FOUND_WIDTH = 27 };
static const double fast_limit = 300, slow_limit = 3600; /* seconds */

struct study {
	const struct lp_options *options;
	char zoo[PATH_ROOM];
	struct lp_arena arena;
	struct lp_study_rows rows;        /* those that are run, in order */
	struct lp_study_answer *answers;  /* of each */
	bool *done;
	struct lp_study_done kept;        /* --checkpoint */
	uint32_t printed, ended, failed;
	struct lp_jobs *jobs;
	uint32_t room;                    /* rows at once, in this rank */
	uint32_t next, latest;            /* the next row to be run; the one that was started last */
	struct {
		LP_VEC(uint32_t);
	} again;                          /* rows that another rank could not run */
	double started;
	bool json, quiet;
	struct lp_terminal terminal;
	struct lp_progress_line line;
};

static const char *colour(const struct study *s, const char *code)
{
	return s->terminal.colour ? code : "";
}

/* ---- output ---- */

static void put_row(struct study *s, uint32_t i)
{
	const struct lp_study_row *row = &s->rows.at[i];
	const bool good = lp_study_answer_is_expected(&s->answers[i], row);
	char expected[LP_STUDY_SAY_ROOM], found[LP_STUDY_SAY_ROOM], paper[LP_STUDY_SAY_ROOM];

	if (s->json || (s->quiet && good))
		return;
	lp_study_say_expected(expected, row);
	lp_study_say_found(found, &s->answers[i]);
	printf("%s%s%7.2f s  %-*s  %-*s  ", good ? "" : colour(s, "\033[31m"), good ? " " : "!",
	       s->answers[i].seconds, FOUND_WIDTH, expected, FOUND_WIDTH, found);
	lp_study_put_command(stdout, row, s->zoo, &s->arena, true);
	if (row->at[LP_STUDY_SOURCE])
		printf("  [%s]", row->at[LP_STUDY_SOURCE]);
	lp_study_say_paper(paper, row, &s->answers[i]);
	if (paper[0])
		printf("  %s%s%s", paper, row->at[LP_STUDY_NOTE] ? "; note: " : "", row->at[LP_STUDY_NOTE] ? row->at[LP_STUDY_NOTE] : "");
	puts(good ? "" : colour(s, "\033[0m"));
}

/* In the order of the tables, whatever the order in which they end. */
static void put_rows(struct study *s)
{
	if (s->printed < s->rows.count && s->done[s->printed])
		lp_progress_line_erase(&s->line);
	for (; s->printed < s->rows.count && s->done[s->printed]; s->printed++)
		put_row(s, s->printed);
	fflush(stdout);
}

static void show_progress(struct study *s)
{
	char text[160], time[LP_WORDS_ROOM];

	lp_words_duration(time, lp_jobs_now() - s->started);
	snprintf(text, sizeof text, "%u of %u rows, %u not as expected, %s; running: %u (%s)", s->ended, s->rows.count, s->failed, time,
		 lp_jobs_running(s->jobs), s->rows.at[s->latest].at[LP_STUDY_FILE]);
	lp_progress_line_write(&s->line, text);
}

static void put_text_summary(struct study *s)
{
	char time[LP_WORDS_ROOM];

	lp_words_duration(time, lp_jobs_now() - s->started);
	for (uint32_t i = 0; i < s->rows.count; i++) {
		const struct lp_study_row *row = &s->rows.at[i];
		char expected[LP_STUDY_SAY_ROOM], found[LP_STUDY_SAY_ROOM];
		if (!s->done[i] || lp_study_answer_is_expected(&s->answers[i], row))
			continue;
		lp_study_say_expected(expected, row);
		lp_study_say_found(found, &s->answers[i]);
		printf("\n%s:%u: expected %s, found %s\n  linchpin ", row->table, row->line,
		       expected, found);
		lp_study_put_command(stdout, row, s->zoo, &s->arena, false);
		if (row->at[LP_STUDY_NOTE])
			printf("\n  note: %s", row->at[LP_STUDY_NOTE]);
		putchar('\n');
	}
	printf("%s%u of %u rows match, in %s\n", s->quiet ? "" : "\n", s->ended - s->failed,
	       s->rows.count, time);
}

static void put_json_row(struct study *s, struct lp_json *j, uint32_t i)
{
	const struct lp_study_row *row = &s->rows.at[i];
	const struct lp_study_answer *a = &s->answers[i];

	lp_json_begin(j, NULL, '{');
	lp_json_text(j, "table", row->table);
	lp_json_number(j, "line", row->line);
	for (int c = 0; c < LP_STUDY_COLUMNS; c++)
		lp_json_text(j, lp_study_column_names[c], row->at[c]);
	lp_json_begin(j, "found", '{');
	lp_json_text(j, "verdict", a->verdict);
	lp_json_text(j, "kind", a->kind[0] ? a->kind : NULL);
	if (a->calls)
		lp_json_number(j, "calls", a->calls);
	if (a->text[0])
		lp_json_text(j, "text", a->text);
	lp_json_number(j, "executions", a->executions);
	if (a->states)
		lp_json_number(j, "states", a->states);
	if (a->transitions)
		lp_json_number(j, "transitions", a->transitions);
	if (a->schedules)
		lp_json_number(j, "schedules", a->schedules);
	lp_json_real(j, "seconds", a->seconds);
	if (a->figure > 0)
		lp_json_real(j, "figure", a->figure);
	lp_json_end(j);
	lp_json_bool(j, "as_expected", lp_study_answer_is_expected(a, row));
	lp_json_end(j);
}

static void put_json_summary(struct study *s)
{
	struct lp_json j = lp_json_on(stdout);

	lp_json_begin(&j, NULL, '{');
	lp_json_number(&j, "rows", s->rows.count);
	lp_json_number(&j, "as_expected", s->ended - s->failed);
	lp_json_real(&j, "seconds", lp_jobs_now() - s->started);
	lp_json_begin(&j, "results", '[');
	for (uint32_t i = 0; i < s->rows.count; i++)
		if (s->done[i])
			put_json_row(s, &j, i);
	lp_json_end(&j);
	lp_json_end(&j);
	putchar('\n');
}

/* ---- running ---- */

static double limit_of(const struct study *s, const struct lp_study_row *row)
{
	const struct lp_option_value *time = &s->options->at[LP_OPT_TIME];

	if (time->given)
		return time->seconds;
	return lp_study_is_slow(row) ? slow_limit : fast_limit;
}

static bool start_row(struct study *s, uint32_t row, bool here, struct lp_error *error)
{
	const struct lp_option_value *memory = &s->options->at[LP_OPT_MEMORY];
	const bool uncached = s->options->at[LP_OPT_NO_COMPILE_CACHE].given;
	const char *const more[] = { "--json", uncached ? "--no-compile-cache" : "--json",
				     memory->given ? "--memory" : NULL, memory->text, NULL };
	struct lp_study_words words = { 0 };
	struct lp_bytes line = { 0 };
	bool good = lp_study_command(&s->rows.at[row], s->zoo, more, &s->arena, &words, error);

	if (good) {
		lp_study_job_describe(&line, &words);
		good = lp_jobs_give(s->jobs, &(struct lp_rank_job){ row, limit_of(s, &s->rows.at[row]), line.at, line.count }, here, error);
	}
	s->latest = row;
	lp_free(line.at);
	lp_free(words.at);
	return good;
}

static void take_answer(struct study *s, uint32_t row)
{
	s->done[row] = true;
	s->ended++;
	if (!lp_study_answer_is_expected(&s->answers[row], &s->rows.at[row]))
		s->failed++;
}

/* Those that were done by another process. */
static void take_answers(struct study *s)
{
	for (uint32_t i = 0; i < s->rows.count; i++)
		if (s->done[i])
			take_answer(s, i);
	put_rows(s);
}

/* As many as there is room for. */
static bool start_rows(struct study *s, struct lp_error *error)
{
	bool good = true;

	while (good && s->again.count && lp_jobs_has_room(s->jobs, true))
		good = start_row(s, s->again.at[--s->again.count], true, error);
	for (; good && s->next < s->rows.count; s->next++) {
		if (s->done[s->next]) /* by another process, before */
			continue;
		if (!lp_jobs_has_room(s->jobs, false))
			break;
		good = start_row(s, s->next, false, error);
	}
	return good;
}

static bool take_result(struct study *s, const struct lp_job_result *result, struct lp_error *error)
{
	const uint32_t row = result->number;

	lp_study_job_answer(&s->answers[row], result);
	if (lp_study_job_is_to_repeat(&s->answers[row], result)) {
		LP_PUSH(&s->again, row);
		return true;
	}
	take_answer(s, row);
	put_rows(s);
	return lp_study_done_keep(&s->kept, false, error);
}

/* Runs all rows, or those before an interrupt or an error. */
static bool run_rows(struct study *s, struct lp_error *error)
{
	struct lp_job_result result;
	bool good = true;

	for (;;) {
		if (!lp_interrupt_reason() && good)
			good = start_rows(s, error);
		else
			lp_jobs_stop(s->jobs);
		if (!lp_jobs_running(s->jobs))
			break;
		show_progress(s);
		lp_jobs_wait(s->jobs);
		while (lp_jobs_next(s->jobs, &result))
			if (!lp_interrupt_reason() && good)
				good = take_result(s, &result, error);
	}
	lp_progress_line_erase(&s->line);
	return good;
}

/* Drops the rows that were not asked for. */
static void select_rows(struct study *s)
{
	const bool slow = s->options->at[LP_OPT_SLOW].given;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < s->rows.count; i++) {
		bool wanted = slow || !lp_study_is_slow(&s->rows.at[i]);
		for (int f = 0; wanted && f < s->options->operand_count; f++)
			wanted = lp_study_matches(&s->rows.at[i], s->options->operands[f]);
		if (wanted)
			s->rows.at[kept++] = s->rows.at[i];
	}
	s->rows.count = kept;
}

/* Better before the first row is run than in the middle. */
static bool are_commands(struct study *s, struct lp_error *error)
{
	static const char *const nothing[] = { NULL };
	struct lp_study_words words = { 0 };
	bool good = true;

	for (uint32_t i = 0; good && i < s->rows.count; i++)
		good = lp_study_command(&s->rows.at[i], s->zoo, nothing, &s->arena, &words, error);
	lp_free(words.at);
	return good;
}

static bool study_open(struct study *s, struct lp_error *error)
{
	const struct lp_options *options = s->options;
	const struct lp_option_value *zoo = &options->at[LP_OPT_ZOO];

	if (options->flag_count)
		return lp_fail(error, "'linchpin study' takes no compiler flags: rows have theirs");
	if (zoo->given)
		snprintf(s->zoo, sizeof s->zoo, "%s", zoo->text);
	else if (!lp_study_find_zoo(s->zoo, sizeof s->zoo, error))
		return false;
	if (!lp_study_read(s->zoo, &s->arena, &s->rows, error))
		return false;
	select_rows(s);
	if (!s->rows.count)
		return lp_fail(error, "no row of the tables in '%s' matches", s->zoo);
	if (!are_commands(s, error))
		return false;
	s->answers = lp_alloc_zero(s->rows.count, sizeof *s->answers);
	s->done = lp_alloc_zero(s->rows.count, sizeof *s->done);
	s->started = lp_jobs_now();
	s->kept.answers = s->answers;
	s->kept.done = s->done;
	return lp_study_done_open(&s->kept, options, &s->rows, s->zoo, &s->arena, error);
}

static void study_close(struct study *s)
{
	lp_free(s->again.at);
	lp_study_done_close(&s->kept);
	lp_free(s->answers);
	lp_free(s->done);
	lp_free(s->rows.at);
	lp_arena_close(&s->arena);
}

static int study(struct study *s, struct lp_error *error)
{
	lp_compile_begin_serving(s->room < s->rows.count ? s->room : s->rows.count);
	lp_interrupt_open();
	if (!s->json && !s->quiet)
		printf("   time    %-*s  %-*s  row\n", FOUND_WIDTH, "expected", FOUND_WIDTH, "found");
	take_answers(s);
	const bool good = run_rows(s, error) && lp_study_done_keep(&s->kept, true, error);
	const char *why = lp_interrupt_reason();
	lp_interrupt_close();
	lp_compile_end_serving();
	if (!good)
		return lp_deliver_error(s->options, error);
	if (s->json)
		put_json_summary(s);
	else
		put_text_summary(s);
	if (why)
		fprintf(stderr, "linchpin: %s\n", why);
	if (why && s->kept.file.held)
		fprintf(stderr, "hint: to go on, add --resume %s\n", s->kept.file.path);
	const struct lp_study_found found = { s->zoo, &s->rows, s->answers, s->done,
					      lp_jobs_now() - s->started };
	if (!lp_study_reports(s->options, &found, &s->arena))
		return LP_EXIT_USAGE;
	return s->failed ? LP_EXIT_VIOLATION : why ? LP_EXIT_INCONCLUSIVE : LP_EXIT_VERIFIED;
}

/* Of each rank, if there are several. */
static uint32_t rows_at_once(const struct lp_options *options)
{
	const long processors = sysconf(_SC_NPROCESSORS_ONLN);

	if (options->at[LP_OPT_JOBS].given)
		return (uint32_t)options->at[LP_OPT_JOBS].count;
	return options->working || processors < 1 ? 1 : (uint32_t)processors;
}

int lp_cli_study(const struct lp_options *options)
{
	const bool json = options->at[LP_OPT_JSON].given;
	const uint32_t room = rows_at_once(options);
	struct study s = { .options = options,
			   .jobs = lp_jobs_open(options->working, room, lp_study_job_work, NULL),
			   .room = room,
			   .json = json,
			   .quiet = options->at[LP_OPT_QUIET].given,
			   .terminal = lp_terminal_on(stdout),
			   .line = lp_progress_line_open(!json) };
	struct lp_error error = { .hint = "" };

	if (lp_jobs_serves(s.jobs)) {
		lp_compile_begin_serving(room);
		lp_interrupt_open(); /* rank 0 decides when to stop */
		lp_jobs_serve(s.jobs);
	}
	const int status = study_open(&s, &error) ? study(&s, &error) :
						    lp_deliver_error(options, &error);
	study_close(&s);
	lp_jobs_close(s.jobs);
	return status;
}
