/* patch.c -- memory orders changed in a source text. */
#include "orders/patch.h"

#include <ctype.h>
#include <string.h>

#include "base/vec.h"

enum { ARGS = 8 };

struct text {
	const char *at;
	size_t size;
};

struct piece {
	size_t start, end; /* of the text */
};

struct call {
	struct piece whole;  /* from the first qualifier to the closing parenthesis */
	struct piece name;   /* without qualifiers */
	struct piece args[ARGS];
	uint32_t count;
	size_t close;        /* the closing parenthesis */
	bool member;         /* x.load() */
};

/* What stands instead of a piece of the text. */
struct change {
	struct piece piece;
	char with[160];
	bool line;           /* the whole line goes */
};

struct changes {
	LP_VEC(struct change);
};

/* ---- reading ---- */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static size_t skip_blanks(const struct text *t, size_t i)
{
	while (i < t->size && isspace((unsigned char)t->at[i]))
		i++;
	return i;
}

static bool starts(const struct text *t, size_t i, const char *with)
{
	const size_t length = strlen(with);

	return t->size - i >= length && !strncmp(t->at + i, with, length);
}

/* After a comment, a string or a character that begins there; else `i` itself. */
static size_t skip_opaque(const struct text *t, size_t i)
{
	if (starts(t, i, "/*")) {
		for (i += 2; i < t->size && !starts(t, i, "*/");)
			i++;
		return i < t->size ? i + 2 : i;
	}
	if (starts(t, i, "//")) {
		while (i < t->size && t->at[i] != '\n')
			i++;
		return i;
	}
	if (t->at[i] != '"' && t->at[i] != '\'')
		return i;
	const char quote = t->at[i++];
	while (i < t->size && t->at[i] != quote && t->at[i] != '\n')
		i += t->at[i] == '\\' ? 2 : 1;
	return i < t->size ? i + 1 : t->size;
}

static struct piece trimmed(const struct text *t, size_t start, size_t end)
{
	while (start < end && isspace((unsigned char)t->at[start]))
		start++;
	while (end > start && isspace((unsigned char)t->at[end - 1]))
		end--;
	return (struct piece){ start, end };
}

/* The arguments, from the opening parenthesis on. */
static bool read_arguments(const struct text *t, size_t open, struct call *c)
{
	size_t start = open + 1;
	int depth = 0;

	for (size_t i = open; i < t->size;) {
		const size_t after = skip_opaque(t, i);
		if (after != i) {
			i = after;
			continue;
		}
		const char ch = t->at[i];
		depth += ch == '(' || ch == '[' || ch == '{';
		depth -= ch == ')' || ch == ']' || ch == '}';
		if ((ch == ',' && depth == 1) || !depth) {
			const struct piece arg = trimmed(t, start, i);
			if (c->count == ARGS)
				return false;
			if (arg.end > arg.start || c->count || depth)
				c->args[c->count++] = arg;
			start = i + 1;
		}
		if (!depth) {
			c->close = i;
			c->whole.end = i + 1;
			return true;
		}
		i++;
	}
	return false;
}

/* The call whose name begins at `at`, qualifiers included. */
static bool read_call(const struct text *t, size_t at, struct call *c)
{
	size_t i = at;

	*c = (struct call){ .whole = { at, at } };
	if (at >= t->size || !is_word(t->at[at]) || (at && is_word(t->at[at - 1])))
		return false;
	for (;;) {
		c->name.start = i;
		while (i < t->size && is_word(t->at[i]))
			i++;
		c->name.end = i;
		if (!starts(t, i, "::"))
			break;
		i += 2;
	}
	const size_t before = at;
	c->member = before && (t->at[before - 1] == '.' || (before > 1 && !strncmp(t->at + before - 2, "->", 2)));
	i = skip_blanks(t, i);
	return i < t->size && t->at[i] == '(' && read_arguments(t, i, c);
}

static bool is_named(const struct text *t, struct piece p, const char *name)
{
	return p.end - p.start == strlen(name) && !strncmp(t->at + p.start, name, p.end - p.start);
}

static bool begins(const struct text *t, struct piece p, const char *with)
{
	return p.end - p.start >= strlen(with) && !strncmp(t->at + p.start, with, strlen(with));
}

static bool ends(const struct text *t, struct piece p, const char *with)
{
	const size_t length = strlen(with);

	return p.end - p.start >= length && !strncmp(t->at + p.end - length, with, length);
}

static bool contains(const struct text *t, struct piece p, const char *what)
{
	for (size_t i = p.start; i + strlen(what) <= p.end; i++)
		if (!strncmp(t->at + i, what, strlen(what)))
			return true;
	return false;
}

/* ---- operations by name ---- */

