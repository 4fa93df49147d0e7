/* history.c -- histories: their methods and texts, fitting them to a specification, and printing. */
#include "history/history.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/error.h"
#include "history/texts.h"
#include "history/txns.h"
#include "spec/spec.h"

bool lp_history_order_ties(struct lp_history *h, struct lp_error *error)
{
	const int64_t most = LP_MAX_TIME / 4;

	for (uint32_t i = 0; i < h->count; i++) {
		const struct lp_call *c = &h->at[i];
		if (c->start < -most || c->start > most || (!lp_call_is_pending(c) && c->end > most))
			return lp_call_fail(h, c, error, "times are between -2^60 and 2^60 here");
	}
	h->ties_are_ordered = true;
	return true;
}

/* If one value follows the arguments, it is the result; the return repeats it as its last value. */
static void move_result(struct lp_call *c)
{
	c->args--;
	if (lp_call_is_pending(c) || c->results == LP_RESULT_UNKNOWN)
		return;
	if (c->result == LP_VOID)
		c->result = c->arg[c->args];
	c->results = 1;
}

/* For a call that reads the whole object, all values are results. */
static void move_results(struct lp_history *h, struct lp_call *c)
{
	const uint32_t count = c->args;

	c->args = 0;
	if (lp_call_is_pending(c) || c->results == LP_RESULT_UNKNOWN)
		return;
	c->results = count;
	c->result = count == 1 ? c->arg[0] : h->values.count;
	for (uint32_t i = 0; i < count && count > 1; i++)
		LP_PUSH(&h->values, c->arg[i]);
}

void lp_history_fit(struct lp_history *h, const struct lp_kind *kind)
{
	for (uint32_t i = 0; h->is_completed && i < h->count; i++) {
		struct lp_call *c = &h->at[i];
		const char *name = h->methods.at[c->method];
		const uint32_t m = lp_method_named(kind, name, strlen(name));
		if (m != LP_NO_METHOD && c->args && !kind->methods[m].args && kind->methods[m].result == LP_VALUES &&
		    (!c->results || c->results == LP_RESULT_UNKNOWN))
			move_results(h, c);
		else if (m != LP_NO_METHOD && c->args == kind->methods[m].args + 1 &&
		    kind->methods[m].result != LP_NOTHING && !(c->results && c->results != LP_RESULT_UNKNOWN))
			move_result(c);
	}
	h->is_completed = false;
}

void lp_history_close(struct lp_history *h)
{
	for (uint32_t i = 0; i < h->methods.count; i++)
		lp_free(h->methods.at[i]);
	lp_free(h->methods.at);
	lp_free(h->values.at);
	lp_free(h->at);
	lp_texts_close(h->texts);
	lp_txns_close(h->txns);
	lp_free(h->name);
	*h = (struct lp_history){ 0 };
}

uint16_t lp_history_method(struct lp_history *h, const char *name, size_t length)
{
	for (uint32_t i = 0; i < h->methods.count; i++)
		if (strlen(h->methods.at[i]) == length && !memcmp(h->methods.at[i], name, length))
			return (uint16_t)i;
	if (h->methods.count == UINT16_MAX)
		return UINT16_MAX;
	char *copy = lp_alloc(length + 1);
	memcpy(copy, name, length);
	copy[length] = '\0';
	LP_PUSH(&h->methods, copy);
	return (uint16_t)(h->methods.count - 1);
}

int64_t lp_history_text(struct lp_history *h, const char *text, size_t length)
{
	if (!h->texts)
		h->texts = lp_texts_open();
	return lp_texts_value(h->texts, text, length);
}

/* Returns the word for a value that is not a number; NULL for a number. */
static const char *word_of(int64_t value)
{
	switch (value) {
	case LP_VOID: return "-";
	case LP_EMPTY: return "empty";
	case LP_FULL: return "full";
	case LP_NIL: return "nil";
	default: return NULL;
	}
}

static void print_plain(const struct lp_history *h, int64_t value, FILE *to)
{
	size_t length;
	const char *text = lp_texts_text(h->texts, value, &length);

	if (text && !length)
		fputs("\"\"", to);
	else if (text)
		fwrite(text, 1, length, to);
	else if (word_of(value))
		fputs(word_of(value), to);
	else
		fprintf(to, "%" PRId64, value);
}

static void print_plain_row(const struct lp_history *h, const int64_t *values, uint32_t count,
			    FILE *to)
{
	if (!values) {
		fputc('?', to);
		return;
	}
	if (!count)
		fputc('-', to);
	for (uint32_t i = 0; i < count; i++) {
		if (i)
			fputc(',', to);
		print_plain(h, values[i], to);
	}
}

void lp_history_print_table(const struct lp_history *h, FILE *to)
{
	for (uint32_t i = 0; i < h->count; i++) {
		const struct lp_call *c = &h->at[i];
		fprintf(to, "%" PRIu32 " %" PRId64 " ", c->thread, c->start);
		if (lp_call_is_pending(c))
			fputc('?', to);
		else
			fprintf(to, "%" PRId64, c->end);
		fprintf(to, " %s ", h->methods.at[c->method]);
		print_plain_row(h, c->arg, c->args, to);
		fputc(' ', to);
		print_plain_row(h, lp_call_results(h, c), c->results, to);
		fputc('\n', to);
	}
}

