/* step_table.c -- an execution as a table, in the order of its steps.
 *
 *        3  T1  ring.c:12  put   store tail = 1 (relaxed)
 *      * 4  T2  ring.c:20  take  load tail = 0 (acquire)   <- initial value, not step 3
 *           T2  ring.c:24  take   => race
 *
 * The decisive step has a star (decisive.h), if it reads an old value.
 * If the screen is wide enough, the source line is beside the step.  Otherwise the source lines follow the table, each
 * of them once, in the order of the program's text.  Set-up and tear-down take one line each (folds.h).  Of a very long
 * execution only the end is shown, unless the user asks for all of it.  On a screen, the table has as many steps as
 * fit: first the most informative ones (decisive.h), and of equally informative ones the later ones.
 */
#include "report/text/step_table.h"
#include "report/text/client_text.h"
#include "report/decisive.h"
#include "report/folds.h"
#include "report/result.h"
#include "report/text/terminal.h"
#include "report/words.h"

#include "base/alloc.h"
#include "base/vec.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
	LAST_STEPS = 80,    /* of an execution that is cut */
	WHAT_ROOM = LP_STEP_ROOM,
	SOURCE_ROOM = 160,
	SOURCE_MIN = 32,    /* the source is not shown beside the steps if there are fewer columns for it */
	WHERE_MAX = 56,
	PLACE_ROOM = 340,
	FUNCTION_MAX = 24,
};

struct table {
	const struct lp_terminal *t;
	const struct lp_result *r;
	uint32_t first;            /* steps before it are left out, */
	bool *gone;                /* and so are these; NULL: no others */
	struct lp_result_fold folds[LP_FOLDS_MOST]; /* some of these in lines of their own */
	uint32_t fold_count;
	uint32_t marked;           /* 1 + the decisive step; 0: there is none, or the last row is */
	bool scarce;               /* the number of lines is limited */
	unsigned room;             /* if it is: the number of lines that are left */
	const char *file;          /* the name of the only file, which is then left out; or NULL */
	int file_length;
	bool bare;                 /* of a step in a wrapper, only the place of the call is shown */
	int where, function, what; /* widths of the columns; function 0: no column */
	int source;                /* room beside, or 0 */
};

static bool is_shown(const struct table *table, uint32_t step)
{
	return step >= table->first && !(table->gone && table->gone[step]);
}

__attribute__((format(printf, 2, 3)))
static void append(char *out, const char *format, ...)
{
	const size_t used = strlen(out);
	va_list args;

	va_start(args, format);
	vsnprintf(out + used, WHAT_ROOM - used, format, args);
	va_end(args);
}

/* A location's name without the remark in brackets that may follow it. */
static int name_length(const char *location)
{
	const char *remark = strstr(location, " (");
	return (int)(remark ? (size_t)(remark - location) : strlen(location));
}

static void append_values(char *out, const struct lp_result_step *s)
{
	char room[2][LP_RESULT_VALUE_ROOM];

	if (s->has_read && s->has_wrote)
		append(out, ": %s -> %s", lp_result_read(s, room[0]), lp_result_wrote(s, room[1]));
	else if (s->has_read || s->has_wrote)
		append(out, " = %s", s->has_read ? lp_result_read(s, room[0]) : lp_result_wrote(s, room[1]));
}

/* A place, without the name of the file if there is only one. */
static const char *shown(const struct table *table, const char *where)
{
	const bool same = where && table->file &&
			  !strncmp(where, table->file, (size_t)table->file_length + 1);

	return same ? where + table->file_length : where;
}

static const char *where_of(const struct table *table, const struct lp_result_step *s)
{
	return table->bare && s->caller ? s->caller : s->where;
}

/* "queue.h:88 via wrappers.h:6": of a wrapper, where it was called first. */
static const char *place_of(const struct table *table, const struct lp_result_step *s, char room[static PLACE_ROOM])
{
	if (!s->caller || !s->where || table->bare)
		return shown(table, where_of(table, s));
	snprintf(room, PLACE_ROOM, "%s via %s", s->caller, s->where);
	return room;
}

/* At which no line of a screen ends. */
static const char *blank(const struct table *table)
{
	return table->t && table->t->wraps ? LP_GLUE : " ";
}

