/* liveness_state.c -- what registers and stack slots hold, and joining it. */
#include "load/liveness_state.h"

struct value x_value_join(struct value a, struct value b)
{
	if (a.kind == UNSEEN || x_is_equal(a, b))
		return b;
	if (b.kind == UNSEEN)
		return a;
	return x_is_stack(a) || x_is_stack(b) ? x_maybe : x_other;
}

void x_state_enter(struct state *s)
{
	*s = (struct state){ .seen = true };
	for (int r = 0; r < GPRS; r++)
		s->reg[r] = CALLEE_SAVED & BIT(r) ? (struct value){ ENTRY, r } : x_other;
	s->reg[RSP] = (struct value){ STACK, -8 };
}

static bool overlaps(const struct slot *slot, int32_t from, int32_t to)
{
	return slot->at < to && from < slot->at + 8;
}

void x_state_forget(struct state *s, int32_t from, int32_t to)
{
	for (uint32_t i = 0; i < s->slots;) {
		if (overlaps(&s->slot[i], from, to))
			s->slot[i] = s->slot[--s->slots];
		else
			i++;
	}
}

struct value x_state_slot(const struct state *s, int32_t at)
{
	for (uint32_t i = 0; i < s->slots; i++)
		if (s->slot[i].at == at)
			return s->slot[i].holds;
	return x_other;
}

bool x_state_has_stack(const struct state *s, int32_t from, int32_t to, bool exactly)
{
	for (uint32_t i = 0; i < s->slots; i++)
		if (overlaps(&s->slot[i], from, to) && x_is_stack(s->slot[i].holds) &&
		    !(exactly && s->slot[i].at == from && to == from + 8))
			return true;
	return false;
}

bool x_state_remember(struct state *s, int32_t at, struct value v)
{
	x_state_forget(s, at, at + 8);
	if (v.kind == OTHER)
		return true;
	if (s->slots == MAX_SLOTS)
		return !x_is_stack(v);
	s->slot[s->slots++] = (struct slot){ at, v };
	return true;
}

void x_state_drop_popped(struct state *s)
{
	for (uint32_t i = 0; i < s->slots;) {
		if (s->slot[i].holds.kind == ENTRY && s->slot[i].at < s->reg[RSP].at)
			s->slot[i] = s->slot[--s->slots];
		else
			i++;
	}
}

bool x_state_merge(struct state *into, const struct state *from, bool *lost)
{
	if (!into->seen) {
		*into = *from;
		into->seen = true;
		return true;
	}
	bool changed = false;
	const struct state before = *into;

	for (unsigned r = 0; r < GPRS; r++) {
		into->reg[r] = x_value_join(before.reg[r], from->reg[r]);
		changed |= !x_is_equal(into->reg[r], before.reg[r]);
	}
	for (uint32_t i = 0; i < before.slots; i++) {
		const int32_t at = before.slot[i].at;
		const struct value v = x_value_join(before.slot[i].holds, x_state_slot(from, at));
		if (!x_is_equal(v, before.slot[i].holds)) {
			changed = true;
			*lost |= !x_state_remember(into, at, v);
		}
	}
	for (uint32_t i = 0; i < from->slots; i++) {
		const int32_t at = from->slot[i].at;
		if (x_is_stack(from->slot[i].holds) && !x_is_stack(x_state_slot(&before, at))) {
			changed = true;
			*lost |= x_state_has_stack(into, at, at + 8, true); /* two in one place */
			*lost |= !x_state_remember(into, at, x_maybe);
		}
	}
	return changed;
}
