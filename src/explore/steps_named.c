/* steps_named.c -- the steps of a report, with the names of memory and the plain accesses between them.
 *
 * A plain access is listed directly after the last step of its thread that came before it.  A plain access before
 * the thread's first step is listed directly before this step, or after the start of the thread if the thread has
 * no step.  The resulting order is always one in which the accesses could have happened: no step that depends on a
 * plain access comes before it.
 */
#include "base/error.h"
#include "explore/graph/frame.h"
#include "explore/naming.h"

#include <stdlib.h>

static const char *place(struct lp_explorer *x, uintptr_t pc)
{
	struct lp_program *p = x->machine.program;
	char text[256] = "";

	if (pc)
		p->class->describe_pc(p, pc, text, sizeof text);
	return text[0] ? lp_arena_strdup(x->arena, text) : NULL;
}

/* Memory outside of blocks has the name that the program has for it. */
static const char *location(struct lp_explorer *x, struct lp_naming *n, uintptr_t loc, uintptr_t pc)
{
	struct lp_program *p = x->machine.program;
	struct lp_block block;
	char text[256] = "";

	if (n->memory && n->memory->block(loc, &block))
		return lp_naming_location(n, loc, place(x, block.made));
	p->class->describe_loc(p, loc, pc, text, sizeof text);
	return text[0] ? lp_arena_strdup(x->arena, text) : NULL;
}

/* ---- plain accesses ---- */

static uint32_t place_of(const struct lp_exploration *e, const struct lp_plain_step *p)
{
	uint32_t started = 0, after = 0; /* 1 + a step */

	for (uint32_t i = 0; i < e->step_count; i++) {
		const struct lp_step *s = &e->steps[i];
		if (s->op.kind == LP_OP_SPAWN && s->op.target == p->thread)
			started = i + 1;
		if (s->thread != p->thread || s->op.kind == LP_OP_END || s->op.kind == LP_OP_ERROR)
			continue;
		if (s->event >= p->index)
			return after ? after : i;
		after = i + 1;
	}
	return after ? after : started;
}

static int by_place(const void *a, const void *b)
{
	const struct lp_plain_step *p = a, *q = b;

	return p->before != q->before ? (p->before > q->before) - (p->before < q->before) :
					(p->number > q->number) - (p->number < q->number);
}

static struct lp_plain_step *take_plains(struct lp_explorer *x)
{
	const struct lp_trail *trail = x->machine.trail;
	struct lp_exploration *e = x->out;
	struct lp_plain_step *plains = lp_arena_alloc(x->arena, sizeof *plains * (trail->count + 1));

	for (uint32_t i = 0; i < trail->count; i++) {
		plains[i] = trail->at[i].plain;
		plains[i].number = i;
		plains[i].before = place_of(e, &plains[i]);
		plains[i].where = place(x, plains[i].pc);
		LP_HOLDS(plains[i].before <= e->step_count);
	}
	qsort(plains, trail->count, sizeof *plains, by_place);
	e->plains = plains;
	e->plain_count = trail->count;
	return plains;
}

/* ---- names ---- */

static void name_step(struct lp_explorer *x, struct lp_naming *n, struct lp_step *s)
{
	if (!lp_op_is_access(&s->op))
		return;
	s->location = location(x, n, s->op.loc, s->op.pc);
	if (s->op.internal)
		return;
	s->read = lp_naming_value(n, s->answer.value, s->op.size);
	s->wrote = lp_naming_value(n, s->answer.wrote, s->op.size);
}

static void name_plain(struct lp_explorer *x, struct lp_naming *n, struct lp_plain_step *p)
{
	struct lp_block block;

	p->location = location(x, n, p->loc, p->pc);
	/* For a calloc(), or the assignment of a structure, the name is that of the block, and not of its
	 * first field. */
	if (p->size > 8 && n->memory && n->memory->block(p->loc, &block) && block.start == p->loc &&
	    block.size == p->size) {
		p->location = lp_naming_block(n, p->loc);
		p->known = false;
	}
	p->name = p->known ? lp_naming_value(n, p->value, (unsigned)p->size) : NULL;
}

/* Learns all types, before the first name is given. */
static void learn(const struct lp_exploration *e, struct lp_naming *n)
{
	for (uint32_t i = 0; i < e->step_count; i++)
		if (lp_op_is_access(&e->steps[i].op))
			lp_naming_learn(n, e->steps[i].op.loc, e->steps[i].op.pc);
	for (uint32_t i = 0; i < e->plain_count; i++)
		lp_naming_learn(n, e->plains[i].loc, e->plains[i].pc);
}

void lp_steps_name(struct lp_explorer *x)
{
	struct lp_exploration *e = x->out;
	struct lp_naming n = { .memory = x->machine.program->class->memory, .arena = x->arena };
	struct lp_step *steps = (struct lp_step *)e->steps; /* made by us, in this arena */
	struct lp_plain_step *plains = x->machine.trail ? take_plains(x) : NULL;
	uint32_t plain = 0;

	learn(e, &n);
	for (uint32_t i = 0; i <= e->step_count; i++) {
		for (; plain < e->plain_count && plains[plain].before == i; plain++)
			name_plain(x, &n, &plains[plain]);
		if (i < e->step_count)
			name_step(x, &n, &steps[i]);
	}
	LP_HOLDS(plain == e->plain_count); /* each stands somewhere */
	if (e->error.loc)
		e->location = location(x, &n, e->error.loc, e->error.pc);
	lp_naming_drop(&n);
}