/* "step 4", or if that is not in the table, what it was: "step 4 (T1 queue.c:31)" */
static void append_step(char *out, const struct table *table, uint32_t step)
{
	const struct lp_result_step *s = &table->r->violation->steps[step];

	append(out, "step%s%u", blank(table), step + 1);
	if (!is_shown(table, step))
		append(out, "%s(T%u%s%s)", blank(table), s->thread, blank(table), s->where ? shown(table, where_of(table, s)) : "?");
}

/* If memory has one value at a time, a read of an old value happened before the write that replaced it,
 * even if that write is listed above it. */
static bool is_in_time(const struct table *table)
{
	return table->r->question.one_memory;
}

/* "<- step 4"; or "<- initial value, not step 4", which wrote another one above. */
static void append_origin(char *out, const struct table *table, const struct lp_result_step *s)
{
	const struct lp_result_violation *v = table->r->violation;
	const uint32_t missed = lp_decisive_missed(v, (uint32_t)(s - v->steps));

	if (s->reads_from == LP_RESULT_NO_STEP)
		return;
	append(out, "  <-%s", blank(table));
	if (s->reads_from >= v->step_count)
		append(out, "initial%svalue", blank(table));
	else
		append_step(out, table, s->reads_from);
	if (missed == LP_RESULT_NO_STEP)
		return;
	append(out, ", %s step%s%u", is_in_time(table) ? "before" : "not", blank(table), missed + 1);
	if (!is_shown(table, missed))
		append(out, "%s(T%u)", blank(table), v->steps[missed].thread);
}

/* In the order of the table a write overwrites the latest one to its location.  If
 * it does not (the model lets writes take effect in another order than the one
 * in which they were issued), that is worth saying.  Two places may have one description. */
static void append_overwritten(char *out, const struct table *table,
			       const struct lp_result_step *s)
{
	const struct lp_result_step *steps = table->r->violation->steps;
	uint32_t latest = LP_RESULT_INITIAL;

	if (s->overwrites == LP_RESULT_NO_STEP || !s->has_wrote || !s->location)
		return;
	for (uint32_t i = 0; &steps[i] < s; i++)
		if (steps[i].has_wrote && steps[i].location && steps[i].place == s->place &&
		    !strcmp(steps[i].location, s->location))
			latest = i;
	if (s->overwrites == LP_RESULT_INITIAL && latest != LP_RESULT_INITIAL)
		append(out, ", before all others");
	else if (s->overwrites != latest)
		append(out, ", directly after step %u", s->overwrites + 1);
}

/* "compare-exchange head: 0 -> 1 (release), failed  <- step 4" */
static void describe(char *out, const struct table *table, const struct lp_result_step *s)
{
	snprintf(out, WHAT_ROOM, "%s", s->action);
	if (s->location)
		append(out, " %.*s", name_length(s->location), s->location);
	append_values(out, s);
	if (s->order)
		append(out, " (%s)", s->order);
	if (s->note)
		append(out, ", %s", s->note);
	append_overwritten(out, table, s);
	append_origin(out, table, s);
}

void lp_step_words(char out[LP_STEP_ROOM], const struct lp_result *r, uint32_t step)
{
	describe(out, &(struct table){ .r = r }, &r->violation->steps[step]);
}

void lp_step_words_alone(char out[LP_STEP_ROOM], const struct lp_result *r, uint32_t step)
{
	describe(out, &(struct table){ .r = r, .first = r->violation->step_count },
		 &r->violation->steps[step]);
}

/* A long path says most at its end. */
static const char *tail(const char *text, int width)
{
	const int length = (int)strlen(text);
	return length > width ? text + (length - width) : text;
}

static void widen(int *column, const char *text, int most)
{
	const int length = text ? (int)strlen(text) : 0;

	if (length > *column)
		*column = length < most ? length : most;
}

/* The last row: what went wrong. */
static void describe_end(char *out, const struct table *table)
{
	const struct lp_result_violation *v = table->r->violation;

	snprintf(out, WHAT_ROOM, "=> %s", table->r->kind ? table->r->kind : "stops here");
	if (v->race[0])
		append(out, ": nothing orders it and step %u", v->race[0]);
	else if (v->location && strchr(v->location, '#'))
		append(out, " of %.*s", name_length(v->location), v->location);
}

