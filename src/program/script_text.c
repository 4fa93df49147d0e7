/* script_text.c -- parses scripts.
 *
 * The parser cuts the text into lines and words, and reads a line by its first
 * words; the grammar is at the head of script.h.
 */
#include "program/script.h"
#include "program/script_names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WORDS 64

static const char operators[] = "+-*&|^";

#define COUNT(table) (sizeof(table) / sizeof *(table))

struct parser {
	struct lp_script *script;
	struct lp_error *error;
	uint32_t source;                  /* line number */
	struct lp_script_block *block;    /* the block to which lines are added; NULL before the
	                                   * first thread */
	struct { LP_VEC(struct lp_script_line); } final;
	bool in_final;
	char *words[MAX_WORDS + 1];       /* NULL-terminated */
	uint32_t count;
};

static int index_of(const char *const *names, size_t count, const char *word)
{
	for (size_t i = 0; i < count; i++)
		if (names[i] && !strcmp(names[i], word))
			return (int)i;
	return -1;
}

static bool complain(struct parser *p, const char *what, const char *word)
{
	return lp_fail(p->error, "line %u: %s: '%s'", p->source, what, word ? word : "end of line");
}

/* ---- words ---- */

static bool is_name(const char *word)
{
	if (!word || !(isalpha((unsigned char)*word) || *word == '_') ||
	    strlen(word) >= LP_SCRIPT_NAME)
		return false;
	for (; *word; word++)
		if (!isalnum((unsigned char)*word) && *word != '_')
			return false;
	return true;
}

/* Scans the register at the start of `text`; `*end` becomes the position behind it. */
static bool scan_reg(const char *text, uint8_t *reg, const char **end)
{
	char *after;

	if (text[0] != 'r' || !isdigit((unsigned char)text[1]))
		return false;
	const unsigned long number = strtoul(text + 1, &after, 10);
	if (number >= LP_SCRIPT_REGS)
		return false;
	*reg = (uint8_t)number;
	*end = after;
	return true;
}

static bool parse_reg(const char *word, uint8_t *reg)
{
	const char *end;

	return word && scan_reg(word, reg, &end) && !*end;
}

static bool scan_atom(const char **text, struct lp_script_atom *atom)
{
	uint8_t reg;
	char *after;

	if (scan_reg(*text, &reg, text)) {
		*atom = (struct lp_script_atom){ true, reg };
		return true;
	}
	if (!isdigit((unsigned char)**text))
		return false;
	*atom = (struct lp_script_atom){ false, strtoull(*text, &after, 10) };
	*text = after;
	return true;
}

static bool parse_expr(struct parser *p, const char *word, struct lp_script_expr *e)
{
	const char *text = word;

	*e = (struct lp_script_expr){ 0 };
	if (!word || !scan_atom(&text, &e->a))
		return complain(p, "not a register or number", word);
	if (*text && strchr(operators, *text)) {
		e->op = *text++;
		if (!scan_atom(&text, &e->b))
			return complain(p, "not an expression", word);
	}
	return !*text || complain(p, "not an expression", word);
}

/* The location with that name. If it is new, it is made: one location, or one for each owner. */
static uint32_t find_loc(struct lp_script *s, const char *name, bool own)
{
	struct lp_script_loc new = { .initial = 0 };
	uint32_t loc;

	snprintf(new.name, sizeof new.name, own ? "%.16s@0" : "%s", name);
	for (loc = 0; loc < s->locs.count; loc++)
		if (!strcmp(s->locs.at[loc].name, new.name))
			return loc;
	for (uint32_t t = 0; t < (own ? LP_SCRIPT_OWNERS : 1); t++) {
		if (own)
			snprintf(new.name, sizeof new.name, "%.16s@%u", name, t);
		new.owner = own ? t + 1 : 0;
		LP_PUSH(&s->locs, new);
	}
	return loc;
}

/* [from:size], at the end of the word, which is cut off. */
static bool parse_part(struct parser *p, char *word, struct lp_script_line *line)
{
	char *part = strchr(word, '['), end;
	unsigned from, size;

	if (!part)
		return true;
	if (sscanf(part, "[%u:%u%c", &from, &size, &end) != 3 || end != ']' || size > 8 || !size ||
	    size & (size - 1) || from % size || from + size > 8)
		return complain(p, "not a part of a location", word);
	*part = 0;
	line->from = (uint8_t)from;
	line->size = size == 8 ? 0 : (uint8_t)size;
	return true;
}

