/* json_lines.c -- linchpin's own format, JSON lines.  A line is a call with its times,
 *
 *     {"thread":0,"start":1,"end":5,"method":"enqueue","args":[7]}
 *     {"thread":1,"start":3,"end":9,"method":"dequeue","result":7}
 *
 * or an event, which is a call or a return.  Events are in the order in which they happened:
 *
 *     {"thread":0,"call":"enqueue","args":[7]}
 *     {"thread":0,"return":null}
 *
 * Other members are skipped, so that a recorder may write more than we need.  None of the members above may occur
 * twice in a line.
 *
 * Numbers may have decimals.  3.0 is 3; 0.25 is a value that equals 25e-2.  If some time is not an integer, all times
 * are converted to billionths and rounded down.  By rounding, calls that do not overlap may seem to overlap.  Calls that
 * overlap still do after rounding.
 */
#include "history/reader.h"

#include <string.h>

#include "history/decimal.h"

enum { MAX_TEXT = 1 << 20, MAX_DEPTH = 64 };

struct member {
	bool given;
	int64_t number;
	bool has_parts; /* the time is not a whole number, and is given in billionths */
};

#define BILLION INT64_C(1000000000)

enum part { THREAD, START, END, METHOD, CALL, ARGS, RESULT, RETURN, TXN, TYPE, PARTS };

struct row {
	struct member thread, start, end;
	bool has_result, unknown_result;
	int64_t arg[LP_MAX_ARGS];
	uint32_t args;
	uint16_t method; /* the results are in the reader's `values` */
	bool has[PARTS]; /* the line has this member */
	bool has_method, has_call, has_return;
	enum lp_txn_type type;
};

static void skip_space(struct lp_reader *r)
{
	while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r'))
		r->at++;
}

static bool expect(struct lp_reader *r, char c)
{
	char text[24];

	skip_space(r);
	if (r->at == r->end || *r->at != c)
		return lp_reader_fail(r, "expected '%c' before %s", c, lp_reader_excerpt(r, text));
	r->at++;
	return true;
}

static bool take(struct lp_reader *r, char c)
{
	skip_space(r);
	if (r->at == r->end || *r->at != c)
		return false;
	r->at++;
	return true;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Converts \uXXXX to UTF-8.  Surrogates are converted one by one, which is not proper UTF-8, but keeps different
 * texts different. */
static bool parse_unicode(struct lp_reader *r, char *to, size_t *length)
{
	unsigned code = 0;

	for (int i = 0; i < 4; i++) {
		const int digit = r->at < r->end ? hex_digit(*r->at) : -1;
		if (digit < 0)
			return lp_reader_fail(r, "expected four hexadecimal digits after \\u");
		code = code * 16 + (unsigned)digit;
		r->at++;
	}
	if (code < 0x80) {
		to[(*length)++] = (char)code;
	} else if (code < 0x800) {
		to[(*length)++] = (char)(0xc0 | code >> 6);
		to[(*length)++] = (char)(0x80 | (code & 63));
	} else {
		to[(*length)++] = (char)(0xe0 | code >> 12);
		to[(*length)++] = (char)(0x80 | (code >> 6 & 63));
		to[(*length)++] = (char)(0x80 | (code & 63));
	}
	return true;
}

/* Parses a text after its opening quote.  `*text` points into the input, or, if there was something to unescape, to
 * memory that `*owned` has and the caller frees. */
static bool parse_text(struct lp_reader *r, const char **text, size_t *length, char **owned)
{
	const char *first = r->at;

	*owned = NULL;
	while (r->at < r->end && *r->at != '"' && *r->at != '\\' && *r->at != '\n')
		r->at++;
	if (r->at < r->end && *r->at == '"') {
		*text = first;
		*length = (size_t)(r->at++ - first);
		return true;
	}

	size_t room = (size_t)(r->at - first) + 64;
	*owned = lp_alloc(room);
	*length = (size_t)(r->at - first);
	memcpy(*owned, first, *length);
	for (;;) {
		if (r->at == r->end || *r->at == '\n')
			return lp_reader_fail(r, "the text has no closing quote");
		const char c = *r->at++;
		if (c == '"')
			break;
		if (*length + 8 > room)
			*owned = lp_realloc(*owned, room *= 2);
		if (c != '\\') {
			(*owned)[(*length)++] = c;
			continue;
		}
		if (r->at == r->end)
			return lp_reader_fail(r, "the text has no closing quote");
		const char escape = *r->at++;
		static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
		const char *known = escape ? strchr(from, escape) : NULL;
		if (known)
			(*owned)[(*length)++] = to[known - from];
		else if (escape != 'u')
			return lp_reader_fail(r, "there is no escape '\\%c' in JSON",
					      escape >= ' ' && escape < 127 ? escape : '?');
		else if (!parse_unicode(r, *owned, length))
			return false;
	}
	*text = *owned;
	return true;
}

static bool take_word(struct lp_reader *r, const char *word)
{
	const size_t length = strlen(word);

	if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length))
		return false;
	r->at += length;
	return true;
}

