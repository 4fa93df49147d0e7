/* describe.c -- names for places, variables and blocks of the program. */
#include "runtime/memory/heap.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "frontend/brief_name.h"
#include "frontend/load/site_names.h"
#include "frontend/load/user_line.h"

void rt_describe_pc(struct lp_program *program, uintptr_t pc, char *out, size_t size)
{
	(void)program;
	lp_symbols_place(rt.loaded.symbols, pc, out, size);
}

static void describe_heap(uintptr_t loc, char *out, size_t size)
{
	const struct rt_block *b = rt_block_near(loc);
	char made[160];

	if (!b) {
		snprintf(out, size, "0x%llx", (unsigned long long)loc);
		return;
	}
	LP_HOLDS(rt_slab_offset(loc) >= b->start); /* the last block that begins there, or before */
	const uint64_t offset = rt_slab_offset(loc) - b->start;
	lp_symbols_place(rt.loaded.symbols, rt.loaded.object.base + b->made, made, sizeof made);
	if (offset)
		snprintf(out, size, "block+%llu (allocated at %s)", (unsigned long long)offset,
			 made);
	else
		snprintf(out, size, "block (allocated at %s)", made);
}

/* Describes the state that shims keep outside the program's memory. */
static void describe_state(uintptr_t loc, char *out, size_t size)
{
	const uintptr_t owner = (uintptr_t)rt_state_owner(loc), t = owner - (uintptr_t)rt_wake_owner;

	if (t < RT_THREADS)
		snprintf(out, size, "T%u's wake-up", (unsigned)t);
	else if (owner == (uintptr_t)rt_strtok_owner)
		snprintf(out, size, "%s", rt_strtok_owner);
	else if (lp_object_has(&rt.loaded.object, owner))
		lp_symbols_variable(rt.loaded.symbols, owner, out, size);
	else
		snprintf(out, size, "0x%llx", (unsigned long long)loc);
}

/* "rec.next of T2": names a thread-local variable, and the part of it at `loc`. Returns false if there is no such
 * variable. */
static bool name_thread_local(uintptr_t loc, char *out, size_t size)
{
	const lp_tid t = (lp_tid)((loc - RT_STACKS) / rt.layout.stack_stride);
	const uint64_t offset = loc - rt_stack_top(t);
	char symbol[LP_LONG_NAME], name[LP_BRIEF_NAME], part[160] = "";

	LP_HOLDS(t < RT_THREADS);
	if (loc < rt_stack_top(t))
		return false;
	for (uint32_t i = 0; i < rt.module->variable_count; i++) {
		const struct lp_variable *v = &rt.module->variables[i];
		const uint64_t start = (uintptr_t)v->at - (uintptr_t)rt.module->locals;
		if (!v->name || offset - start >= v->size)
			continue;
		lp_user_plain_name(lp_module_text(rt.module, v->name), symbol, sizeof symbol);
		lp_brief_name(symbol, name, sizeof name);
		const struct lp_typed_part here = { v->type ? lp_module_text(rt.module, v->type) : NULL, v->size, offset - start, true };
		if (here.key)
			lp_symbols_part(rt.loaded.symbols, &here, part, sizeof part);
		else if (offset > start)
			snprintf(part, sizeof part, "+%llu", (unsigned long long)(offset - start));
		snprintf(out, size, "%s%s of T%u", name, part, t);
		return true;
	}
	return false;
}

/* The site has the name of the variable, or that of a pointer to it. */
static void describe_local(uintptr_t loc, uintptr_t pc, char *out, size_t size)
{
	const struct lp_site *site = lp_site_of_module(rt.module, pc);
	const char *name = site ? lp_module_text(rt.module, site->variable) : "";
	const unsigned thread = (unsigned)((loc - RT_STACKS) / rt.layout.stack_stride);
	char local[320];

	if (name_thread_local(loc, local, sizeof local))
		snprintf(out, size, "%s (thread-local)", local);
	else if (*name && *name != '*' && !strstr(name, "->"))
		snprintf(out, size, "%s (a local variable of thread %u)", name, thread);
	else
		snprintf(out, size, "a local variable of thread %u", thread);
}

void rt_describe_loc(struct lp_program *program, uintptr_t loc, uintptr_t pc, char *out, size_t size)
{
	(void)program;
	if (rt_in_heap(loc))
		describe_heap(loc, out, size);
	else if (rt_in_stacks(loc))
		describe_local(loc, pc, out, size);
	else if (loc - RT_STATE < RT_STATE_SIZE)
		describe_state(loc, out, size);
	else
		lp_symbols_variable(rt.loaded.symbols, loc, out, size);
}

void rt_describe_type(const char *name, char *out, size_t size)
{
	char symbol[256], text[256];

	snprintf(symbol, sizeof symbol, "_ZTI%s", name);
	lp_user_plain_name(symbol, text, sizeof text);
	const char *plain = strstr(text, " for "); /* "typeinfo for T" */
	snprintf(out, size, "%s", plain ? plain + strlen(" for ") : name);
}

/* ---- for reports ---- */

static bool memory_block(uintptr_t address, struct lp_block *out)
{
	const struct rt_block *b = rt_in_heap(address) ? rt_block_near(address) : NULL;

	if (!b || rt_slab_offset(address) - b->start >= b->size)
		return false;
	*out = (struct lp_block){ rt_slab_start(rt_slab(address)) + b->start, b->size, rt.loaded.object.base + b->made };
	return true;
}

static const char *memory_type(uintptr_t pc, uint64_t *offset)
{
	const struct lp_site *site = lp_site_of_module(rt.module, pc);

	*offset = site ? site->offset : 0;
	return site && site->object ? lp_module_text(rt.module, site->object) : NULL;
}

static void memory_part(const char *type, size_t all, uint64_t offset, bool whole, char *out, size_t size)
{
	const struct lp_typed_part part = { type, all, offset, whole };

	lp_symbols_part(rt.loaded.symbols, &part, out, size);
}

static bool memory_variable(uintptr_t address, char *out, size_t size)
{
	if (rt_in_stacks(address))
		return name_thread_local(address, out, size);
	if (!lp_symbols_is_variable(rt.loaded.symbols, address))
		return false;
	lp_symbols_variable(rt.loaded.symbols, address, out, size);
	return true;
}

const struct lp_memory_class rt_memory_class = { memory_block, memory_type, memory_part, memory_variable };
