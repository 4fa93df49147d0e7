/* declared_lines.c -- a line of the list that linchpin-fe makes of headers, one for each function:
 *
 *     FILE  NUMBER  CLASS or -  NAME  RESULT  [PARAMETER or -  TYPE]...        separated by tabs
 *
 * where RESULT and TYPE have five fields each (frontend/ir/clang.h).
 */
#include "cli/init/declared.h"

#include <stdlib.h>
#include <string.h>

/* The field at `*at`, which moves behind it; NULL if there is none. */
static char *field(char **at)
{
	char *start = *at;

	if (!start)
		return NULL;
	char *tab = strchr(start, '\t');
	if (tab)
		*tab = '\0';
	*at = tab ? tab + 1 : NULL;
	return start;
}

static const char *text_or_none(struct lp_arena *arena, const char *text)
{
	return strcmp(text, "-") ? lp_arena_strdup(arena, text) : NULL;
}

static bool read_type(struct lp_arena *arena, char **at, struct lp_declared_type *out)
{
	const char *text = field(at), *sort = field(at), *to = field(at), *to_sort = field(at), *how = field(at);

	if (!how || !strchr("vbipfo", *sort) || !*sort)
		return false;
	*out = (struct lp_declared_type){ .text = lp_arena_strdup(arena, text), .sort = *sort, .to = text_or_none(arena, to),
					  .to_sort = *to_sort, .constant = !strncmp(how, "const", 5), .reference = strchr(how, '&') };
	return true;
}

void lp_declared_read(struct lp_declarations *d, char *line)
{
	struct lp_declared out = { .params = 0 };
	char *at = line;
	const char *file = field(&at), *number = field(&at), *owner = field(&at), *name = field(&at);

	if (!name || !read_type(&d->arena, &at, &out.result))
		return;
	out.file = lp_arena_strdup(&d->arena, file);
	out.line = (unsigned)strtoul(number, NULL, 10);
	out.owner = text_or_none(&d->arena, owner);
	out.name = lp_arena_strdup(&d->arena, name);
	while (at) {
		const char *param = field(&at);
		if (out.params == LP_DECLARED_PARAMS || !read_type(&d->arena, &at, &out.param[out.params].type))
			return;
		out.param[out.params++].name = text_or_none(&d->arena, param);
	}
	for (uint32_t i = 0; i < d->count; i++) /* declared again */
		if (!strcmp(d->at[i].name, out.name) && d->at[i].params == out.params && !d->at[i].owner == !out.owner &&
		    (!out.owner || !strcmp(d->at[i].owner, out.owner)))
			return;
	LP_PUSH(d, out);
}

void lp_declarations_close(struct lp_declarations *d)
{
	lp_free(d->at);
	lp_arena_close(&d->arena);
}
