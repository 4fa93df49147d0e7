/* client_text.c -- the client of a violation: as a program, and as a picture.
 *
 *     T1: enqueue(1); enqueue(2)
 *     T2: dequeue() -> 2
 *
 *         |--- enqueue(1) ---|--- enqueue(2) ---|
 *         |---------- dequeue() -> 2 -----------|
 */
#include "report/text/client_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/formats/json.h"
#include "report/result.h"
#include "report/text/step_table.h"
#include "report/text/terminal.h"

enum { TEXT_ROOM = 192, LABEL_ROOM = TEXT_ROOM + 16 };

static const char *say(const struct lp_result_call *c, char *out)
{
	if (c->stuck || c->open)
		snprintf(out, TEXT_ROOM, "%s %s", c->text, c->stuck ? "never returns" : "...");
	else if (c->result)
		snprintf(out, TEXT_ROOM, "%s -> %s", c->text, c->result);
	else
		snprintf(out, TEXT_ROOM, "%s", c->text);
	return out;
}

/* How a call is told apart in the picture, where that is all there is. */
static const char *label(const struct lp_result_call *c, bool alone, char *out)
{
	const int used = alone ? snprintf(out, TEXT_ROOM, "T%u: ", c->thread) : 0;

	say(c, out + used);
	return out;
}

void lp_client_line(FILE *out, const struct lp_result_client *c)
{
	char text[TEXT_ROOM];

	for (uint32_t i = 0; i < c->count; i++) {
		const bool same = i && c->calls[i].lane == c->calls[i - 1].lane;
		if (i)
			fputs(same ? "; " : " | ", out);
		else if (!c->calls[i].lane)
			fputs("before the threads ", out);
		fputs(say(&c->calls[i], text), out);
	}
}

/* In one piece. */
static void write_glued(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc(*text == ' ' ? *LP_GLUE : *text, out);
}

/* The calls of a lane, from `first` on, as far as `calls`: "enqueue(1) [T1]; dequeue() -> 1 [T1]".  Returns the one after. */
static uint32_t write_lane(FILE *out, const struct lp_result_client *c, uint32_t first, uint32_t calls)
{
	const uint32_t lane = c->calls[first].lane;
	char text[TEXT_ROOM];
	uint32_t i = first;

	for (; i < calls && c->calls[i].lane == lane; i++) {
		fputs(i == first ? "" : "; ", out);
		write_glued(out, say(&c->calls[i], text));
		if (lane)
			fprintf(out, LP_GLUE "[T%u]", c->calls[i].thread);
	}
	return i;
}

/* `calls` of it: the first ones are those before the threads. */
static void put_program(const struct lp_terminal *t, const struct lp_result_client *c,
			uint32_t calls)
{
	if (calls || c->wait_count)
		fprintf(t->out, "\nclient:%s\n", calls ? " ([T1]: the thread of the execution that makes the call)" : "");
	for (uint32_t i = 0; i < calls;) {
		const uint32_t lane = c->calls[i].lane;
		char *text = NULL;
		size_t size;
		FILE *out = open_memstream(&text, &size);
		if (!out)
			return;
		i = write_lane(out, c, i, calls);
		fclose(out);
		const int used = lane ? fprintf(t->out, "  thread %u: ", lane) : fprintf(t->out, "  before them: ");
		lp_terminal_sentence(t, text, (unsigned)used, (unsigned)used);
		free(text);
	}
	for (uint32_t i = 0; i < c->wait_count; i++)
		fprintf(t->out, "  %s begins after %s has returned\n", c->calls[c->waits[i][1]].text,
			c->calls[c->waits[i][0]].text);
}

/* The width that each moment takes so that texts fit; 0 if they cannot. */
static unsigned moment_width(const struct lp_terminal *t, const struct lp_result_client *c,
			     bool alone)
{
	const unsigned most = c->moments ? (t->columns - 8) / c->moments : 0;
	unsigned width = 6;
	char text[LABEL_ROOM];

	for (uint32_t i = c->pre; i < c->count; i++) {
		const unsigned moments = c->calls[i].end - c->calls[i].start;
		const unsigned length = (unsigned)strlen(label(&c->calls[i], alone, text)) + 6;
		const unsigned need = moments ? (length + moments - 1) / moments : length;
		width = need > width ? need : width;
	}
	return width <= most ? width : 0;
}

static void put_bar(const struct lp_terminal *t, const struct lp_result_call *c, bool alone,
		    unsigned width)
{
	char text[LABEL_ROOM];
	const unsigned length = (unsigned)strlen(label(c, alone, text));
	const unsigned room = (c->end - c->start) * width - 2;
	const unsigned left = (room - length - 2) / 2, right = room - length - 2 - left;

	fputc('|', t->out);
	for (unsigned i = 0; i < left; i++)
		fputc('-', t->out);
	fprintf(t->out, " %s ", text);
	for (unsigned i = 0; i < right; i++)
		fputc((c->stuck || c->open) && i + 3 > right ? '.' : '-', t->out);
	fputc(c->stuck || c->open ? '.' : '|', t->out);
}

