/* script_print.c -- prints a script as text that parses to an equal script. */
#include "program/script.h"
#include "program/script_names.h"

#include <stdio.h>
#include <string.h>

static void print_atom(FILE *out, struct lp_script_atom a)
{
	fprintf(out, "%s%llu", a.is_reg ? "r" : "", (unsigned long long)a.number);
}

static void print_expr(FILE *out, const struct lp_script_expr *e)
{
	fputc(' ', out);
	print_atom(out, e->a);
	if (e->op) {
		fputc(e->op, out);
		print_atom(out, e->b);
	}
}

static void print_condition(FILE *out, const char *verb, const struct lp_script_line *line)
{
	fputs(verb, out);
	print_expr(out, &line->a);
	fprintf(out, " %s", compare_names[line->compare]);
	print_expr(out, &line->b);
}

static void print_line(FILE *out, const struct lp_script *s, const struct lp_script_line *line)
{
	char loc[LP_SCRIPT_NAME + 16] = "";
	const char *order = order_names[line->order];

	if (s->locs.count)
		snprintf(loc, sizeof loc, "%s", s->locs.at[line->loc].name);
	if (line->whose) {
		char *after = strchr(loc, '@') + 1;
		*after = 0;
		if (line->whose == LP_WHOSE_NAMED)
			snprintf(after, 8, "r%u", line->owner);
	}
	if (line->size)
		snprintf(loc + strlen(loc), sizeof loc - strlen(loc), "[%u:%u]", line->from, line->size);
	if (line->dest != LP_SCRIPT_NO_REG)
		fprintf(out, "r%u ", line->dest);
	if (line->flag != LP_SCRIPT_NO_REG)
		fprintf(out, "r%u ", line->flag);
	if (line->dest != LP_SCRIPT_NO_REG)
		fputs("=", out);
	if (line->dest != LP_SCRIPT_NO_REG && line->kind != LP_LINE_SET)
		fputs(" ", out);
	switch ((enum lp_script_kind)line->kind) {
	case LP_LINE_LOAD:
		fprintf(out, "load.%s %s", order, loc);
		break;
	case LP_LINE_STORE:
		fprintf(out, "store.%s %s", order, loc);
		print_expr(out, &line->a);
		break;
	case LP_LINE_RMW:
		fprintf(out, "%s.%s %s", rmw_names[line->rmw], order, loc);
		print_expr(out, &line->a);
		break;
	case LP_LINE_CAS:
	case LP_LINE_WCAS:
		fprintf(out, "%s.%s.%s %s", line->kind == LP_LINE_CAS ? "cas" : "wcas", order,
			order_names[line->fail_order], loc);
		print_expr(out, &line->a);
		print_expr(out, &line->b);
		break;
	case LP_LINE_AWAIT:
	case LP_LINE_REQUIRE:
		fprintf(out, "%s.%s %s %s", line->kind == LP_LINE_AWAIT ? "await" : "require", order,
			loc, compare_names[line->compare]);
		print_expr(out, &line->a);
		break;
	case LP_LINE_FENCE:
		fprintf(out, "fence.%s", order);
		break;
	case LP_LINE_LOCK:
		fprintf(out, "lock %s", loc);
		break;
	case LP_LINE_TRYLOCK:
		fprintf(out, "trylock %s", loc);
		break;
	case LP_LINE_WAIT:
		fprintf(out, "wait %s", loc);
		break;
	case LP_LINE_POST:
		fprintf(out, "post %s", loc);
		break;
	case LP_LINE_UNLOCK:
		fprintf(out, "unlock %s", loc);
		break;
	case LP_LINE_ALLOC:
		fprintf(out, "alloc %s", loc);
		break;
	case LP_LINE_FREE:
		fprintf(out, "free %s", loc);
		break;
	case LP_LINE_YIELD:
		fputs("yield", out);
		break;
	case LP_LINE_PLOAD:
		fprintf(out, "pload %s", loc);
		break;
	case LP_LINE_PSTORE:
		fprintf(out, "pstore %s", loc);
		print_expr(out, &line->a);
		break;
	case LP_LINE_SET:
		print_expr(out, &line->a);
		break;
	case LP_LINE_ME:
		fputs("me", out);
		break;
	case LP_LINE_CHOOSE:
		fputs("choose", out);
		print_expr(out, &line->a);
		break;
	case LP_LINE_IF:
		print_condition(out, "if", line);
		fprintf(out, " goto %s", line->label);
		break;
	case LP_LINE_GOTO:
		fprintf(out, "goto %s", line->label);
		break;
	case LP_LINE_LABEL:
		fprintf(out, "%s:", line->label);
		break;
	case LP_LINE_ASSUME:
		print_condition(out, "assume", line);
		break;
	case LP_LINE_ASSERT:
		print_condition(out, "assert", line);
		break;
	case LP_LINE_SPAWN:
		fputs("spawn", out);
		break;
	case LP_LINE_JOIN:
		fputs("join", out);
		break;
	}
}

/* Is the line of thread 0 one that is made from the other threads? */
static bool is_made(const struct lp_script_line *line)
{
	return line->kind == LP_LINE_SPAWN || line->kind == LP_LINE_JOIN;
}

static void print_block(FILE *out, const struct lp_script *s, const char *head,
			const struct lp_script_block *block)
{
	fprintf(out, "%s\n", head);
	for (uint32_t i = 0; i < block->count; i++) {
		const struct lp_script_line *line = &block->at[i];
		if (block == &s->blocks.at[0] && is_made(line))
			continue;
		fputs("  ", out);
		print_line(out, s, line);
		fputc('\n', out);
	}
}

char *lp_script_print(const struct lp_script *s)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		LP_BUG("cannot print a script");
	/* Locations with the initial value 0 are printed, too, so that all locations keep their
	 * numbers. */
	for (uint32_t i = 0; i < s->locs.count; i++) {
		const struct lp_script_loc *loc = &s->locs.at[i];
		if (loc->owner <= 1)
			fprintf(out, "init %.*s %llu\n",
				(int)(strlen(loc->name) - (loc->owner ? 1 : 0)), loc->name,
				(unsigned long long)loc->initial);
	}
	if (s->stack)
		fprintf(out, "stack %.*s\n", (int)strcspn(s->locs.at[s->stack - 1].name, "@"),
			s->locs.at[s->stack - 1].name);
	for (uint32_t t = 1; t < s->blocks.count; t++)
		print_block(out, s, "thread", &s->blocks.at[t]);
	if (s->blocks.at[0].count && !is_made(&LP_LAST(&s->blocks.at[0])))
		print_block(out, s, "final", &s->blocks.at[0]);
	if (s->outcome.count) {
		fputs("outcome", out);
		for (uint32_t i = 0; i < s->outcome.count; i++)
			fprintf(out, " %u:r%u", s->outcome.at[i].thread, s->outcome.at[i].reg);
		fputc('\n', out);
	}
	fclose(out);
	return text;
}
