/* patch.c -- memory orders changed in a source text. */
#include "orders/patch.h"

#include <ctype.h>
#include <string.h>

#include "base/vec.h"

/* What stands instead of a piece of the text. */
struct change {
	struct lp_piece_of_text piece;
	char with[160];
	bool line;           /* the whole line goes */
};

struct changes {
	LP_VEC(struct change);
};

/* ---- operations by name ---- */

/* How many arguments come before the orders of the operation; -1: the operation is not known. */
static int arguments_before(const struct lp_text *t, const struct lp_call_text *c)
{
	const struct lp_piece_of_text n = c->name;
	const bool generic = lp_text_begins(t, n, "__atomic_") && !lp_text_ends(t, n, "_n");
	const int object = c->member ? 0 : 1; /* the first argument */

	if (lp_text_is(t, n, "atomic_thread_fence") || lp_text_is(t, n, "__atomic_thread_fence") ||
	    lp_text_is(t, n, "__c11_atomic_thread_fence"))
		return 0;
	if (!c->member && !lp_text_begins(t, n, "atomic_") && !lp_text_begins(t, n, "__atomic_") && !lp_text_begins(t, n, "__c11_atomic_"))
		return -1;
	if (lp_text_contains(t, n, "compare_exchange"))
		return object + (lp_text_begins(t, n, "__atomic_") ? 3 : 2);
	if (lp_text_contains(t, n, "fetch_") || lp_text_contains(t, n, "_fetch"))
		return object + 1;
	if (lp_text_contains(t, n, "exchange"))
		return object + (generic ? 2 : 1);
	if (lp_text_contains(t, n, "store"))
		return object + 1;
	if (lp_text_contains(t, n, "load"))
		return object + (generic ? 1 : 0);
	return lp_text_contains(t, n, "test_and_set") || lp_text_contains(t, n, "clear") ? object : -1;
}

static bool is_order(const struct lp_text *t, struct lp_piece_of_text arg)
{
	return lp_text_begins(t, arg, "memory_order") || lp_text_begins(t, arg, "std::memory_order") || lp_text_begins(t, arg, "__ATOMIC_");
}

/* In the style of the argument that it replaces, or of the call. */
static void write_order(const struct lp_text *t, const struct lp_call_text *c, const struct lp_piece_of_text *old, enum lp_order o,
			char *out, size_t size)
{
	static const char *const builtin[] = { [LP_RLX] = "RELAXED", [LP_ACQ] = "ACQUIRE", [LP_REL] = "RELEASE",
					       [LP_ACQREL] = "ACQ_REL", [LP_SC] = "SEQ_CST" };
	const char *name = lp_order_name(LP_USE_RMW, o);
	const bool qualified = old && is_order(t, *old) ? lp_text_begins(t, *old, "std::") : c->member || c->name.start != c->whole.start;

	if (old ? lp_text_begins(t, *old, "__ATOMIC_") || (!is_order(t, *old) && lp_text_begins(t, c->name, "__"))
		: lp_text_begins(t, c->name, "__"))
		snprintf(out, size, "__ATOMIC_%s", builtin[o]);
	else if (old && lp_text_begins(t, *old, "std::memory_order::"))
		snprintf(out, size, "std::memory_order::%s", name);
	else
		snprintf(out, size, "%smemory_order_%s", qualified ? "std::" : "", name);
}

static void replace_order(const struct lp_text *t, const struct lp_call_text *c, uint32_t arg, enum lp_order o,
			  struct changes *out)
{
	struct change change = { .piece = c->args[arg] };

	write_order(t, c, &c->args[arg], o, change.with, sizeof change.with);
	LP_PUSH(out, change);
}

/* Orders that are left out are written behind the last argument; `explicit` is then part of the name. */
static void append_orders(const struct lp_text *t, const struct lp_call_text *c, const struct lp_order_edit *e, bool suffix,
			  struct changes *out)
{
	struct change change = { .piece = { c->close, c->close } }, name = { .piece = { c->name.end, c->name.end } };
	char first[64], second[64] = "";

