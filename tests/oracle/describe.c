/* describe.c -- canonical text of execution graphs; see describe.h. */
#include "describe.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const order_names[] = { "na", "rlx", "acq", "rel", "acqrel", "sc" };

static bool is_access(const struct lp_op *op)
{
	return op->kind == LP_OP_LOAD || op->kind == LP_OP_STORE || op->kind == LP_OP_RMW;
}

struct view {
	const struct lp_script *script;
	const struct seen_event *events;
	uint32_t count;
	bool plain;
};

static bool is_shown(const struct view *v, const struct lp_op *op)
{
	return (is_access(op) && (v->plain || op->order != LP_PLAIN)) || lp_op_chooses(op->kind);
}

bool seen_writes(const struct seen_event *e)
{
	return e->op.kind == LP_OP_STORE || (e->op.kind == LP_OP_RMW && !e->answer.failed);
}

/* Is the location accessed by events that are not shown? */
static bool is_mixed(const struct view *v, uint32_t loc)
{
	const struct lp_script *s = v->script;
	/* Lines name the first of those that are somebody's own. */
	const uint32_t first = s->locs.at[loc].owner ? loc - (s->locs.at[loc].owner - 1) : loc;

	if (v->plain)
		return false;
	for (uint32_t b = 0; b < s->blocks.count; b++)
		for (uint32_t i = 0; i < s->blocks.at[b].count; i++) {
			const struct lp_script_line *line = &s->blocks.at[b].at[i];
			if ((line->kind == LP_LINE_PLOAD || line->kind == LP_LINE_PSTORE ||
			     line->kind == LP_LINE_ALLOC) && line->loc == first)
				return true;
		}
	return false;
}

static uint32_t loc_of(const struct lp_op *op)
{
	return (uint32_t)((op->loc - lp_script_address(0)) / 64);
}

/* "1.0": the name of event `i`. */
static void print_name(FILE *out, const struct view *v, uint32_t i)
{
	const struct seen_event *events = v->events;
	uint32_t number = 0;

	for (uint32_t k = 0; k < i; k++)
		number += events[k].thread == events[i].thread && is_shown(v, &events[k].op);
	fprintf(out, "%u.%u", events[i].thread, number);
}

static void print_event(FILE *out, const struct view *v, uint32_t i)
{
	const struct seen_event *e = &v->events[i];

	if (lp_op_chooses(e->op.kind)) {
		fprintf(out, " choose=%llu", (unsigned long long)e->answer.value.lo);
		return;
	}
	const uint32_t loc = loc_of(&e->op);

	fprintf(out, " %c.%s %s=", e->op.kind == LP_OP_STORE ? 'W' : seen_writes(e) ? 'U' : 'R',
		order_names[e->op.kind == LP_OP_RMW && e->answer.failed ? e->op.fail_order
								  : e->op.order],
		v->script->locs.at[loc].name);
	if (e->op.kind != LP_OP_STORE)
		fprintf(out, "%llu", (unsigned long long)e->answer.value.lo);
	if (e->op.kind == LP_OP_RMW && !e->answer.failed)
		fputc('>', out);
	if (seen_writes(e))
		fprintf(out, "%llu", (unsigned long long)e->answer.wrote.lo);
	if (e->op.kind == LP_OP_STORE || is_mixed(v, loc))
		return;
	fputc('<', out);
	if (e->reads_from == SEEN_INITIAL)
		fputs("init", out);
	else if (e->reads_from == SEEN_NONE)
		fputs("nothing", out);
	else
		print_name(out, v, e->reads_from);
}

/* Follows co_after from the initial write on.  A chain that forks or does not
 * reach every write is no order: that is said, and equals no good graph. */
static void print_co(FILE *out, const struct view *v, uint32_t loc)
{
	const struct seen_event *events = v->events;
	const uint32_t count = v->count;
	uint32_t before = SEEN_INITIAL, writes = 0, reached = 0;

	for (uint32_t i = 0; i < count; i++)
		writes += is_access(&events[i].op) && seen_writes(&events[i]) &&
			  loc_of(&events[i].op) == loc;
	if (!writes)
		return;
	fprintf(out, "| co %s ", v->script->locs.at[loc].name);
	for (;;) {
		uint32_t next = SEEN_NONE;

		for (uint32_t i = 0; i < count; i++) {
			if (!is_access(&events[i].op) || !seen_writes(&events[i]) ||
			    loc_of(&events[i].op) != loc || events[i].co_after != before)
				continue;
			if (next != SEEN_NONE)
				fputs("FORK ", out);
			next = i;
		}
		if (next == SEEN_NONE || reached == count)
			break;
		print_name(out, v, next);
		fputc(' ', out);
		before = next;
		reached++;
	}
	if (reached != writes)
		fprintf(out, "BROKEN(%u of %u) ", reached, writes);
}

