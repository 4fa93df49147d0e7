/* intervals.c -- calls as intervals, threads as lanes.
 *
 *     T0  [enqueue(1)]
 *     T1                [enqueue(2)]    [dequeue() -> 2]
 *     T2                  [-------dequeue() -> empty------->
 *
 * Only the order of starts and ends counts, so columns stand for starts and ends, not for time:
 * a call is left of another, with a gap, if and only if it ended before the other started.  A call
 * that ends in > has not returned.  If names do not fit, calls are numbered, and listed below the
 * picture.  A picture that is still too wide is divided into several parts.
 */
#include "report/results/histories.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "report/text/step_table.h"
#include "report/text/terminal.h"
#include "report/words.h"

enum {
	MARGIN = 2,
	MANY = 200,      /* calls that are still drawn without --verbose */
	CELL = 5,        /* bytes: one character of UTF-8, and its end */
	LABEL_ROOM = 600,
};

struct event {
	int64_t time;
	uint32_t call;
	bool end;
};

struct bar {
	uint32_t from, to; /* columns */
	uint32_t lane;
};

struct picture {
	const struct lp_history_violation *v;
	bool numbered;
	struct event *events;
	uint32_t event_count;
	struct bar *bars;
	uint32_t columns;
	uint32_t *lane_thread;
	uint32_t lanes;
};

static bool has_end(const struct lp_recorded_call *c)
{
	return !c->pending && !c->open;
}

/* At equal times starts come first: such calls overlap. */
static int compare_events(const void *left, const void *right)
{
	const struct event *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	if (a->end != b->end)
		return a->end ? 1 : -1;
	return a->call < b->call ? -1 : a->call > b->call;
}

static void sort_events(struct picture *p)
{
	for (uint32_t i = 0; i < p->v->call_count; i++) {
		const struct lp_recorded_call *c = &p->v->calls[i];
		p->events[p->event_count++] = (struct event){ c->start, i, false };
		if (has_end(c))
			p->events[p->event_count++] = (struct event){ c->end, i, true };
	}
	qsort(p->events, p->event_count, sizeof *p->events, compare_events);
}

static void label(const struct picture *p, uint32_t call, char text[LABEL_ROOM])
{
	const struct lp_recorded_call *c = &p->v->calls[call];

	if (p->numbered)
		snprintf(text, LABEL_ROOM, "%u", call + 1);
	else if (*c->result && has_end(c))
		snprintf(text, LABEL_ROOM, "%s -> %s", c->call, c->result);
	else
		snprintf(text, LABEL_ROOM, "%s", c->call);
}

/* Columns that a text takes: its bytes but for those that continue a character. */
static uint32_t width_of(const char *text)
{
	uint32_t width = *text != '\0';

	while (*text && *++text)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

static uint32_t label_width(const struct picture *p, uint32_t call)
{
	char text[LABEL_ROOM];

	label(p, call, text);
	return width_of(text);
}

/* A column for each event; those of a call have its label between them. */
static void place_events(struct picture *p)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < p->event_count; i++) {
		struct bar *bar = &p->bars[p->events[i].call];
		if (!p->events[i].end) {
			bar->from = next + (i && p->events[i - 1].end); /* the gap */
			next = bar->from + 1;
			continue;
		}
		const uint32_t least = bar->from + label_width(p, p->events[i].call) + 1;
		bar->to = next > least ? next : least;
		next = bar->to + 1;
	}
	for (uint32_t i = 0; i < p->v->call_count; i++)
		if (!has_end(&p->v->calls[i])) {
			const uint32_t least = p->bars[i].from + label_width(p, i) + 2;
			next = next > least ? next : least;
		}
	for (uint32_t i = 0; i < p->v->call_count; i++)
		if (!has_end(&p->v->calls[i]))
			p->bars[i].to = next;
	p->columns = next + 1;
}

/* Numbers are short: longer bars are easier to compare. */
static void stretch(struct picture *p, uint32_t width)
{
	uint32_t factor = width / p->columns;

	factor = factor < 1 ? 1 : factor > 4 ? 4 : factor;
	for (uint32_t i = 0; i < p->v->call_count; i++) {
		p->bars[i].from *= factor;
		p->bars[i].to *= factor;
	}
	p->columns = (p->columns - 1) * factor + 1;
}

/* Lanes by thread; calls of a thread that overlap get lanes of their own. */
static void place_lanes(struct picture *p)
{
	const uint32_t count = p->v->call_count;
	bool *placed = lp_alloc_zero(count, sizeof *placed);

	for (uint32_t done = 0; done < count;) {
		uint32_t thread = UINT32_MAX, last = 0;
		bool fresh = true;
		for (uint32_t i = 0; i < count; i++)
			if (!placed[i] && p->v->calls[i].thread < thread)
				thread = p->v->calls[i].thread;
		for (uint32_t i = 0; i < count; i++) { /* by start */
			if (placed[i] || p->v->calls[i].thread != thread ||
			    (!fresh && p->bars[i].from <= last))
				continue;
			placed[i] = true;
			p->bars[i].lane = p->lanes;
			last = p->bars[i].to;
			fresh = false;
			done++;
		}
		p->lane_thread[p->lanes++] = thread;
	}
	lp_free(placed);
}