	write_order(t, c, NULL, e->order, first, sizeof first);
	if (e->failure != LP_PLAIN)
		write_order(t, c, NULL, e->failure, second, sizeof second);
	snprintf(change.with, sizeof change.with, "%s%s%s%s", c->count ? ", " : "", first, *second ? ", " : "", second);
	if (suffix) {
		snprintf(name.with, sizeof name.with, "_explicit");
		LP_PUSH(out, name);
	}
	LP_PUSH(out, change);
}

/* An order that is passed to a function of the program's. */
static const char *edit_parameter(const struct lp_text *t, const struct lp_call_text *c, const struct lp_order_edit *e,
				  struct changes *out)
{
	uint32_t found = c->count, count = 0;

	for (uint32_t i = 0; i < c->count; i++) {
		if (is_order(t, c->args[i])) {
			found = i;
			count++;
		}
	}
	if (count != 1)
		return "no argument is known to be its order";
	replace_order(t, c, found, e->order, out);
	return NULL;
}

/* ---- fences ---- */

static bool is_blank(const struct lp_text *t, size_t start, size_t end)
{
	const struct lp_piece_of_text p = lp_text_trimmed(t, start, end);

	return p.start == p.end;
}

/* Does a statement begin there, which nothing before it needs? */
static bool begins_statement(const struct lp_text *t, size_t at)
{
	while (at && isspace((unsigned char)t->at[at - 1]))
		at--;
	return !at || strchr(";{}", t->at[at - 1]);
}

static void remove_fence(const struct lp_text *t, const struct lp_call_text *c, struct changes *out)
{
	size_t start = c->whole.start, end = c->whole.end;
	struct change change = { .piece = c->whole, .with = "(void)0" };

	while (start && t->at[start - 1] != '\n')
		start--;
	while (end < t->size && t->at[end] != '\n')
		end++;
	const size_t semicolon = lp_text_skip_blanks(t, c->whole.end);
	if (is_blank(t, start, c->whole.start) && begins_statement(t, start) && semicolon < end &&
	    t->at[semicolon] == ';' && is_blank(t, semicolon + 1, end)) {
		change = (struct change){ .piece = { start, end }, .line = true };
	}
	LP_PUSH(out, change);
}

/* ---- edits ---- */

static const char *edit_call(const struct lp_text *t, const struct lp_call_text *c, const struct lp_order_edit *e,
			     struct changes *out)
{
	const int before = arguments_before(t, c);
	const uint32_t orders = e->failure != LP_PLAIN ? 2 : 1;

	if (before < 0)
		return lp_text_begins(t, c->name, "__sync_") ? "__sync operations have no order to write" :
						       edit_parameter(t, c, e, out);
	if (e->use == LP_USE_FENCE && e->order == LP_RLX) {
		remove_fence(t, c, out);
		return NULL;
	}
	const uint32_t given = c->count - (uint32_t)before;
	if (c->count < (uint32_t)before || given > orders)
		return "it has another number of arguments than expected";
	if (!given) {
		const bool suffix = !c->member && lp_text_begins(t, c->name, "atomic_");
		append_orders(t, c, e, suffix, out);
		return NULL;
	}
	replace_order(t, c, (uint32_t)before, e->order, out);
	if (orders == 2 && given == 2) {
		replace_order(t, c, (uint32_t)before + 1, e->failure, out);
	} else if (orders == 2) {
		struct change change = { .piece = { c->close, c->close } };
		char order[64];
		write_order(t, c, &c->args[before], e->failure, order, sizeof order);
		snprintf(change.with, sizeof change.with, ", %s", order);
		LP_PUSH(out, change);
	}
	return NULL;
}

static bool find_place(const struct lp_text *t, uint32_t line, uint32_t column, size_t *at)
{
	size_t i = 0;

	for (uint32_t l = 1; l < line; l++) {
		while (i < t->size && t->at[i] != '\n')
			i++;
		if (i == t->size)
			return false;
		i++;
	}
	*at = i + column - 1;
	return column && *at < t->size;
}

/* Does the change change anything? */
static bool is_idle(const struct lp_text *t, const struct change *c)
{
	return !c->line && lp_text_is(t, c->piece, c->with);
}