static void print_json_text(const char *text, size_t length, FILE *to)
{
	fputc('"', to);
	for (size_t i = 0; i < length; i++) {
		const unsigned char c = (unsigned char)text[i];
		if (c == '"' || c == '\\')
			fprintf(to, "\\%c", c);
		else if (c < ' ')
			fprintf(to, "\\u%04x", c);
		else
			fputc(c, to);
	}
	fputc('"', to);
}

void lp_history_print_json_value(const struct lp_history *h, int64_t value, FILE *to)
{
	size_t length;
	const char *text = lp_texts_text(h->texts, value, &length);

	if (text)
		print_json_text(text, length, to);
	else if (value == LP_NIL)
		fputs("null", to);
	else if (word_of(value))
		print_json_text(word_of(value), strlen(word_of(value)), to);
	else
		fprintf(to, "%" PRId64, value);
}

static void print_json_row(const struct lp_history *h, const int64_t *values, uint32_t count,
			   FILE *to)
{
	fputc('[', to);
	for (uint32_t i = 0; i < count; i++) {
		if (i)
			fputc(',', to);
		lp_history_print_json_value(h, values[i], to);
	}
	fputc(']', to);
}

static void print_json_txn(const struct lp_history *h, uint32_t id, FILE *to)
{
	static const char *const types[] = { "ok", "fail", "info" };

	fprintf(to, ",\"type\":\"%s\",\"txn\":", types[h->txns->at[id].outcome]);
	lp_txns_print_json(h, id, to);
	fputs("}\n", to);
}

void lp_history_print_json(const struct lp_history *h, FILE *to)
{
	for (uint32_t i = 0; i < h->count; i++) {
		const struct lp_call *c = &h->at[i];
		const int64_t *results = lp_call_results(h, c);

		fprintf(to, "{\"thread\":%" PRIu32 ",\"start\":%" PRId64, c->thread, c->start);
		if (!lp_call_is_pending(c))
			fprintf(to, ",\"end\":%" PRId64, c->end);
		if (h->txns) {
			print_json_txn(h, i, to);
			continue;
		}
		fputs(",\"method\":", to);
		print_json_text(h->methods.at[c->method], strlen(h->methods.at[c->method]), to);
		if (c->args) {
			fputs(",\"args\":", to);
			print_json_row(h, c->arg, c->args, to);
		}
		if (!results && !lp_call_is_pending(c)) {
			fputs(",\"result\":\"?\"", to);
		} else if (results && c->results) {
			fputs(",\"result\":", to);
			if (c->results == 1)
				lp_history_print_json_value(h, results[0], to);
			else
				print_json_row(h, results, c->results, to);
		}
		fputs("}\n", to);
	}
}

/* Writes what `put` prints to `text`, cut to its size. */
static const char *describe(const struct lp_history *h, uint32_t id, int64_t value, char *text,
			    size_t size, void (*put)(const struct lp_history *, uint32_t, int64_t, FILE *))
{
	FILE *to = fmemopen(text, size, "w");

	text[0] = '\0'; /* stays empty if nothing is written */
	if (!to)
		return text;
	put(h, id, value, to);
	fclose(to);
	text[size - 1] = '\0';
	return text;
}

static void put_call(const struct lp_history *h, uint32_t id, int64_t value, FILE *to)
{
	const struct lp_call *c = &h->at[id];

	(void)value;
	if (h->txns) {
		lp_txns_print(h, id, to);
		return;
	}
	fprintf(to, "%s(", h->methods.at[c->method]);
	if (c->args)
		print_plain_row(h, c->arg, c->args, to);
	fputc(')', to);
}

static void put_result(const struct lp_history *h, uint32_t id, int64_t value, FILE *to)
{
	const struct lp_call *c = &h->at[id];
	const int64_t *results = lp_call_results(h, c);
	enum { MANY = 12, SHOWN = 8 };

	(void)value;
	if (h->txns) {
		fputs(h->txns->at[id].outcome == LP_TXN_ABORTED ? "aborted" : "", to);
	} else if (results && c->results > MANY) {
		print_plain_row(h, results, SHOWN, to);
		fprintf(to, ",... (%" PRIu32 " more)", c->results - SHOWN);
	} else if (!results || c->results) {
		print_plain_row(h, results, c->results, to);
	}
}

static void put_whole(const struct lp_history *h, uint32_t id, int64_t value, FILE *to)
{
	put_call(h, id, value, to);
	if (h->at[id].results)
		fputs(" -> ", to);
	put_result(h, id, value, to);
}

static void put_value(const struct lp_history *h, uint32_t id, int64_t value, FILE *to)
{
	(void)id;
	print_plain(h, value, to);
}

const char *lp_call_describe(const struct lp_history *h, uint32_t id, char *text, size_t size)
{
	return describe(h, id, 0, text, size, put_whole);
}

const char *lp_call_describe_call(const struct lp_history *h, uint32_t id, char *text, size_t size)
{
	return describe(h, id, 0, text, size, put_call);
}

const char *lp_call_describe_result(const struct lp_history *h, uint32_t id, char *text,
				    size_t size)
{
	return describe(h, id, 0, text, size, put_result);
}

const char *lp_call_describe_value(const struct lp_history *h, int64_t value, char *text, size_t size)
{
	return describe(h, 0, value, text, size, put_value);
}

bool lp_call_fail(const struct lp_history *h, const struct lp_call *c, struct lp_error *error,
		  const char *format, ...)
{
	char text[800];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	return h->name ? lp_fail(error, "%s:%u: %s", h->name, c->line, text) :
			 lp_fail(error, "line %u: %s", c->line, text);
}