/* Writes the text from column `at` on, one character a cell; whatever could disturb
 * the screen is a question mark. */
static void write_cells(char (*cells)[CELL], uint32_t at, const char *text)
{
	while (*text) {
		uint32_t length = 1;
		while (length < CELL && ((unsigned char)text[length] & 0xc0) == 0x80)
			length++;
		if (length == CELL || (unsigned char)*text < ' ' || *text == 0x7f ||
		    ((unsigned char)*text >= 0x80) != (length > 1)) {
			strcpy(cells[at++], "?");
			while (((unsigned char)*++text & 0xc0) == 0x80)
				;
			continue;
		}
		memcpy(cells[at], text, length);
		cells[at++][length] = '\0';
		text += length;
	}
}

static void draw_bar(const struct picture *p, uint32_t call, char (*cells)[CELL])
{
	const struct bar *bar = &p->bars[call];
	char text[LABEL_ROOM];

	label(p, call, text);
	for (uint32_t x = bar->from; x <= bar->to; x++)
		strcpy(cells[x], "-");
	strcpy(cells[bar->from], "[");
	strcpy(cells[bar->to], has_end(&p->v->calls[call]) ? "]" : ">");
	write_cells(cells, bar->from + 1 + (bar->to - bar->from - 1 - width_of(text)) / 2, text);
}

/* One lane from column `from` on; nothing if it is empty there. */
static void put_lane(const struct lp_terminal *t, const struct picture *p, uint32_t lane,
		     uint32_t from, uint32_t width)
{
	char (*cells)[CELL] = lp_alloc_zero(p->columns, sizeof *cells);
	uint32_t end = from + width < p->columns ? from + width : p->columns;

	for (uint32_t i = 0; i < p->v->call_count; i++)
		if (p->bars[i].lane == lane)
			draw_bar(p, i, cells);
	while (end > from && !cells[end - 1][0])
		end--;
	if (end > from) {
		const bool same = lane && p->lane_thread[lane - 1] == p->lane_thread[lane];
		char name[16];
		snprintf(name, sizeof name, "T%u", p->lane_thread[lane]);
		fprintf(t->out, "%*s%-5s ", MARGIN, "", same ? "" : name);
		for (uint32_t x = from; x < end; x++)
			fputs(cells[x][0] ? cells[x] : " ", t->out);
		fputc('\n', t->out);
	}
	lp_free(cells);
}

static void put_list(const struct lp_terminal *t, const struct lp_history_violation *v)
{
	fputc('\n', t->out);
	for (uint32_t i = 0; i < v->call_count; i++) {
		const struct lp_recorded_call *c = &v->calls[i];
		fprintf(t->out, "%*s%5u  T%-4u ", MARGIN, "", i + 1, c->thread);
		lp_terminal_text(t, c->call);
		if (*c->result && has_end(c)) {
			fputs(" -> ", t->out);
			lp_terminal_text(t, c->result);
		}
		fputs("  ", t->out);
		lp_terminal_text(t, c->where);
		fputc('\n', t->out);
	}
}

void lp_terminal_intervals(const struct lp_terminal *t, const struct lp_history_violation *v)
{
	struct picture p = { .v = v };
	const uint32_t width = t->columns > 30 ? t->columns - MARGIN - 6 : 24;

	if (v->call_count > MANY && !t->verbose) {
		char count[LP_WORDS_ROOM];
		lp_words_count(count, v->call_count);
		fprintf(t->out, "  %s calls are too many to draw (--verbose does)\n", count);
		return;
	}
	p.events = lp_alloc(sizeof *p.events * 2 * v->call_count);
	p.bars = lp_alloc_zero(v->call_count, sizeof *p.bars);
	p.lane_thread = lp_alloc(sizeof *p.lane_thread * v->call_count);
	sort_events(&p);
	place_events(&p);
	if (p.columns > width || v->anomaly) {
		p.numbered = true;
		place_events(&p);
		stretch(&p, width);
	}
	place_lanes(&p);
	for (uint32_t from = 0; from < p.columns; from += width) {
		if (from)
			fprintf(t->out, "%*s%-5s ...\n", MARGIN, "", "");
		for (uint32_t lane = 0; lane < p.lanes; lane++)
			put_lane(t, &p, lane, from, width);
	}
	if (p.numbered && !v->anomaly) /* transactions are listed with what they depend on */
		put_list(t, v);
	lp_free(p.events);
	lp_free(p.bars);
	lp_free(p.lane_thread);
}
