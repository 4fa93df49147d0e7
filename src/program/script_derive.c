/* script_derive.c -- derives properties of a script from its lines: targets of jumps, loops,
 * liveness, lifetimes, lines that do the same, and like threads.
 *
 * A register is live before a line if some path from there reads the register before it sets it:
 * the usual backward equations, iterated to their least solution
 *
 *     live(i) = uses(i) | (live of the successors of i \ sets(i)).
 */
#include "program/script.h"

#include <string.h>

static uint16_t atom_uses(struct lp_script_atom a)
{
	return (uint16_t)(a.is_reg ? 1u << a.number : 0u);
}

static uint16_t expr_uses(const struct lp_script_expr *e)
{
	return (uint16_t)(atom_uses(e->a) | (e->op ? atom_uses(e->b) : 0));
}

static uint16_t sets(const struct lp_script_line *line)
{
	uint16_t set = 0;

	if (line->dest != LP_SCRIPT_NO_REG)
		set |= (uint16_t)(1u << line->dest);
	if (line->flag != LP_SCRIPT_NO_REG)
		set |= (uint16_t)(1u << line->flag);
	return set;
}

static uint16_t live_before(const struct lp_script_block *block, uint32_t i)
{
	const struct lp_script_line *line = &block->at[i];
	const uint16_t next = i + 1 < block->count ? block->at[i + 1].live : block->live_at_end;
	uint16_t after = next;

	if (line->kind == LP_LINE_GOTO)
		after = block->at[line->target].live;
	else if (line->kind == LP_LINE_IF)
		after |= block->at[line->target].live;
	const uint16_t named = (uint16_t)(line->whose == LP_WHOSE_NAMED ? 1u << line->owner : 0u);

	return (uint16_t)(expr_uses(&line->a) | expr_uses(&line->b) | named | (after & ~sets(line)));
}

static void derive_liveness(struct lp_script_block *block)
{
	bool changed = true;

	for (uint32_t i = 0; i < block->count; i++)
		block->at[i].live = 0;
	while (changed) {
		changed = false;
		for (uint32_t i = block->count; i-- > 0;) {
			const uint16_t live = live_before(block, i);
			changed |= live != block->at[i].live;
			block->at[i].live = live;
		}
	}
	for (uint32_t i = 0; i < block->count; i++) {
		const uint16_t after = i + 1 < block->count ? block->at[i + 1].live
							     : block->live_at_end;
		block->at[i].unused = !(sets(&block->at[i]) & after);
	}
}

static bool resolve_jump(struct lp_script_block *block, uint32_t from, struct lp_error *error)
{
	struct lp_script_line *jump = &block->at[from];

	for (uint32_t i = 0; i < block->count; i++) {
		if (block->at[i].kind != LP_LINE_LABEL || strcmp(block->at[i].label, jump->label))
			continue;
		jump->target = i;
		for (uint32_t k = i; k <= from; k++)
			block->at[k].loop = true;
		return true;
	}
	return lp_fail(error, "line %u: no label '%s' in this thread", jump->source, jump->label);
}

/* ---- lines that do the same ---- */

static bool same_atom(struct lp_script_atom a, struct lp_script_atom b)
{
	return a.is_reg == b.is_reg && a.number == b.number;
}

static bool same_expr(const struct lp_script_expr *a, const struct lp_script_expr *b)
{
	return a->op == b->op && same_atom(a->a, b->a) && same_atom(a->b, b->b);
}

static bool same_line(const struct lp_script_line *a, const struct lp_script_line *b)
{
	return a->kind == b->kind && a->order == b->order && a->fail_order == b->fail_order &&
	       a->rmw == b->rmw && a->compare == b->compare && a->dest == b->dest &&
	       a->flag == b->flag && a->loc == b->loc && a->whose == b->whose &&
	       a->owner == b->owner && a->from == b->from && a->size == b->size && a->target == b->target &&
	       same_expr(&a->a, &b->a) && same_expr(&a->b, &b->b);
}

/* The line that is performed after line i, which does not jump. Labels and jumps are skipped. */
static uint32_t next_performed(const struct lp_script_block *block, uint32_t i)
{
	uint32_t next = i + 1;

	for (uint32_t passed = 0; next < block->count && passed < block->count; passed++) {
		if (block->at[next].kind == LP_LINE_LABEL)
			next++;
		else if (block->at[next].kind == LP_LINE_GOTO)
			next = block->at[next].target;
		else
			break;
	}
	return next;
}

