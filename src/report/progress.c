/* progress.c -- one line on standard error that says how far we are. */
#include "report/progress.h"
#include "report/words.h"

#include <stdarg.h>
#include <stdio.h>
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

void lp_progress_line_text(char *out, size_t size, const char *unit, uint64_t executions,
			   uint64_t blocked, double estimate, double seconds)
{
	const double rate = seconds > 0 ? (double)executions / seconds : 0;
	char number[LP_WORDS_ROOM];

	out[0] = '\0';
	lp_words_count(number, executions);
	append(out, size, "%s %s", number, unit);
	if (blocked) {
		lp_words_count(number, blocked);
		append(out, size, " (%s blocked)", number);
	}
	if (rate > 0) {
		lp_words_about(number, rate);
		append(out, size, ", %s a second", number);
	}
	/* An estimate that has been overtaken was wrong: better none. */
	if (rate > 0 && estimate > (double)executions) {
		lp_words_about(number, estimate);
		append(out, size, ", of about %s", number);
		lp_words_duration(number, (estimate - (double)executions) / rate);
		append(out, size, ", %s left", number);
	}
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
	char text[256] = "", rest[256], memory[LP_WORDS_ROOM];

	if (!line->shown || seconds < 1)
		return;
	lp_progress_line_text(rest, sizeof rest, line->unit, executions, blocked, estimate, seconds);
	if (line->phase[0])
		append(text, sizeof text, "%s: ", line->phase);
	append(text, sizeof text, "%s", rest);
	if (line->memory_kb) {
		lp_words_memory(memory, line->memory_kb);
		append(text, sizeof text, ", %s", memory);
	}
	lp_progress_line_write(line, text);
}

void lp_progress_line_erase(struct lp_progress_line *line)
{
	if (line->dirty)
		fputs("\r\033[K", stderr);
	line->dirty = false;
}
