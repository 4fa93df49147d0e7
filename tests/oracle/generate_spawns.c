/* generate_spawns.c -- threads that are started and joined in the middle of others; see generate.h. */
#include "generate.h"
#include "generator.h"

#include "base/error.h"
#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many lines a thread has, from the one after `thread` on; 0 if it has jumps, which a thread that spawns has not, or if
 * no thread follows it. */
static unsigned lines_of(const char *at)
{
	const char *jump = strstr(at, " goto ");
	unsigned lines = 0;

	for (; *at == ' '; at = strchr(at, '\n') + 1)
		lines++;
	return (jump && jump < at) || strncmp(at, "thread", 6) ? 0 : lines;
}

char *generate_spawns(char *text, uint64_t seed)
{
	struct generator g = { .state = lp_mix(seed ^ UINT64_C(0x7f4a7c15)) };
	unsigned left = 0, spawn = 0, join = 0; /* lines until then, and 1 */
	char *more = NULL;
	size_t size;

	g.out = open_memstream(&more, &size);
	if (!g.out)
		LP_BUG("cannot generate a script");
	for (const char *line = text, *next; *line; line = next) {
		next = strchr(line, '\n') + 1;
		fwrite(line, 1, (size_t)(next - line), g.out);
		if (!strncmp(line, "thread", 6) && (left = lines_of(next)) && below(&g, 3)) {
			spawn = 1 + below(&g, left + 1);
			join = one_in(&g, 3) ? 0 : spawn + below(&g, left + 2 - spawn);
		}
		if (spawn && !--spawn)
			fputs("  spawn\n", g.out);
		if (join && !--join)
			fputs("  join\n", g.out);
	}
	fclose(g.out);
	free(text);
	return more;
}
