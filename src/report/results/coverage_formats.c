/* coverage_formats.c -- coverage as JSON, and as lcov's records. */
#include "report/results/coverage_report.h"

#include <stdlib.h>
#include <string.h>

#include "report/formats/json.h"

/* ---- JSON ---- */

static void put_sum(struct lp_json *j, const char *name, uint32_t reached, uint32_t all)
{
	lp_json_begin(j, name, '{');
	lp_json_number(j, "reached", reached);
	lp_json_number(j, "all", all);
	lp_json_end(j);
}

static void put_branch(struct lp_json *j, const struct lp_cover_file *f, const struct lp_cover_branch *b)
{
	lp_json_begin(j, NULL, '{');
	lp_json_number(j, "line", b->line);
	lp_json_number(j, "column", b->column);
	lp_json_text(j, "function", f->functions[b->function].name);
	lp_json_begin(j, "ways", '[');
	for (uint32_t w = 0; w < b->way_count; w++) {
		lp_json_begin(j, NULL, '{');
		lp_json_text(j, "label", b->ways[w].label);
		lp_json_bool(j, "reached", b->ways[w].reached);
		if (b->ways[w].fails)
			lp_json_bool(j, "fails", true);
		lp_json_end(j);
	}
	lp_json_end(j);
	lp_json_end(j);
}

static void put_file(struct lp_json *j, const struct lp_cover_file *f)
{
	lp_json_begin(j, NULL, '{');
	lp_json_text(j, "file", f->name);
	lp_json_text(j, "path", f->path);
	lp_json_begin(j, "functions", '[');
	for (uint32_t i = 0; i < f->function_count; i++) {
		lp_json_begin(j, NULL, '{');
		lp_json_text(j, "name", f->functions[i].name);
		lp_json_number(j, "line", f->functions[i].line);
		lp_json_number(j, "last", f->functions[i].last);
		lp_json_bool(j, "reached", f->functions[i].reached);
		lp_json_end(j);
	}
	lp_json_end(j);
	lp_json_begin(j, "lines", '[');
	for (uint32_t i = 0; i < f->line_count; i++) {
		lp_json_begin(j, NULL, '{');
		lp_json_number(j, "line", f->lines[i].line);
		lp_json_bool(j, "reached", f->lines[i].reached);
		if (f->lines[i].fails)
			lp_json_bool(j, "fails", true);
		lp_json_end(j);
	}
	lp_json_end(j);
	lp_json_begin(j, "branches", '[');
	for (uint32_t i = 0; i < f->branch_count; i++)
		put_branch(j, f, &f->branches[i]);
	lp_json_end(j);
	lp_json_end(j);
}

static void put_method(struct lp_json *j, const struct lp_cover_method *m)
{
	lp_json_begin(j, NULL, '{');
	lp_json_text(j, "method", m->name);
	lp_json_begin(j, "arguments", '[');
	for (uint32_t a = 0; a < m->argument_count; a++)
		lp_json_text(j, NULL, m->arguments[a]);
	lp_json_end(j);
	if (m->results)
		lp_json_text(j, "results", m->results);
	lp_json_end(j);
}

void lp_json_coverage(struct lp_json *j, const char *name, const struct lp_cover *c)
{
	const struct lp_cover_sums s = lp_cover_sums(c);

	lp_json_begin(j, name, '{');
	put_sum(j, "lines", s.lines_reached, s.lines);
	put_sum(j, "branches", s.branches_reached, s.branches);
	put_sum(j, "functions", s.functions_reached, s.functions);
	lp_json_begin(j, "files", '[');
	for (uint32_t i = 0; i < c->file_count; i++)
		put_file(j, &c->files[i]);
	lp_json_end(j);
	lp_json_begin(j, "operations", '[');
	for (uint32_t i = 0; i < c->fact_count; i++) {
		lp_json_begin(j, NULL, '{');
		lp_json_text(j, "where", c->facts[i].where);
		lp_json_text(j, "path", c->facts[i].file);
		lp_json_number(j, "line", c->facts[i].line);
		lp_json_text(j, "what", c->facts[i].what);
		lp_json_text(j, "never", c->facts[i].never);
		lp_json_end(j);
	}
	lp_json_end(j);
	if (c->unknown)
		lp_json_text(j, "unknown", c->unknown);
	lp_json_begin(j, "calls", '[');
	for (uint32_t i = 0; i < c->method_count; i++)
		put_method(j, &c->methods[i]);
	lp_json_end(j);
	lp_json_end(j);
}

static void put_text(struct lp_json *j, const char *path)
{
	FILE *in = fopen(path, "r");
	char *line = NULL;
	size_t room = 0;

	lp_json_begin(j, "lines", '[');
	while (in && getline(&line, &room, in) > 0) {
		line[strcspn(line, "\r\n")] = '\0';
		lp_json_text(j, NULL, line);
	}
	lp_json_end(j);
	free(line);
	if (in)
		fclose(in);
}

void lp_json_covered_sources(struct lp_json *j, const char *name, const struct lp_cover *c)
{
	lp_json_begin(j, name, '[');
	for (uint32_t i = 0; i < c->file_count; i++) {
		lp_json_begin(j, NULL, '{');
		lp_json_text(j, "path", c->files[i].path);
		put_text(j, c->files[i].path);
		lp_json_end(j);
	}
	lp_json_end(j);
}

/* ---- lcov ---- */

static void put_functions(FILE *out, const struct lp_cover_file *f)
{
	uint32_t reached = 0;

	for (uint32_t i = 0; i < f->function_count; i++)
		fprintf(out, "FN:%u,%s\n", f->functions[i].line, f->functions[i].name);
	for (uint32_t i = 0; i < f->function_count; i++) {
		fprintf(out, "FNDA:%u,%s\n", f->functions[i].reached, f->functions[i].name);
		reached += f->functions[i].reached;
	}
	fprintf(out, "FNF:%u\nFNH:%u\n", f->function_count, reached);
}

/* A branch that was never decided has "-". */
static void put_branches(FILE *out, const struct lp_cover_file *f)
{
	uint32_t all = 0, reached = 0;

	for (uint32_t i = 0; i < f->branch_count; i++) {
		const struct lp_cover_branch *b = &f->branches[i];
		for (uint32_t w = 0; w < b->way_count; w++) {
			fprintf(out, "BRDA:%u,%u,%u,%s\n", b->line, i, w,
				!b->reached ? "-" : b->ways[w].reached ? "1" : "0");
			reached += b->ways[w].reached;
			all++;
		}
	}
	fprintf(out, "BRF:%u\nBRH:%u\n", all, reached);
}

static void put_line_records(FILE *out, const struct lp_cover_file *f)
{
	uint32_t reached = 0;

	for (uint32_t i = 0; i < f->line_count; i++) {
		fprintf(out, "DA:%u,%u\n", f->lines[i].line, f->lines[i].reached);
		reached += f->lines[i].reached;
	}
	fprintf(out, "LF:%u\nLH:%u\n", f->line_count, reached);
}

void lp_lcov_coverage(FILE *out, const struct lp_cover *c)
{
	for (uint32_t i = 0; i < c->file_count; i++) {
		fprintf(out, "TN:\nSF:%s\n", c->files[i].path);
		put_functions(out, &c->files[i]);
		put_branches(out, &c->files[i]);
		put_line_records(out, &c->files[i]);
		fputs("end_of_record\n", out);
	}
}