/* Finds lines that do the same, as frontend/ir/state/same_sites.h does for sites of native code. */
static void derive_same(struct lp_script_block *block)
{
	for (uint32_t i = 0; i < block->count; i++) {
		struct lp_script_line *line = &block->at[i];
		line->same = i;
		for (uint32_t k = 0; k < i && line->kind <= LP_LINE_REQUIRE && line->kind != LP_LINE_STORE; k++) {
			struct lp_script_line *first = &block->at[k];
			if (first->same != k || !same_line(first, line) || next_performed(block, k) != next_performed(block, i))
				continue;
			line->same = k;
			first->loop |= line->loop;
			break;
		}
	}
	for (uint32_t i = 0; i < block->count; i++)
		block->at[i].loop |= block->at[block->at[i].same].loop;
}

/* Loads whose location is swapped in a loop: what they read may be the loop's first guess. */
static void derive_guesses(struct lp_script_block *block)
{
	for (uint32_t i = 0; i < block->count; i++)
		for (uint32_t k = 0; k < block->count && block->at[i].kind == LP_LINE_LOAD; k++) {
			const struct lp_script_line *load = &block->at[i], *swap = &block->at[k];
			if ((swap->kind == LP_LINE_CAS || swap->kind == LP_LINE_WCAS) && swap->loop &&
			    load->loc == swap->loc && load->whose == swap->whose && load->owner == swap->owner)
				block->at[i].loop = true;
		}
}

/* ---- the whole ---- */

/* A line that accesses a thread's own location refers to the first one of that name. */
static void derive_lifetimes(struct lp_script *s)
{
	for (uint32_t l = 0; l < s->locs.count; l++)
		s->locs.at[l].allocated = false;
	for (uint32_t b = 0; b < s->blocks.count; b++)
		for (uint32_t i = 0; i < s->blocks.at[b].count; i++) {
			const struct lp_script_line *line = &s->blocks.at[b].at[i];
			const uint32_t owners = line->whose ? LP_SCRIPT_OWNERS : 1;

			for (uint32_t t = 0; line->kind == LP_LINE_ALLOC && t < owners; t++)
				s->locs.at[line->loc + t].allocated = true;
		}
}

bool lp_script_derive(struct lp_script *s, struct lp_error *error)
{
	derive_lifetimes(s);
	for (uint32_t b = 0; b < s->blocks.count; b++)
		s->blocks.at[b].live_at_end = 0;
	for (uint32_t i = 0; i < s->outcome.count; i++) {
		const struct lp_script_outcome *o = &s->outcome.at[i];
		if (o->thread >= s->blocks.count)
			return lp_fail(error, "the outcome names thread %u, which is not there",
				       o->thread);
		s->blocks.at[o->thread].live_at_end |= (uint16_t)(1u << o->reg);
	}
	for (uint32_t b = 0; b < s->blocks.count; b++) {
		struct lp_script_block *block = &s->blocks.at[b];

		for (uint32_t i = 0; i < block->count; i++)
			block->at[i].loop = false;
		for (uint32_t i = 0; i < block->count; i++)
			if (block->at[i].kind == LP_LINE_GOTO || block->at[i].kind == LP_LINE_IF)
				if (!resolve_jump(block, i, error))
					return false;
		derive_liveness(block);
		derive_same(block);
		derive_guesses(block);
	}
	return true;
}

/* ---- like threads ---- */

bool lp_script_has(const struct lp_script *s, uint32_t thread, enum lp_script_kind kind)
{
	const struct lp_script_block *block = &s->blocks.at[thread];

	for (uint32_t i = 0; i < block->count; i++)
		if (block->at[i].kind == kind)
			return true;
	return false;
}

/* Does thread 0 start the thread? Only such threads can be alike. */
static bool is_started_first(const struct lp_script *s, uint32_t thread)
{
	return thread == 1 || !lp_script_has(s, thread - 1, LP_LINE_SPAWN);
}

bool lp_script_alike(const struct lp_script *s, uint32_t a, uint32_t b)
{
	const struct lp_script_block *x = &s->blocks.at[a], *y = &s->blocks.at[b];

	if (!a || !b || x->count != y->count || !is_started_first(s, a) || !is_started_first(s, b) ||
	    lp_script_has(s, a, LP_LINE_SPAWN))
		return false;
	for (uint32_t i = 0; i < x->count; i++)
		if (!same_line(&x->at[i], &y->at[i]))
			return false;
	return true;
}