/* x, n@ or n@d, or a part of it. */
static bool parse_loc(struct parser *p, char *word, struct lp_script_line *line)
{
	char name[LP_SCRIPT_NAME];
	uint8_t reg;

	if (word && !parse_part(p, word, line))
		return false;
	snprintf(name, sizeof name, "%s", word ? word : "");
	char *at = strchr(name, '@');
	if (at) {
		*at++ = 0;
		line->whose = *at ? LP_WHOSE_NAMED : LP_WHOSE_MINE;
		if (*at && !parse_reg(at, &line->owner))
			return complain(p, "not whose location it is", word);
	}
	if (!word || strlen(word) >= LP_SCRIPT_NAME || !is_name(name) || parse_reg(name, &reg))
		return complain(p, "not the name of a location", word);
	line->loc = find_loc(p->script, name, at);
	return true;
}

static bool parse_order(struct parser *p, const char *word, uint8_t *order)
{
	const int found = word ? index_of(order_names, COUNT(order_names), word) : -1;

	if (found < 0)
		return complain(p, "not a memory order", word);
	*order = (uint8_t)found;
	return true;
}

/* E C E, at words[at]. */
static bool parse_condition(struct parser *p, uint32_t at, struct lp_script_line *line)
{
	const char *word = at + 2 < p->count ? p->words[at + 1] : NULL;
	const int found = word ? index_of(compare_names, COUNT(compare_names), word) : -1;

	if (found < 0)
		return complain(p, "not a comparison", word);
	line->compare = (uint8_t)found;
	return parse_expr(p, p->words[at], &line->a) && parse_expr(p, p->words[at + 2], &line->b);
}

static bool parse_label(struct parser *p, const char *word, struct lp_script_line *line)
{
	if (!is_name(word))
		return complain(p, "not a label", word);
	strcpy(line->label, word);
	return true;
}

static bool words_are(struct parser *p, uint32_t count)
{
	return p->count == count ||
	       complain(p, p->count < count ? "something is missing after" : "too many words",
			p->words[p->count < count ? p->count - 1 : count]);
}

/* ---- lines ---- */

/* The verbs of lines that consist of a verb and a location. */
static const char *const on_location[] = {
	[LP_LINE_LOCK] = "lock", [LP_LINE_UNLOCK] = "unlock", [LP_LINE_TRYLOCK] = "trylock",
	[LP_LINE_WAIT] = "wait", [LP_LINE_POST] = "post", [LP_LINE_ALLOC] = "alloc",
	[LP_LINE_FREE] = "free", [LP_LINE_PLOAD] = "pload",
};

/* Lines without order. */
static bool parse_simple(struct parser *p, struct lp_script_line *line, bool *known)
{
	const char *verb = p->words[0];
	const size_t length = strlen(verb);

	*known = true;
	if (verb[length - 1] == ':') {
		p->words[0][length - 1] = 0;
		line->kind = LP_LINE_LABEL;
		return words_are(p, 1) && parse_label(p, verb, line);
	}
	if (!strcmp(verb, "goto")) {
		line->kind = LP_LINE_GOTO;
		return words_are(p, 2) && parse_label(p, p->words[1], line);
	}
	if (!strcmp(verb, "if")) {
		line->kind = LP_LINE_IF;
		return words_are(p, 6) && parse_condition(p, 1, line) &&
		       (!strcmp(p->words[4], "goto") || complain(p, "not 'goto'", p->words[4])) &&
		       parse_label(p, p->words[5], line);
	}
	if (!strcmp(verb, "assume") || !strcmp(verb, "assert")) {
		line->kind = !strcmp(verb, "assume") ? LP_LINE_ASSUME : LP_LINE_ASSERT;
		return words_are(p, 4) && parse_condition(p, 1, line);
	}
	if (!strcmp(verb, "yield")) {
		line->kind = LP_LINE_YIELD;
		return words_are(p, 1);
	}
	if (!strcmp(verb, "spawn") || !strcmp(verb, "join")) {
		line->kind = *verb == 's' ? LP_LINE_SPAWN : LP_LINE_JOIN;
		line->target = p->script->blocks.count;
		return words_are(p, 1) && (!p->in_final || complain(p, "threads have ended: cannot", verb));
	}
	const int on_loc = index_of(on_location, COUNT(on_location), verb);
	if (on_loc >= 0) {
		line->kind = (uint8_t)on_loc;
		return words_are(p, 2) && parse_loc(p, p->words[1], line);
	}
	if (!strcmp(verb, "pstore")) {
		line->kind = LP_LINE_PSTORE;
		return words_are(p, 3) && parse_loc(p, p->words[1], line) &&
		       parse_expr(p, p->words[2], &line->a);
	}
	*known = false;
	return false;
}