static void put_picture(const struct lp_terminal *t, const struct lp_result_client *c,
			bool alone, unsigned width)
{
	uint32_t lane = UINT32_MAX, at = 0;

	fputs("\nintervals:", t->out);
	for (uint32_t i = c->pre; i < c->count; i++) {
		if (c->calls[i].lane != lane) {
			lane = c->calls[i].lane;
			fprintf(t->out, "\n  %2u  ", lane);
			at = 0;
		}
		for (; at < c->calls[i].start; at++)
			fprintf(t->out, "%*s", (int)width, "");
		put_bar(t, &c->calls[i], alone, width);
		at = c->calls[i].end;
	}
	fputc('\n', t->out);
}

static bool is_placed(const struct lp_result_client *c, uint32_t call)
{
	bool placed = c->calls[call].stuck;

	for (uint32_t k = 0; k < c->closest_count; k++)
		placed |= c->closest[k] == call;
	return placed;
}

/* "return 1"; "throw std::out_of_range" */
static void write_outcome(FILE *out, const char *result)
{
	static const char throws[] = "throws ";
	const bool is_thrown = !strncmp(result, throws, sizeof throws - 1);

	fprintf(out, "%s %s", is_thrown ? "throw" : "return", result + (is_thrown ? sizeof throws - 1 : 0));
}

/* "; then dequeue() would return 1, not empty".  False if nothing is known of any call. */
static bool write_instead(FILE *out, const struct lp_result_client *c)
{
	const char *separator = "; then ";

	for (uint32_t i = 0; c->instead && i < c->count; i++) {
		if (is_placed(c, i) || !c->instead[i])
			continue;
		fprintf(out, "%s%s would ", separator, c->calls[i].text);
		if (!strcmp(c->instead[i], "waits")) {
			fputs("wait", out);
		} else {
			const char *result = c->calls[i].result ? c->calls[i].result : "nothing";
			write_outcome(out, c->instead[i]);
			fprintf(out, ", not %s", *result ? result : "nothing");
		}
		separator = ", ";
	}
	return *separator == ',';
}

/* "[] -> enqueue(1) -> [1] -> dequeue() = 1 -> []"; where lines are scarce, the last state only */
static void write_states(FILE *out, const struct lp_result_client *c, bool brief)
{
	if (brief && c->closest_count > 2) {
		fprintf(out, "%u calls, to ", c->closest_count);
		write_glued(out, c->states[c->closest_count]);
		return;
	}
	write_glued(out, c->states[0]);
	for (uint32_t i = 0; i < c->closest_count; i++) {
		const struct lp_result_call *call = &c->calls[c->closest[i]];
		fputs(" ->" LP_GLUE, out);
		write_glued(out, call->text);
		if (call->result)
			fprintf(out, LP_GLUE "=" LP_GLUE "%s", call->result);
		fputs(" ->" LP_GLUE, out);
		write_glued(out, c->states[i + 1]);
	}
}

/* "enqueue(1); dequeue() -> 1; then not dequeue() -> 4", or with the states between the calls */
static void write_closest(FILE *out, const struct lp_result_client *c, bool brief)
{
	char text[TEXT_ROOM];

	if (c->states)
		write_states(out, c, brief);
	for (uint32_t i = 0; !c->states && i < c->closest_count; i++)
		fprintf(out, "%s%s", i ? "; " : "", say(&c->calls[c->closest[i]], text));
	if (write_instead(out, c))
		return;
	if (c->missing && !is_placed(c, c->missing_to)) {
		fprintf(out, "; then %s, which ", say(&c->calls[c->missing_to], text));
		fprintf(out, "does not synchronise with %s", say(&c->calls[c->missing_from], text));
		return;
	}
	const bool one = c->closest_count + 1 == c->count;
	const char *separator = !one ? "; then neither " : c->missing ? "; then " : "; then not ";
	for (uint32_t i = 0; i < c->count; i++) {
		if (is_placed(c, i))
			continue;
		fprintf(out, "%s%s", separator, say(&c->calls[i], text));
		separator = " nor ";
	}
	if (one && c->missing)
		fputs(", which does not synchronise with all of these", out);
}

static void put_reasons(const struct lp_terminal *t, const struct lp_result_client *c)
{
	char *text = NULL;
	size_t size;

	fputs("\nwhy: ", t->out);
	lp_terminal_sentence(t, c->why, 5, 5);
	FILE *closest = c->closest_count || c->states ? open_memstream(&text, &size) : NULL;
	if (!closest)
		return;
	write_closest(closest, c, t->brief);
	fclose(closest);
	fputs("  closest: ", t->out);
	lp_terminal_sentence(t, text, 11, 11);
	free(text);
}

