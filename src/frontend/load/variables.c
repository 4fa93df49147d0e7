/* variables.c -- walks DWARF types (structures, arrays) to name their parts. */
#include "frontend/load/variables.h"

#include <dwarf.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "frontend/brief_name.h"

/* The variable whose location is just that address, below `parent`. */
static bool find_variable(Dwarf_Die *parent, uint64_t address, Dwarf_Die *found)
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return false;
	do {
		const int tag = dwarf_tag(&die);
		Dwarf_Attribute attribute;
		Dwarf_Op *ops;
		size_t count;

		if (tag == DW_TAG_variable && dwarf_attr(&die, DW_AT_location, &attribute) &&
		    !dwarf_getlocation(&attribute, &ops, &count) && count == 1) {
			Dwarf_Attribute addressed;
			Dwarf_Addr where = ops[0].number;
			if (ops[0].atom == DW_OP_addrx || ops[0].atom == DW_OP_GNU_addr_index) {
				if (dwarf_getlocation_attr(&attribute, ops, &addressed) ||
				    dwarf_formaddr(&addressed, &where))
					continue;
			} else if (ops[0].atom != DW_OP_addr) {
				continue;
			}
			if (where == address) {
				*found = die;
				return true;
			}
		} else if ((tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
			    tag == DW_TAG_namespace) && find_variable(&die, address, found)) {
			return true;
		}
	} while (!dwarf_siblingof(&die, &die));
	return false;
}

/* The type itself, without typedef, const, volatile and _Atomic around it. */
static bool peeled_type(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attribute;

	if (!dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), type))
		return false;
	for (;;) {
		const int tag = dwarf_tag(type);
		Dwarf_Die inner;
		if (tag != DW_TAG_typedef && tag != DW_TAG_const_type &&
		    tag != DW_TAG_volatile_type && tag != DW_TAG_atomic_type)
			return true;
		if (!dwarf_formref_die(dwarf_attr_integrate(type, DW_AT_type, &attribute), &inner))
			return false;
		*type = inner;
	}
}

/* Where a member (or base class) lies in its structure, and its size; a flexible array, which has none, extends to the
 * end of the object. */
struct extent {
	Dwarf_Word start, size;
	bool flexible;
};

/* False if the child is not a part of the objects. */
static bool extent_of(Dwarf_Die *structure, Dwarf_Die *member, struct extent *out)
{
	Dwarf_Attribute attribute;
	Dwarf_Die inner;
	const int tag = dwarf_tag(member);

	*out = (struct extent){ .start = 0 };
	if (tag != DW_TAG_member && tag != DW_TAG_inheritance)
		return false;
	if (dwarf_attr(member, DW_AT_data_member_location, &attribute))
		dwarf_formudata(&attribute, &out->start);
	else if (dwarf_tag(structure) != DW_TAG_union_type)
		return false; /* a static member */
	if (!peeled_type(member, &inner))
		return false;
	const bool known = !dwarf_aggregate_size(&inner, &out->size);
	out->flexible = dwarf_tag(&inner) == DW_TAG_array_type && (!known || !out->size);
	return known || out->flexible;
}

/* The member (or base class) of `type` that contains `*offset`, which becomes the
 * offset in it. */
static bool member_at(Dwarf_Die *type, uint64_t *offset, Dwarf_Die *member)
{
	Dwarf_Die child;
	bool found = false;
	Dwarf_Word start = 0;

	if (dwarf_child(type, &child))
		return false;
	do {
		struct extent e;

		if (!extent_of(type, &child, &e) || *offset < e.start || (!e.flexible && *offset >= e.start + e.size))
			continue;
		*member = child;
		start = e.start;
		found = true;
		if (!e.flexible) /* a flexible array is what remains */
			break;
	} while (!dwarf_siblingof(&child, &child));
	*offset -= start;
	return found;
}

bool lp_variable_type_is_open(Dwarf_Die *type)
{
	Dwarf_Die child;
	struct extent e;

	if (dwarf_child(type, &child))
		return false;
	do
		if (extent_of(type, &child, &e) && e.flexible)
			return true;
	while (!dwarf_siblingof(&child, &child));
	return false;
}

/* Numbers of elements, outermost dimension first. */
static unsigned dimensions(Dwarf_Die *type, uint64_t counts[static 4])
{
	Dwarf_Die range;
	unsigned n = 0;

	if (dwarf_child(type, &range))
		return 0;
	do {
		Dwarf_Attribute attribute;
		Dwarf_Word count = 0;

		if (dwarf_tag(&range) != DW_TAG_subrange_type || n == 4)
			continue;
		if (dwarf_attr(&range, DW_AT_count, &attribute)) {
			dwarf_formudata(&attribute, &count);
		} else if (dwarf_attr(&range, DW_AT_upper_bound, &attribute)) {
			dwarf_formudata(&attribute, &count);
			count++;
		}
		counts[n++] = count;
	} while (!dwarf_siblingof(&range, &range));
	return n;
}

