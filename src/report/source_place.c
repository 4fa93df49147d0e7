/* source_place.c -- the path and the line of a place in the source, for tools that run on another machine. */
#include "report/result.h"
#include "report/source_place.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Splits "queue.c:31"; 0 if it does not end in the number of a line. */
static unsigned long split(const char *where, size_t *length)
{
	const char *colon = strrchr(where, ':');

	if (!colon || colon == where || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")])
		return 0;
	*length = (size_t)(colon - where);
	return strtoul(colon + 1, NULL, 10);
}

/* The file called `name`.  The subject comes first: of two files with one name that is the
 * likelier. */
static const char *file_called(const struct lp_result *r, const char *name, size_t length)
{
	const char *subject = r->subject.name ? base_name(r->subject.name) : "";

	if (strlen(subject) == length && !strncmp(subject, name, length))
		return r->subject.name;
	for (uint32_t i = 0; i < r->subject.file_count; i++)
		if (strlen(r->subject.files[i].name) == length && !strncmp(r->subject.files[i].name, name, length))
			return r->subject.files[i].path;
	return NULL;
}

bool lp_place_find(const struct lp_result *r, const char *where, const char *root,
		   struct lp_source_place *out)
{
	const size_t root_length = strlen(root);
	char real[PATH_MAX];
	size_t length = 0;
	const char *path = r->subject.name;

	out->line = where ? split(where, &length) : 1;
	if (where && out->line)
		path = file_called(r, where, length);
	if (!out->line || !path)
		return false;
	if (realpath(path, real))
		path = real;
	out->relative = *path != '/';
	if (root_length > 1 && !strncmp(path, root, root_length) && path[root_length] == '/') {
		path += root_length + 1;
		out->relative = true;
	}
	snprintf(out->path, sizeof out->path, "%s", path);
	return true;
}

void lp_place_root(char out[LP_PLACE_ROOM])
{
	const char *workspace = getenv("GITHUB_WORKSPACE");
	char real[PATH_MAX];

	if (workspace && realpath(workspace, real))
		snprintf(out, LP_PLACE_ROOM, "%s", real);
	else if (!getcwd(out, LP_PLACE_ROOM))
		snprintf(out, LP_PLACE_ROOM, "/");
}