/* Parses the name of a member as a key, which is a number if it looks like one. */
static bool parse_key(struct lp_reader *r, struct lp_values *values)
{
	const char *text;
	size_t length;
	char *owned;

	if (!expect(r, '"'))
		return false;
	const bool good = parse_text(r, &text, &length, &owned);
	int64_t number;
	if (good && lp_reader_number(text, text + length, &number) == text + length)
		LP_PUSH(values, number);
	else if (good)
		LP_PUSH(values, lp_history_text(r->h, text, length));
	lp_free(owned);
	return good;
}

/* Parses a number with a point or an exponent.  Returns its end, or NULL if there is no such number or it is too
 * large. */
static const char *parse_fraction(struct lp_reader *r, int64_t *value)
{
	struct lp_decimal d;
	const char *stop = lp_decimal_parse(r->at, r->end, &d);
	char text[LP_DECIMAL_TEXT];

	if (stop && lp_decimal_is_whole(&d))
		return lp_decimal_scaled(&d, 0, value) ? stop : NULL;
	if (stop)
		*value = lp_history_text(r->h, text, lp_decimal_print(&d, text));
	return stop;
}

/* Parses a number, a text, true, false or null.  A text such as "empty" stands for the special value of that name. */
static bool parse_scalar(struct lp_reader *r, int64_t *value)
{
	char excerpt[24];

	skip_space(r);
	if (take(r, '"')) {
		const char *text;
		size_t length;
		char *owned;
		const bool good = parse_text(r, &text, &length, &owned);
		if (!good)
			;
		else if (length == 5 && !memcmp(text, "empty", 5))
			*value = LP_EMPTY;
		else if (length == 4 && !memcmp(text, "full", 4))
			*value = LP_FULL;
		else
			*value = lp_history_text(r->h, text, length);
		lp_free(owned);
		return good;
	}
	if (take_word(r, "true")) {
		*value = 1;
	} else if (take_word(r, "false")) {
		*value = 0;
	} else if (take_word(r, "null")) {
		*value = LP_NIL;
	} else {
		const char *stop = lp_reader_number(r->at, r->end, value);
		if (!stop || (stop < r->end && (*stop == '.' || *stop == 'e' || *stop == 'E')))
			stop = parse_fraction(r, value);
		if (!stop)
			return lp_reader_fail(r, "expected a number, a text, true, false or null before %s",
					      lp_reader_excerpt(r, excerpt));
		r->at = stop;
	}
	return true;
}

/* Parses a value, or all values of an array or object, including those of nested arrays and objects. */
static bool parse_values(struct lp_reader *r, struct lp_values *values, unsigned depth)
{
	const bool object = take(r, '{');
	int64_t value;

	if (depth > MAX_DEPTH)
		return lp_reader_fail(r, "values are nested too deeply");
	if (!object && !take(r, '[')) {
		if (!parse_scalar(r, &value))
			return false;
		LP_PUSH(values, value);
		return true;
	}
	if (take(r, object ? '}' : ']'))
		return true;
	do {
		if (object && (!parse_key(r, values) || !expect(r, ':')))
			return false;
		if (!parse_values(r, values, depth + 1))
			return false;
	} while (take(r, ','));
	return expect(r, object ? '}' : ']');
}

