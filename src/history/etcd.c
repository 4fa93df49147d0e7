/* etcd.c -- the register logs of Jepsen's etcd test:
 *
 *     INFO  jepsen.util - 2 :invoke :cas [1 3]
 *     INFO  jepsen.util - 2 :fail   :cas [1 3]
 *     INFO  jepsen.util - 4 :info   :write :timed-out
 *
 * A compare-and-set with :fail compared unequal.  A read that timed out is ignored.  A write or
 * compare-and-set that timed out may happen at any later time.  The text before "jepsen.util", other lines, and
 * processes that are not numbers are skipped.
 */
#define _GNU_SOURCE /* memmem */
#include "history/reader.h"

#include <string.h>

struct word {
	const char *at;
	size_t length;
};

enum { MAX_WORDS = 5, FIRST_LOOK = 1 << 16 };

static bool is_word(struct word w, const char *text)
{
	return w.length == strlen(text) && !memcmp(w.at, text, w.length);
}

/* Splits a line at spaces and brackets.  Only the first words are needed. */
static unsigned split(const char *at, const char *end, struct word *words)
{
	unsigned count = 0;

	while (at < end && count < MAX_WORDS) {
		if (*at && strchr(" \t\r[],", *at)) {
			at++;
			continue;
		}
		words[count].at = at;
		while (at < end && !(*at && strchr(" \t\r[],", *at)))
			at++;
		words[count].length = (size_t)(at - words[count].at);
		count++;
	}
	return count;
}

/* A line has the form: ... jepsen.util - PROCESS TYPE F VALUE... */
static const char mark[] = "jepsen.util - ";
enum { PROCESS, TYPE, F, VALUE };

static bool parse_value(struct lp_reader *r, struct word w, int64_t *value)
{
	if (is_word(w, "nil"))
		*value = LP_NIL;
	else if (lp_reader_number(w.at, w.at + w.length, value) != w.at + w.length)
		return lp_reader_fail(r, "expected a number or nil, not '%.*s'",
				      (int)(w.length < 40 ? w.length : 40), w.at);
	return true;
}

static bool invoke(struct lp_reader *r, const struct word *w, unsigned count, uint32_t process)
{
	struct lp_call *c = lp_reader_call(r, process);
	const unsigned args = is_word(w[F], ":read") ? 0 : is_word(w[F], ":write") ? 1 : 2;

	if (!c)
		return false;
	if (count < VALUE + args)
		return lp_reader_fail(r, "expected %u value%s after %.*s", args, args == 1 ? "" : "s",
				      (int)w[F].length, w[F].at);
	c->args = (uint8_t)args;
	for (unsigned i = 0; i < args; i++)
		if (!parse_value(r, w[VALUE + i], &c->arg[i]))
			return false;
	return lp_reader_method(r, w[F].at + 1, w[F].length - 1, &c->method);
}

static bool complete(struct lp_reader *r, const struct word *w, unsigned count, uint32_t process)
{
	struct lp_call *c = lp_reader_return(r, process);
	int64_t value;

	if (!c || !lp_reader_is_of(r, c, w[F].at + 1, w[F].length - 1))
		return false;
	if (is_word(w[TYPE], ":info")) {
		c->end = LP_PENDING;
	} else if (is_word(w[F], ":cas")) {
		value = is_word(w[TYPE], ":ok");
		lp_reader_set_results(r, c, &value, 1);
	} else if (is_word(w[TYPE], ":fail")) {
		lp_reader_drop(r, c);
	} else if (is_word(w[F], ":write")) {
		c->results = 0;
	} else {
		if (count <= VALUE)
			return lp_reader_fail(r, "expected the value that was read");
		if (!parse_value(r, w[VALUE], &value))
			return false;
		lp_reader_set_results(r, c, &value, 1);
	}
	return true;
}

static bool parse_line(struct lp_reader *r, const char *end)
{
	struct word w[MAX_WORDS];
	const char *from = memmem(r->at, (size_t)(end - r->at), mark, sizeof mark - 1);
	const unsigned count = from ? split(from + sizeof mark - 1, end, w) : 0;
	int64_t process;

	if (count <= F)
		return true;
	if (lp_reader_number(w[PROCESS].at, w[PROCESS].at + w[PROCESS].length, &process) !=
	    w[PROCESS].at + w[PROCESS].length)
		return true;
	if (process < 0 || process >= UINT32_MAX)
		return lp_reader_fail(r, "there is no process %lld", (long long)process);
	if (!is_word(w[F], ":read") && !is_word(w[F], ":write") && !is_word(w[F], ":cas"))
		return lp_reader_fail(r, "expected :read, :write or :cas, not '%.*s'",
				      (int)(w[F].length < 40 ? w[F].length : 40), w[F].at);
	if (is_word(w[TYPE], ":invoke"))
		return invoke(r, w, count, (uint32_t)process);
	if (is_word(w[TYPE], ":ok") || is_word(w[TYPE], ":fail") || is_word(w[TYPE], ":info"))
		return complete(r, w, count, (uint32_t)process);
	return lp_reader_fail(r, "expected :invoke, :ok, :fail or :info, not '%.*s'",
			      (int)(w[TYPE].length < 40 ? w[TYPE].length : 40), w[TYPE].at);
}

bool lp_etcd_looks_so(const char *text, size_t size)
{
	return memmem(text, size < FIRST_LOOK ? size : FIRST_LOOK, mark, sizeof mark - 1);
}

bool lp_etcd_parse(struct lp_reader *r)
{
	for (; r->at < r->end; r->line++) {
		const char *stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
		if (!lp_reader_goes_on(r) || !parse_line(r, stop ? stop : r->end))
			return false;
		r->at = stop ? stop + 1 : r->end;
	}
	r->h->has_initial = true;
	r->h->initial = LP_NIL;
	return true;
}
