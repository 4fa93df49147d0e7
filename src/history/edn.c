/* edn.c -- Jepsen's histories, and key-value logs of the same form:
 *
 *     {:process 0, :type :invoke, :f :write, :value 3}
 *     {:process 0, :type :ok, :f :write, :value 3}
 *     {:process 1, :type :invoke, :f :get, :key "1", :value nil}
 *
 * The entries are in a vector, or follow each other without one.  An operation with :ok
 * returned; one with :fail did not happen; one with :info may happen at any later time, or
 * never.  Processes that are not numbers (the nemesis) are skipped.
 *
 * Arguments are the flattened :value of the invocation, after the :key if there is
 * one.  A nil at their end stands for the result: in [1 nil] the key is 1, and
 * the completion [1 7] says that the result is 7.  A compare-and-set with :ok returned
 * true.  Any other completion that repeats its invocation has no result.
 *
 * If a tool has completed the history afterwards, invocations have the result, too:
 *
 *     {:process 0, :type :invoke, :f :read, :value 3}
 *     {:process 0, :type :ok, :f :read, :value 3}
 *
 * Only the specification knows that 3 is not an argument: lp_history_fit() asks it.
 *
 * A :drain dequeues all values of a queue, at times that are not recorded.  It is read as one dequeue for each value,
 * from the start of the drain to its end.
 */
#include "history/reader.h"

#include <string.h>

enum { MAX_DEPTH = 64 };

struct span {
	const char *at;
	size_t length;
};

struct values {
	LP_VEC(int64_t);
};

struct entry {
	struct span type, f;
	bool has_process, is_client, has_value, has_key;
	int64_t process, key;
	struct values *value;
	const char *txn; /* the position of a value that is parsed later, when it is known
			  * whether it belongs to a client; or NULL */
	uint32_t txn_line;
};

static bool is_delimiter(char c)
{
	static const bool is[256] = {
		['\0'] = true, [' '] = true, ['\t'] = true, ['\r'] = true, ['\n'] = true, [','] = true, [';'] = true, ['('] = true,
		[')'] = true,  ['['] = true, [']'] = true,  ['{'] = true,  ['}'] = true,  ['"'] = true,
	};

	return is[(unsigned char)c];
}

static void skip_space(struct lp_reader *r)
{
	for (; r->at < r->end; r->at++) {
		if (*r->at == ';')
			while (r->at < r->end && *r->at != '\n')
				r->at++;
		if (r->at == r->end)
			return;
		if (*r->at == '\n')
			r->line++;
		else if (*r->at != ' ' && *r->at != '\t' && *r->at != '\r' && *r->at != ',')
			return;
	}
}

static bool is_at(struct lp_reader *r, char c)
{
	skip_space(r);
	return r->at < r->end && *r->at == c;
}

static bool unexpected(struct lp_reader *r, const char *expected)
{
	char text[24];
	return lp_reader_fail(r, "expected %s before %s", expected, lp_reader_excerpt(r, text));
}

static struct span parse_symbol(struct lp_reader *r)
{
	const char *first = r->at;

	while (r->at < r->end && !is_delimiter(*r->at))
		r->at++;
	return (struct span){ first, (size_t)(r->at - first) };
}

/* Parses a text after its opening quote, resolves its escapes, and turns it into a
 * value. */
static bool parse_text(struct lp_reader *r, int64_t *value)
{
	struct {
		LP_VEC(char);
	} text = { 0 };

	for (;;) {
		if (r->at == r->end) {
			lp_free(text.at);
			return lp_reader_fail(r, "the text has no closing quote");
		}
		char c = *r->at++;
		if (c == '"')
			break;
		if (c == '\n')
			r->line++;
		if (c == '\\' && r->at < r->end) {
			static const char from[] = "ntr", to[] = "\n\t\r";
			c = *r->at++;
			const char *known = c ? strchr(from, c) : NULL;
			if (known)
				c = to[known - from];
		}
		LP_PUSH(&text, c);
	}
	*value = lp_history_text(r->h, text.at ? text.at : "", text.count);
	lp_free(text.at);
	return true;
}

static bool span_is(struct span s, const char *word)
{
	return s.length == strlen(word) && !memcmp(s.at, word, s.length);
}

static bool parse_scalar(struct lp_reader *r, int64_t *value)
{
	if (*r->at == '"') {
		r->at++;
		return parse_text(r, value);
	}
	struct span s = parse_symbol(r);
	if (!s.length)
		return unexpected(r, "a value");
	const bool keyword = s.at[0] == ':' && s.length > 1;
	const struct span word = { s.at + keyword, s.length - keyword };
	/* A keyword is a text, but :empty and :full are results like empty and full. */
	if (keyword && !span_is(word, "empty") && !span_is(word, "full"))
		*value = lp_history_text(r->h, word.at, word.length);
	else
		*value = lp_reader_word(r->h, word.at, word.length);
	return true;
}

