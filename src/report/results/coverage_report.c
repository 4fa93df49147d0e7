/* coverage_report.c -- coverage in words, and for other tools. */
#include "report/results/coverage_report.h"

#include <stdlib.h>
#include <string.h>

#include "report/text/step_table.h"
#include "report/text/terminal.h"
#include "report/words.h"

struct lp_cover_sums lp_cover_sums(const struct lp_cover *c)
{
	struct lp_cover_sums s = { 0 };

	for (uint32_t i = 0; i < c->file_count; i++) {
		const struct lp_cover_file *f = &c->files[i];
		for (uint32_t k = 0; k < f->line_count; k++) {
			s.lines += !f->lines[k].fails;
			s.lines_reached += f->lines[k].reached && !f->lines[k].fails;
		}
		for (uint32_t k = 0; k < f->branch_count; k++)
			for (uint32_t w = 0; w < f->branches[k].way_count; w++) {
				s.branches += !f->branches[k].ways[w].fails;
				s.branches_reached += f->branches[k].ways[w].reached && !f->branches[k].ways[w].fails;
			}
		s.functions += f->function_count;
		for (uint32_t k = 0; k < f->function_count; k++)
			s.functions_reached += f->functions[k].reached;
	}
	return s;
}

bool lp_cover_missed(const struct lp_cover_file *f, const struct lp_cover_branch *b, const struct lp_cover_way *w)
{
	return f->functions[b->function].reached && !w->reached && !w->fails;
}

static uint32_t missed_in(const struct lp_cover_file *f, uint32_t function)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < f->branch_count; i++)
		for (uint32_t w = 0; f->branches[i].function == function && w < f->branches[i].way_count; w++)
			count += lp_cover_missed(f, &f->branches[i], &f->branches[i].ways[w]);
	return count;
}

bool lp_cover_say_missed(const struct lp_cover *c, char *out, size_t size)
{
	enum { NAMED = 3 };
	uint32_t named = 0, others = 0;
	size_t used = 0;

	out[0] = '\0';
	for (uint32_t i = 0; i < c->file_count; i++)
		for (uint32_t k = 0; k < c->files[i].function_count; k++) {
			const uint32_t missed = missed_in(&c->files[i], k);
			if (!missed)
				continue;
			if (named++ >= NAMED)
				others += missed;
			else if (used < size)
				used += (size_t)snprintf(out + used, size - used, "%s%u %sof %s", used ? ", " : "", missed,
							 used ? "" : missed == 1 ? "branch " : "branches ",
							 c->files[i].functions[k].name);
		}
	if (others && used < size)
		snprintf(out + used, size - used, ", %u of other functions", others);
	return named;
}

/* ---- for people ---- */

/* Text of a line, as it stands in the file; "" if that cannot be read. */
static void read_line(const struct lp_cover_file *f, uint32_t line, char *out, size_t size)
{
	FILE *in = fopen(f->path, "r");

	if (!in || !lp_words_read(in, line, out, size))
		out[0] = '\0';
	if (in)
		fclose(in);
}

/* "queue.c:31", "queue.c:31-35", "queue.c:31:12". */
static void put_place(const struct lp_terminal *t, const char *name, uint32_t line, char sign, uint32_t more)
{
	char place[160];

	if (more)
		snprintf(place, sizeof place, "%s:%u%c%u", name, line, sign, more);
	else
		snprintf(place, sizeof place, "%s:%u", name, line);
	fprintf(t->out, "  %-18s ", place);
}

static void put_source(const struct lp_terminal *t, const struct lp_cover_file *f, uint32_t line)
{
	char text[96];

	read_line(f, line, text, sizeof text);
	if (*text) {
		fputs("  | ", t->out);
		lp_terminal_text(t, text);
	}
	fputc('\n', t->out);
}

static const struct lp_cover_function *function_at(const struct lp_cover_file *f, uint32_t line)
{
	const struct lp_cover_function *found = NULL;

	for (uint32_t i = 0; i < f->function_count; i++)
		if (f->functions[i].line <= line && line <= f->functions[i].last &&
		    (!found || found->line <= f->functions[i].line))
			found = &f->functions[i];
	return found;
}

