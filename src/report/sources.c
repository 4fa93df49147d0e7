/* sources.c -- the source lines that a result names, and the lines around them.
 *
 * For each file, one range of lines is written: from a few lines above the first line that is named
 * to a few lines below the last one.  So a reader sees whole functions, and a large header costs little.
 */
#define _GNU_SOURCE
#include "report/sources.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/vec.h"
#include "report/formats/json.h"
#include "report/result.h"
#include "report/words.h"

enum { AROUND = 30 };

struct stretch {
	const char *where; /* one of the places in it: for the name of the file */
	size_t length;     /* of that name */
	unsigned long low, high;
};

struct stretches {
	LP_VEC(struct stretch);
};

static void add(struct stretches *all, const char *where)
{
	size_t length;
	const unsigned long line = where ? lp_words_line(where, &length) : 0;

	if (!line)
		return;
	for (uint32_t i = 0; i < all->count; i++) {
		struct stretch *s = &all->at[i];
		if (s->length == length && !memcmp(s->where, where, length)) {
			s->low = line < s->low ? line : s->low;
			s->high = line > s->high ? line : s->high;
			return;
		}
	}
	LP_PUSH(all, ((struct stretch){ where, length, line, line }));
}

static void put_lines(struct lp_json *j, FILE *in, unsigned long first, unsigned long last)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t length;

	lp_json_begin(j, "lines", '[');
	for (unsigned long at = 1; at <= last && (length = getline(&line, &room, in)) > 0; at++) {
		if (at < first)
			continue;
		line[strcspn(line, "\r\n")] = '\0';
		lp_json_text(j, NULL, line);
	}
	lp_json_end(j);
	free(line);
}

/* The compiler knows where the file is.  Two of one name cannot be told apart: better none
 * than the wrong one. */
static FILE *open_source(const char *where, size_t length, const struct lp_result *r)
{
	const char *path = NULL;
	struct stat one = { 0 }, other;

	for (uint32_t i = 0; i < r->subject.file_count; i++) {
		const struct lp_result_file *f = &r->subject.files[i];

		if (strlen(f->name) != length || memcmp(f->name, where, length) ||
		    stat(f->path, &other))
			continue;
		if (path && (one.st_dev != other.st_dev || one.st_ino != other.st_ino))
			return NULL;
		path = f->path;
		one = other;
	}
	return path ? fopen(path, "r") : lp_words_open(where, length, r->subject.name);
}

bool lp_source_line(const struct lp_result *r, const char *where, char *out, size_t size)
{
	size_t length;
	const unsigned long line = where ? lp_words_line(where, &length) : 0;
	FILE *in = line ? open_source(where, length, r) : NULL;
	const bool found = in && lp_words_read(in, line, out, size);

	if (in)
		fclose(in);
	return found;
}

static void put_stretch(struct lp_json *j, const struct stretch *s, const struct lp_result *r)
{
	const unsigned long first = s->low > AROUND ? s->low - AROUND : 1;
	FILE *in = open_source(s->where, s->length, r);
	char *name;

	if (!in)
		return;
	name = lp_alloc_zero(s->length + 1, 1);
	memcpy(name, s->where, s->length);
	lp_json_begin(j, NULL, '{');
	lp_json_text(j, "file", name);
	lp_json_number(j, "first", first);
	put_lines(j, in, first, s->high + AROUND);
	lp_json_end(j);
	lp_free(name);
	fclose(in);
}

void lp_json_sources(struct lp_json *j, const char *name, const struct lp_result *r)
{
	struct stretches all = { 0 };
	const struct lp_result_violation *v = r->violation;

	if (v) {
		add(&all, v->where);
		add(&all, v->other_where);
		for (uint32_t i = 0; i < v->step_count; i++)
			add(&all, v->steps[i].where);
	}
	lp_json_begin(j, name, '[');
	for (uint32_t i = 0; i < all.count; i++)
		put_stretch(j, &all.at[i], r);
	lp_json_end(j);
	lp_free(all.at);
}
