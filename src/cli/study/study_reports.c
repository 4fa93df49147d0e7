/* study_reports.c -- reports of a study for CI servers: --junit, --sarif, annotations. */
#include "cli/study/study_reports.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/deliver.h"
#include "cli/study/study_words.h"
#include "report/source_place.h"

/* What is said about a row, whether it matches or not; in the arena. */
static const char *say_row(const struct lp_study_found *f, uint32_t i, struct lp_arena *arena)
{
	const struct lp_study_row *row = &f->rows->at[i];
	char said[LP_STUDY_SAY_ROOM], *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return "";
	lp_study_say_expected(said, row);
	fprintf(out, "expected: %s\n", said);
	if (f->done[i]) {
		lp_study_say_found(said, &f->answers[i]);
		fprintf(out, "found:    %s\n", said);
	}
	fputs("linchpin ", out);
	lp_study_put_command(out, row, f->zoo, arena, false);
	fputc('\n', out);
	if (row->at[LP_STUDY_NOTE])
		fprintf(out, "note: %s\n", row->at[LP_STUDY_NOTE]);
	fclose(out);
	const char *kept = lp_arena_strdup(arena, text);
	free(text);
	return kept;
}

/* The row as the result of a check: its name is its command line. */
static const char *name_of(const struct lp_study_found *f, uint32_t i, struct lp_arena *arena)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return "?";
	lp_study_put_command(out, &f->rows->at[i], f->zoo, arena, true);
	fclose(out);
	const char *kept = lp_arena_strdup(arena, text);
	free(text);
	return kept;
}

struct row_result {
	struct lp_result result;
	struct lp_result_violation violation;
	struct lp_result_file file;
	char where[PATH_MAX], path[PATH_MAX], text[2 * LP_STUDY_SAY_ROOM + 32];
};

static void fill(struct row_result *r, const struct lp_study_found *f, uint32_t i,
		 struct lp_arena *arena)
{
	const struct lp_study_row *row = &f->rows->at[i];
	char expected[LP_STUDY_SAY_ROOM], found[LP_STUDY_SAY_ROOM], table[PATH_MAX];

	lp_study_say_expected(expected, row);
	lp_study_say_found(found, &f->answers[i]);
	snprintf(r->where, sizeof r->where, "%s:%u", row->table, row->line);
	snprintf(table, sizeof table, "%s/%s", f->zoo, row->table);
	if (!realpath(table, r->path))
		snprintf(r->path, sizeof r->path, "%s", table);
	r->file = (struct lp_result_file){ row->table, r->path };
	r->violation = (struct lp_result_violation){ .where = r->where };
	r->result = (struct lp_result){ .subject.name = name_of(f, i, arena), .subject.files = &r->file,
					.subject.file_count = 1, .seconds = f->answers[i].seconds };
	if (!f->done[i]) {
		r->result.verdict = LP_RESULT_INCONCLUSIVE;
		r->result.reason = "interrupted before its end";
		r->result.violation = &r->violation;
	} else if (lp_study_answer_is_expected(&f->answers[i], row)) {
		snprintf(r->text, sizeof r->text, "as expected: %s", expected);
		r->result.verdict = LP_RESULT_VERIFIED;
		r->result.question.claim = r->text;
	} else {
		snprintf(r->text, sizeof r->text, "expected %s, found %s", expected, found);
		r->result.verdict = LP_RESULT_VIOLATION;
		r->result.kind = "not as expected";
		r->result.unexpected = true;
		r->result.text = r->text;
		r->result.violation = &r->violation;
	}
}

bool lp_study_reports(const struct lp_options *o, const struct lp_study_found *f,
		      struct lp_arena *arena)
{
	const uint32_t count = f->rows->count;
	struct lp_pieces pieces;

	if (!lp_deliver_wanted(o))
		return true;
	struct lp_object_row *rows = lp_alloc_zero(count, sizeof *rows);
	struct row_result *r = lp_alloc(sizeof *r);
	lp_pieces_open(&pieces, o, rows, count);
	pieces.seconds = f->seconds;
	for (uint32_t i = 0; i < count; i++) {
		fill(r, f, i, arena);
		lp_deliver_marks(&r->result);
		lp_pieces_add(&pieces, i, o, &r->result, say_row(f, i, arena));
	}
	const bool good = lp_deliver_files(o, &pieces);
	lp_pieces_close(&pieces);
	lp_free(r);
	lp_free(rows);
	return good;
}
