/* many.c -- a command for several files, one after the other.
 *
 * Each has a process of its own: limits of time and memory count for each by itself, and
 * whatever happens to one does not concern the others.  What it has to say comes back as
 * texts in files, and as a row of a table in shared memory.
 */
#include "cli/many.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/child_process.h"
#include "base/error.h"
#include "cli/deliver.h"
#include "report/text/terminal.h"
#include "verify/interrupt.h"
#include "verify/usage.h"

enum { JSON, JUNIT, SARIF, LCOV, TEXTS };
enum { INTERNAL_ERROR = 70 };

struct many {
	const struct lp_options *options;
	int (*one)(const struct lp_options *);
	uint32_t count;
	struct lp_object_row *rows; /* shared */
	const char **text[TEXTS];   /* by object; NULL if not asked for */
	bool broken;                /* one of them ended in an internal error */
};

static bool open_many(struct many *m, struct lp_error *error)
{
	static const enum lp_option_id asked[] = { LP_OPT_JSON, LP_OPT_JUNIT, LP_OPT_SARIF, LP_OPT_LCOV };
	static const struct { enum lp_option_id id; const char *name; } single[] = {
		{ LP_OPT_TRACE, "--trace" }, { LP_OPT_EMIT_TEST, "--emit-test" },
		{ LP_OPT_HTML, "--html" },
	};

	for (size_t i = 0; i < sizeof single / sizeof *single; i++)
		if (m->options->at[single[i].id].given)
			return lp_fail(error, "%s is for one object at a time: '%s' or '%s'?",
				       single[i].name, m->options->operands[0],
				       m->options->operands[1]);
	m->count = (uint32_t)m->options->operand_count;
	for (int t = 0; t < TEXTS; t++)
		if (m->options->at[asked[t]].given)
			m->text[t] = lp_alloc_zero(m->count, sizeof *m->text[t]);
	m->rows = mmap(NULL, sizeof *m->rows * m->count, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (m->rows == MAP_FAILED) {
		m->rows = NULL;
		return lp_fail(error, "cannot get memory to share: %s", strerror(errno));
	}
	return true;
}

static void close_many(struct many *m)
{
	for (int t = 0; t < TEXTS; t++) {
		for (uint32_t i = 0; m->text[t] && i < m->count; i++)
			lp_free((char *)m->text[t][i]);
		lp_free(m->text[t]);
	}
	if (m->rows)
		munmap(m->rows, sizeof *m->rows * m->count);
}

static bool open_piece(const struct many *m, struct lp_result_piece *piece, struct lp_error *error)
{
	FILE **const file[TEXTS] = { &piece->json, &piece->junit, &piece->sarif, &piece->lcov };

	for (int t = 0; t < TEXTS; t++)
		if (m->text[t] && !(*file[t] = tmpfile()))
			return lp_fail(error, "cannot write temporary files: %s", strerror(errno));
	return true;
}

/* What was written to the file, whose writer may have been another process.  The file is
 * closed; NULL is fine. */
static char *take_text(FILE *file, bool line)
{
	const long size = file && !fseek(file, 0, SEEK_END) ? ftell(file) : 0;
	char *text = lp_alloc((size_t)size + 1);
	size_t length = 0;

	if (file) {
		rewind(file);
		length = fread(text, 1, (size_t)size, file);
		fclose(file);
	}
	if (line && length && text[length - 1] == '\n')
		length--;
	text[length] = '\0';
	return text;
}

static void take_texts(struct many *m, uint32_t i, struct lp_result_piece *piece)
{
	FILE *const file[TEXTS] = { piece->json, piece->junit, piece->sarif, piece->lcov };

	for (int t = 0; t < TEXTS; t++) {
		if (m->text[t])
			m->text[t][i] = take_text(file[t], t == JSON);
		else if (file[t])
			fclose(file[t]);
	}
}

/* A piece that its process has left unfinished is begun again. */
static void clear_piece(struct lp_result_piece *piece)
{
	FILE *const file[TEXTS] = { piece->json, piece->junit, piece->sarif, piece->lcov };

	for (int t = 0; t < TEXTS; t++)
		if (file[t] && !fseek(file[t], 0, SEEK_SET))
			(void)!ftruncate(fileno(file[t]), 0);
}

/* Waits for the process.  A signal that was meant for all of us reaches it as well, from a
 * terminal; else it is handed on, after a while: a second one is no longer asked politely. */
static int status_of(pid_t child, const sigset_t *chld)
{
	const struct timespec tick = { .tv_nsec = 100000000 };
	int status = 0, ticks = 0;
	pid_t ended;

	while (!(ended = waitpid(child, &status, WNOHANG))) {
		if (lp_interrupt_reason() && ++ticks == 10)
			kill(child, SIGTERM);
		sigtimedwait(chld, NULL, &tick); /* until it ends */
	}
	return ended == child ? status : 0;
}

/* The object's process: how it was started is forgotten, but for where the result goes. */
_Noreturn static void be_one(const struct many *m, const struct lp_options *options,
			     const sigset_t *signals, pid_t parent)
{
	lp_process_end_with(parent);
	lp_interrupt_close();
	sigprocmask(SIG_SETMASK, signals, NULL);
	const int status = m->one(options);
	fflush(NULL);
	_exit(status);
}

/* Says in its place why the process did not. */
static void explain(struct many *m, const struct lp_options *options, int status)
{
	const char *reason = lp_interrupt_reason();
	char text[128];
	struct lp_result r = { .subject = options->operands[0], .text = text };

	clear_piece(options->piece);
	if (reason) {
		r.verdict = LP_RESULT_INCONCLUSIVE;
		r.reason = reason;
		r.text = NULL;
	} else {
		r.verdict = LP_RESULT_ERROR;
		m->broken = true;
		snprintf(text, sizeof text, "internal error: the process for this object ended with %s %d",
			 WIFSIGNALED(status) ? "signal" : "status",
			 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	}
	lp_deliver(options, &r);
}

static bool run_one(struct many *m, uint32_t i, struct lp_error *error)
{
	struct lp_result_piece piece = { .row = &m->rows[i] };
	struct lp_options options = *m->options;
	const struct lp_terminal terminal = lp_terminal_on(stdout);
	const bool quiet = options.at[LP_OPT_QUIET].given, json = options.at[LP_OPT_JSON].given;
	sigset_t chld, before;
	int status = 0;

	options.operands += i;
	options.operand_count = 1;
	options.piece = &piece;
	bool good = open_piece(m, &piece, error);
	if (good && !quiet && !json)
		printf("%s== %s\n", i ? "\n" : "", options.operands[0]);
	if (good && !lp_interrupt_reason()) {
		fflush(NULL); /* or both would write what is left */
		sigemptyset(&chld);
		sigaddset(&chld, SIGCHLD);
		sigprocmask(SIG_BLOCK, &chld, &before);
		const pid_t parent = getpid(), child = fork();
		if (!child)
			be_one(m, &options, &before, parent);
		if (child < 0)
			good = lp_fail(error, "cannot start a process: %s", strerror(errno));
		else
			status = status_of(child, &chld);
		sigprocmask(SIG_SETMASK, &before, NULL);
	}
	if (good) {
		if (!piece.row->done)
			explain(m, &options, status);
		if (quiet && !json)
			lp_terminal_object(&terminal, piece.row, 0);
	}
	take_texts(m, i, &piece);
	return good;
}

int lp_many(const struct lp_options *options, int (*one)(const struct lp_options *))
{
	const double start = lp_usage_seconds();
	struct many m = { .options = options, .one = one };
	struct lp_error error = { .hint = "" };
	int status;

	bool good = open_many(&m, &error);
	lp_interrupt_open();
	for (uint32_t i = 0; good && i < m.count; i++)
		good = run_one(&m, i, &error);
	lp_interrupt_close();
	if (good) {
		status = lp_deliver_all(options, &(struct lp_pieces){
			.rows = m.rows, .json = m.text[JSON], .junit = m.text[JUNIT],
			.sarif = m.text[SARIF], .lcov = m.text[LCOV], .count = m.count,
			.seconds = lp_usage_seconds() - start });
		if (m.broken)
			status = INTERNAL_ERROR;
	} else {
		status = lp_cli_refuse(options->at[LP_OPT_JSON].given, &error);
	}
	close_many(&m);
	return status;
}