static bool is_listed(const struct lp_cover_file *f, const struct lp_cover_line *l)
{
	const struct lp_cover_function *function = function_at(f, l->line);

	return !l->reached && !l->fails && (!function || function->reached);
}

/* Lines that follow each other, but for lines without code, are one place. */
static void put_lines(const struct lp_terminal *t, const struct lp_cover_file *f)
{
	for (uint32_t i = 0, end; i < f->line_count; i = end) {
		end = i + 1;
		if (!is_listed(f, &f->lines[i]))
			continue;
		while (end < f->line_count && is_listed(f, &f->lines[end]))
			end++;
		const uint32_t last = f->lines[end - 1].line;
		put_place(t, f->name, f->lines[i].line, '-', last > f->lines[i].line ? last : 0);
		fputs("not reached", t->out);
		put_source(t, f, f->lines[i].line);
	}
}

/* Is it the only one of its line? */
static bool is_alone(const struct lp_cover_file *f, uint32_t branch)
{
	const uint32_t line = f->branches[branch].line;

	return (!branch || f->branches[branch - 1].line != line) &&
	       (branch + 1 == f->branch_count || f->branches[branch + 1].line != line);
}

static void put_branches(const struct lp_terminal *t, const struct lp_cover_file *f)
{
	for (uint32_t i = 0; i < f->branch_count; i++) {
		const struct lp_cover_branch *b = &f->branches[i];
		for (uint32_t w = 0; w < b->way_count; w++) {
			if (!lp_cover_missed(f, b, &b->ways[w]) || !b->reached)
				continue;
			put_place(t, f->name, b->line, ':', is_alone(f, i) ? 0 : b->column);
			fprintf(t->out, "never to %s", b->ways[w].label);
			put_source(t, f, b->line);
		}
	}
}

static void put_functions(const struct lp_terminal *t, const struct lp_cover_file *f)
{
	for (uint32_t i = 0; i < f->function_count; i++)
		if (!f->functions[i].reached) {
			const uint32_t line = f->functions[i].line, last = f->functions[i].last;
			put_place(t, f->name, line, '-', last > line ? last : 0);
			fprintf(t->out, "%s() is never called\n", f->functions[i].name);
		}
}

static void put_facts(const struct lp_terminal *t, const struct lp_cover *c)
{
	for (uint32_t i = 0; i < c->fact_count; i++) {
		const struct lp_cover_fact *f = &c->facts[i];
		fprintf(t->out, "  %-18s %s never %s\n", f->where, f->what, f->never);
	}
	if (c->unknown)
		fprintf(t->out, "  %s\n", c->unknown);
}

static void put_methods(const struct lp_terminal *t, const struct lp_cover *c)
{
	for (uint32_t i = 0; i < c->method_count; i++) {
		const struct lp_cover_method *m = &c->methods[i];
		fprintf(t->out, "  %s(", m->name);
		for (uint32_t a = 0; a < m->argument_count; a++)
			fprintf(t->out, "%s%s", a ? "; " : "", m->arguments[a]);
		fprintf(t->out, ")%s%s\n", !m->results ? " never returned" : *m->results ? " -> " : "",
			m->results ? m->results : "");
	}
}

void lp_terminal_coverage(const struct lp_terminal *t, const struct lp_cover *c)
{
	const struct lp_cover_sums s = lp_cover_sums(c);

	fprintf(t->out, "\ncoverage: %u of %u lines, %u of %u branches, %u of %u functions\n", s.lines_reached, s.lines,
		s.branches_reached, s.branches, s.functions_reached, s.functions);
	for (uint32_t i = 0; i < c->file_count; i++) {
		put_lines(t, &c->files[i]);
		put_branches(t, &c->files[i]);
		put_functions(t, &c->files[i]);
	}
	if (c->fact_count || c->unknown)
		fputs("operations:\n", t->out);
	put_facts(t, c);
	if (c->method_count)
		fputs("calls, with all values that were seen:\n", t->out);
	put_methods(t, c);
}
