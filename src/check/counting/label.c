/* label.c -- the labels of calls. */
#include "check/counting/label.h"

#include <stdio.h>
#include <string.h>

#include "check/counting/tokens.h"

bool lp_label_equal(const struct lp_label *a, const struct lp_label *b)
{
	if (a->method != b->method || a->args != b->args || a->pending != b->pending ||
	    a->results != b->results || (a->results && a->result != b->result))
		return false;
	return !memcmp(a->arg, b->arg, sizeof *a->arg * a->args);
}

bool lp_label_value(const struct lp_kind *kind, const struct lp_label *label, int64_t *value)
{
	const enum lp_shape shape = kind->methods[label->method].result;

	if (label->args) {
		*value = label->arg[0];
		return true;
	}
	if (label->pending || !label->results || label->result == LP_EMPTY ||
	    label->result == LP_VOID || (shape != LP_VALUE && shape != LP_VALUE_OR_EMPTY))
		return false;
	*value = label->result;
	return true;
}

static int64_t parse_value(struct lp_tokens *t)
{
	const bool minus = lp_tokens_skip(t, "-");
	int64_t value = 0;

	if (t->kind == LP_TOKEN_NUMBER)
		value = minus ? -t->number : t->number;
	else if (lp_tokens_is(t, "true"))
		value = 1;
	else if (lp_tokens_is(t, "empty"))
		value = LP_EMPTY;
	else if (lp_tokens_is(t, "nil"))
		value = LP_NIL;
	else if (!lp_tokens_is(t, "false"))
		lp_tokens_wrong(t, "expected a value");
	lp_tokens_next(t);
	return value;
}

static void parse_result(struct lp_tokens *t, const struct lp_method *method, const char *name,
			 struct lp_label *l)
{
	const char *at = t->text;

	if (lp_tokens_skip(t, "=>")) {
		if (lp_tokens_skip(t, "pending")) {
			l->pending = true;
			return;
		}
		l->results = 1;
		l->result = parse_value(t);
		if (method->result == LP_NOTHING)
			lp_tokens_fail(t, at, "%s gives no result", name);
	} else if (method->result == LP_SUCCESS) {
		l->results = 1;
		l->result = 1;
	} else if (method->result != LP_NOTHING) {
		lp_tokens_fail(t, at, "%s gives a result: => what?", name);
	}
}

bool lp_label_parse(struct lp_tokens *t, const struct lp_kind *kind, struct lp_label *l)
{
	char name[48];

	*l = (struct lp_label){ 0 };
	if (!lp_tokens_expect(t, "<"))
		return false;
	const char *at = t->text;
	if (t->kind != LP_TOKEN_WORD)
		return lp_tokens_wrong(t, "expected the name of a method");
	snprintf(name, sizeof name, "%.*s", (int)t->length, t->text);
	const uint32_t m = lp_method_named(kind, t->text, t->length);
	if (m == LP_NO_METHOD)
		return lp_tokens_fail(t, at, "%s has no method '%s'", kind->name, name);
	lp_tokens_next(t);
	l->method = (uint8_t)m;
	if (lp_tokens_skip(t, "(")) {
		do {
			const int64_t value = parse_value(t);
			if (l->args < LP_MAX_ARGS)
				l->arg[l->args++] = value;
		} while (lp_tokens_skip(t, ","));
		lp_tokens_expect(t, ")");
	}
	if (l->args != kind->methods[m].args)
		return lp_tokens_fail(t, at, "%s takes %u argument%s, not %u", name,
				      kind->methods[m].args,
				      kind->methods[m].args == 1 ? "" : "s", l->args);
	parse_result(t, &kind->methods[m], name, l);
	return lp_tokens_expect(t, ">");
}

void lp_label_print(const struct lp_kind *kind, const struct lp_label *l, char *text, size_t size)
{
	char name[32], args[100] = "", result[40] = "";
	size_t used = 0;

	for (uint32_t i = 0; i < l->args && used < sizeof args; i++)
		used += (size_t)snprintf(args + used, sizeof args - used, "%s%lld", i ? "," : "",
					 (long long)l->arg[i]);
	if (l->pending)
		snprintf(result, sizeof result, " => pending");
	else if (l->results && l->result == LP_EMPTY)
		snprintf(result, sizeof result, " => empty");
	else if (l->results && kind->methods[l->method].result == LP_TRUTH)
		snprintf(result, sizeof result, " => %s", l->result ? "true" : "false");
	else if (l->results && kind->methods[l->method].result != LP_SUCCESS)
		snprintf(result, sizeof result, " => %lld", (long long)l->result);
	snprintf(text, size, "%s%s%s%s%s", lp_method_name(&kind->methods[l->method], name),
		 l->args ? "(" : "", args, l->args ? ")" : "", result);
}