static int row_width(const struct table *table, int what)
{
	return 11 + table->where + 2 + (table->function ? table->function + 2 : 0) + what;
}

/* Where a row goes on that takes more than a line. */
static unsigned continued(const struct table *table)
{
	const unsigned start = (unsigned)row_width(table, 2), columns = table->t->columns;

	return start + columns / 2 <= columns ? start : columns > 40 ? columns - columns / 2 : 0;
}

struct row {
	const struct table *table;
	const char *what;
};

static void put_what(const struct lp_terminal *t, const void *what)
{
	const struct row *row = what;
	const unsigned start = (unsigned)row_width(row->table, 0);

	fprintf(t->out, "%*s", (int)start, "");
	lp_terminal_sentence(t, row->what, start, continued(row->table));
}

static unsigned lines_of(const struct table *table, const char *what)
{
	const struct row row = { table, what };

	if (row_width(table, (int)strlen(what)) <= (int)table->t->columns)
		return 1;
	return lp_terminal_lines(table->t, put_what, &row);
}

/* The columns as wide as what is in them. */
static void measure(struct table *table)
{
	const struct lp_result_violation *v = table->r->violation;
	char what[WHAT_ROOM], place[PLACE_ROOM];

	table->where = table->function = table->what = 0;
	describe_end(what, table);
	widen(&table->where, shown(table, v->where), WHERE_MAX);
	widen(&table->function, v->function, FUNCTION_MAX);
	widen(&table->what, what, WHAT_ROOM);
	for (uint32_t i = table->first; i < v->step_count; i++) {
		if (!is_shown(table, i))
			continue;
		describe(what, table, &v->steps[i]);
		widen(&table->where, place_of(table, &v->steps[i], place), WHERE_MAX);
		widen(&table->function, v->steps[i].function, FUNCTION_MAX);
		widen(&table->what, what, WHAT_ROOM);
	}
	table->source = (int)table->t->columns - row_width(table, table->what) - 2;
	if (table->source < SOURCE_MIN)
		table->source = 0;
}

/* All places may be in the same file, as in "queue.c:31". */
static void find_file(struct table *table)
{
	const struct lp_result_violation *v = table->r->violation;

	for (uint32_t i = table->first; i <= v->step_count; i++) {
		if (i < v->step_count && !is_shown(table, i))
			continue;
		const char *where = i < v->step_count ? where_of(table, &v->steps[i]) : v->where;
		const char *colon = where ? strrchr(where, ':') : NULL;
		if (!table->file && colon) {
			table->file = where;
			table->file_length = (int)(colon - where);
		}
		if (where && shown(table, where) == where) {
			table->file = NULL;
			return;
		}
	}
}

static bool is_too_wide(const struct table *table)
{
	return row_width(table, table->what) > (int)table->t->columns;
}

/* A line can do without the function, without the inside of wrappers, and with its number for a place. */
static void lay_out(struct table *table)
{
	table->file = NULL;
	table->bare = false;
	measure(table);
	if (table->scarce && is_too_wide(table)) {
		table->bare = true;
		find_file(table);
		measure(table);
	}
	if (table->scarce && is_too_wide(table))
		table->function = 0;
}

/* Is the step neither shown nor in a fold? */
static bool is_left_out(const struct table *table, uint32_t step)
{
	for (uint32_t i = 0; i < table->fold_count; i++)
		if (table->folds[i].from <= step && step <= table->folds[i].to)
			return false;
	return !is_shown(table, step);
}

static uint32_t left_out(const struct table *table)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < table->r->violation->step_count; i++)
		count += is_left_out(table, i);
	return count;
}

static unsigned lines_of_rows(const struct table *table)
{
	const struct lp_result_violation *v = table->r->violation;
	/* The title, what is left out, the end. */
	unsigned lines = 1 + table->fold_count + !!left_out(table) + !!v->where;
	char what[WHAT_ROOM];

	for (uint32_t i = table->first; i < v->step_count; i++) {
		if (!is_shown(table, i))
			continue;
		describe(what, table, &v->steps[i]);
		lines += lines_of(table, what);
	}
	return lines;
}

