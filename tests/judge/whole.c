/* whole.c -- how the makers of whole programs begin and end a script. */
#define _GNU_SOURCE
#include "whole.h"

#include <string.h>

#include "base/error.h"

FILE *open_text(char **text)
{
	static size_t size; /* needed until the stream is closed, and never looked at */
	FILE *out = open_memstream(text, &size);

	if (!out)
		LP_BUG("cannot generate a script");
	return out;
}

void put_end(FILE *out, const char *locs, unsigned threads, const char *regs)
{
	static const char digits[] = "0123456789abcdef";

	fputs("final\n", out);
	for (unsigned i = 0; locs[i]; i++)
		fprintf(out, "  r%u = load.rlx %c\n", i, locs[i]);
	fputs("  outcome", out);
	for (unsigned i = 0; locs[i]; i++)
		fprintf(out, " 0:r%u", i);
	for (unsigned t = 1; t <= threads; t++)
		for (const char *r = regs; *r; r++)
			fprintf(out, " %u:r%u", t, (unsigned)(strchr(digits, *r) - digits));
	fputs("\n", out);
}
