/* units.c -- decides which files compiled by `linchpin cc` make up a program. */
#include "frontend/compile/units.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "frontend/compile/binary.h"
#include "frontend/compile/command.h"

/* Code that we do not see cannot be part of it: whatever came out would be wrong. */
bool lp_units_refuse(const char *file, struct lp_error *error)
{
	lp_fail(error, "'%s' was not compiled by `linchpin cc`", file);
	snprintf(error->hint, sizeof error->hint,
		 "give its sources, or build it with CC=\"linchpin cc\" (CXX=\"linchpin cc --cc g++\")");
	return false;
}

bool lp_units_suffice(const struct lp_units *units, lp_is_missing *is_missing, const void *closure,
		      struct lp_error *error)
{
	for (uint32_t i = 0; i < units->foreign.count; i++) {
		if (!is_missing(closure, units->foreign.at[i]))
			continue;
		lp_units_refuse(units->foreign_files.at[i], error);
		const size_t used = strlen(error->text);
		snprintf(error->text + used, sizeof error->text - used,
			 ", or not all of it: '%s', which is used, is in another part",
			 units->foreign.at[i]);
		return false;
	}
	return true;
}

static bool is_next(const struct lp_unit *unit, bool member, lp_is_missing *is_missing,
		    const void *closure)
{
	if (unit->used || unit->member != member)
		return false;
	for (uint32_t i = 0; i < unit->defines.count; i++)
		if (is_missing(closure, unit->defines.at[i]))
			return true;
	return !member;
}

const struct lp_unit *lp_units_next(struct lp_units *units, lp_is_missing *is_missing,
				    const void *closure)
{
	for (int member = 0; member < 2; member++) {
		for (uint32_t i = 0; i < units->count; i++) {
			if (is_next(&units->at[i], member, is_missing, closure)) {
				units->at[i].used = true;
				return &units->at[i];
			}
		}
	}
	return NULL;
}

/* ---- the words for the linker ---- */

static const char *keep(struct lp_units *units, const char *word)
{
	LP_PUSH(&units->words, lp_strdup(word));
	return LP_LAST(&units->words);
}

bool lp_units_library(const struct lp_command *link, const char *name, char path[static PATH_MAX])
{
	static const char *const endings[] = { "so", "a" };

	for (uint32_t i = 0; i < link->count; i++) {
		const char *word = link->at[i];
		const bool alone = !strcmp(word, "-L") && i + 1 < link->count;
		const char *folder = alone ? link->at[i + 1] : word + 2;
		for (int e = 0; !strncmp(word, "-L", 2) && e < 2; e++) {
			snprintf(path, PATH_MAX, "%s/lib%s.%s", folder, name, endings[e]);
			if (!access(path, R_OK))
				return true;
		}
	}
	return false;
}

/* Puts the libraries of this build in the place of their names. */
static void find_libraries(struct lp_units *units, struct lp_command *link)
{
	struct lp_command found = { 0 };

	for (uint32_t i = 0; i < link->count; i++) {
		const char *word = link->at[i];
		const bool alone = !strcmp(word, "-l") && i + 1 < link->count;
		char path[PATH_MAX];
		const bool ours = !strncmp(word, "-l", 2) &&
				  lp_units_library(link, alone ? link->at[i + 1] : word + 2, path);
		lp_command_add(&found, ours ? keep(units, path) : word);
		if (alone && !ours)
			lp_command_add(&found, link->at[i + 1]);
		i += alone;
	}
	lp_command_drop(link);
	*link = found;
}

bool lp_units_take(struct lp_units *units, struct lp_command *link, const char *file, const char *folder,
		   struct lp_findings *findings, struct lp_error *error)
{
	struct lp_command rest = { 0 };
	bool good = !file || lp_fat_is(file) || lp_units_refuse(file, error);

	find_libraries(units, link);
	for (uint32_t i = 0; good && i < link->count; i++) {
		const char *word = link->at[i];
		const enum lp_binary kind = *word == '-' ? LP_BINARY_NONE : lp_binary_kind(word);
		if (kind == LP_BINARY_NONE || (kind == LP_BINARY_LINKED && !lp_fat_is(word))) {
			lp_command_add(&rest, word);
			continue;
		}
		const uint32_t before = units->count;
		good = lp_fat_read(units, word, folder, findings, error);
		for (uint32_t u = before; u < units->count; u++) /* what is checked is all of it */
			units->at[u].member &= word != file;
	}
	for (uint32_t i = 0; good && i < units->needed.count; i++) {
		char word[PATH_MAX];
		snprintf(word, sizeof word, "%s", units->needed.at[i]); /* reading may add some */
		if (lp_fat_is(word)) {
			good = lp_fat_read(units, word, folder, findings, error);
			continue;
		}
		if (!strchr(word, '/'))
			snprintf(word, sizeof word, "-l:%s", units->needed.at[i]);
		lp_command_add(&rest, keep(units, word));
	}
	lp_command_drop(link);
	*link = rest;
	return good;
}
