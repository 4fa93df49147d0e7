/* ak_words.c -- describes a violation of A_k in words. */
#include <stdio.h>

#include "check/counting/ak.h"
#include "spec/spec.h"

const char *lp_ak_rule_name(enum lp_ak_rule rule)
{
	switch (rule) {
	case LP_AK_NONE: return "none";
	case LP_AK_REMOVE: return "rv";
	case LP_AK_EMPTY: return "ev";
	case LP_AK_FIFO: return "fv";
	case LP_AK_LIFO: return "lv";
	case LP_AK_FULL: return "full";
	case LP_AK_ANY: return "order";
	case LP_AK_FORMULA: return "formula";
	case LP_AK_KERNEL: return "kernel";
	}
	return "";
}

void lp_ak_describe(const struct lp_ak_violation *v, const struct lp_spec *spec, char *text,
		    size_t size)
{
	const long long value = v->value, other = v->other;
	char name[32] = "";

	if (spec && v->method < spec->kind->method_count)
		lp_method_name(&spec->kind->methods[v->method], name);
	switch (v->rule) {
	case LP_AK_NONE:
		snprintf(text, size, "no violation was found");
		return;
	case LP_AK_REMOVE:
		snprintf(text, size, "%lld is removed, but it is not there: never inserted, or removed before",
			 value);
		return;
	case LP_AK_EMPTY:
		if (v->value == LP_VOID)
			snprintf(text, size, "found empty, although a value was present at each moment");
		else
			snprintf(text, size, "found empty, although a value was present at each moment (now %lld)",
				 value);
		return;
	case LP_AK_FIFO:
		snprintf(text, size, "%lld was inserted before %lld, but %lld was removed first", value,
			 other, other);
		return;
	case LP_AK_LIFO:
		snprintf(text, size, "%lld was removed from below %lld", value, other);
		return;
	case LP_AK_FULL:
		snprintf(text, size, "%s(%lld) failed, though there is always room", name, value);
		return;
	case LP_AK_ANY:
		snprintf(text, size, "no order of the calls explains all results");
		return;
	case LP_AK_FORMULA:
		snprintf(text, size, "the formula holds");
		return;
	case LP_AK_KERNEL:
		snprintf(text, size, "no word of the grammar has these calls");
		return;
	}
}