/* Leaves out the least informative steps until the table fits on the screen, but never the last step.  A remaining
 * step may need more room than before, because it must then say which step that is left out it reads from. */
static void save_lines(struct table *table)
{
	const struct lp_result_violation *v = table->r->violation;
	unsigned lines;

	while (lay_out(table), (lines = lines_of_rows(table)) > table->room) {
		uint32_t least = v->step_count;
		enum lp_step_weight weight = LP_STEP_LAST;
		for (uint32_t i = table->first; i < v->step_count; i++) {
			if (is_shown(table, i) && lp_step_weight(v, i) < weight) {
				least = i;
				weight = lp_step_weight(v, i);
			}
		}
		if (least == v->step_count)
			break;
		table->gone[least] = true;
	}
	table->room = table->room > lines ? table->room - lines : 0;
}

/* Cuts the text to `width` columns, after a word. */
static void cut_source(char *source, int width)
{
	static const char more[] = " ...";
	int end = width - (int)strlen(more);

	if ((int)strlen(source) <= width || end < 0)
		return;
	while (end > width / 2 && source[end] != ' ')
		end--;
	if (source[end] != ' ') /* one long word */
		end = width - (int)strlen(more);
	memcpy(source + end, more, sizeof more);
}

/* The source line at `where`, if it can be read, after `indent` blanks. */
static void put_source(const struct table *table, const char *where, int indent, int width)
{
	char source[SOURCE_ROOM];

	if (!lp_words_source(where, table->r->subject.name, source, sizeof source))
		return;
	cut_source(source, width);
	lp_terminal_colour(table->t, LP_DIM);
	fprintf(table->t->out, "%*s%s", indent, "", source);
	lp_terminal_colour(table->t, LP_NORMAL);
}

void lp_terminal_thread(const struct lp_terminal *t, uint32_t thread)
{
	static const char *const palette[] = { "36", "35", "34", "33", "32" };
	char name[16];

	snprintf(name, sizeof name, "T%u", thread);
	lp_terminal_colour(t, palette[thread % (sizeof palette / sizeof *palette)]);
	fprintf(t->out, "%-3s", name);
	lp_terminal_colour(t, LP_NORMAL);
}

/* What is in a row, and beside it: the source line at `where`. */
struct cells {
	uint32_t number; /* of the step, from 1; 0: the end of the execution */
	uint32_t thread;
	const char *place, *function, *what, *where;
};

static void put_cells(const struct table *table, const struct cells *c)
{
	FILE *out = table->t->out;
	char label[16] = "";

	if (c->number)
		snprintf(label, sizeof label, "%s%u", c->number == table->marked ? "* " : "", c->number);
	fprintf(out, "%5s  ", label);
	lp_terminal_thread(table->t, c->thread);
	fprintf(out, " %-*s  ", table->where, c->place ? tail(c->place, table->where) : "");
	if (table->function)
		fprintf(out, "%-*.*s  ", table->function, table->function, c->function ? c->function : "");
	if (!c->number)
		lp_terminal_colour(table->t, LP_RED);
	if (table->source)
		lp_terminal_text(table->t, c->what);
	else
		lp_terminal_sentence(table->t, c->what, (unsigned)row_width(table, 0), continued(table));
	if (!c->number)
		lp_terminal_colour(table->t, LP_NORMAL);
	if (table->source && c->where)
		put_source(table, c->where, table->what - (int)strlen(c->what) + 2, table->source);
	if (table->source)
		fputc('\n', out);
}

/* "file:9" before "file:12": names by the alphabet, then lines by number. */
static int compare_places(const void *a, const void *b)
{
	const char *p = *(const char *const *)a, *q = *(const char *const *)b;
	const char *p_line = strrchr(p, ':'), *q_line = strrchr(q, ':');

	if (p_line && q_line && p_line - p == q_line - q && !strncmp(p, q, (size_t)(p_line - p))) {
		const long m = strtol(p_line + 1, NULL, 10), n = strtol(q_line + 1, NULL, 10);
		return (m > n) - (m < n);
	}
	return strcmp(p, q);
}