/* How many arguments come before the orders of the operation; -1: it is none that is known. */
static int arguments_before(const struct text *t, const struct call *c)
{
	const struct piece n = c->name;
	const bool generic = begins(t, n, "__atomic_") && !ends(t, n, "_n");
	const int object = c->member ? 0 : 1; /* the first argument */

	if (is_named(t, n, "atomic_thread_fence") || is_named(t, n, "__atomic_thread_fence") ||
	    is_named(t, n, "__c11_atomic_thread_fence"))
		return 0;
	if (!c->member && !begins(t, n, "atomic_") && !begins(t, n, "__atomic_") && !begins(t, n, "__c11_atomic_"))
		return -1;
	if (contains(t, n, "compare_exchange"))
		return object + (begins(t, n, "__atomic_") ? 3 : 2);
	if (contains(t, n, "fetch_") || contains(t, n, "_fetch"))
		return object + 1;
	if (contains(t, n, "exchange"))
		return object + (generic ? 2 : 1);
	if (contains(t, n, "store"))
		return object + 1;
	if (contains(t, n, "load"))
		return object + (generic ? 1 : 0);
	return contains(t, n, "test_and_set") || contains(t, n, "clear") ? object : -1;
}

static bool is_order(const struct text *t, struct piece arg)
{
	return begins(t, arg, "memory_order") || begins(t, arg, "std::memory_order") || begins(t, arg, "__ATOMIC_");
}

/* In the style of the argument that it replaces, or of the call. */
static void write_order(const struct text *t, const struct call *c, const struct piece *old, enum lp_order o,
			char *out, size_t size)
{
	static const char *const builtin[] = { [LP_RLX] = "RELAXED", [LP_ACQ] = "ACQUIRE", [LP_REL] = "RELEASE",
					       [LP_ACQREL] = "ACQ_REL", [LP_SC] = "SEQ_CST" };
	const char *name = lp_order_name(LP_USE_RMW, o);
	const bool qualified = old && is_order(t, *old) ? begins(t, *old, "std::") : c->member || c->name.start != c->whole.start;

	if (old ? begins(t, *old, "__ATOMIC_") || (!is_order(t, *old) && begins(t, c->name, "__"))
		: begins(t, c->name, "__"))
		snprintf(out, size, "__ATOMIC_%s", builtin[o]);
	else if (old && begins(t, *old, "std::memory_order::"))
		snprintf(out, size, "std::memory_order::%s", name);
	else
		snprintf(out, size, "%smemory_order_%s", qualified ? "std::" : "", name);
}

static void replace_order(const struct text *t, const struct call *c, uint32_t arg, enum lp_order o,
			  struct changes *out)
{
	struct change change = { .piece = c->args[arg] };

	write_order(t, c, &c->args[arg], o, change.with, sizeof change.with);
	LP_PUSH(out, change);
}

