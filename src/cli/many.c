/* many.c -- runs a command for several files, one after the other.
 *
 * Each file has its own process: limits of time and memory apply to each of them, and a crash
 * does not affect the others.  A process returns its report as texts in files, and as a row of a
 * table in shared memory.
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
#include "frontend/compile/compile.h"
#include "report/text/terminal.h"
#include "verify/interrupt.h"
#include "verify/usage.h"

enum { INTERNAL_ERROR = 70 };

struct many {
	const struct lp_options *options;
	int (*one)(const struct lp_options *);
	struct lp_object_row *rows; /* shared */
	struct lp_pieces pieces;
	bool broken;                /* one of them ended in an internal error */
};

static bool open_many(struct many *m, struct lp_error *error)
{
	static const struct { enum lp_option_id id; const char *name; } single[] = {
		{ LP_OPT_TRACE, "--trace" }, { LP_OPT_EMIT_TEST, "--emit-test" },
		{ LP_OPT_HTML, "--html" }, { LP_OPT_CHECKPOINT, "--checkpoint" }, { LP_OPT_RESUME, "--resume" },
	};

	for (size_t i = 0; i < sizeof single / sizeof *single; i++)
		if (m->options->at[single[i].id].given)
			return lp_fail(error, "%s is for one object at a time: '%s' or '%s'?",
				       single[i].name, m->options->operands[0],
				       m->options->operands[1]);
	const uint32_t count = (uint32_t)m->options->operand_count;
	m->rows = mmap(NULL, sizeof *m->rows * count, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (m->rows == MAP_FAILED) {
		m->rows = NULL;
		return lp_fail(error, "cannot get memory to share: %s", strerror(errno));
	}
	lp_pieces_open(&m->pieces, m->options, m->rows, count);
	return true;
}

static void close_many(struct many *m)
{
	if (m->rows)
		munmap(m->rows, sizeof *m->rows * m->pieces.count);
	lp_pieces_close(&m->pieces);
}

static bool open_piece(const struct many *m, struct lp_result_piece *piece, struct lp_error *error)
{
	for (enum lp_form f = 0; f < LP_FORMS; f++)
		if (m->pieces.text[f] && !(piece->file[f] = tmpfile()))
			return lp_fail(error, "cannot write temporary files: %s", strerror(errno));
	return true;
}

/* What was written to the file, perhaps by another process.  Closes the file; NULL is allowed. */
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
	for (enum lp_form f = 0; f < LP_FORMS; f++)
		if (m->pieces.text[f])
			m->pieces.text[f][i] = take_text(piece->file[f], f == LP_FORM_JSON);
}

/* Discards what a process has left unfinished. */
static void clear_piece(struct lp_result_piece *piece)
{
	for (enum lp_form f = 0; f < LP_FORMS; f++)
		if (piece->file[f] && !fseek(piece->file[f], 0, SEEK_SET))
			(void)!ftruncate(fileno(piece->file[f]), 0);
}

/* Waits for the process.  A signal from the terminal reaches the child, too; any other one is passed on after a second.
 * The delay matters, because a second signal kills the child at once. */
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

/* The object's process.  Nothing of the parent's state applies to it, except where the result goes. */
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

/* Delivers a result for a process that ended without one. */
static void explain(struct many *m, const struct lp_options *options, int status)
{
	const char *reason = lp_interrupt_reason();
	char text[128];
	struct lp_result r = { .subject.name = options->operands[0], .text = text };

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
		fflush(NULL); /* otherwise both processes would write the buffered output */
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
	lp_compile_begin_serving(1);
	lp_interrupt_open();
	for (uint32_t i = 0; good && i < m.pieces.count; i++)
		good = run_one(&m, i, &error);
	lp_interrupt_close();
	lp_compile_end_serving();
	if (good) {
		m.pieces.seconds = lp_usage_seconds() - start;
		status = lp_deliver_all(options, &m.pieces);
		if (m.broken)
			status = INTERNAL_ERROR;
	} else {
		status = lp_cli_refuse(options->at[LP_OPT_JSON].given, &error);
	}
	close_many(&m);
	return status;
}
