/* assembly_x86_jumps.c -- jumps of x86-64 to numeric labels: "jnz 2b", "jmp 1f".
 *
 *     1: xchg %1, %0;  test %1, %1;  jz 3f;  2: pause;  cmpl $0, %0;  jnz 2b;  jmp 1b;  3:
 *
 * The parser still goes through the statements in order, once.  A forward jump hands on to its label what is known about registers;
 * the label keeps the facts that hold on all paths to it.  At a backward jump, all facts must be known that were known at its
 * label.
 */
#include <stdlib.h>
#include <string.h>

#include "frontend/assembly/assembly_x86.h"

_Static_assert((int)LP_ASM_LABELS == LP_ASM_STATEMENTS + 1, "a label by statement, and one at the end");

/* The statement that "1b" or "1f" refers to in statement `i`, or -1. */
static int target_of(const struct lp_asm_parser *p, uint32_t i, const char *text)
{
	char *end;
	const unsigned long label = strtoul(text, &end, 10) + 1;
	int found = -1;

	if (*text < '0' || *text > '9' || (strcmp(end, "f") && strcmp(end, "b")))
		return -1;
	for (uint32_t j = 0; j <= p->statement_count; j++)
		if (p->statements[j].label == label) {
			if (*end == 'f' && j > i)
				return (int)j;
			if (*end == 'b' && j <= i)
				found = (int)j;
		}
	return found;
}

/* In a loop, any output may have been written already. */
static void lose_inputs(struct lp_asm_parser *p)
{
	for (int r = 0; r < LP_ASM_REGISTERS; r++)
		if (p->regs[r].output && !p->regs[r].early) {
			p->values_lost = true;
			p->addresses_lost |= !p->regs[r].tied;
		}
}

bool lp_asm_x86_find_targets(struct lp_asm_parser *p)
{
	bool jumps = false, twice = false;

	for (uint32_t i = 0; i <= p->statement_count; i++) {
		const struct lp_asm_statement *s = &p->statements[i];
		twice |= s->labelled_twice;
		const int target = *s->word == 'j' ? target_of(p, i, s->rest) : -1;
		if (target < 0)
			continue;
		jumps = p->meetings[target].targeted = true;
		if ((uint32_t)target <= i)
			lose_inputs(p);
	}
	return !jumps || !twice || lp_asm_refuse(p, "two labels in one place");
}

/* Two registers that are equal on one way need not be on another. */
static void forget(struct lp_asm_parser *p)
{
	memset(p->flag_from, LP_ASM_NONE, sizeof p->flag_from);
	for (int r = 0; r < LP_ASM_REGISTERS; r++)
		if (p->regs[r].output || p->regs[r].clobbered)
			p->regs[r].id = lp_asm_new_id(p);
}

bool lp_asm_x86_reach(struct lp_asm_parser *p, uint32_t i)
{
	struct lp_asm_meeting *m = &p->meetings[i];

	if (p->unreached && !m->reached)
		return lp_asm_refuse(p, "code that no way leads to");
	if (!m->targeted)
		return true;
	for (int r = 0; r < LP_ASM_REGISTERS; r++) {
		uint8_t *known = &p->regs[r].known;
		if (m->reached && (p->unreached || m->known[r] < *known))
			*known = m->known[r];
		m->known[r] = *known;
	}
	p->unreached = false;
	forget(p);
	lp_asm_step(p, LP_ASM_PLACE)->label = (uint8_t)i;
	return !p->failed;
}

/* Goes forward with what is known here. */
static void meet(const struct lp_asm_parser *p, struct lp_asm_meeting *m)
{
	for (int r = 0; r < LP_ASM_REGISTERS; r++)
		if (!m->reached || p->regs[r].known < m->known[r])
			m->known[r] = p->regs[r].known;
	m->reached = true;
}

static bool knows_enough(const struct lp_asm_parser *p, const struct lp_asm_meeting *m)
{
	for (int r = 0; r < LP_ASM_REGISTERS; r++)
		if (p->regs[r].known < m->known[r])
			return false;
	return true;
}

bool lp_asm_x86_jump(struct lp_asm_x86 *x, uint32_t i, const char *word, const char *to)
{
	struct lp_asm_parser *p = x->p;
	const bool always = !strcmp(word, "jmp");
	const int target = target_of(p, i, to);
	uint8_t flag = 0, from = LP_ASM_NONE;
	bool negated = false;

	if (x->lock || target < 0 || (!always && !lp_asm_x86_condition(word + 1, &flag, &negated)))
		return lp_asm_x86_refuse(x);
	if (!always && (from = p->flag_from[flag]) == LP_ASM_NONE)
		return lp_asm_refuse(p, "a flag that has no known value is used");
	if ((uint32_t)target > i)
		meet(p, &p->meetings[target]);
	else if (!knows_enough(p, &p->meetings[target]))
		return lp_asm_refuse(p, "a register loses its value in a loop");
	struct lp_asm_step *step = lp_asm_step(p, LP_ASM_JUMP);
	step->label = (uint8_t)target;
	step->from = from;
	step->flag = flag;
	step->negated = negated;
	p->unreached = always;
	return !p->failed;
}
