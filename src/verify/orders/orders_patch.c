/* orders_patch.c -- from choices to edits of source files. */
#include "verify/orders/orders_patch.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "orders/patch.h"

/* Of a fix, at most. */
enum { EDITS = 32 };

/* The edits of one file, and the choice that each is for. */
struct edits {
	struct {
		LP_VEC(struct lp_order_edit);
	} edit;
	struct {
		LP_VEC(uint32_t);
	} choice;
};

static bool has_failure(const struct lp_site_choices *all, uint32_t i)
{
	return i + 1 < all->count && all->at[i + 1].use == LP_USE_FAILURE;
}

static bool is_changed(const struct lp_site_choices *all, const uint8_t *orders, uint32_t i)
{
	return orders[i] != all->at[i].now || (has_failure(all, i) && orders[i + 1] != all->at[i + 1].now);
}

/* Is the same operation in the same place more than once?  Then the text there stands for all of them. */
static bool shares_place(const struct lp_site_choices *all, uint32_t i)
{
	const struct lp_site_choice *c = &all->at[i];

	for (uint32_t k = 0; k < all->count; k++) {
		const struct lp_site_choice *d = &all->at[k];
		if (d->sites != c->sites && d->line == c->line && d->column == c->column &&
		    !strcmp(d->file, c->file) && !strcmp(d->operation, c->operation))
			return true;
	}
	return false;
}

static void complain(struct lp_unpatched_list *out, const char *name, const char *trouble)
{
	LP_PUSH(out, ((struct lp_orders_unpatched){ name, trouble }));
}

static void collect(const struct lp_site_choices *all, const uint8_t *orders, const char *file, struct edits *to,
		    struct lp_unpatched_list *out)
{
	for (uint32_t i = 0; i < all->count; i++) {
		const struct lp_site_choice *c = &all->at[i];
		if (c->use == LP_USE_FAILURE || strcmp(c->file, file) || !is_changed(all, orders, i))
			continue;
		if (shares_place(all, i)) {
			complain(out, c->name, "several operations, or several orders, come from this place");
			continue;
		}
		LP_PUSH(&to->edit, ((struct lp_order_edit){
			.line = c->line, .column = c->column, .use = c->use, .operation = c->operation,
			.order = (enum lp_order)orders[i],
			.failure = has_failure(all, i) ? (enum lp_order)orders[i + 1] : LP_PLAIN }));
		LP_PUSH(&to->choice, i);
	}
}

/* The whole file, in the arena; its address is NULL if it cannot be read. */
static struct lp_text read_file(const char *path, struct lp_arena *arena)
{
	struct lp_text text = { 0 };
	FILE *in = fopen(path, "r");

	if (!in)
		return text;
	if (!fseek(in, 0, SEEK_END)) {
		const long length = ftell(in);
		rewind(in);
		char *at = length < 0 ? NULL : lp_arena_alloc(arena, (size_t)length + 1);
		if (at)
			text = (struct lp_text){ at, fread(at, 1, (size_t)length, in) };
	}
	fclose(in);
	return text;
}

static const char *name_in_patch(const char *path, const char *prefix, char *out, size_t size)
{
	char folder[PATH_MAX];
	const size_t length = getcwd(folder, sizeof folder) ? strlen(folder) : 0;

	if (length && !strncmp(path, folder, length) && path[length] == '/')
		snprintf(out, size, "%s/%s", prefix, path + length + 1);
	else
		snprintf(out, size, "%s", path);
	return out;
}

static void patch_file(const struct lp_site_choices *all, const uint8_t *orders, const char *file, FILE *out,
		       struct lp_arena *arena, struct lp_unpatched_list *not_done)
{
	struct edits edits = { 0 };
	char before[PATH_MAX + 2], after[PATH_MAX + 2], real[PATH_MAX];
	struct lp_text text = { 0 };

	collect(all, orders, file, &edits, not_done);
	/* As it was given, where the compiler knows that: links stay as they are. */
	const char *path = *file != '/' && realpath(file, real) ? real : file;
	if (edits.edit.count)
		text = read_file(path, arena);
	if (text.at)
		lp_orders_patch(&text, edits.edit.at, edits.edit.count,
				name_in_patch(path, "a", before, sizeof before),
				name_in_patch(path, "b", after, sizeof after), out);
	for (uint32_t i = 0; i < edits.edit.count; i++) {
		const char *trouble = text.at ? edits.edit.at[i].trouble : "the file cannot be read";
		if (trouble)
			complain(not_done, all->at[edits.choice.at[i]].name, trouble);
	}
	lp_free(edits.edit.at);
	lp_free(edits.choice.at);
}

void lp_orders_write_patch(const struct lp_site_choices *all, const uint8_t *orders, FILE *out, struct lp_arena *arena,
			   struct lp_unpatched_list *not_done)
{
	/* Choices are sorted by file. */
	for (uint32_t i = 0; i < all->count; i++)
		if (!i || strcmp(all->at[i].file, all->at[i - 1].file))
			patch_file(all, orders, all->at[i].file, out, arena, not_done);
}

/* The edits of one file; false if one cannot be done. */
static bool edit_file(const struct lp_site_choices *all, const uint8_t *orders, const char *file, struct lp_arena *arena,
		      struct lp_result_edit *out, uint32_t *count)
{
	struct lp_order_replacement made[EDITS];
	struct lp_unpatched_list not_done = { 0 };
	struct edits edits = { 0 };
	const char *slash = strrchr(file, '/');
	struct lp_text text = { 0 };
	char where[512];

	collect(all, orders, file, &edits, &not_done);
	const uint32_t wanted = edits.edit.count;
	if (wanted)
		text = read_file(file, arena);
	const uint32_t found = text.at ? lp_orders_replacements(&text, edits.edit.at, wanted, made, EDITS - *count) : 0;
	for (uint32_t i = 0; i < found; i++) {
		snprintf(where, sizeof where, "%s:%u", slash ? slash + 1 : file, made[i].line);
		out[(*count)++] = (struct lp_result_edit){ lp_arena_strdup(arena, where), made[i].column, made[i].end,
							   lp_arena_strdup(arena, made[i].with) };
	}
	const bool done = !not_done.count && (!wanted || found);
	lp_free(not_done.at);
	lp_free(edits.edit.at);
	lp_free(edits.choice.at);
	return done;
}

uint32_t lp_orders_edits(const struct lp_site_choices *all, const uint8_t *orders, struct lp_arena *arena,
			 const struct lp_result_edit **edits)
{
	struct lp_result_edit *out = lp_arena_alloc(arena, sizeof *out * EDITS);
	uint32_t count = 0;

	for (uint32_t i = 0; i < all->count; i++)
		if ((!i || strcmp(all->at[i].file, all->at[i - 1].file)) &&
		    !edit_file(all, orders, all->at[i].file, arena, out, &count))
			return 0;
	*edits = out;
	return count;
}