/* Orders that are left out are written behind the last argument; `explicit` is then part of the name. */
static void append_orders(const struct text *t, const struct call *c, const struct lp_order_edit *e, bool suffix,
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
static const char *edit_parameter(const struct text *t, const struct call *c, const struct lp_order_edit *e,
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

static bool is_blank(const struct text *t, size_t start, size_t end)
{
	const struct piece p = trimmed(t, start, end);

	return p.start == p.end;
}

/* Does a statement begin there, which nothing before it needs? */
static bool begins_statement(const struct text *t, size_t at)
{
	while (at && isspace((unsigned char)t->at[at - 1]))
		at--;
	return !at || strchr(";{}", t->at[at - 1]);
}

static void remove_fence(const struct text *t, const struct call *c, struct changes *out)
{
	size_t start = c->whole.start, end = c->whole.end;
	struct change change = { .piece = c->whole, .with = "(void)0" };

	while (start && t->at[start - 1] != '\n')
		start--;
	while (end < t->size && t->at[end] != '\n')
		end++;
	const size_t semicolon = skip_blanks(t, c->whole.end);
	if (is_blank(t, start, c->whole.start) && begins_statement(t, start) && semicolon < end &&
	    t->at[semicolon] == ';' && is_blank(t, semicolon + 1, end)) {
		change = (struct change){ .piece = { start, end }, .line = true };
	}
	LP_PUSH(out, change);
}

/* ---- edits ---- */

static const char *edit_call(const struct text *t, const struct call *c, const struct lp_order_edit *e,
			     struct changes *out)
{
	const int before = arguments_before(t, c);
	const uint32_t orders = e->failure != LP_PLAIN ? 2 : 1;

	if (before < 0)
		return begins(t, c->name, "__sync_") ? "__sync operations have no order to write" :
						       edit_parameter(t, c, e, out);
	if (e->use == LP_USE_FENCE && e->order == LP_RLX) {
		remove_fence(t, c, out);
		return NULL;
	}
	const uint32_t given = c->count - (uint32_t)before;
	if (c->count < (uint32_t)before || given > orders)
		return "it has another number of arguments than expected";
	if (!given) {
		const bool suffix = !c->member && begins(t, c->name, "atomic_");
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

static bool find_place(const struct text *t, uint32_t line, uint32_t column, size_t *at)
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
static bool is_idle(const struct text *t, const struct change *c)
{
	return !c->line && is_named(t, c->piece, c->with);
}

/* Is it a call of that operation, by its name? */
static bool is_operation(const struct text *t, const struct call *c, const char *operation)
{
	char word[32];

	snprintf(word, sizeof word, "%s", operation);
	for (char *s = word; *s; s++)
		*s = *s == '-' ? '_' : *s;
	if (arguments_before(t, c) < 0 || !contains(t, c->name, word))
		return false;
	return strcmp(word, "exchange") || !contains(t, c->name, "compare_exchange");
}

/* The one call of the operation there, the first or one within; else the first stays. */
static void look_inside(const struct text *t, struct call *c, const char *operation)
{
	struct call found = *c, next;
	uint32_t count = 0;

	for (size_t i = c->whole.start; i < c->whole.end; i++) {
		if (!read_call(t, i, &next) || !is_operation(t, &next, operation))
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

static const char *edit(const struct text *t, const struct lp_order_edit *e, struct changes *out)
{
	struct changes made = { 0 };
	struct call call;
	size_t at;

	if (!find_place(t, e->line, e->column, &at) || !read_call(t, at, &call))
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

static void put_changed(const struct text *t, const struct changes *all, size_t start, size_t end, FILE *out)
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

static void split(const struct text *t, const struct changes *all, struct lines *out)
{
	for (size_t start = 0; start < t->size;) {
		struct line line = { .start = start, .end = start };
		while (line.end < t->size && t->at[line.end] != '\n')
			line.end++;
		for (uint32_t c = 0; c < all->count; c++) {
			const struct piece p = all->at[c].piece;
			const bool here = p.start >= line.start && p.end <= line.end;
			line.changed |= here;
			line.gone |= here && all->at[c].line;
		}
		LP_PUSH(out, line);
		start = line.end + 1;
	}
}

static void put_line(const struct text *t, const struct line *l, char sign, FILE *out)
{
	putc(sign, out);
	fwrite(t->at + l->start, 1, l->end - l->start, out);
	putc('\n', out);
	if (l->end == t->size)
		fputs("\\ No newline at end of file\n", out);
}

/* Lines `from` to `to`, of which the changed ones are shown before and after. */
static void put_hunk(const struct text *t, const struct changes *all, const struct lines *lines, uint32_t from,
		     uint32_t to, int *shift, FILE *out)
{
	uint32_t gone = 0;

	for (uint32_t i = from; i < to; i++)
		gone += lines->at[i].gone;
	fprintf(out, "@@ -%u,%u +%u,%u @@\n", from + 1, to - from, (uint32_t)((int)from + 1 + *shift), to - from - gone);
	*shift -= (int)gone;
	for (uint32_t i = from; i < to;) {
		uint32_t end = i;
		if (!lines->at[i].changed) {
			put_line(t, &lines->at[i++], ' ', out);
			continue;
		}
		for (; end < to && lines->at[end].changed; end++)
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
}

static void put_difference(const struct text *t, const struct changes *all, const char *before, const char *after,
			   FILE *out)
{
	enum { AROUND = 3 };
	struct lines lines = { 0 };
	int shift = 0;

	split(t, all, &lines);
	if (all->count)
		fprintf(out, "--- %s\n+++ %s\n", before, after);
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
		put_hunk(t, all, &lines, i > AROUND ? i - AROUND : 0, to, &shift, out);
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
static bool spans_lines(const struct text *t, const struct changes *all, uint32_t from)
{
	for (uint32_t i = from; i < all->count; i++)
		if (memchr(t->at + all->at[i].piece.start, '\n', all->at[i].piece.end - all->at[i].piece.start))
			return true;
	return false;
}

uint32_t lp_orders_patch(const char *text, size_t size, struct lp_order_edit *edits, uint32_t count, const char *before,
			 const char *after, FILE *out)
{
	const struct text t = { text, size };
	struct changes all = { 0 };
	uint32_t done = 0;

	for (uint32_t i = 0; i < count; i++) {
		const uint32_t first = all.count;
		edits[i].trouble = edit(&t, &edits[i], &all);
		if (!edits[i].trouble && spans_lines(&t, &all, first)) {
			edits[i].trouble = "it is written in several lines";
			all.count = first;
		}
		done += !edits[i].trouble;
	}
	sort(&all);
	put_difference(&t, &all, before, after, out);
	lp_free(all.at);
	return done;
}
