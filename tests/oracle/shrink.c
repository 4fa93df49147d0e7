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
	uint32_t kept = 0;
	for (uint32_t i = 0; i < s->outcome.count; i++) {
		struct lp_script_outcome o = s->outcome.at[i];
		if (o.thread == block)
			continue;
		o.thread -= o.thread > block;
		s->outcome.at[kept++] = o;
	}
	s->outcome.count = kept;
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

	if (line >= b->count || (!block && is_synthetic(&b->at[line])))
		return false;
	for (uint32_t i = line; i + 1 < b->count; i++)
		b->at[i] = b->at[i + 1];
	b->count--;
	return true;
}

/* One of them, or the first and all that follow it. */
static bool drop_outcome(struct lp_script *s, uint32_t block, uint32_t line)
{
	if (block || line >= s->outcome.count)
		return false;
	for (uint32_t i = line; line && i + 1 < s->outcome.count; i++)
		s->outcome.at[i] = s->outcome.at[i + 1];
	s->outcome.count = line ? s->outcome.count - 1 : 0;
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
	s->stack -= s->stack > loc;
	return true;
}

/* Makes the change in the block, and, if they are to stay alike, in those of all like threads. */
static bool changes(struct lp_script *s, change *c, uint32_t block, uint32_t line, bool alike)
{
	bool all = alike, twin[64] = { false };

	if (block >= s->blocks.count || s->blocks.count > 64)
		return false;
	if (alike) /* once for all of them */
		all = block + 1 < s->blocks.count && lp_script_alike(s, block, block + 1) &&
		      !(block && lp_script_alike(s, block - 1, block));
	if (alike && !all)
		return false;
	for (uint32_t b = block + 1; alike && b < s->blocks.count; b++)
		twin[b] = lp_script_alike(s, block, b);
	if (!c(s, block, line))
		return false;
	for (uint32_t b = block + 1; alike && b < s->blocks.count; b++)
		if (twin[b])
			c(s, b, line);
	return true;
}

/* The script after the change, if there was something to change and it is one. */
static char *changed_text(const char *text, change *c, uint32_t block, uint32_t line, bool alike)
{
	struct lp_script *s = lp_script_parse(text, NULL);
	char *after = NULL;

	if (s && changes(s, c, block, line, alike))
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

static void try_everywhere(struct shrinker *k, change *c, bool alike)
{
	struct lp_script *s = lp_script_parse(k->text, NULL);
	const uint32_t blocks = s->blocks.count;
	uint32_t lines = s->locs.count > s->outcome.count ? s->locs.count : s->outcome.count;

	for (uint32_t b = 0; b < blocks; b++)
		if (s->blocks.at[b].count + 1 > lines)
			lines = s->blocks.at[b].count + 1;
	lp_script_drop(s);
	/* From the back: what is dropped there moves nothing in front. */
	for (uint32_t b = blocks; b-- > 0;) {
		for (uint32_t i = lines; i-- > 0;) {
			char *smaller = changed_text(k->text, c, b, i, alike);

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
	static change *const all[] = { drop_thread,  drop_line, drop_outcome, relax_order,
				      lessen_a,     lessen_b,  zero_initial, drop_location };
	struct shrinker k = { .text = lp_strdup(text), .fails = fails, .closure = closure };

	do {
		k.changed = false;
		for (size_t i = 0; i < sizeof all / sizeof *all; i++)
			try_everywhere(&k, all[i], false);
		for (size_t i = 1; i < sizeof all / sizeof *all; i++) /* but threads */
			try_everywhere(&k, all[i], true);
	} while (k.changed);
	return k.text;
}
