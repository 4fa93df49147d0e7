/* study_words.c -- a row of a study, what it expects and what was found, in words. */
#include "cli/study/study_words.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"

/* "not linearizable, 3 calls" */
static void describe(char *out, size_t size, const char *verdict, const char *kind, uint64_t calls)
{
	int used = snprintf(out, size, "%s", kind ? kind : verdict);

	if (calls && used > 0 && (size_t)used < size)
		snprintf(out + used, size - (size_t)used, ", %" PRIu64 " call%s", calls,
			 calls == 1 ? "" : "s");
}

void lp_study_say_expected(char out[LP_STUDY_SAY_ROOM], const struct lp_study_row *row)
{
	uint64_t calls = 0;

	if (row->at[LP_STUDY_CALLS])
		sscanf(row->at[LP_STUDY_CALLS], "%" SCNu64, &calls);
	describe(out, LP_STUDY_SAY_ROOM, row->at[LP_STUDY_VERDICT], row->at[LP_STUDY_KIND], calls);
}

void lp_study_say_found(char out[LP_STUDY_SAY_ROOM], const struct lp_study_answer *a)
{
	describe(out, LP_STUDY_SAY_ROOM, a->text[0] ? a->text : a->verdict,
		 a->kind[0] && !a->text[0] ? a->kind : NULL, a->calls);
}

/* What was found, in the paper's unit; false if it has none that we know. */
static bool say_ours(char *out, size_t size, const char *unit, const struct lp_study_answer *a)
{
	if (!strcmp(unit, "s"))
		snprintf(out, size, "%.2f s", a->seconds);
	else if (!strcmp(unit, "x") && a->figure > 0)
		snprintf(out, size, "%.2f x", a->figure);
	else if (!strcmp(unit, "states"))
		snprintf(out, size, "%" PRIu64 " states", a->states);
	else if (!strcmp(unit, "transitions"))
		snprintf(out, size, "%" PRIu64 " transitions", a->transitions);
	else if (!strcmp(unit, "calls"))
		snprintf(out, size, "%" PRIu64 " calls", a->calls);
	else if (!strcmp(unit, "schedules") && a->schedules)
		snprintf(out, size, "%" PRIu64 " schedules", a->schedules);
	else if (!strcmp(unit, "executions") || !strcmp(unit, "schedules"))
		snprintf(out, size, "%" PRIu64 " executions", a->executions);
	else
		return false;
	return true;
}

/* Appends a paper's figure and ours. */
static void put_figure(char *out, struct lp_study_figure f, const struct lp_study_answer *a)
{
	const size_t used = strlen(out), room = LP_STUDY_SAY_ROOM - used;
	char unit[16], ours[64];

	snprintf(unit, sizeof unit, "%.*s", f.unit_length, f.unit ? f.unit : "");
	const bool has = say_ours(ours, sizeof ours, unit, a);
	snprintf(out + used, room, "%spaper %.*s%s%s%s%s", used ? "; " : "", f.length, f.text, *unit ? " " : "", unit,
		 has ? ", here " : "", has ? ours : "");
}

void lp_study_say_paper(char out[LP_STUDY_SAY_ROOM], const struct lp_study_row *row, const struct lp_study_answer *a)
{
	struct lp_study_figure f;

	out[0] = '\0';
	for (uint32_t i = 0; lp_study_figure(row, i, &f); i++)
		put_figure(out, f, a);
}

static bool needs_quotes(const char *word)
{
	return !*word || strpbrk(word, " ;|()&<>*?$`\"\\");
}

void lp_study_put_command(FILE *out, const struct lp_study_row *row, const char *zoo,
			  struct lp_arena *arena, bool short_form)
{
	static const char *const nothing[] = { NULL };
	struct lp_study_words words = { 0 };
	struct lp_error error;

	if (lp_study_command(row, zoo, nothing, arena, &words, &error)) {
		const bool check = !strcmp(words.at[0], "check");
		for (uint32_t i = short_form && check; words.at[i]; i++) {
			const char *quote = needs_quotes(words.at[i]) ? "'" : "";
			const char *word = short_form && i == 1 ? row->at[LP_STUDY_FILE] :
								  words.at[i];
			fprintf(out, "%s%s%s%s", i > (short_form && check) ? " " : "", quote, word,
				quote);
		}
	}
	lp_free(words.at);
}
