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

/* `calls` of it: the first ones are those before the threads. */
static void put_program(const struct lp_terminal *t, const struct lp_result_client *c,
			uint32_t calls)
{
	char text[TEXT_ROOM];
	uint32_t lane = UINT32_MAX;

	if (calls || c->wait_count)
		fprintf(t->out, "\nclient:\n");
	for (uint32_t i = 0; i < calls; i++) {
		if (c->calls[i].lane != lane) {
			lane = c->calls[i].lane;
			if (i)
				fputc('\n', t->out);
			if (lane)
				fprintf(t->out, "  thread %u: ", lane);
			else
				fputs("  before them: ", t->out);
		} else {
			fputs("; ", t->out);
		}
		lp_terminal_text(t, say(&c->calls[i], text));
		if (lane)
			fprintf(t->out, " [T%u]", c->calls[i].thread);
	}
	if (calls)
		fputc('\n', t->out);
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

/* "enqueue(1); dequeue() -> 1; then not dequeue() -> 4" */
static void write_closest(FILE *out, const struct lp_result_client *c)
{
	char text[TEXT_ROOM];

	for (uint32_t i = 0; i < c->closest_count; i++)
		fprintf(out, "%s%s", i ? "; " : "", say(&c->calls[c->closest[i]], text));
	const char *separator = "; then neither ";
	for (uint32_t i = 0; i < c->count; i++) {
		bool placed = c->calls[i].stuck;
		for (uint32_t k = 0; k < c->closest_count; k++)
			placed |= c->closest[k] == i;
		if (placed)
			continue;
		if (c->closest_count + 1 == c->count)
			separator = "; then not ";
		fprintf(out, "%s%s", separator, say(&c->calls[i], text));
		separator = " nor ";
	}
}

static void put_reasons(const struct lp_terminal *t, const struct lp_result_client *c)
{
	char *text = NULL;
	size_t size;

	fputs("\nwhy: ", t->out);
	lp_terminal_sentence(t, c->why, 5, 5);
	FILE *closest = c->closest_count ? open_memstream(&text, &size) : NULL;
	if (!closest)
		return;
	write_closest(closest, c);
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
	if (c->why)
		lp_json_text(j, "why", c->why);
	lp_json_end(j);
}
