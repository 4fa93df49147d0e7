/* brief_name.c -- names of C++ templates, short enough for a line of a report. */
#include "frontend/brief_name.h"

#include <string.h>

#include "base/error.h"

enum { MOST = 24 }; /* characters of arguments that are shown */

/* The length of "<...>", with all brackets inside; 0 if it does not end. */
static size_t arguments(const char *open)
{
	size_t depth = 0;

	for (const char *c = open; *c; c++) {
		depth += *c == '<';
		if (*c == '>' && c[-1] != '-' && --depth == 0)
			return (size_t)(c - open) + 1;
	}
	return 0;
}

static size_t append(char *out, size_t used, size_t size, const char *text, size_t length)
{
	if (length > size - 1 - used)
		length = size - 1 - used;
	memcpy(out + used, text, length);
	return used + length;
}

void lp_brief_name(const char *name, char *out, size_t size)
{
	size_t used = 0;

	LP_HOLDS(size > 0);
	while (*name) {
		const size_t length = *name == '<' ? arguments(name) : 0;
		if (length > MOST + 2)
			used = append(out, used, size, "<...>", 5);
		else
			used = append(out, used, size, name, length ? length : 1);
		name += length ? length : 1;
	}
	out[used] = '\0';
}
