/* study_done.c -- keeps the finished rows of a study in a file. */
#include "cli/study/study_done.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/options.h"
#include "cli/study/study_job.h"
#include "ranks/records.h"
#include "verify/checkpoint/checkpoint_identity.h"

static const double SECONDS_BETWEEN = 10;

struct files {
	LP_VEC(const char *);
};

static void add_file(struct files *to, const char *path)
{
	for (uint32_t i = 0; i < to->count; i++)
		if (!strcmp(to->at[i], path))
			return;
	LP_PUSH(to, path);
}

/* Adds the files that the file includes from its own folder, or by a path from there. */
static void add_included(struct files *to, const char *path, struct lp_arena *arena)
{
	const char *slash = strrchr(path, '/');
	const int folder = slash ? (int)(slash + 1 - path) : 0;
	FILE *in = fopen(path, "re");
	char *line = NULL, name[1024], found[4096];
	size_t room = 0;

	while (in && getline(&line, &room, in) > 0)
		if (sscanf(line, " # include \"%1023[^\"]\"", name) == 1) {
			snprintf(found, sizeof found, "%.*s%s", folder, path, name);
			add_file(to, lp_arena_strdup(arena, found));
		}
	free(line);
	if (in)
		fclose(in);
}

/* Adds the contents of the files that the words name, and of those that they include. */
static void add_contents(struct lp_digester *d, const struct lp_study_words *words, struct lp_arena *arena)
{
	struct files files = { 0 };

	for (uint32_t i = 0; i < words->count && words->at[i]; i++)
		add_file(&files, words->at[i]);
	for (uint32_t i = 0; i < files.count; i++) {
		const struct lp_digest file = lp_checkpoint_digest(files.at[i]);
		lp_digest_add(d, &file, sizeof file);
		add_included(&files, files.at[i], arena);
	}
	lp_free(files.at);
}

static struct lp_digest key_of(const struct lp_study_row *row, const char *zoo, struct lp_arena *arena)
{
	static const char *const nothing[] = { NULL };
	struct lp_study_words words = { 0 };
	struct lp_digester d;

	lp_digest_begin(&d);
	lp_study_command(row, zoo, nothing, arena, &words, NULL);
	for (uint32_t i = 0; i < words.count && words.at[i]; i++)
		lp_digest_add_text(&d, words.at[i]);
	add_contents(&d, &words, arena);
	lp_free(words.at);
	return lp_digest_end(&d);
}

/* ---- the file ---- */

static void put_rows(const struct lp_study_done *s, struct lp_bytes *to)
{
	for (uint32_t i = 0; i < s->count; i++) {
		if (!s->done[i])
			continue;
		lp_bytes_put(to, &s->keys[i], sizeof s->keys[i]);
		lp_bytes_put(to, &s->answers[i], sizeof s->answers[i]);
	}
}

static bool is_text(const char *text, size_t size)
{
	return memchr(text, '\0', size);
}

static bool get_rows(struct lp_study_done *s, struct lp_cursor from)
{
	while (from.left && !from.bad) {
		struct lp_digest key;
		struct lp_study_answer a;
		lp_cursor_get(&from, &key, sizeof key);
		lp_cursor_get(&from, &a, sizeof a);
		if (from.bad || !is_text(a.verdict, sizeof a.verdict) || !is_text(a.kind, sizeof a.kind) || !is_text(a.text, sizeof a.text))
			return false;
		for (uint32_t i = 0; i < s->count; i++) {
			if (s->done[i] || !lp_digest_equal(&s->keys[i], &key))
				continue;
			s->answers[i] = a;
			s->done[i] = true;
		}
	}
	return !from.bad;
}

static bool resume(struct lp_study_done *s, const char *path, struct lp_error *error)
{
	struct lp_bytes bytes, identity = { 0 };
	struct lp_checkpoint_parts parts;

	lp_checkpoint_identify_build("study", &identity);
	bool good = lp_checkpoint_read(path, &bytes, &parts, error) &&
		    lp_checkpoint_is_same(path, parts.at[LP_CHECKPOINT_IDENTITY],
					  (struct lp_cursor){ identity.at, identity.count, false }, error);
	if (good && !get_rows(s, parts.at[LP_CHECKPOINT_TOTALS]))
		good = lp_fail(error, "cannot resume from '%s': it is damaged", path);
	lp_free(bytes.at);
	lp_free(identity.at);
	return good;
}

static bool write_rows(struct lp_study_done *s, struct lp_error *error)
{
	struct lp_bytes rows = { 0 }, identity = { 0 };

	lp_checkpoint_identify_build("study", &identity);
	put_rows(s, &rows);
	const struct lp_checkpoint_parts parts = { .at = {
		[LP_CHECKPOINT_IDENTITY] = { identity.at, identity.count, false },
		[LP_CHECKPOINT_TOTALS] = { rows.at, rows.count, false },
	} };
	const bool written = lp_checkpoint_write(&s->file, &parts, error);
	lp_free(rows.at);
	lp_free(identity.at);
	return written;
}

/* ---- from outside ---- */

bool lp_study_done_open(struct lp_study_done *s, const struct lp_options *o, const struct lp_study_rows *rows, const char *zoo,
			struct lp_arena *arena, struct lp_error *error)
{
	const struct lp_option_value *to = &o->at[LP_OPT_CHECKPOINT], *from = &o->at[LP_OPT_RESUME], *every = &o->at[LP_OPT_EVERY];

	if (!to->given && !from->given)
		return !every->given || lp_fail(error, "--every requires --checkpoint FILE");
	s->file.path = to->given ? to->text : from->text;
	s->every = every->given ? every->seconds : SECONDS_BETWEEN;
	s->next = lp_jobs_now() + s->every;
	s->count = rows->count;
	s->keys = lp_alloc_zero(rows->count, sizeof *s->keys);
	for (uint32_t i = 0; i < rows->count; i++)
		s->keys[i] = key_of(&rows->at[i], zoo, arena);
	return lp_checkpoint_file_open(&s->file, from->given ? from->text : NULL, error) && (!from->given || resume(s, from->text, error));
}

void lp_study_done_close(struct lp_study_done *s)
{
	lp_checkpoint_file_close(&s->file);
	lp_free(s->keys);
}

bool lp_study_done_keep(struct lp_study_done *s, bool now, struct lp_error *error)
{
	bool all = true;

	if (!s->file.path || (!now && lp_jobs_now() < s->next))
		return true;
	for (uint32_t i = 0; i < s->count; i++)
		all &= s->done[i];
	if (all) {
		lp_checkpoint_file_remove(&s->file);
		return true;
	}
	s->next = lp_jobs_now() + s->every;
	return write_rows(s, error);
}