static bool parse_args(struct lp_reader *r, struct row *row)
{
	struct lp_values values = { 0 };
	const bool good = parse_values(r, &values, 0) &&
			  (values.count <= LP_MAX_ARGS || lp_reader_fail(r, "more than %d values", LP_MAX_ARGS));

	for (uint32_t i = 0; good && i < values.count; i++)
		row->arg[i] = values.at[i];
	row->args = good ? values.count : 0;
	lp_free(values.at);
	return good;
}

/* Skips the value of a member that is not used. */
static bool skip_value(struct lp_reader *r)
{
	unsigned depth = 0;

	do {
		skip_space(r);
		if (r->at == r->end || *r->at == '\n')
			return lp_reader_fail(r, "the line ends within a value");
		const char c = *r->at++;
		if (c == '"') {
			const char *text;
			size_t length;
			char *owned;
			const bool good = parse_text(r, &text, &length, &owned);
			lp_free(owned);
			if (!good)
				return false;
		} else if (c == '[' || c == '{') {
			if (++depth > MAX_DEPTH)
				return lp_reader_fail(r, "values are nested too deeply");
		} else if (c == ']' || c == '}') {
			if (!depth)
				return lp_reader_fail(r, "a value is missing");
			depth--;
		} else if (c != ',' && c != ':') {
			while (r->at < r->end && !strchr(" \t\r\n,:]}\"", *r->at))
				r->at++;
		} else if (!depth) {
			return lp_reader_fail(r, "a value is missing");
		}
		/* Within brackets, separators are skipped like values. */
	} while (depth);
	return true;
}

static bool is_name(const char *text, size_t length, const char *name)
{
	return length == strlen(name) && !memcmp(text, name, length);
}

static bool parse_number(struct lp_reader *r, const char *what, struct member *m)
{
	int64_t value;

	if (!parse_scalar(r, &value))
		return false;
	if (value == LP_NIL)
		return true; /* null: as if the member were missing */
	if (value < LP_LOWEST)
		return lp_reader_fail(r, "\"%s\" is a whole number", what);
	*m = (struct member){ .given = true, .number = value };
	return true;
}

static bool parse_time(struct lp_reader *r, const char *what, struct member *m)
{
	struct lp_decimal d;

	skip_space(r);
	const char *stop = lp_reader_number(r->at, r->end, &m->number);
	if (stop && (stop == r->end || (*stop != '.' && *stop != 'e' && *stop != 'E'))) {
		m->given = true;
		r->at = stop;
		return true;
	}
	stop = lp_decimal_parse(r->at, r->end, &d);
	if (!stop || lp_decimal_is_whole(&d))
		return parse_number(r, what, m);
	if (!lp_decimal_scaled(&d, 9, &m->number))
		return lp_reader_fail(r, "\"%s\" is beyond 2^62 billionths", what);
	r->at = stop;
	m->given = m->has_parts = true;
	return true;
}

/* Parses a text and passes it to `then`. */
static bool parse_named(struct lp_reader *r, struct row *row,
			bool (*take_name)(struct lp_reader *, struct row *, const char *, size_t))
{
	const char *text;
	size_t length;
	char *owned;

	if (!expect(r, '"'))
		return false;
	const bool good = parse_text(r, &text, &length, &owned) && take_name(r, row, text, length);
	lp_free(owned);
	return good;
}

static bool take_method(struct lp_reader *r, struct row *row, const char *name, size_t length)
{
	return lp_reader_method(r, name, length, &row->method);
}

static bool take_type(struct lp_reader *r, struct row *row, const char *name, size_t length)
{
	return lp_txn_type_named(name, length, &row->type) ||
	       lp_reader_fail(r, "expected invoke, ok, fail or info as \"type\"");
}

static bool parse_result(struct lp_reader *r, struct row *row)
{
	skip_space(r);
	row->has_result = true;
	if (take_word(r, "\"?\"")) {
		row->unknown_result = true;
		return true;
	}
	r->values.count = 0;
	return parse_values(r, &r->values, 0);
}

