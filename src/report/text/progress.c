/* progress.c -- one line on standard error that says how far we are. */
#include "report/text/progress.h"
#include "report/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct lp_progress_line lp_progress_line_open(bool wanted)
{
	struct lp_progress_line line = { .columns = 80, .unit = "executions" };
	struct winsize screen;

	line.shown = wanted && isatty(STDERR_FILENO);
	if (line.shown && !ioctl(STDERR_FILENO, TIOCGWINSZ, &screen) && screen.ws_col)
		line.columns = screen.ws_col;
	return line;
}

__attribute__((format(printf, 3, 4)))
static void append(char *out, size_t size, const char *format, ...)
{
	size_t used = 0;
	va_list args;

	while (used < size && out[used])
		used++;
	va_start(args, format);
	vsnprintf(out + used, size - used, format, args);
	va_end(args);
}

/* How much is said; each does without something that the one before has. */
enum detail { ALL, WITHOUT_BLOCKED, SHORT_WORDS, WITHOUT_RATE, DETAILS };

static void put_text(const struct lp_progress_line *line, char *out, size_t size,
		     uint64_t executions, uint64_t blocked, double estimate, double seconds,
		     enum detail detail)
{
	const double rate = seconds > 0 ? (double)executions / seconds : 0;
	const bool brief = detail >= SHORT_WORDS;
	char number[LP_WORDS_ROOM];

	out[0] = '\0';
	if (line->phase[0])
		append(out, size, "%s: ", line->phase);
	lp_words_count(number, executions);
	append(out, size, "%s %s", number, line->unit);
	if (blocked && detail < WITHOUT_BLOCKED) {
		lp_words_count(number, blocked);
		append(out, size, " (%s blocked)", number);
	}
	if (rate > 0 && detail < WITHOUT_RATE) {
		lp_words_about(number, rate);
		append(out, size, brief ? ", %s/s" : ", %s a second", number);
	}
	/* An estimate that has been overtaken was wrong: better none. */
	if (rate > 0 && estimate > (double)executions) {
		lp_words_about(number, estimate);
		append(out, size, brief ? ", of %s" : ", of about %s", number);
		lp_words_duration(number, (estimate - (double)executions) / rate);
		append(out, size, ", %s left", number);
	}
	if (line->memory_kb) {
		lp_words_memory(number, line->memory_kb);
		append(out, size, ", %s", number);
	}
}

void lp_progress_line_text(const struct lp_progress_line *line, char *out, size_t size,
			   uint64_t executions, uint64_t blocked, double estimate, double seconds)
{
	enum detail detail = ALL;

	do
		put_text(line, out, size, executions, blocked, estimate, seconds, detail);
	while (strlen(out) >= line->columns && ++detail < DETAILS);
}

void lp_progress_line_write(struct lp_progress_line *line, const char *text)
{
	if (!line->shown)
		return;
	/* One column less than the screen has: a full line would wrap, and then
	 * returning to its start would not erase it. */
	fprintf(stderr, "\r%.*s\033[K", (int)line->columns - 1, text);
	fflush(stderr);
	line->dirty = true;
}

void lp_progress_line_show(struct lp_progress_line *line, uint64_t executions,
			   uint64_t blocked, double estimate, double seconds)
{
	char text[256];

	if (!line->shown || line->before + seconds < 1)
		return;
	lp_progress_line_text(line, text, sizeof text, executions, blocked, estimate, seconds);
	lp_progress_line_write(line, text);
}

void lp_progress_line_erase(struct lp_progress_line *line)
{
	if (line->dirty)
		fputs("\r\033[K", stderr);
	line->dirty = false;
}