/* x E, x == E, x != E, x >= E: what await and require wait for. */
static bool parse_wanted(struct parser *p, struct lp_script_line *line)
{
	if (p->count == 4) {
		const int found = index_of(compare_names, LP_CMP_GE + 1, p->words[2]);
		if (found < 0 || found == LP_CMP_LE)
			return complain(p, "can wait for ==, != and >= only, not for", p->words[2]);
		line->compare = (uint8_t)found;
	} else if (!words_are(p, 3)) {
		return false;
	}
	return parse_loc(p, p->words[1], line) &&
	       parse_expr(p, p->words[p->count - 1], &line->a);
}

/* Lines whose verb carries memory orders: load.acq, cas.acqrel.rlx, ... */
static bool parse_access(struct parser *p, struct lp_script_line *line)
{
	char *save, verb[LP_SCRIPT_NAME];

	snprintf(verb, sizeof verb, "%s", p->words[0]);
	const char *name = strtok_r(verb, ".", &save);
	if (!name)
		return complain(p, "no such line", p->words[0]);

	const int rmw = index_of(rmw_names, COUNT(rmw_names), name);
	const bool cas = !strcmp(name, "cas"), wcas = !strcmp(name, "wcas");

	if (rmw < 0 && !cas && !wcas && strcmp(name, "load") && strcmp(name, "store") &&
	    strcmp(name, "fence") && strcmp(name, "await") && strcmp(name, "require"))
		return complain(p, "no such line", p->words[0]);
	if (!parse_order(p, strtok_r(NULL, ".", &save), &line->order))
		return false;
	if (cas || wcas) {
		line->kind = cas ? LP_LINE_CAS : LP_LINE_WCAS;
		line->rmw = LP_XCHG;
		return parse_order(p, strtok_r(NULL, ".", &save), &line->fail_order) &&
		       words_are(p, 4) && parse_loc(p, p->words[1], line) &&
		       parse_expr(p, p->words[2], &line->a) && parse_expr(p, p->words[3], &line->b);
	}
	if (strtok_r(NULL, ".", &save))
		return complain(p, "one memory order too many", p->words[0]);
	if (rmw >= 0 || !strcmp(name, "store")) {
		line->kind = rmw >= 0 ? LP_LINE_RMW : LP_LINE_STORE;
		line->rmw = rmw >= 0 ? (uint8_t)rmw : 0;
		return words_are(p, 3) && parse_loc(p, p->words[1], line) &&
		       parse_expr(p, p->words[2], &line->a);
	}
	if (!strcmp(name, "fence")) {
		line->kind = LP_LINE_FENCE;
		return words_are(p, 1);
	}
	if (!strcmp(name, "load")) {
		line->kind = LP_LINE_LOAD;
		return words_are(p, 2) && parse_loc(p, p->words[1], line);
	}
	line->kind = *name == 'a' ? LP_LINE_AWAIT : LP_LINE_REQUIRE;
	return parse_wanted(p, line);
}

/* d = E, d = me and d = choose N: lines that begin like a destination but are no access. */
static bool parse_assignment(struct parser *p, struct lp_script_line *line, bool *known)
{
	*known = true;
	if (!strcmp(p->words[0], "choose")) {
		line->kind = LP_LINE_CHOOSE;
		return words_are(p, 2) && parse_expr(p, p->words[1], &line->a) &&
		       ((!line->a.op && !line->a.a.is_reg && line->a.a.number > 0 &&
			 line->a.a.number <= UINT32_MAX) ||
			complain(p, "not a number of choices", p->words[1]));
	}
	if (!strcmp(p->words[0], "me")) {
		line->kind = LP_LINE_ME;
		return words_are(p, 1);
	}
	if (p->count == 1 && strcmp(p->words[0], "yield") && !strchr(p->words[0], '.') &&
	    !strchr(p->words[0], ':')) {
		line->kind = LP_LINE_SET;
		return parse_expr(p, p->words[0], &line->a);
	}
	*known = false;
	return false;
}

