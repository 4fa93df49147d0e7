/* coverage_lines.c -- lines, branches and functions by file.
 *
 * A template, or an inline function of a header, may have been compiled several times.  Code that was reached in
 * one copy counts as reached.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "runtime/coverage_flags.h"
#include "runtime/hooks/sites.h"
#include "verify/coverage/coverage.h"

struct lines {
	LP_VEC(struct lp_cover_line);
};

struct branch {
	struct lp_cover_branch is;
	struct lp_cover_way *ways; /* the same as is.ways */
	uint32_t number;           /* among those in the same place of one copy */
};

struct function {
	struct lp_cover_function is;
	uint32_t record;           /* the first copy */
};

struct file {
	uint32_t text;
	struct lines lines;
	struct { LP_VEC(struct function); } functions;
	struct { LP_VEC(struct branch); } branches;
};

struct files {
	LP_VEC(struct file);
	struct lp_native *native;
	const struct lp_module *module;
	struct lp_arena *arena;
	uint32_t *merged;          /* by function of the module: its index in its file */
};

static struct file *file_of(struct files *all, uint32_t text)
{
	for (uint32_t i = 0; i < all->count; i++)
		if (all->at[i].text == text)
			return &all->at[i];
	LP_PUSH(all, (struct file){ .text = text });
	return &LP_LAST(all);
}

/* ---- functions ---- */

/* "push" for "push<int>"; for "operator<" all of it. */
static size_t plain_length(const char *name)
{
	return !strncmp(name, "operator", 8) ? strlen(name) : strcspn(name, "<");
}

static const char *plain_name(const struct files *all, const char *name)
{
	static const char method[] = "lp_method_";
	const char *start = strncmp(name, method, strlen(method)) ? name : name + strlen(method);
	const size_t length = plain_length(start);
	char *copy = lp_arena_alloc(all->arena, length + 1);

	memcpy(copy, start, length);
	copy[length] = '\0';
	return copy;
}

static void add_function(struct files *all, uint32_t number)
{
	const struct lp_covered_function *r = &all->module->coverage.functions[number];
	const char *name = plain_name(all, lp_module_text(all->module, r->name));
	const bool reached = lp_native_flag(all->native, r->entered);
	struct file *file = file_of(all, r->file);

	for (uint32_t i = 0; i < file->functions.count; i++) {
		struct lp_cover_function *f = &file->functions.at[i].is;
		if (f->line == r->line && !strcmp(f->name, name)) {
			f->reached |= reached;
			all->merged[number] = i;
			return;
		}
	}
	all->merged[number] = file->functions.count;
	LP_PUSH(&file->functions, ((struct function){ { name, r->line, r->line, reached }, number }));
}

/* ---- lines ---- */

static void add_line(struct files *all, const struct lp_covered_line *r)
{
	const struct lp_covered_function *function = &all->module->coverage.functions[r->function];
	struct lines *lines = &file_of(all, r->file)->lines;
	const bool reached = lp_native_any_flag(all->native, r->flags);

	LP_PUSH(lines, ((struct lp_cover_line){ r->line, reached, r->fails }));
	if (function->file != r->file)
		return;
	struct lp_cover_function *f = &file_of(all, r->file)->functions.at[all->merged[r->function]].is;
	f->last = r->line > f->last ? r->line : f->last;
}

static int by_line(const void *a, const void *b)
{
	const struct lp_cover_line *x = a, *y = b;

	return (x->line > y->line) - (x->line < y->line);
}

/* One record for each line: reached if any was, an error only if all are. */
static void unite_lines(struct lines *lines)
{
	uint32_t count = 0;

	if (lines->count)
		qsort(lines->at, lines->count, sizeof *lines->at, by_line);
	for (uint32_t i = 0; i < lines->count; i++) {
		const struct lp_cover_line l = lines->at[i];
		if (count && lines->at[count - 1].line == l.line) {
			lines->at[count - 1].reached |= l.reached;
			lines->at[count - 1].fails &= l.fails;
		} else {
			lines->at[count++] = l;
		}
	}
	lines->count = count;
}

/* ---- branches ---- */

static bool is_same_branch(const struct branch *a, const struct branch *b)
{
	return a->is.line == b->is.line && a->is.column == b->is.column && a->number == b->number &&
	       a->is.function == b->is.function && a->is.way_count == b->is.way_count;
}