void lp_terminal_client(const struct lp_terminal *t, const struct lp_result_client *c)
{
	/* Where lines are scarce the picture says what the program does, too, if it has room. */
	const unsigned alone = t->brief && c->count > c->pre ? moment_width(t, c, true) : 0;
	const unsigned width = alone ? alone : c->count > c->pre ? moment_width(t, c, false) : 0;

	put_program(t, c, alone ? c->pre : c->count);
	if (width)
		put_picture(t, c, alone, width);
	if (c->why)
		put_reasons(t, c);
}

void lp_json_client(struct lp_json *j, const struct lp_result_client *c)
{
	lp_json_begin(j, "client", '{');
	lp_json_number(j, "size", c->count - c->pre);
	lp_json_number(j, "pre", c->pre);
	lp_json_number(j, "threads", c->lanes - 1);
	lp_json_number(j, "moments", c->moments);
	lp_json_begin(j, "calls", '[');
	for (uint32_t i = 0; i < c->count; i++) {
		const struct lp_result_call *call = &c->calls[i];
		lp_json_begin(j, NULL, '{');
		lp_json_text(j, "call", call->text);
		if (call->result)
			lp_json_text(j, "result", call->result);
		if (c->instead && c->instead[i])
			lp_json_text(j, "instead", c->instead[i]);
		lp_json_text(j, "state", call->stuck ? "stuck" : call->open ? "open" : "returned");
		lp_json_number(j, "lane", call->lane);
		lp_json_number(j, "thread", call->thread);
		lp_json_number(j, "start", call->start);
		lp_json_number(j, "end", call->end);
		lp_json_end(j);
	}
	lp_json_end(j);
	lp_json_begin(j, "waits", '[');
	for (uint32_t i = 0; i < c->wait_count; i++) {
		lp_json_begin(j, NULL, '[');
		lp_json_number(j, NULL, c->waits[i][0]);
		lp_json_number(j, NULL, c->waits[i][1]);
		lp_json_end(j);
	}
	lp_json_end(j);
	lp_json_begin(j, "closest", '[');
	for (uint32_t i = 0; i < c->closest_count; i++)
		lp_json_number(j, NULL, c->closest[i]);
	lp_json_end(j);
	if (c->states) {
		lp_json_begin(j, "states", '[');
		for (uint32_t i = 0; i <= c->closest_count; i++)
			lp_json_text(j, NULL, c->states[i]);
		lp_json_end(j);
	}
	if (c->why)
		lp_json_text(j, "why", c->why);
	lp_json_end(j);
}

/* The calls that a thread of the execution makes; true if there are any. */
static bool write_thread(FILE *out, const struct lp_result_client *c, uint32_t thread)
{
	bool any = false;

	for (uint32_t i = c->pre; i < c->count; i++) {
		if (c->calls[i].thread != thread)
			continue;
		fprintf(out, "%s%s", any ? "; " : "", c->calls[i].text);
		any = true;
	}
	return any;
}

/* Of all of them: " (T1 push(1), T2 pop()):" */
static unsigned threads_width(const struct lp_result_client *c, uint32_t last)
{
	unsigned width = sizeof " ():" - 1 - 2; /* no comma after the last call */

	for (uint32_t thread = 0; thread <= last; thread++) {
		bool any = false;
		for (uint32_t i = c->pre; i < c->count; i++) {
			if (c->calls[i].thread != thread)
				continue;
			width += (unsigned)strlen(c->calls[i].text) + 2;
			any = true;
		}
		width += any ? 3 + (thread > 9) : 0;
	}
	return width;
}

void lp_terminal_threads(const struct lp_terminal *t, const struct lp_result_client *c, unsigned used)
{
	uint32_t last = 0;
	bool any = false, full = false;

	for (uint32_t i = c->pre; i < c->count; i++)
		last = c->calls[i].thread > last ? c->calls[i].thread : last;
	const bool fits = used + threads_width(c, last) <= t->columns;
	used += sizeof " (, ...):" - 1;
	for (uint32_t thread = 0; thread <= last && !full; thread++) {
		char *text = NULL;
		size_t size;
		FILE *out = open_memstream(&text, &size);
		if (!out)
			return;
		const bool calls = write_thread(out, c, thread);
		fclose(out);
		used += calls ? (unsigned)strlen(text) + 6 : 0;
		full = !fits && used > t->columns;
		if (calls && !full) {
			fputs(any ? ", " : " (", t->out);
			lp_terminal_thread(t, thread);
			fprintf(t->out, "%s%s", thread > 9 ? " " : "", text); /* short names are padded */
			any = true;
		}
		free(text);
	}
	fprintf(t->out, "%s%s", any && full ? ", ..." : "", any ? ")" : "");
}