/* The source lines of the table, for screens on which they do not fit beside. */
static void put_sources(const struct table *table)
{
	const struct lp_result_violation *v = table->r->violation;
	struct { LP_VEC(const char *); } places = { 0 };
	char source[SOURCE_ROOM];
	bool any = false;

	if (v->where)
		LP_PUSH(&places, v->where);
	if (v->other_where)
		LP_PUSH(&places, v->other_where);
	for (uint32_t i = table->first; i < v->step_count; i++)
		if (is_shown(table, i) && v->steps[i].where) {
			LP_PUSH(&places, v->steps[i].where);
			if (v->steps[i].caller)
				LP_PUSH(&places, v->steps[i].caller);
		}
	if (places.count)
		qsort(places.at, places.count, sizeof *places.at, compare_places);
	for (uint32_t i = 0; i < places.count; i++) {
		if (i && !strcmp(places.at[i - 1], places.at[i]))
			continue;
		if (!lp_words_source(places.at[i], table->r->subject.name, source, sizeof source))
			continue;
		if (!any)
			fputs("\nsource:\n", table->t->out);
		any = true;
		fprintf(table->t->out, "  %-*s  ", table->where,
			tail(shown(table, places.at[i]), table->where));
		put_source(table, places.at[i], 0, (int)table->t->columns - table->where - 4);
		fputc('\n', table->t->out);
	}
	lp_free(places.at);
}

/* Of a part of a block, the name of the block: "node#2" of "node#2.next". */
static int block_length(const char *location)
{
	const int length = name_length(location);
	const char *number = memchr(location, '#', (size_t)length);

	if (!number)
		return length;
	return (int)(number - location) + 1 + (int)strspn(number + 1, "0123456789");
}

static bool has_remark(const struct table *table, uint32_t step)
{
	const char *location = table->r->violation->steps[step].location;

	return is_shown(table, step) && location && location[name_length(location)];
}

/* Does an earlier step have the same remark (and, with `block`, concern the same block)? */
static bool said_before(const struct table *table, uint32_t step, bool block)
{
	const struct lp_result_step *steps = table->r->violation->steps;
	const char *here = steps[step].location;

	for (uint32_t i = table->first; i < step; i++) {
		const char *there = steps[i].location;
		if (!has_remark(table, i) || strcmp(there + name_length(there), here + name_length(here)))
			continue;
		if (!block || (block_length(there) == block_length(here) &&
			       !strncmp(there, here, (size_t)block_length(here))))
			return true;
	}
	return false;
}

/* The blocks of which the same is known: "node#1, node#2 (allocated at q.c:12)" */
static void put_blocks(const struct table *table, uint32_t first)
{
	const struct lp_result_violation *v = table->r->violation;
	const char *remark = v->steps[first].location + name_length(v->steps[first].location);

	fputs("  ", table->t->out);
	for (uint32_t i = first; i < v->step_count; i++) {
		const char *location = v->steps[i].location;
		if (has_remark(table, i) && !strcmp(location + name_length(location), remark) &&
		    !said_before(table, i, true))
			fprintf(table->t->out, "%s%.*s", i == first ? "" : ", ", block_length(location), location);
	}
	fprintf(table->t->out, "%s\n", remark);
}

/* What is known about locations besides their names. */
static void put_locations(const struct table *table)
{
	const struct lp_result_violation *v = table->r->violation;
	bool any = false;

	for (uint32_t i = table->first; i < v->step_count; i++) {
		if (!has_remark(table, i) || said_before(table, i, false))
			continue;
		if (!any)
			fputs("\nlocations:\n", table->t->out);
		any = true;
		put_blocks(table, i);
	}
}

void lp_terminal_locations(const struct lp_terminal *t, const struct lp_result *r, uint32_t first)
{
	put_locations(&(struct table){ .t = t, .r = r, .first = first });
}

struct draft {
	const struct table *table;
	void (*put)(const struct table *);
};

static void put_draft(const struct lp_terminal *t, const void *what)
{
	const struct draft *draft = what;
	struct table table = *draft->table;

	table.t = t;
	draft->put(&table);
}

static void put_if_room(struct table *table, void (*put)(const struct table *))
{
	const struct draft draft = { table, put };
	const unsigned lines = table->scarce ? lp_terminal_lines(table->t, put_draft, &draft) : 0;

	if (lines > table->room)
		return;
	table->room -= lines;
	put(table);
}