char *describe(const struct lp_script *s, const struct seen_event *events, uint32_t count, bool plain)
{
	const struct view view = { s, events, count, plain }, *v = &view;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		LP_BUG("cannot describe a graph");
	for (lp_tid t = 0; t < s->blocks.count; t++) {
		fprintf(out, "%s%u:", t ? " | " : "", t);
		for (uint32_t i = 0; i < count; i++)
			if (events[i].thread == t && is_shown(v, &events[i].op))
				print_event(out, v, i);
	}
	fputc(' ', out);
	for (uint32_t loc = 0; loc < s->locs.count; loc++)
		if (!is_mixed(v, loc))
			print_co(out, v, loc);
	fclose(out);
	return text;
}

static lp_tid exchanged(lp_tid thread, lp_tid t, lp_tid u)
{
	return thread == t ? u : thread == u ? t : thread;
}

/* An address of what a thread owns; other values stay. */
static struct lp_value exchange_value(struct lp_value v, lp_tid t, lp_tid u)
{
	if (v.lo - LP_SCRIPT_ME < LP_SCRIPT_OWNERS)
		v.lo = LP_SCRIPT_ME + exchanged((lp_tid)(v.lo - LP_SCRIPT_ME), t, u);
	return v;
}

/* Exchanges two threads with what they own and its addresses. */
static void exchange(const struct lp_script *s, struct seen_event *events, uint32_t count, lp_tid t,
		     lp_tid u)
{
	for (uint32_t i = 0; i < count; i++) {
		struct seen_event *e = &events[i];
		const uint32_t owner = is_access(&e->op) ? s->locs.at[loc_of(&e->op)].owner : 0;

		e->thread = exchanged(e->thread, t, u);
		e->answer.value = exchange_value(e->answer.value, t, u);
		e->answer.wrote = exchange_value(e->answer.wrote, t, u);
		if (owner)
			e->op.loc = lp_script_address(loc_of(&e->op) - (owner - 1) +
						      exchanged(owner - 1, t, u));
	}
}

/* Exchanges threads from t on in every way, and keeps the least text. */
static void least(const struct lp_script *s, struct seen_event *events, uint32_t count, bool plain,
		  lp_tid t, char **text)
{
	if (t >= s->blocks.count) {
		char *other = describe(s, events, count, plain);
		if (*text && strcmp(*text, other) <= 0) {
			free(other);
		} else {
			free(*text);
			*text = other;
		}
		return;
	}
	least(s, events, count, plain, t + 1, text);
	for (lp_tid u = t + 1; u < s->blocks.count && lp_script_alike(s, u - 1, u); u++) {
		for (int back = 0; back < 2; back++) {
			exchange(s, events, count, t, u);
			if (!back)
				least(s, events, count, plain, t + 1, text);
		}
	}
}

char *describe_alike(const struct lp_script *s, const struct seen_event *events, uint32_t count,
		     bool plain)
{
	struct seen_event *copy = lp_alloc(sizeof *copy * (count + 1));
	char *text = NULL;

	memcpy(copy, events, sizeof *copy * count);
	least(s, copy, count, plain, 1, &text);
	lp_free(copy);
	return text;
}

bool describes_all(const struct lp_script *s, bool plain)
{
	const struct view v = { .script = s, .plain = plain };

	for (uint32_t b = 0; b < s->blocks.count; b++)
		for (uint32_t i = 0; i < s->blocks.at[b].count; i++) {
			const struct lp_script_line *line = &s->blocks.at[b].at[i];
			if (line->kind <= LP_LINE_UNLOCK && line->kind != LP_LINE_FENCE &&
			    is_mixed(&v, line->loc))
				return false;
		}
	return true;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

uint32_t graph_set_sort(struct graph_set *g)
{
	uint32_t kept = 0, twice = 0;

	if (g->count)
		qsort(g->at, g->count, sizeof *g->at, by_text);
	for (uint32_t i = 0; i < g->count; i++) {
		if (kept && !strcmp(g->at[kept - 1], g->at[i])) {
			free(g->at[i]);
			twice++;
		} else {
			g->at[kept++] = g->at[i];
		}
	}
	g->count = kept;
	return twice;
}

void graph_set_drop(struct graph_set *g)
{
	for (uint32_t i = 0; i < g->count; i++)
		free(g->at[i]);
	lp_free(g->at);
	*g = (struct graph_set){ 0 };
}
