/* show.c -- writes states of specifications as text. */
#include "spec/show.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "spec/spec.h"
#include "spec/traits.h"

__attribute__((format(printf, 3, 4)))
static void append(char *out, size_t size, const char *format, ...)
{
	const size_t used = strlen(out);
	va_list args;

	va_start(args, format);
	vsnprintf(out + used, size - used, format, args);
	va_end(args);
}

void lp_show_value(int64_t value, char *out, size_t size)
{
	switch (value) {
	case LP_VOID: snprintf(out, size, "nothing"); break;
	case LP_EMPTY: snprintf(out, size, "empty"); break;
	case LP_FULL: snprintf(out, size, "full"); break;
	case LP_NIL: snprintf(out, size, "nil"); break;
	default: snprintf(out, size, "%" PRId64, value);
	}
}

/* "[1, 2]", "{1, 2}", "{1: 5}"; the words of a state that always has some are just listed. */
static void list_words(const struct lp_spec *spec, const struct lp_state *s, char *out, size_t size)
{
	const bool pairs = lp_kind_traits(spec->kind)->pairs;
	const bool set = spec->kind->by_key && lp_kind_is_builtin(spec->kind);
	const bool bare = spec->kind->begin && s->count == 1;
	char word[32];

	append(out, size, "%s", bare ? "" : set ? "{" : "[");
	for (uint32_t i = 0; i < s->count; i++) {
		if (i > 16 && i + 4 < s->count) { /* shows the two ends of a long list, and
						   * leaves out the middle */
			append(out, size, ", ...");
			i = s->count - 4;
		}
		lp_show_value(s->at[i], word, sizeof word);
		append(out, size, "%s%s", !i ? "" : pairs && i % 2 ? ": " : ", ", word);
	}
	append(out, size, "%s", bare ? "" : set ? "}" : "]");
}

/* Lists the values of a multiset, whose words are pairs of value and count. */
static void list_multiset(const struct lp_spec *spec, const struct lp_state *s, char *out, size_t size)
{
	enum { MANY = 32 }; /* list_words() leaves out the middle of what is longer */
	struct lp_state values;

	lp_state_open(&values);
	for (uint32_t at = 0; at < s->count; at += 2)
		for (int64_t i = 0; i < s->at[at + 1] && i < MANY; i++)
			lp_state_push(&values, s->at[at]);
	list_words(spec, &values, out, size);
	lp_state_close(&values);
}

void lp_state_show(const struct lp_spec *spec, const struct lp_state *s, char *out, size_t size)
{
	out[0] = '\0';
	if (spec->kind->show)
		spec->kind->show(s, spec->param, out, size);
	else if (lp_kind_traits(spec->kind)->counts)
		list_multiset(spec, s, out, size);
	else
		list_words(spec, s, out, size);
	out[size - 1] = '\0';
}