static bool index_array(Dwarf_Die *array, uint64_t *offset, char *out, size_t size)
{
	uint64_t counts[4], stride;
	const unsigned n = dimensions(array, counts);
	Dwarf_Die element;
	Dwarf_Word bytes;
	size_t length = 0;

	if (!n || !peeled_type(array, &element) || dwarf_aggregate_size(&element, &bytes) || !bytes)
		return false;
	stride = bytes;
	for (unsigned i = 1; i < n; i++)
		stride *= counts[i];
	for (unsigned i = 0; i < n && stride; i++) {
		const int w = snprintf(out + length, size - length, "[%llu]",
				       (unsigned long long)(*offset / stride));
		length += (size_t)w < size - length ? (size_t)w : size - length - 1;
		*offset %= stride;
		if (i + 1 < n)
			stride /= counts[i + 1] ? counts[i + 1] : 1;
	}
	return true;
}

/* Such names belong to the implementation of the language: __data of a mutex, _M_i of a
 * std::atomic. */
static bool is_reserved(const char *name)
{
	return name[0] == '_' && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z'));
}

/* Appends the way from an object of that type to what is at `offset` in it; `whole`: if that is an object
 * with parts, which begins there, it is meant, not the first of them. */
static void append_path(Dwarf_Die type, uint64_t offset, bool whole, char *out, size_t size)
{
	size_t length = strlen(out);
	bool found = true;

	while (found && length + 32 < size && (offset || !whole)) {
		const int tag = dwarf_tag(&type);
		Dwarf_Die member;

		if (tag == DW_TAG_array_type) {
			if (!index_array(&type, &offset, out + length, size - length))
				break;
			member = type;
		} else if (tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
			   tag == DW_TAG_class_type) {
			if (!member_at(&type, &offset, &member))
				break;
			const char *name = dwarf_tag(&member) == DW_TAG_member ? dwarf_diename(&member) : NULL;
			if (name && is_reserved(name))
				return;
			if (name)
				snprintf(out + length, size - length, ".%s", name);
		} else {
			break;
		}
		length += strlen(out + length);
		found = peeled_type(&member, &type);
	}
	if (offset)
		snprintf(out + length, size - length, "+%llu", (unsigned long long)offset);
}

void lp_variable_path(Dwarf *dwarf, uint64_t address, uint64_t offset, char *out, size_t size)
{
	Dwarf_Die unit, variable, type;
	bool found = false;

	out[0] = '\0';
	for (Dwarf_CU *cu = NULL; dwarf && !found &&
	     !dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &unit, NULL);)
		found = find_variable(&unit, address, &variable);
	if (found && peeled_type(&variable, &type))
		append_path(type, offset, false, out, size);
	else if (offset)
		snprintf(out, size, "+%llu", (unsigned long long)offset);
}

/* ---- types by name ---- */

struct wanted {
	const char *name;
	int line;
	Dwarf_Word size;
};

static bool is_wanted(Dwarf_Die *die, const struct wanted *w, Dwarf_Die *type)
{
	const char *name = dwarf_diename(die);
	char brief[LP_BRIEF_NAME];
	int line;
	Dwarf_Word size;

	if (!name || dwarf_decl_line(die, &line) || line != w->line)
		return false;
	lp_brief_name(name, brief, sizeof brief);
	if (strcmp(brief, w->name))
		return false;
	*type = *die;
	return (dwarf_tag(die) != DW_TAG_typedef || peeled_type(die, type)) && !dwarf_aggregate_size(type, &size) &&
	       size == w->size;
}

static bool find_type(Dwarf_Die *parent, const struct wanted *w, Dwarf_Die *type)
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return false;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_structure_type:
		case DW_TAG_class_type:
		case DW_TAG_union_type:
		case DW_TAG_typedef:
			if (is_wanted(&die, w, type))
				return true;
			break;
		case DW_TAG_subprogram:
		case DW_TAG_lexical_block:
		case DW_TAG_namespace:
			break;
		default:
			continue;
		}
		if (find_type(&die, w, type))
			return true;
	} while (!dwarf_siblingof(&die, &die));
	return false;
}

bool lp_variable_type_find(Dwarf *dwarf, const char *key, Dwarf_Die *type)
{
	const char *at = strrchr(key, '@');
	char name[160];
	unsigned long long size;
	struct wanted w = { .name = name };
	Dwarf_Die unit;

	if (!dwarf || !at || (size_t)(at - key) >= sizeof name || sscanf(at, "@%d,%llu", &w.line, &size) != 2)
		return false;
	snprintf(name, sizeof name, "%.*s", (int)(at - key), key);
	w.size = size;
	for (Dwarf_CU *cu = NULL; !dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &unit, NULL);)
		if (find_type(&unit, &w, type))
			return true;
	return false;
}

void lp_variable_type_path(Dwarf_Die *type, uint64_t offset, bool whole, char *out, size_t size)
{
	out[0] = '\0';
	append_path(*type, offset, whole, out, size);
}