/* Is it a call of that operation, by its name? */
static bool is_operation(const struct lp_text *t, const struct lp_call_text *c, const char *operation)
{
	char word[32];

	snprintf(word, sizeof word, "%s", operation);
	for (char *s = word; *s; s++)
		*s = *s == '-' ? '_' : *s;
	if (arguments_before(t, c) < 0 || !lp_text_contains(t, c->name, word))
		return false;
	return strcmp(word, "exchange") || !lp_text_contains(t, c->name, "compare_exchange");
}

/* The one call of the operation there, the first or one within; else the first stays. */
static void look_inside(const struct lp_text *t, struct lp_call_text *c, const char *operation)
{
	struct lp_call_text found = *c, next;
	uint32_t count = 0;

	for (size_t i = c->whole.start; i < c->whole.end; i++) {
		if (!lp_text_call(t, i, &next) || !is_operation(t, &next, operation))
			continue;
		/* A qualified name is met again without its qualifiers. */
		if (count && found.name.start == next.name.start)
			continue;
		found = next;
		count++;
	}
	if (count == 1)
		*c = found;
}

static const char *edit(const struct lp_text *t, const struct lp_order_edit *e, struct changes *out)
{
	struct changes made = { 0 };
	struct lp_call_text call;
	size_t at;

	if (!find_place(t, e->line, e->column, &at) || !lp_text_call(t, at, &call))
		return "it is an operator, or comes from a macro";
	look_inside(t, &call, e->operation);
	const char *trouble = edit_call(t, &call, e, &made);
	for (uint32_t i = 0; i < made.count && !trouble; i++)
		if (!is_idle(t, &made.at[i]))
			LP_PUSH(out, made.at[i]);
	lp_free(made.at);
	return trouble;
}

/* ---- the difference ---- */

static void put_changed(const struct lp_text *t, const struct changes *all, size_t start, size_t end, FILE *out)
{
	size_t i = start;

	for (uint32_t c = 0; c < all->count; c++) {
		const struct change *change = &all->at[c];
		if (change->piece.start < i || change->piece.end > end)
			continue;
		fwrite(t->at + i, 1, change->piece.start - i, out);
		fputs(change->with, out);
		i = change->piece.end;
	}
	fwrite(t->at + i, 1, end - i, out);
	putc('\n', out);
}

/* A line of the text: is it changed, and is it gone? */
struct line {
	size_t start, end;
	bool changed, gone;
};

struct lines {
	LP_VEC(struct line);
};

static void split(const struct lp_text *t, const struct changes *all, struct lines *out)
{
	for (size_t start = 0; start < t->size;) {
		struct line line = { .start = start, .end = start };
		while (line.end < t->size && t->at[line.end] != '\n')
			line.end++;
		for (uint32_t c = 0; c < all->count; c++) {
			const struct lp_piece_of_text p = all->at[c].piece;
			const bool here = p.start >= line.start && p.end <= line.end;
			line.changed |= here;
			line.gone |= here && all->at[c].line;
		}
		LP_PUSH(out, line);
		start = line.end + 1;
	}
}

static void put_line(const struct lp_text *t, const struct line *l, char sign, FILE *out)
{
	putc(sign, out);
	fwrite(t->at + l->start, 1, l->end - l->start, out);
	putc('\n', out);
	if (l->end == t->size)
		fputs("\\ No newline at end of file\n", out);
}

/* Lines that are shown together. */
struct hunk {
	uint32_t from, to;  /* `to` is exclusive */
	uint32_t removed;   /* lines before them that are gone */
};

/* The changed lines are shown before and after.  Returns how many of the hunk's lines are gone. */
static uint32_t put_hunk(const struct lp_text *t, const struct changes *all, const struct lines *lines, struct hunk h, FILE *out)
{
	uint32_t gone = 0;

	for (uint32_t i = h.from; i < h.to; i++)
		gone += lines->at[i].gone;
	fprintf(out, "@@ -%u,%u +%u,%u @@\n", h.from + 1, h.to - h.from, h.from + 1 - h.removed, h.to - h.from - gone);
	for (uint32_t i = h.from; i < h.to;) {
		uint32_t end = i;
		if (!lines->at[i].changed) {
			put_line(t, &lines->at[i++], ' ', out);
			continue;
		}
		for (; end < h.to && lines->at[end].changed; end++)
			put_line(t, &lines->at[end], '-', out);
		for (; i < end; i++) {
			if (lines->at[i].gone)
				continue;
			putc('+', out);
			put_changed(t, all, lines->at[i].start, lines->at[i].end, out);
			if (lines->at[i].end == t->size)
				fputs("\\ No newline at end of file\n", out);
		}
	}
	return gone;
}

