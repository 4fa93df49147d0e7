/* progress.c -- one line on standard error that shows the progress. */
#include "report/text/progress.h"
#include "report/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct lp_progress_line lp_progress_line_open(bool wanted)
{
	return (struct lp_progress_line){ .columns = 80, .unit = "executions", .shown = wanted && isatty(STDERR_FILENO) };
}

void lp_progress_line_log(struct lp_progress_line *line)
{
	if (line->shown)
		return;
	line->shown = true;
	line->columns = 200;
	line->apart = 60;
	line->next = 10;
}

/* A window may be made narrower while we run. */
static void look_at_screen(struct lp_progress_line *line)
{
	struct winsize screen;

	if (line->apart <= 0 && !ioctl(STDERR_FILENO, TIOCGWINSZ, &screen) && screen.ws_col)
		line->columns = screen.ws_col;
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

/* Executions a second. */
static double rate_of(const struct lp_progress_made *made)
{
	return made->seconds > 0 ? (double)made->executions / made->seconds : 0;
}

/* Of the whole task; 0 if that is not known. */
static double seconds_left(const struct lp_progress_line *line, const struct lp_progress_made *made)
{
	const double rate = rate_of(made);

	if (line->more < 0 || rate <= 0 || made->estimate <= (double)made->executions)
		return 0;
	return (made->estimate - (double)made->executions) / rate + line->more;
}

double lp_progress_left(double said, double passed, double estimate)
{
	const double now = said > passed ? said - passed : 0, most = (2 + said / 4) * passed;

	if (said <= 0)
		return estimate;
	if (estimate <= 0)
		return now;
	return estimate > now + most ? now + most : estimate < now - most ? now - most : estimate;
}

static const double LEAST_HOURS = 0.1;

/* How much the line says: each level leaves out something that the one before has. */
enum detail { ALL, WITHOUT_BLOCKED, SHORT_WORDS, WITHOUT_HOURS, WITHOUT_RATE, DETAILS };

static void put_text(const struct lp_progress_line *line, const struct lp_progress_made *made, enum detail detail, char *out, size_t size)
{
	const double rate = rate_of(made);
	const bool brief = detail >= SHORT_WORDS;
	char number[LP_WORDS_ROOM];

	out[0] = '\0';
	if (line->phase[0])
		append(out, size, "%s: ", line->phase);
	lp_words_count(number, made->executions);
	append(out, size, "%s %s", number, line->unit);
	if (made->blocked && detail < WITHOUT_BLOCKED) {
		lp_words_count(number, made->blocked);
		append(out, size, " (%s blocked)", number);
	}
	if (rate > 0 && detail < WITHOUT_RATE) {
		lp_words_about(number, rate);
		append(out, size, brief ? ", %s/s" : ", %s a second", number);
	}
	/* More executions were explored than estimated: the estimate is wrong, and is not shown. */
	if (rate > 0 && made->estimate > (double)made->executions) {
		lp_words_about(number, made->estimate);
		append(out, size, brief ? ", of %s" : ", of about %s", number);
	}
	const double left = line->left > 0 ? line->left : seconds_left(line, made);
	if (left > 0) {
		lp_words_duration(number, left);
		append(out, size, line->more > 0 ? ", at least %s left" : ", %s left", number);
	}
	const double hours = left > 0 ? (line->before + made->seconds + left) * (line->processes ? line->processes : 1) / 3600 : 0;
	if (hours >= LEAST_HOURS && detail < WITHOUT_HOURS)
		append(out, size, brief ? ", %.1f core h" : ", %.1f core hours in all", hours);
	if (line->memory_kb) {
		lp_words_memory(number, line->memory_kb);
		append(out, size, ", %s", number);
	}
	if (line->disk_kb) {
		lp_words_memory(number, line->disk_kb);
		append(out, size, brief ? ", %s disk" : ", %s on disk", number);
	}
}

void lp_progress_line_text(const struct lp_progress_line *line, const struct lp_progress_made *made, char *out, size_t size)
{
	enum detail detail = ALL;

	do
		put_text(line, made, detail, out, size);
	while (strlen(out) >= line->columns && ++detail < DETAILS);
}

void lp_progress_line_write(struct lp_progress_line *line, const char *text)
{
	if (!line->shown || line->apart > 0)
		return;
	look_at_screen(line);
	/* One column less than the screen has: a full line would wrap, and then
	 * returning to its start would not erase it. */
	size_t length = strlen(text);
	if (length >= line->columns) { /* what does not fit ends after a word */
		length = line->columns - 1;
		while (length && text[length] != ' ')
			length--;
	}
	fprintf(stderr, "\r%.*s\033[K", (int)length, text);
	fflush(stderr);
	line->dirty = true;
}

void lp_progress_line_show(struct lp_progress_line *line, const struct lp_progress_made *made)
{
	const double now = line->before + made->seconds;
	char text[256];

	if (!line->shown || now < 1 || now < line->next)
		return;
	look_at_screen(line);
	line->left = lp_progress_left(line->left, now - line->at, seconds_left(line, made));
	line->at = now;
	lp_progress_line_text(line, made, text, sizeof text);
	if (line->apart > 0) {
		fprintf(stderr, "%s\n", text);
		line->next = now + line->apart;
	} else {
		lp_progress_line_write(line, text);
	}
}

void lp_progress_line_erase(struct lp_progress_line *line)
{
	if (line->dirty)
		fputs("\r\033[K", stderr);
	line->dirty = false;
}
