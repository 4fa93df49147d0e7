/* plain_table.c -- the plain table:
 *
 *     # thread start end method argument result
 *     0 1 5 enqueue 7 -
 *     1 3 9 dequeue - 7
 *     1 10 ? dequeue - ?
 *
 * `-` means that there is no argument or no result.  `?` as the result means that the result is
 * unknown, and `?` as the end means that the call is pending.  Several values are separated by
 * commas.
 */
#include "history/reader.h"

#include <string.h>

struct word {
	const char *at;
	size_t length;
};

enum { THREAD, START, END, METHOD, ARGUMENT, RESULT, COLUMNS };
static const char *const column_names[] = { "thread", "start",    "end",
					    "method", "argument", "result" };

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool is_mark(struct word w, char mark)
{
	return w.length == 1 && w.at[0] == mark;
}

static bool parse_values(struct lp_reader *r, struct word w, uint32_t limit, const char *what,
			 struct lp_values *values)
{
	const char *at = w.at, *end = w.at + w.length;

	values->count = 0;
	if (is_mark(w, '-'))
		return true;
	for (;;) {
		const char *comma = memchr(at, ',', (size_t)(end - at));
		const char *stop = comma ? comma : end;
		if (stop == at)
			return lp_reader_fail(r, "a value is missing in %s '%.*s'", what,
					      (int)(w.length < 40 ? w.length : 40), w.at);
		if (values->count == limit)
			return lp_reader_fail(r, "more than %u values as %s", limit, what);
		LP_PUSH(values, lp_reader_word(r->h, at, (size_t)(stop - at)));
		if (!comma)
			return true;
		at = comma + 1;
	}
}

static bool parse_time(struct lp_reader *r, struct word w, const char *what, int64_t *time)
{
	if (lp_reader_number(w.at, w.at + w.length, time) != w.at + w.length)
		return lp_reader_fail(r, "expected a whole number as %s, not '%.*s'", what,
				      (int)(w.length < 40 ? w.length : 40), w.at);
	return true;
}

static bool parse_row(struct lp_reader *r, const struct word *w)
{
	struct lp_call c = { .line = r->line, .end = LP_PENDING, .results = LP_RESULT_UNKNOWN };
	struct lp_values *values = &r->values;
	int64_t thread;

	if (!parse_time(r, w[THREAD], "thread", &thread) ||
	    !parse_time(r, w[START], "start", &c.start))
		return false;
	if (thread < 0 || thread >= UINT32_MAX)
		return lp_reader_fail(r, "there is no thread %lld", (long long)thread);
	c.thread = (uint32_t)thread;
	if (!is_mark(w[END], '?')) {
		if (!parse_time(r, w[END], "end", &c.end))
			return false;
		if (c.end < c.start)
			return lp_reader_fail(r, "the call ends before it starts");
	}
	if (!lp_reader_method(r, w[METHOD].at, w[METHOD].length, &c.method) ||
	    !parse_values(r, w[ARGUMENT], LP_MAX_ARGS, "argument", values))
		return false;
	c.args = (uint8_t)values->count;
	for (uint32_t i = 0; i < values->count; i++)
		c.arg[i] = values->at[i];

	if (!is_mark(w[RESULT], '?')) {
		if (lp_call_is_pending(&c))
			return lp_reader_fail(r, "the result of a call without end is '?'");
		if (!parse_values(r, w[RESULT], LP_MAX_RESULTS, "result", values) ||
		    !lp_reader_set_results(r, &c, values->at, values->count))
			return false;
	}
	r->h->has_times = true;
	LP_PUSH(r->h, c);
	return true;
}

bool lp_table_parse(struct lp_reader *r)
{
	for (; r->at < r->end; r->line++) {
		const char *stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
		const char *line_end = stop ? stop : r->end;
		struct word words[COLUMNS];
		unsigned count = 0;

		if (!lp_reader_goes_on(r))
			return false;
		for (const char *p = r->at; p < line_end;) {
			if (is_space(*p)) {
				p++;
				continue;
			}
			if (*p == '#')
				break;
			if (count == COLUMNS)
				return lp_reader_fail(r, "more than six columns");
			words[count].at = p;
			while (p < line_end && !is_space(*p))
				p++;
			words[count].length = (size_t)(p - words[count].at);
			count++;
		}
		if (count && count < COLUMNS)
			return lp_reader_fail(r, "expected %s: a line has six columns, thread "
						 "start end method argument result",
					      column_names[count]);
		if (count && !parse_row(r, words))
			return false;
		r->at = stop ? stop + 1 : r->end;
	}
	return true;
}