/* What is left out of any table: set-up and tear-down, and all but the last steps. */
static void choose_steps(struct table *table)
{
	const struct lp_result_violation *v = table->r->violation;
	uint32_t shown_steps = 0, kept = 0;

	if (table->t->verbose)
		return;
	table->fold_count = lp_result_folds(v, table->folds);
	for (uint32_t i = 0; i < table->fold_count; i++)
		for (uint32_t step = table->folds[i].from; step <= table->folds[i].to; step++)
			table->gone[step] = true;
	for (uint32_t i = v->step_count; i && !table->first; i--)
		if (!table->gone[i - 1] && ++shown_steps == LAST_STEPS)
			table->first = i - 1;
	for (uint32_t i = 0; i < table->fold_count; i++)
		if (table->folds[i].from >= table->first)
			table->folds[kept++] = table->folds[i];
	table->fold_count = kept;
}

static void put_missing(const struct table *table, uint32_t missing)
{
	const bool before = missing == table->first;

	fprintf(table->t->out, "   ... %u %sstep%s%s; --verbose shows %s\n", missing, before ? "" : "other ",
		missing == 1 ? "" : "s", before ? " before these" : "", missing == 1 ? "it" : "them");
}

/* A line such as "...  T0 sets up: steps 1 to 23", if the next step begins a fold. */
static void put_fold(const struct table *table, uint32_t step, uint32_t left)
{
	for (uint32_t i = 0; i < table->fold_count; i++) {
		const struct lp_result_fold *f = &table->folds[i];
		const bool more = i && table->folds[i - 1].kind == f->kind;
		if (f->from != step)
			continue;
		fputs("   ... ", table->t->out);
		lp_terminal_thread(table->t, 0);
		fprintf(table->t->out, "%s: steps %u to %u%s\n", more ? "goes on" : lp_fold_clause(f->kind), f->from + 1, f->to + 1,
			i || left ? "" : "; --verbose shows them");
	}
}

void lp_terminal_steps(const struct lp_terminal *t, const struct lp_result *r, unsigned room)
{
	const struct lp_result_violation *v = r->violation;
	struct table table = { .t = t, .r = r, .scarce = room, .room = room };
	bool begun = false;
	char what[WHAT_ROOM], place[PLACE_ROOM];

	const uint32_t decisive = lp_decisive_step(v, what);
	table.marked = lp_decisive_missed(v, decisive) != LP_RESULT_NO_STEP ? decisive + 1 : 0;
	table.gone = lp_alloc_zero(v->step_count, sizeof *table.gone);
	choose_steps(&table);
	if (table.scarce)
		save_lines(&table);
	else
		lay_out(&table);
	unsigned used = (unsigned)fprintf(t->out, "the execution, step by step");
	if (table.file)
		used += (unsigned)fprintf(t->out, ", in %.*s", table.file_length, table.file);
	if (t->wraps && v->client)
		lp_terminal_threads(t, v->client, used);
	fputs(":\n", t->out);
	uint32_t missing = left_out(&table);
	for (uint32_t i = table.first; i < v->step_count; i++) {
		const struct lp_result_step *s = &v->steps[i];
		put_fold(&table, i, left_out(&table));
		if (missing && (table.first || is_left_out(&table, i))) {
			put_missing(&table, missing);
			missing = 0;
		}
		if (!is_shown(&table, i))
			continue;
		if (v->loop && i + 1 >= v->loop && !begun) {
			fprintf(t->out, "   ... from step %u on, forever:\n", v->loop);
			begun = true;
		}
		describe(what, &table, s);
		put_cells(&table, &(struct cells){ .number = i + 1, .thread = s->thread, .place = place_of(&table, s, place),
						   .function = s->function, .what = what,
						   .where = s->caller ? s->caller : s->where });
	}
	if (v->where) {
		describe_end(what, &table);
		put_cells(&table, &(struct cells){ .thread = v->thread, .place = shown(&table, v->where), .function = v->function,
						   .what = what, .where = v->where });
	}
	if (!table.source)
		put_if_room(&table, put_sources);
	put_if_room(&table, put_locations);
	lp_free(table.gone);
}
