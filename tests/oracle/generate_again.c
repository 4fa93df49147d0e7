/* generate_again.c -- release stores that are followed by relaxed ones; see generate.h. */
#include "generate.h"
#include "generator.h"

#include "base/error.h"
#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *generate_again(char *text, uint64_t seed)
{
	static const char release[] = "  store.rel ";
	struct generator g = { .state = lp_mix(seed ^ UINT64_C(0x632be59b)) };
	char *more = NULL;
	size_t size;

	g.out = open_memstream(&more, &size);
	if (!g.out)
		LP_BUG("cannot generate a script");
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		fprintf(g.out, "%s\n", line);
		if (!strncmp(line, release, sizeof release - 1) && one_in(&g, 2))
			fprintf(g.out, "  store.rlx %s\n", line + sizeof release - 1);
	}
	fclose(g.out);
	free(text);
	return more;
}