/* Skips tags; the value after a tag is used as if there were no tag. */
static void skip_tags(struct lp_reader *r)
{
	while (is_at(r, '#') && r->at + 1 < r->end && r->at[1] != '{')
		parse_symbol(r);
	skip_space(r);
}

static bool parse_value(struct lp_reader *r, struct values *values, unsigned depth)
{
	int64_t value = LP_NIL;

	skip_tags(r);
	if (r->at == r->end)
		return unexpected(r, "a value");
	if (depth > MAX_DEPTH)
		return lp_reader_fail(r, "values are nested too deeply");

	if (*r->at == '#' && r->at + 1 < r->end)
		r->at++; /* a set, #{...} */
	if (*r->at == '[' || *r->at == '(' || *r->at == '{') {
		const char close = *r->at == '[' ? ']' : *r->at == '(' ? ')' : '}';
		r->at++;
		while (!is_at(r, close)) {
			if (r->at == r->end)
				return lp_reader_fail(r, "'%c' is missing", close);
			if (!parse_value(r, values, depth + 1))
				return false;
		}
		r->at++;
		return true;
	}
	if (!parse_scalar(r, &value))
		return false;
	if (values)
		LP_PUSH(values, value);
	return true;
}

static bool begin_list(struct lp_reader *r)
{
	skip_tags(r);
	if (r->at == r->end || (*r->at != '[' && *r->at != '('))
		return false;
	r->at++;
	return true;
}

static int more_in_list(struct lp_reader *r, bool first)
{
	(void)first; /* a comma is a blank */
	if (is_at(r, ']') || is_at(r, ')')) {
		r->at++;
		return 0;
	}
	return r->at < r->end ? 1 : lp_reader_fail(r, "']' is missing") - 1;
}

static bool parse_single(struct lp_reader *r, int64_t *value)
{
	skip_tags(r);
	return r->at < r->end && !strchr("[({", *r->at) ? parse_scalar(r, value) : unexpected(r, "one value");
}

static const struct lp_txn_syntax syntax = { begin_list, more_in_list, parse_single };

/* Parses the value of an entry, unless the entry may not be a client's: other processes
 * may have any value. */
static bool parse_txn(struct lp_reader *r, struct entry *e)
{
	e->has_value = true;
	if (e->has_process && e->is_client)
		return lp_txn_parse(r, &syntax);
	skip_space(r);
	e->txn = r->at;
	e->txn_line = r->line;
	return parse_value(r, NULL, 0);
}

/* Parses a value that was skipped before it was known that the process is a client. */
static bool parse_deferred_txn(struct lp_reader *r, const struct entry *e)
{
	struct lp_reader again = *r;

	again.at = e->txn;
	again.line = e->txn_line;
	return lp_txn_parse(&again, &syntax);
}

static bool parse_keyword(struct lp_reader *r, struct span *s)
{
	if (!is_at(r, ':'))
		return unexpected(r, "a keyword");
	*s = parse_symbol(r);
	s->at++;
	s->length--;
	return true;
}

static bool parse_process(struct lp_reader *r, struct entry *e)
{
	skip_space(r);
	const struct span s = parse_symbol(r);
	if (!s.length)
		return unexpected(r, "a process");
	e->has_process = true;
	e->is_client = lp_reader_number(s.at, s.at + s.length, &e->process) == s.at + s.length;
	if (e->is_client && (e->process < 0 || e->process >= UINT32_MAX))
		return lp_reader_fail(r, "there is no process %lld", (long long)e->process);
	return true;
}

static bool parse_key(struct lp_reader *r, struct entry *e)
{
	struct values one = { 0 };
	const bool good = parse_value(r, &one, 0) &&
			  (one.count == 1 || lp_reader_fail(r, "a key is one value"));

	e->has_key = true;
	e->key = good ? one.at[0] : 0;
	lp_free(one.at);
	return good;
}

static bool parse_entry(struct lp_reader *r, struct entry *e)
{
	struct span key = { 0 };

	r->at++; /* the brace */
	while (!is_at(r, '}')) {
		if (r->at == r->end)
			return lp_reader_fail(r, "'}' is missing");
		if (!parse_keyword(r, &key))
			return false;
		bool good;
		if (span_is(key, "process"))
			good = parse_process(r, e);
		else if (span_is(key, "type"))
			good = parse_keyword(r, &e->type);
		else if (span_is(key, "f") && is_at(r, ':'))
			good = parse_keyword(r, &e->f);
		else if (span_is(key, "key"))
			good = parse_key(r, e);
		else if (span_is(key, "value") && r->h->txns)
			good = parse_txn(r, e);
		else if (span_is(key, "value") && e->has_process && !e->is_client)
			good = parse_value(r, NULL, 0); /* the nemesis may have any value */
		else if (span_is(key, "value"))
			good = e->has_value = parse_value(r, e->value, 0);
		else
			good = parse_value(r, NULL, 0);
		if (!good)
			return false;
	}
	r->at++;
	return true;
}