/* Finds the member by its name; PARTS if the format has no such member. */
static enum part part_named(const struct lp_reader *r, const char *name, size_t length)
{
	static const struct {
		const char *name;
		enum part part;
	} names[] = {
		{ "thread", THREAD }, { "start", START }, { "end", END }, { "method", METHOD }, { "call", CALL },
		{ "args", ARGS }, { "result", RESULT }, { "return", RETURN },
		/* Only in transactions: */
		{ "txn", TXN }, { "type", TYPE }, { "process", THREAD }, { "value", TXN },
	};
	const size_t count = r->h->txns ? sizeof names / sizeof *names : TXN;

	for (size_t i = 0; i < count; i++)
		if (is_name(name, length, names[i].name))
			return names[i].part;
	return PARTS;
}

static bool begin_list(struct lp_reader *r)
{
	return take(r, '[');
}

static int more_in_list(struct lp_reader *r, bool first)
{
	if (first ? !take(r, ']') : take(r, ','))
		return 1;
	return first || expect(r, ']') ? 0 : -1;
}

static const struct lp_txn_syntax syntax = { begin_list, more_in_list, parse_scalar };

static bool parse_part(struct lp_reader *r, enum part part, struct row *row)
{
	switch (part) {
	case THREAD: return parse_number(r, "thread", &row->thread);
	case START: return parse_time(r, "start", &row->start);
	case END: return parse_time(r, "end", &row->end);
	case METHOD: return row->has_method = parse_named(r, row, take_method);
	case CALL: return row->has_call = parse_named(r, row, take_method);
	case ARGS: return parse_args(r, row);
	case RESULT: return parse_result(r, row);
	case RETURN: return row->has_return = parse_result(r, row);
	case TXN: return lp_txn_parse(r, &syntax);
	case TYPE: return parse_named(r, row, take_type);
	case PARTS: break;
	}
	return skip_value(r);
}

static bool parse_member(struct lp_reader *r, struct row *row)
{
	const char *name;
	size_t length;
	char *owned;

	if (!expect(r, '"'))
		return false;
	if (!parse_text(r, &name, &length, &owned) || !expect(r, ':')) {
		lp_free(owned);
		return false;
	}
	const enum part part = part_named(r, name, length);
	bool good = part == PARTS || !row->has[part];
	if (!good)
		lp_reader_fail(r, "the line has \"%.*s\" twice", (int)length, name);
	else if (part < PARTS)
		row->has[part] = true;
	good = good && parse_part(r, part, row);
	lp_free(owned);
	return good;
}

static void set_args(struct lp_call *c, const struct row *row)
{
	/* "args":null means no argument; a null among several arguments is one. */
	if (row->args == 1 && row->arg[0] == LP_NIL)
		return;
	c->args = (uint8_t)row->args;
	memcpy(c->arg, row->arg, sizeof *c->arg * row->args);
}

static bool set_result(struct lp_reader *r, struct lp_call *c, const struct row *row)
{
	if (!row->unknown_result)
		return lp_reader_set_results(r, c, r->values.at, row->has_result ? r->values.count : 0);
	c->results = LP_RESULT_UNKNOWN;
	return true;
}

/* Converts the times of the calls so far to billionths, and reads all further times in billionths. */
static bool count_in_parts(struct lp_reader *r)
{
	r->h->in_billionths = true;
	for (uint32_t i = 0; i < r->h->count; i++) {
		struct lp_call *c = &r->h->at[i];
		const int64_t last = lp_call_is_pending(c) ? c->start : c->end;
		if (c->start < -LP_MAX_TIME / BILLION || last > LP_MAX_TIME / BILLION)
			return lp_reader_fail(r, "this time is not a whole number, and that of line %u is beyond "
						 "2^62 billionths", c->line);
		c->start *= BILLION;
		if (!lp_call_is_pending(c))
			c->end *= BILLION;
	}
	return true;
}

/* Parses the times of a line, in the common unit. */
static bool take_times(struct lp_reader *r, struct row *row)
{
	struct member *both[] = { &row->start, &row->end };

	if ((row->start.has_parts || row->end.has_parts) && !r->h->in_billionths && !count_in_parts(r))
		return false;
	for (int i = 0; r->h->in_billionths && i < 2; i++) {
		if (!both[i]->given || both[i]->has_parts)
			continue;
		if (both[i]->number < -LP_MAX_TIME / BILLION || both[i]->number > LP_MAX_TIME / BILLION)
			return lp_reader_fail(r, "the time is beyond 2^62 billionths");
		both[i]->number *= BILLION;
	}
	return true;
}

