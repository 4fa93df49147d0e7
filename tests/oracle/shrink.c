/* shrink.c -- making a failing script smaller, greedily.
 *
 * Every pass tries one kind of change in every place; a change stays if the
 * script still fails.  Passes repeat until none of them changes anything.
 */
#include "generate.h"

#include "program/script.h"

#include <stdlib.h>

struct shrinker {
	char *text;
	bool (*fails)(void *closure, const char *text);
	void *closure;
	bool changed;
};

/* Makes one change to the script, at place `where` of the line or block; false: there
 * is nothing to change there. */
typedef bool change(struct lp_script *, uint32_t block, uint32_t line);

static bool drop_thread(struct lp_script *s, uint32_t block, uint32_t line)
{
	if (line || !block || s->blocks.count <= 2)
		return false;
	/* An outcome that names this thread or a later one would point elsewhere. */
	s->outcome.count = 0;
	lp_free(s->blocks.at[block].at);
	for (uint32_t b = block; b + 1 < s->blocks.count; b++)
		s->blocks.at[b] = s->blocks.at[b + 1];
	s->blocks.count--;
	return true;
}

static bool is_synthetic(const struct lp_script_line *line)
{
	return line->kind == LP_LINE_SPAWN || line->kind == LP_LINE_JOIN;
}

static bool drop_line(struct lp_script *s, uint32_t block, uint32_t line)
{
	struct lp_script_block *b = &s->blocks.at[block];

	if (line >= b->count || is_synthetic(&b->at[line]))
		return false;
	for (uint32_t i = line; i + 1 < b->count; i++)
		b->at[i] = b->at[i + 1];
	b->count--;
	return true;
}

static bool drop_outcome(struct lp_script *s, uint32_t block, uint32_t line)
{
	if (block || line || !s->outcome.count)
		return false;
	s->outcome.count = 0;
	return true;
}

static bool relax_order(struct lp_script *s, uint32_t block, uint32_t line)
{
	struct lp_script_line *l;

	if (line >= s->blocks.at[block].count)
		return false;
	l = &s->blocks.at[block].at[line];
	if (l->order <= LP_RLX && l->fail_order <= LP_RLX)
		return false;
	l->order = l->order ? LP_RLX : 0;
	l->fail_order = l->fail_order ? LP_RLX : 0;
	return true;
}

static bool lessen(struct lp_script_expr *e)
{
	if (e->op) {
		e->op = 0;
		return true;
	}
	if (e->a.is_reg) {
		*e = (struct lp_script_expr){ .a = { false, 1 } };
		return true;
	}
	if (e->a.number > 1) {
		e->a.number = 1;
		return true;
	}
	return false;
}

static bool lessen_a(struct lp_script *s, uint32_t block, uint32_t line)
{
	return line < s->blocks.at[block].count && !is_synthetic(&s->blocks.at[block].at[line]) &&
	       lessen(&s->blocks.at[block].at[line].a);
}

static bool lessen_b(struct lp_script *s, uint32_t block, uint32_t line)
{
	return line < s->blocks.at[block].count && !is_synthetic(&s->blocks.at[block].at[line]) &&
	       lessen(&s->blocks.at[block].at[line].b);
}

static bool zero_initial(struct lp_script *s, uint32_t block, uint32_t line)
{
	if (block || line >= s->locs.count || !s->locs.at[line].initial)
		return false;
	s->locs.at[line].initial = 0;
	return true;
}

/* Drops a location that no line names, so that it leaves the text. */
static bool drop_location(struct lp_script *s, uint32_t block, uint32_t loc)
{
	if (block || loc >= s->locs.count || s->locs.at[loc].owner)
		return false;
	for (uint32_t b = 0; b < s->blocks.count; b++)
		for (uint32_t i = 0; i < s->blocks.at[b].count; i++)
			if (lp_script_names_loc(&s->blocks.at[b].at[i]) &&
			    s->blocks.at[b].at[i].loc == loc)
				return false;
	for (uint32_t b = 0; b < s->blocks.count; b++)
		for (uint32_t i = 0; i < s->blocks.at[b].count; i++)
			s->blocks.at[b].at[i].loc -= s->blocks.at[b].at[i].loc > loc;
	for (uint32_t i = loc; i + 1 < s->locs.count; i++)
		s->locs.at[i] = s->locs.at[i + 1];
	s->locs.count--;
	return true;
}

/* The script after the change, if there was something to change and it is one. */
static char *changed_text(const char *text, change *c, uint32_t block, uint32_t line)
{
	struct lp_script *s = lp_script_parse(text, NULL);
	char *after = NULL;

	if (s && block < s->blocks.count && c(s, block, line))
		after = lp_script_print(s);
	lp_script_drop(s);

	struct lp_script *good = after ? lp_script_parse(after, NULL) : NULL;

	if (!good) {
		free(after);
		return NULL;
	}
	lp_script_drop(good);
	return after;
}

static void try_everywhere(struct shrinker *k, change *c)
{
	struct lp_script *s = lp_script_parse(k->text, NULL);
	const uint32_t blocks = s->blocks.count;
	uint32_t lines = s->locs.count;

	for (uint32_t b = 0; b < blocks; b++)
		if (s->blocks.at[b].count + 1 > lines)
			lines = s->blocks.at[b].count + 1;
	lp_script_drop(s);
	/* From the back: what is dropped there moves nothing in front. */
	for (uint32_t b = blocks; b-- > 0;) {
		for (uint32_t i = lines; i-- > 0;) {
			char *smaller = changed_text(k->text, c, b, i);

			if (smaller && k->fails(k->closure, smaller)) {
				free(k->text);
				k->text = smaller;
				k->changed = true;
			} else {
				free(smaller);
			}
		}
	}
}

char *shrink_script(const char *text, bool (*fails)(void *closure, const char *text), void *closure)
{
	static change *const changes[] = { drop_thread,  drop_line, drop_outcome, relax_order,
					   lessen_a,     lessen_b,  zero_initial, drop_location };
	struct shrinker k = { .text = lp_strdup(text), .fails = fails, .closure = closure };

	do {
		k.changed = false;
		for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
			try_everywhere(&k, changes[i]);
	} while (k.changed);
	return k.text;
}