/* Of the branches in one place of a copy, which one: a macro may have several. */
static uint32_t number_of(const struct files *all, uint32_t record)
{
	const struct lp_covered_branch *at = all->module->coverage.branches, *r = &at[record];
	uint32_t number = 0;

	for (uint32_t i = record; i-- > 0 && at[i].function == r->function;)
		number += at[i].line == r->line && at[i].column == r->column && at[i].file == r->file;
	return number;
}

static void add_branch(struct files *all, uint32_t record)
{
	const struct lp_coverage *c = &all->module->coverage;
	const struct lp_covered_branch *r = &c->branches[record];
	struct file *file = file_of(all, r->file);

	if (c->functions[r->function].file != r->file)
		return; /* included into the middle of a function: its lines count */
	struct branch b = { { all->merged[r->function], r->line, r->column, NULL, r->way_count, false }, NULL,
			    number_of(all, record) };
	uint32_t i = 0;
	while (i < file->branches.count && !is_same_branch(&file->branches.at[i], &b))
		i++;
	if (i == file->branches.count) {
		b.is.ways = b.ways = lp_arena_alloc(all->arena, sizeof *b.ways * (r->way_count + 1));
		LP_PUSH(&file->branches, b);
	}
	struct branch *kept = &file->branches.at[i];
	for (uint32_t w = 0; w < r->way_count; w++) {
		const struct lp_covered_way *way = &c->ways[r->ways + w];
		kept->ways[w].label = lp_module_text(all->module, way->label);
		kept->ways[w].fails |= way->fails;
		kept->ways[w].reached |= lp_native_flag(all->native, way->flag);
		kept->is.reached |= kept->ways[w].reached;
	}
}

static int by_place(const void *a, const void *b)
{
	const struct branch *x = a, *y = b;

	if (x->is.line != y->is.line)
		return x->is.line < y->is.line ? -1 : 1;
	if (x->is.column != y->is.column)
		return x->is.column < y->is.column ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* ---- files ---- */

static struct lp_cover_file finish(const struct files *all, struct file *f)
{
	const char *path = lp_module_text(all->module, f->text), *slash = strrchr(path, '/');
	struct lp_cover_line *lines = lp_arena_alloc(all->arena, sizeof *lines * (f->lines.count + 1));
	struct lp_cover_function *functions = lp_arena_alloc(all->arena, sizeof *functions * (f->functions.count + 1));
	struct lp_cover_branch *branches = lp_arena_alloc(all->arena, sizeof *branches * (f->branches.count + 1));

	unite_lines(&f->lines);
	if (f->lines.count)
		memcpy(lines, f->lines.at, sizeof *lines * f->lines.count);
	for (uint32_t i = 0; i < f->functions.count; i++)
		functions[i] = f->functions.at[i].is;
	if (f->branches.count)
		qsort(f->branches.at, f->branches.count, sizeof *f->branches.at, by_place);
	for (uint32_t i = 0; i < f->branches.count; i++)
		branches[i] = f->branches.at[i].is;
	return (struct lp_cover_file){ slash ? slash + 1 : path, path, lines, functions, branches, f->lines.count,
				       f->functions.count, f->branches.count };
}

static int by_path(const void *a, const void *b)
{
	const struct lp_cover_file *x = a, *y = b;

	return strcmp(x->path, y->path);
}

static void close_files(struct files *all)
{
	for (uint32_t i = 0; i < all->count; i++) {
		lp_free(all->at[i].lines.at);
		lp_free(all->at[i].functions.at);
		lp_free(all->at[i].branches.at);
	}
	lp_free(all->at);
	lp_free(all->merged);
}

void lp_coverage_files(struct lp_native *native, struct lp_arena *arena, struct lp_cover *out)
{
	struct files all = { .native = native, .module = lp_native_module(native), .arena = arena };
	const struct lp_coverage *c = &all.module->coverage;

	all.merged = lp_alloc(sizeof *all.merged * (c->function_count + 1));
	for (uint32_t i = 0; i < c->function_count; i++)
		add_function(&all, i);
	for (uint32_t i = 0; i < c->line_count; i++)
		add_line(&all, &c->lines[i]);
	for (uint32_t i = 0; i < c->branch_count; i++)
		add_branch(&all, i);
	struct lp_cover_file *files = lp_arena_alloc(arena, sizeof *files * (all.count + 1));
	for (uint32_t i = 0; i < all.count; i++)
		files[i] = finish(&all, &all.at[i]);
	if (all.count)
		qsort(files, all.count, sizeof *files, by_path);
	out->files = files;
	out->file_count = all.count;
	close_files(&all);
}