static bool add_call(struct lp_reader *r, struct row *row)
{
	r->h->has_times = true;
	if (!take_times(r, row))
		return false;
	struct lp_call c = { .line = r->line,
			     .start = row->start.number,
			     .end = row->end.given ? row->end.number : LP_PENDING,
			     .thread = (uint32_t)row->thread.number,
			     .method = row->method,
			     .results = LP_RESULT_UNKNOWN };

	if (!row->has_method || !row->start.given)
		return lp_reader_fail(r, "a call needs \"%s\"", row->has_method ? "start" : "method");
	if (c.end < c.start)
		return lp_reader_fail(r, "the call ends before it starts");
	if (!row->end.given && row->has_result && !row->unknown_result)
		return lp_reader_fail(r, "a call with a result needs \"end\"");
	set_args(&c, row);
	if (row->end.given && !set_result(r, &c, row))
		return false;
	LP_PUSH(r->h, c);
	return true;
}

/* Adds a transaction, which is one line with its times, or an event. */
static bool add_txn(struct lp_reader *r, struct row *row)
{
	if (!row->start.given) {
		if (!row->has[TYPE])
			return lp_reader_fail(r, "a transaction needs \"start\", or a \"type\" if it is told as it happens");
		return lp_txn_event(r, (uint32_t)row->thread.number, row->type, row->has[TXN]);
	}
	if (row->has[TYPE] && row->type == LP_TXN_INVOKE)
		return lp_reader_fail(r, "an invocation has no \"start\": its place in the file is its time");
	if (!row->has[TXN])
		return lp_reader_fail(r, "\"txn\" is missing");
	if (!row->has[TYPE])
		row->type = row->end.given ? LP_TXN_OK : LP_TXN_INFO;
	if (row->type == LP_TXN_INFO)
		row->end.given = false;
	else if (!row->end.given)
		return lp_reader_fail(r, "a transaction that is over needs \"end\"");
	row->has_method = true;
	row->method = lp_history_method(r->h, "txn", 3);
	if (!add_call(r, row))
		return false;
	lp_txns_set(r->h->txns, r->h->count - 1, lp_txn_outcome_of(row->type));
	return true;
}

static bool add_row(struct lp_reader *r, struct row *row)
{
	if (!row->thread.given)
		return lp_reader_fail(r, "\"thread\" is missing");
	if (row->thread.number < 0 || row->thread.number >= UINT32_MAX)
		return lp_reader_fail(r, "there is no thread %lld", (long long)row->thread.number);
	if (r->h->txns)
		return add_txn(r, row);
	if (!row->has_call && !row->has_return)
		return add_call(r, row);
	if (row->has_call && row->has_return)
		return lp_reader_fail(r, "a line is a call or a return, not both");

	const uint32_t thread = (uint32_t)row->thread.number;
	struct lp_call *c = row->has_call ? lp_reader_call(r, thread) : lp_reader_return(r, thread);
	if (!c)
		return false;
	if (row->has_call) {
		c->method = row->method;
		set_args(c, row);
		return true;
	}
	/* A return of null may belong to a method without result.  The specification knows this, and then treats nil as no result. */
	return set_result(r, c, row);
}

bool lp_json_parse(struct lp_reader *r)
{
	char excerpt[24];

	for (; r->at < r->end; r->line++) {
		if (!lp_reader_goes_on(r))
			return false;
		skip_space(r);
		if (r->at < r->end && *r->at != '\n') {
			struct row row = { 0 };
			if (!expect(r, '{'))
				return false;
			if (!take(r, '}')) {
				do {
					if (!parse_member(r, &row))
						return false;
				} while (take(r, ','));
				if (!expect(r, '}'))
					return false;
			}
			if (!add_row(r, &row))
				return false;
			skip_space(r);
		}
		if (r->at < r->end && *r->at != '\n')
			return lp_reader_fail(r, "expected the end of the line before %s",
					      lp_reader_excerpt(r, excerpt));
		r->at += r->at < r->end;
	}
	return true;
}