static bool allows_dest(const struct lp_script_line *line)
{
	switch ((enum lp_script_kind)line->kind) {
	case LP_LINE_LOAD:
	case LP_LINE_RMW:
	case LP_LINE_CAS:
	case LP_LINE_WCAS:
	case LP_LINE_AWAIT:
	case LP_LINE_REQUIRE:
	case LP_LINE_TRYLOCK:
	case LP_LINE_PLOAD:
	case LP_LINE_SET:
	case LP_LINE_CHOOSE:
	case LP_LINE_ME:
		return true;
	case LP_LINE_ALLOC:
		return line->whose == LP_WHOSE_MINE;
	default:
		return false;
	}
}

static bool parse_line(struct parser *p)
{
	struct lp_script_line line = { .dest = LP_SCRIPT_NO_REG, .flag = LP_SCRIPT_NO_REG,
				       .source = p->source };
	bool known = false, good = false;
	uint32_t dests = 0;

	while (dests < 2 && parse_reg(p->words[dests], dests ? &line.flag : &line.dest))
		dests++;
	if (dests) {
		if (!p->words[dests] || strcmp(p->words[dests], "=") || !p->words[dests + 1])
			return complain(p, "not '=' and what to assign", p->words[dests]);
		p->count -= dests + 1;
		memmove(p->words, p->words + dests + 1, (p->count + 1) * sizeof *p->words);
		good = parse_assignment(p, &line, &known);
	}
	if (!known)
		good = parse_simple(p, &line, &known);
	if (!known)
		good = parse_access(p, &line);
	if (!good)
		return false;
	if (dests && !allows_dest(&line))
		return complain(p, "nothing to assign from", p->words[0]);
	if (dests == 2 && line.kind != LP_LINE_CAS && line.kind != LP_LINE_WCAS)
		return complain(p, "only a cas sets two registers, not", p->words[0]);
	if (p->in_final)
		LP_PUSH(&p->final, line);
	else if (p->block)
		LP_PUSH(p->block, line);
	else
		return complain(p, "no thread yet for", p->words[0]);
	return true;
}

static bool parse_init(struct parser *p)
{
	struct lp_script_line line = { 0 };
	struct lp_script_expr e;

	if (!words_are(p, 3) || !parse_loc(p, p->words[1], &line) || !parse_expr(p, p->words[2], &e))
		return false;
	if (e.op || e.a.is_reg)
		return complain(p, "not a number", p->words[2]);
	if (line.whose == LP_WHOSE_NAMED)
		return complain(p, "all of them begin with the same, not only", p->words[1]);
	for (uint32_t t = 0; t < (line.whose ? LP_SCRIPT_OWNERS : 1); t++)
		p->script->locs.at[line.loc + t].initial = e.a.number;
	return true;
}

static bool parse_stack(struct parser *p)
{
	struct lp_script_line line = { 0 };
	char name[LP_SCRIPT_NAME];

	if (!words_are(p, 2))
		return false;
	snprintf(name, sizeof name, "%.*s@", (int)sizeof name - 2, p->words[1]);
	if (p->script->stack || !parse_loc(p, name, &line) || line.whose != LP_WHOSE_MINE)
		return complain(p, "not the one name of locations on stacks", p->words[1]);
	p->script->stack = 1 + line.loc;
	return true;
}

static bool parse_outcome(struct parser *p)
{
	for (uint32_t i = 1; i < p->count; i++) {
		struct lp_script_outcome o;
		char *after;

		o.thread = (uint32_t)strtoul(p->words[i], &after, 10);
		if (after == p->words[i] || *after != ':' || !parse_reg(after + 1, &o.reg))
			return complain(p, "not thread:register", p->words[i]);
		LP_PUSH(&p->script->outcome, o);
	}
	return true;
}

