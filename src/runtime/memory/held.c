/* held.c -- the locks that a process holds and that are in blocks of the arena. */
#include "runtime/memory/held.h"

#include "base/error.h"
#include "runtime/machine.h"
#include "runtime/memory/arena.h"
#include "runtime/rt.h"

enum { MOST = 16 };

static const char held_owner; /* its address identifies the table */

static struct rt_held *table(void)
{
	return rt_own_state(&held_owner, sizeof(struct rt_held[MOST]));
}

/* The table, if the process ever had one. */
static struct rt_held *table_if_any(void)
{
	return rt_state_if_any(&held_owner);
}

bool rt_held_applies(const void *lock)
{
	return rt.self && rt.process.anonymous && rt_arena_has((uintptr_t)lock);
}

void *rt_held_data(const void *lock)
{
	struct rt_held *t = table(), *empty = NULL;

	LP_HOLDS(rt_held_applies(lock));
	for (unsigned i = 0; i < MOST; i++) {
		if (t[i].lock == (uintptr_t)lock)
			return &t[i].data;
		if (!empty && !t[i].data)
			empty = &t[i];
	}
	if (!empty)
		rt_error(LP_ERROR_UNSUPPORTED, (uintptr_t)rt_site(), lock,
			 "more than %d locks in allocated memory are held by a thread", MOST);
	*empty = (struct rt_held){ (uintptr_t)lock, 0 };
	return &empty->data;
}

void rt_held_freed(uintptr_t block)
{
	struct rt_held *t = table_if_any();
	const uint32_t slot = rt_arena_slot(block);

	for (unsigned i = 0; t && i < MOST; i++)
		if (t[i].lock && rt_arena_slot(t[i].lock) == slot)
			t[i].data = 0;
}

void rt_held_tidy(void)
{
	struct rt_held *t = table_if_any();
	unsigned kept = 0;

	for (unsigned i = 0; t && i < MOST; i++)
		if (t[i].data)
			t[kept++] = t[i];
	for (; t && kept < MOST; kept++)
		t[kept] = (struct rt_held){ 0, 0 };
}

void rt_held_each(uint64_t (*see)(const void *closure, uint64_t address), const void *closure)
{
	struct rt_held *t = table_if_any();

	for (unsigned i = 0; t && i < MOST; i++)
		if (t[i].lock)
			t[i].lock = see(closure, t[i].lock);
}