static void put_hunks(const struct lp_text *t, const struct changes *all, FILE *out)
{
	enum { AROUND = 3 };
	struct lines lines = { 0 };
	uint32_t removed = 0;

	split(t, all, &lines);
	for (uint32_t i = 0; i < lines.count;) {
		if (!lines.at[i].changed) {
			i++;
			continue;
		}
		uint32_t last = i;
		for (uint32_t k = i; k < lines.count && k <= last + 2 * AROUND; k++)
			if (lines.at[k].changed)
				last = k;
		const uint32_t to = last + 1 + AROUND < lines.count ? last + 1 + AROUND : lines.count;
		removed += put_hunk(t, all, &lines, (struct hunk){ i > AROUND ? i - AROUND : 0, to, removed }, out);
		i = to;
	}
	lp_free(lines.at);
}

/* By place; few of them. */
static void sort(struct changes *all)
{
	for (uint32_t i = 1; i < all->count; i++) {
		for (uint32_t k = i; k && all->at[k].piece.start < all->at[k - 1].piece.start; k--) {
			const struct change kept = all->at[k];
			all->at[k] = all->at[k - 1];
			all->at[k - 1] = kept;
		}
	}
}

/* A piece that spans lines cannot be replaced line by line. */
static bool spans_lines(const struct lp_text *t, const struct changes *all, uint32_t from)
{
	for (uint32_t i = from; i < all->count; i++)
		if (memchr(t->at + all->at[i].piece.start, '\n', all->at[i].piece.end - all->at[i].piece.start))
			return true;
	return false;
}

static uint32_t make_changes(const struct lp_text *t, struct lp_order_edit *edits, uint32_t count, struct changes *all)
{
	uint32_t done = 0;

	for (uint32_t i = 0; i < count; i++) {
		const uint32_t first = all->count;
		edits[i].trouble = edit(t, &edits[i], all);
		if (!edits[i].trouble && spans_lines(t, all, first)) {
			edits[i].trouble = "it is written in several lines";
			all->count = first;
		}
		done += !edits[i].trouble;
	}
	sort(all);
	return done;
}

uint32_t lp_orders_patch(const struct lp_text *t, struct lp_order_edit *edits, uint32_t count, const char *before, const char *after,
			 FILE *out)
{
	struct changes all = { 0 };
	const uint32_t done = make_changes(t, edits, count, &all);

	if (all.count)
		fprintf(out, "--- %s\n+++ %s\n", before, after);
	put_hunks(t, &all, out);
	lp_free(all.at);
	return done;
}

/* False if its columns are not those of characters. */
static bool locate(const struct lp_text *t, const struct change *c, struct lp_order_replacement *out)
{
	size_t start = 0;

	out->line = 1;
	for (size_t i = 0; i < c->piece.start; i++) {
		if (t->at[i] == '\n') {
			out->line++;
			start = i + 1;
		}
	}
	out->column = (uint32_t)(c->piece.start - start) + 1;
	out->end = (uint32_t)(c->piece.end - start) + 1;
	memcpy(out->with, c->with, sizeof out->with);
	for (size_t i = start; i < c->piece.end; i++)
		if ((unsigned char)t->at[i] > 127)
			return false;
	return !c->line;
}

uint32_t lp_orders_replacements(const struct lp_text *t, struct lp_order_edit *edits, uint32_t count, struct lp_order_replacement *out,
				uint32_t room)
{
	struct changes all = { 0 };
	bool done = make_changes(t, edits, count, &all) == count && all.count <= room;

	for (uint32_t i = 0; i < all.count && done; i++)
		done = locate(t, &all.at[i], &out[i]);
	const uint32_t found = done ? all.count : 0;
	lp_free(all.at);
	return found;
}