static bool parse_words(struct parser *p)
{
	struct lp_script *s = p->script;

	if (!p->count)
		return true;
	if (!strcmp(p->words[0], "init"))
		return parse_init(p);
	if (!strcmp(p->words[0], "outcome"))
		return parse_outcome(p);
	if (!strcmp(p->words[0], "stack"))
		return parse_stack(p);
	if (!strcmp(p->words[0], "thread")) {
		LP_PUSH(&s->blocks, (struct lp_script_block){ 0 });
		p->block = &LP_LAST(&s->blocks);
		p->in_final = false;
		return words_are(p, 1);
	}
	if (!strcmp(p->words[0], "final")) {
		p->in_final = true;
		return words_are(p, 1);
	}
	return parse_line(p);
}

/* One statement: up to a newline or semicolon, which `text` has as a zero. */
static bool parse_statement(struct parser *p, char *text)
{
	char *save;

	p->count = 0;
	for (char *w = strtok_r(text, " \t\r", &save); w; w = strtok_r(NULL, " \t\r", &save)) {
		if (p->count == MAX_WORDS)
			return complain(p, "too many words", w);
		p->words[p->count++] = w;
	}
	p->words[p->count] = NULL;
	return parse_words(p);
}

/* Does every thread that a line spawns exist, and is it spawned before thread 0 joins it? Thread 0 joins the spawning
 * thread first. */
static bool spawns_make_sense(const struct lp_script *s, struct lp_error *error)
{
	for (uint32_t b = 1; b < s->blocks.count; b++) {
		const struct lp_script_block *block = &s->blocks.at[b];
		uint32_t spawns = 0, joins = 0;
		for (uint32_t i = 0; i < block->count; i++) {
			spawns += block->at[i].kind == LP_LINE_SPAWN;
			joins += block->at[i].kind == LP_LINE_JOIN;
			if (joins > spawns)
				return lp_fail(error, "thread %u joins what it has not spawned", b);
		}
		if (spawns > 1 || (spawns && (b + 1 == s->blocks.count || lp_script_has(s, b, LP_LINE_IF) ||
					      lp_script_has(s, b, LP_LINE_GOTO))))
			return lp_fail(error, "thread %u cannot spawn the next one, or not so", b);
	}
	return true;
}

/* Makes thread 0: it spawns the threads that are not spawned elsewhere, joins all, and then runs
 * the lines of `final`. */
static void make_main(struct parser *p)
{
	struct lp_script *s = p->script;

	for (int join = 0; join < 2; join++) {
		for (uint32_t t = 1; t < s->blocks.count; t++) {
			if (!join && t > 1 && lp_script_has(s, t - 1, LP_LINE_SPAWN))
				continue;
			struct lp_script_line line = { .dest = LP_SCRIPT_NO_REG,
						       .flag = LP_SCRIPT_NO_REG, .target = t };
			line.kind = join ? LP_LINE_JOIN : LP_LINE_SPAWN;
			LP_PUSH(&s->blocks.at[0], line);
		}
	}
	for (uint32_t i = 0; i < p->final.count; i++)
		LP_PUSH(&s->blocks.at[0], p->final.at[i]);
}

struct lp_script *lp_script_parse(const char *text, struct lp_error *error)
{
	struct parser p = { .error = error, .source = 1 };
	char *const copy = lp_strdup(text);
	bool good = true;

	p.script = lp_alloc_zero(1, sizeof *p.script);
	LP_PUSH(&p.script->blocks, (struct lp_script_block){ 0 });
	for (char *line = copy, *next; good && line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		line[strcspn(line, "#")] = 0;
		for (char *part = line, *rest; good && part; part = rest) {
			rest = strchr(part, ';');
			if (rest)
				*rest++ = 0;
			good = parse_statement(&p, part);
		}
		p.source++;
	}
	for (uint32_t i = 0; good && i < p.script->locs.count; i++)
		if (p.script->locs.at[i].owner && p.script->blocks.count > LP_SCRIPT_OWNERS)
			good = lp_fail(error, "own locations are for %u threads at most",
				       LP_SCRIPT_OWNERS - 1);
	if (good && (good = spawns_make_sense(p.script, error))) {
		make_main(&p);
		good = lp_script_derive(p.script, error);
	}
	lp_free(copy);
	lp_free(p.final.at);
	if (!good) {
		lp_script_drop(p.script);
		return NULL;
	}
	return p.script;
}

void lp_script_drop(struct lp_script *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->blocks.count; i++)
		lp_free(s->blocks.at[i].at);
	lp_free(s->blocks.at);
	lp_free(s->locs.at);
	lp_free(s->outcome.at);
	lp_free(s);
}
