/* symbols.c -- names from the symbol table, lines and types from DWARF. */
#include "frontend/load/symbols.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "frontend/brief_name.h"
#include "base/vec.h"
#include "frontend/elf_file.h"
#include "frontend/load/object.h"
#include "frontend/load/site_names.h"
#include "frontend/load/user_line.h"
#include "frontend/load/variables.h"

struct symbol {
	uint64_t start, end;
	char *name;
};

struct symbol_table {
	LP_VEC(struct symbol);
};

struct type {
	const char *key; /* in the module */
	bool found;
	Dwarf_Die die;
};

struct lp_symbols {
	const struct lp_object *object;
	struct {
		LP_VEC(struct type);
	} types;         /* that were asked for */
	struct symbol_table functions, variables; /* sorted by start */
	bool loaded;
	Dwarf *dwarf;
};

static bool add_symbol(void *closure, const struct lp_elf_symbol *symbol)
{
	struct lp_symbols *symbols = closure;
	const uint64_t size = symbol->size ? symbol->size : 1;

	if (symbol->defined && (symbol->function || symbol->object)) {
		struct symbol_table *table = symbol->function ? &symbols->functions :
								&symbols->variables;
		LP_PUSH(table, ((struct symbol){ symbol->value, symbol->value + size,
						 lp_strdup(symbol->name) }));
	}
	return true;
}

