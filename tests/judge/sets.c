/* sets.c -- sets of reductions, and their names. */
#include "judge.h"

#include <stdio.h>
#include <string.h>

#include "explore/reduce/reductions.h"

const char *reduction_name(unsigned number)
{
	static const char *const names[] = {
#define LP_REDUCTION(field, SWITCH, word, answers, watched, unless, help) #field,
#include "explore/reduce/reductions.def"
#undef LP_REDUCTION
	};

	return names[number];
}

unsigned sensible_set(unsigned set)
{
	for (unsigned i = 0; i < LP_REDUCTIONS; i++)
		if (lp_reduction_needs_spin(i) && !(set & USE_spin))
			set &= ~(1u << i);
	return set;
}

bool parse_set(const char *text, unsigned *set)
{
	*set = !strcmp(text, "all") ? USE_ALL : 0;
	if (*set || !strcmp(text, "none"))
		return true;
	while (*text) {
		const size_t length = strcspn(text, ",");
		unsigned i = 0;

		while (i < LP_REDUCTIONS && (strlen(reduction_name(i)) != length ||
					     strncmp(reduction_name(i), text, length)))
			i++;
		if (i == LP_REDUCTIONS)
			return false;
		*set |= 1u << i;
		text += length + (text[length] == ',');
	}
	return true;
}

void print_set(char *out, size_t size, unsigned set)
{
	size_t used = 0;

	snprintf(out, size, "none");
	for (unsigned i = 0; i < LP_REDUCTIONS && used < size; i++)
		if (set >> i & 1)
			used += (size_t)snprintf(out + used, size - used, "%s%s", used ? "," : "", reduction_name(i));
}
