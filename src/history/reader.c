/* reader.c -- values, messages, and pairing calls with returns. */
#include "history/reader.h"

#include <stdarg.h>
#include <string.h>

#include "base/hash.h"

/* The end of a dropped call, until lp_reader_close() removes the call. */
#define DROPPED (LP_PENDING - 1)

bool lp_reader_fail(const struct lp_reader *r, const char *format, ...)
{
	char text[512];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	return lp_fail(r->error, "%s:%u: %s", r->name, r->line, text);
}

bool lp_reader_goes_on(struct lp_reader *r)
{
	enum { OFTEN = 1 << 12 };

	return ++r->steps % OFTEN || !r->watch ||
	       r->watch->go_on(r->watch->closure, r->line, r->before + (uint64_t)(r->at - r->begin),
			       r->size ? r->size : (uint64_t)(r->end - r->begin)) ||
	       lp_reader_fail(r, "interrupted");
}

const char *lp_reader_excerpt(const struct lp_reader *r, char text[24])
{
	size_t length = 0;

	for (const char *p = r->at; p < r->end && length < 20 && *p != '\n'; p++)
		text[length++] = *p >= ' ' && *p < 127 ? *p : '?';
	text[length] = '\0';
	return length ? text : "the end of the line";
}

const char *lp_reader_number(const char *at, const char *end, int64_t *number)
{
	const bool negative = at < end && *at == '-';
	uint64_t sum = 0;

	if (negative || (at < end && *at == '+'))
		at++;
	const char *first = at;
	for (; at < end && *at >= '0' && *at <= '9'; at++) {
		if (sum > (uint64_t)(LP_MAX_TIME / 10))
			return NULL;
		sum = sum * 10 + (uint64_t)(*at - '0');
	}
	if (at == first || sum > (uint64_t)LP_MAX_TIME)
		return NULL;
	*number = negative ? -(int64_t)sum : (int64_t)sum;
	return at;
}

static bool is_word(const char *word, size_t length, const char *is)
{
	return length == strlen(is) && !memcmp(word, is, length);
}

int64_t lp_reader_word(struct lp_history *h, const char *word, size_t length)
{
	int64_t number;

	if (lp_reader_number(word, word + length, &number) == word + length)
		return number;
	if (is_word(word, length, "empty"))
		return LP_EMPTY;
	if (is_word(word, length, "full"))
		return LP_FULL;
	if (is_word(word, length, "nil") || is_word(word, length, "null"))
		return LP_NIL;
	if (is_word(word, length, "true"))
		return 1;
	if (is_word(word, length, "false"))
		return 0;
	return lp_history_text(h, word, length);
}

bool lp_reader_set_results(struct lp_reader *r, struct lp_call *c, const int64_t *values, uint32_t count)
{
	enum { MOST = 1 << 30 }; /* results of all calls together */
	struct lp_history *h = r->h;

	if (count > LP_MAX_RESULTS || h->values.count + count > MOST)
		return lp_reader_fail(r, "more than %d values", count > LP_MAX_RESULTS ? LP_MAX_RESULTS : MOST);
	c->results = count;
	if (count == 1) {
		c->result = values[0];
	} else if (count > 1) {
		c->result = h->values.count;
		LP_RESERVE(&h->values, count);
		memcpy(h->values.at + h->values.count, values, sizeof *values * count);
		h->values.count += count;
	}
	return true;
}

bool lp_reader_method(struct lp_reader *r, const char *name, size_t length, uint16_t *method)
{
	if (length == 0 || length > 64)
		return lp_reader_fail(r, "a method has a name of 1 to 64 characters");
	if (memchr(name, '\0', length))
		return lp_reader_fail(r, "expected the name of a method, not one with a zero byte in it");
	*method = lp_history_method(r->h, name, length);
	if (*method == UINT16_MAX)
		return lp_reader_fail(r, "too many different methods");
	return true;
}

/* NULL if the thread has made no call yet. */
static struct lp_open *find_open(const struct lp_reader *r, uint32_t thread)
{
	struct lp_hash_probe probe = lp_hash_probe(&r->by_thread, lp_mix(thread));
	uint32_t i;

	while ((i = lp_hash_next(&r->by_thread, &probe)) != LP_HASH_NONE)
		if (r->open.at[i].thread == thread)
			return &r->open.at[i];
	return NULL;
}

struct lp_call *lp_reader_call(struct lp_reader *r, uint32_t thread)
{
	struct lp_open *open = find_open(r, thread);

	if (open && open->id != UINT32_MAX) {
		lp_reader_fail(r, "thread %u calls before its call of line %u has returned",
			       thread, r->h->at[open->id].line);
		return NULL;
	}
	if (open) {
		open->id = r->h->count;
	} else {
		lp_hash_add(&r->by_thread, lp_mix(thread), r->open.count);
		LP_PUSH(&r->open, (struct lp_open){ thread, r->h->count });
	}
	LP_PUSH(r->h, (struct lp_call){ .start = r->now++,
					.end = LP_PENDING,
					.thread = thread,
					.line = r->line,
					.results = LP_RESULT_UNKNOWN });
	return &LP_LAST(r->h);
}

struct lp_call *lp_reader_open(struct lp_reader *r, uint32_t thread)
{
	const struct lp_open *open = find_open(r, thread);

	return open && open->id != UINT32_MAX ? &r->h->at[open->id] : NULL;
}

struct lp_call *lp_reader_return(struct lp_reader *r, uint32_t thread)
{
	struct lp_call *c = lp_reader_open(r, thread);

	if (!c) {
		lp_reader_fail(r, "thread %u returns, but has no open call", thread);
		return NULL;
	}
	find_open(r, thread)->id = UINT32_MAX;
	c->end = r->now++;
	return c;
}

bool lp_reader_is_of(struct lp_reader *r, const struct lp_call *c, const char *name, size_t length)
{
	const char *called = r->h->methods.at[c->method];

	if (strlen(called) == length && !memcmp(called, name, length))
		return true;
	return lp_reader_fail(r, "thread %u returns from '%.*s', but called '%s' in line %u", c->thread,
			      (int)(length < 40 ? length : 40), name, called, c->line);
}

void lp_reader_drop(struct lp_reader *r, struct lp_call *c)
{
	c->end = DROPPED;
	r->dropped++;
}

void lp_reader_close(struct lp_reader *r)
{
	struct lp_history *h = r->h;
	uint32_t kept = 0;

	for (uint32_t i = 0; r->dropped && i < h->count; i++)
		if (h->at[i].end != DROPPED)
			h->at[kept++] = h->at[i];
	if (r->dropped)
		h->count = kept;
	lp_free(r->open.at);
	memset(&r->open, 0, sizeof r->open);
	lp_hash_close(&r->by_thread);
	lp_free(r->values.at);
	r->values = (struct lp_values){ 0 };
}