static bool invoke(struct lp_reader *r, const struct entry *e)
{
	uint32_t count = e->value->count;
	uint16_t method;

	if (!lp_reader_method(r, e->f.at, e->f.length, &method))
		return false;
	struct lp_call *c = lp_reader_call(r, (uint32_t)e->process);
	if (!c)
		return false;
	c->method = method;
	if (count && e->value->at[count - 1] == LP_NIL)
		count--; /* the last nil stands for the result */
	/* In a history that was completed, this is what was read; the :ok entry contains
	 * it, too. */
	if (count + e->has_key > LP_MAX_ARGS && (span_is(e->f, "read") || span_is(e->f, "entries")))
		count = 0;
	if (count + e->has_key > LP_MAX_ARGS)
		return lp_reader_fail(r, "more than %d arguments", LP_MAX_ARGS);
	if (e->has_key)
		c->arg[c->args++] = e->key;
	for (uint32_t i = 0; i < count; i++)
		c->arg[c->args++] = e->value->at[i];
	return true;
}

/* Replaces a drain by one dequeue for each value that it took out. */
static bool expand_drain(struct lp_reader *r, const struct entry *e, struct lp_call *drain)
{
	struct lp_call c = *drain;

	if (!span_is(e->type, "ok"))
		return lp_reader_fail(r, "it is not known what a drain took that did not return");
	lp_reader_drop(r, drain);
	c.args = 0;
	c.results = 1;
	if (!lp_reader_method(r, "dequeue", 7, &c.method))
		return false;
	for (uint32_t i = 0; i < e->value->count; i++) {
		c.result = e->value->at[i];
		if (c.result != LP_NIL)
			LP_PUSH(r->h, c);
	}
	return true;
}

static bool complete(struct lp_reader *r, const struct entry *e)
{
	struct lp_call *c = lp_reader_return(r, (uint32_t)e->process);
	const char *name = c ? r->h->methods.at[c->method] : NULL;

	if (!c || (e->f.length && !lp_reader_is_of(r, c, e->f.at, e->f.length)))
		return false;
	if (span_is(e->type, "fail")) {
		lp_reader_drop(r, c);
	} else if (!strcmp(name, "drain")) {
		return expand_drain(r, e, c);
	} else if (span_is(e->type, "info")) {
		c->end = LP_PENDING;
	} else {
		const uint32_t skip = c->args - (e->has_key ? 1u : 0u);
		if (e->value->count > skip) {
			if (!lp_reader_set_results(r, c, e->value->at + skip, e->value->count - skip))
				return false;
		} else if (!strcmp(name, "cas") || !strcmp(name, "compare-and-set")) {
			lp_reader_set_results(r, c, (int64_t[]){ 1 }, 1);
		} else
			c->results = 0;
		if (!c->results)
			c->result = e->value->count ? e->value->at[e->value->count - 1] : LP_VOID;
	}
	return true;
}

static bool add_entry(struct lp_reader *r, const struct entry *e)
{
	if (!e->has_process || !e->type.length)
		return lp_reader_fail(r, "an entry needs :process and :type");
	if (!e->is_client)
		return true;
	enum lp_txn_type type;
	if (r->h->txns && lp_txn_type_named(e->type.at, e->type.length, &type))
		return (!e->txn || parse_deferred_txn(r, e)) &&
		       lp_txn_event(r, (uint32_t)e->process, type, e->has_value);
	if (span_is(e->type, "invoke"))
		return e->f.length ? invoke(r, e) : lp_reader_fail(r, "an entry needs :f");
	if (span_is(e->type, "ok") || span_is(e->type, "fail") || span_is(e->type, "info"))
		return complete(r, e);
	return lp_reader_fail(r, "expected :invoke, :ok, :fail or :info as :type, not :%.*s",
			      (int)(e->type.length < 40 ? e->type.length : 40), e->type.at);
}

static bool parse_all(struct lp_reader *r, struct values *value)
{
	char close = '\0';
	bool keyed = false;

	if (is_at(r, '[') || is_at(r, '('))
		close = *r->at++ == '[' ? ']' : ')';
	for (;;) {
		while (is_at(r, '#'))
			parse_symbol(r); /* #jepsen.history.Op{...} */
		if (r->at == r->end || (close && *r->at == close))
			break;
		if (*r->at != '{')
			return unexpected(r, "'{'");
		struct entry e = { .value = value };
		value->count = 0;
		if (!lp_reader_goes_on(r) || !parse_entry(r, &e) || !add_entry(r, &e))
			return false;
		keyed |= e.has_key;
	}
	if (close && r->at++ == r->end && !r->is_prefix)
		return lp_reader_fail(r, "'%c' is missing", close);
	skip_space(r);
	if (r->at < r->end)
		return unexpected(r, "the end");
	r->h->is_completed = true;
	r->h->has_initial = true;
	r->h->initial = keyed ? lp_history_text(r->h, "", 0) : LP_NIL;
	return true;
}

bool lp_edn_parse(struct lp_reader *r)
{
	struct values value = { 0 };
	const bool good = parse_all(r, &value);

	lp_free(value.at);
	return good;
}