static int by_start(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static void load(struct lp_symbols *symbols)
{
	if (symbols->loaded)
		return;
	symbols->loaded = true;
	lp_elf_symbols(symbols->object->fd, add_symbol, symbols, NULL);
	if (symbols->functions.count)
		qsort(symbols->functions.at, symbols->functions.count,
		      sizeof *symbols->functions.at, by_start);
	if (symbols->variables.count)
		qsort(symbols->variables.at, symbols->variables.count,
		      sizeof *symbols->variables.at, by_start);
	symbols->dwarf = dwarf_begin(symbols->object->fd, DWARF_C_READ);
}

struct lp_symbols *lp_symbols_open(const struct lp_object *object)
{
	struct lp_symbols *symbols = lp_alloc_zero(1, sizeof *symbols);

	symbols->object = object;
	return symbols;
}

static void drop_table(struct symbol_table *table)
{
	for (uint32_t i = 0; i < table->count; i++)
		lp_free(table->at[i].name);
	lp_free(table->at);
}

void lp_symbols_close(struct lp_symbols *symbols)
{
	if (!symbols)
		return;
	drop_table(&symbols->functions);
	drop_table(&symbols->variables);
	lp_free(symbols->types.at);
	dwarf_end(symbols->dwarf);
	lp_free(symbols);
}

/* The symbol that contains the address (of the file), or NULL. */
static const struct symbol *find(const struct symbol_table *table, uint64_t address)
{
	uint32_t low = 0, high = table->count;

	while (low < high) {
		const uint32_t middle = (low + high) / 2;
		if (table->at[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < table->at[low - 1].end ? &table->at[low - 1] : NULL;
}

static Dwarf_Die *unit_of(struct lp_symbols *symbols, uint64_t address, Dwarf_Die *room)
{
	if (!symbols->dwarf)
		return NULL;
	Dwarf_Die *unit = dwarf_addrdie(symbols->dwarf, address, room);
	if (unit)
		return unit;
	/* clang writes no .debug_aranges: look at the units' own ranges. */
	for (Dwarf_CU *cu = NULL;
	     !dwarf_get_units(symbols->dwarf, cu, &cu, NULL, NULL, room, NULL);)
		if (dwarf_haspc(room, address) > 0)
			return room;
	return NULL;
}

static bool line_of(struct lp_symbols *symbols, uint64_t address, char *out, size_t size)
{
	Dwarf_Die room, *unit = unit_of(symbols, address, &room);

	return unit && lp_user_line(unit, address, out, size);
}

void lp_symbols_place(struct lp_symbols *symbols, uintptr_t pc, char *out, size_t size)
{
	const uint64_t address = pc - symbols->object->base - 1;
	const struct lp_module *module = symbols->object->module;
	const struct lp_site *site = lp_site_of_module(module, pc);

	if (site) {
		if (!lp_site_place(module, site, out, size))
			lp_user_plain_name(lp_site_function(module, site), out, size);
		return;
	}
	load(symbols);
	if (lp_object_has(symbols->object, pc)) {
		if (line_of(symbols, address, out, size))
			return;
		const struct symbol *function = find(&symbols->functions, address);
		if (function) {
			lp_user_plain_name(function->name, out, size);
			return;
		}
	}
	snprintf(out, size, "0x%llx", (unsigned long long)pc);
}

static void visit_files(Dwarf_Die *unit, void (*visit)(void *closure, const char *path),
			void *closure)
{
	Dwarf_Attribute attribute;
	const char *folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
	Dwarf_Files *files;
	size_t count;
	char path[4096];

	if (dwarf_getsrcfiles(unit, &files, &count))
		return;
	for (size_t i = 1; i < count; i++) { /* entry 0 is not a file */
		const char *name = dwarf_filesrc(files, i, NULL, NULL);
		if (!name)
			continue;
		const bool whole = *name == '/' || !folder;
		const int length = snprintf(path, sizeof path, "%s%s%s", whole ? "" : folder,
					    whole ? "" : "/", name);
		if (length < (int)sizeof path)
			visit(closure, path);
	}
}

void lp_symbols_files(struct lp_symbols *symbols, void (*visit)(void *closure, const char *path),
		      void *closure)
{
	Dwarf_Die unit;

	load(symbols);
	if (!symbols->dwarf)
		return;
	for (Dwarf_CU *cu = NULL;
	     !dwarf_get_units(symbols->dwarf, cu, &cu, NULL, NULL, &unit, NULL);)
		visit_files(&unit, visit, closure);
}

void lp_symbols_function(struct lp_symbols *symbols, uintptr_t pc, char *out, size_t size)
{
	const uint64_t address = pc - symbols->object->base - 1;
	const struct lp_site *site = lp_site_of_module(symbols->object->module, pc);
	Dwarf_Die room, *unit;

	if (site) {
		snprintf(out, size, "%s", lp_site_function(symbols->object->module, site));
		return;
	}
	load(symbols);
	const struct symbol *function =
		lp_object_has(symbols->object, pc) ? find(&symbols->functions, address) : NULL;
	const char *name = function ? function->name : "";
	/* A mangled name, demangled, has more detail than a report needs. */
	if (!strncmp(name, "_Z", 2) && (unit = unit_of(symbols, address, &room))) {
		const char *known = lp_user_function(unit, address);
		name = known ? known : name;
	}
	snprintf(out, size, "%s", name);
}

void lp_symbols_variable(struct lp_symbols *symbols, uintptr_t address, char *out, size_t size)
{
	load(symbols);
	const struct symbol *variable =
		lp_object_has(symbols->object, address) ?
		find(&symbols->variables, address - symbols->object->base) : NULL;
	if (!variable) {
		snprintf(out, size, "0x%llx", (unsigned long long)address);
		return;
	}
	char symbol[LP_LONG_NAME], name[LP_BRIEF_NAME], path[160];
	lp_user_plain_name(variable->name, symbol, sizeof symbol);
	lp_brief_name(symbol, name, sizeof name);
	lp_variable_path(symbols->dwarf, variable->start,
			 address - symbols->object->base - variable->start, path, sizeof path);
	snprintf(out, size, "%s%s", name, path);
}

void lp_symbols_caller(struct lp_symbols *symbols, uintptr_t pc, char *out, size_t size)
{
	const struct lp_site *site = lp_site_of_module(symbols->object->module, pc);

	if (!site || !lp_site_caller(symbols->object->module, site, out, size))
		out[0] = '\0';
}

bool lp_symbols_is_variable(struct lp_symbols *symbols, uintptr_t address)
{
	load(symbols);
	return lp_object_has(symbols->object, address) &&
	       find(&symbols->variables, address - symbols->object->base);
}

static struct type *type_of(struct lp_symbols *symbols, const char *key)
{
	for (uint32_t i = 0; i < symbols->types.count; i++)
		if (!strcmp(symbols->types.at[i].key, key))
			return &symbols->types.at[i];
	struct type type = { .key = key };
	load(symbols);
	type.found = lp_variable_type_find(symbols->dwarf, key, &type.die);
	LP_PUSH(&symbols->types, type);
	return &symbols->types.at[symbols->types.count - 1];
}

void lp_symbols_part(struct lp_symbols *symbols, const struct lp_typed_part *part, char *out, size_t size)
{
	const char *scalar = strrchr(part->key, '/'), *at = strrchr(part->key, '@');
	const char *bytes = scalar ? scalar + 1 : at ? strchr(at, ',') + 1 : "0";
	const uint64_t each = strtoull(bytes, NULL, 10);
	struct type *type = at ? type_of(symbols, part->key) : NULL;
	const bool open = type && type->found && lp_variable_type_is_open(&type->die);
	uint64_t offset = part->offset;
	size_t length = 0;

	out[0] = '\0';
	if (!open && each && part->all > each && part->all % each == 0) { /* several in a row */
		length = (size_t)snprintf(out, size, "[%llu]", (unsigned long long)(offset / each));
		offset %= each;
	}
	if (type && type->found && (open || offset < each))
		lp_variable_type_path(&type->die, offset, part->whole, out + length, size - length);
	else if (offset)
		snprintf(out + length, size - length, "+%llu", (unsigned long long)offset);
}

static int stop_at_arguments(Dwarf_Die *function, void *found)
{
	Dwarf_Die inside;
	const char *name = dwarf_diename(function);

	if (!name || strcmp(name, "main") || dwarf_child(function, &inside))
		return DWARF_CB_OK;
	do
		*(bool *)found |= dwarf_tag(&inside) == DW_TAG_formal_parameter;
	while (dwarf_siblingof(&inside, &inside) == 0);
	return DWARF_CB_ABORT;
}

bool lp_symbols_take_arguments(struct lp_symbols *symbols)
{
	Dwarf_Die unit;
	bool found = false;

	load(symbols);
	if (!symbols->dwarf)
		return false;
	for (Dwarf_CU *cu = NULL;
	     !dwarf_get_units(symbols->dwarf, cu, &cu, NULL, NULL, &unit, NULL);)
		dwarf_getfuncs(&unit, stop_at_arguments, &found, 0);
	return found;
}
