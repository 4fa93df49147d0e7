/* user_line.c -- finds the line of the user's code that called library code. */
#include "frontend/load/user_line.h"

#include <ctype.h>
#include <dlfcn.h>
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/system_file.h"

/* Where the inlined function was called. */
static const char *call_site(Dwarf_Die *unit, Dwarf_Die *inlined, int *line)
{
	Dwarf_Attribute attribute;
	Dwarf_Word file, number;
	Dwarf_Files *files;
	size_t count;

	if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file) ||
	    dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &number) ||
	    dwarf_getsrcfiles(unit, &files, &count) || file >= count)
		return NULL;
	*line = (int)number;
	return dwarf_filesrc(files, (size_t)file, NULL, NULL);
}

enum { DEPTH = 64 };

/* What the address is in, outermost first, as the code is nested: a function that was inlined is in
 * the one that it was inlined into.  (dwarf_getscopes() goes on where it was written instead, and
 * does not look into namespaces.) */
static int nest(Dwarf_Die *parent, Dwarf_Addr address, Dwarf_Die *scopes, int count)
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return count;
	do {
		const int tag = dwarf_tag(&die);
		if (tag == DW_TAG_namespace || tag == DW_TAG_structure_type || tag == DW_TAG_class_type) {
			const int inside = nest(&die, address, scopes, count);
			if (inside > count)
				return inside;
		}
		const bool code = tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
				  tag == DW_TAG_lexical_block;
		if (code && count < DEPTH && dwarf_haspc(&die, address) > 0) {
			scopes[count] = die;
			return nest(&die, address, scopes, count + 1);
		}
	} while (!dwarf_siblingof(&die, &die));
	return count;
}

/* Goes out of inlined functions, innermost first, as long as the line is the system's. */
static const char *leave_library(Dwarf_Die *unit, Dwarf_Addr address, const char *file, int *line)
{
	Dwarf_Die scopes[DEPTH];
	const char *at = file;
	int number = *line;

	for (int i = nest(unit, address, scopes, 0); i-- > 0 && lp_is_system_file(at);) {
		const char *caller = NULL;
		if (dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine)
			caller = call_site(unit, &scopes[i], &number);
		at = caller ? caller : at;
	}
	if (!lp_is_system_file(at)) {
		file = at;
		*line = number;
	}
	return file;
}

bool lp_user_line(Dwarf_Die *unit, Dwarf_Addr address, char *out, size_t size)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, address);
	const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
	int number = 0;

	if (!file || dwarf_lineno(line, &number) || !number)
		return false;
	if (lp_is_system_file(file))
		file = leave_library(unit, address, file, &number);
	const char *slash = strrchr(file, '/');
	snprintf(out, size, "%s:%d", slash ? slash + 1 : file, number);
	return true;
}

const char *lp_user_function(Dwarf_Die *unit, Dwarf_Addr address)
{
	Dwarf_Die scopes[DEPTH];
	const int count = nest(unit, address, scopes, 0);
	const char *name = NULL;

	for (int i = count; i-- > 0 && !name;) {
		Dwarf_Attribute attribute;
		if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram)
			name = dwarf_formstring(dwarf_attr_integrate(&scopes[i], DW_AT_name, &attribute));
	}
	return name;
}

/* "pool::free" for "_ZN4pool4freeE": names in names, and nothing else.  False if there is more to it. */
static bool simple_name(const char *symbol, char *out, size_t size)
{
	const char *at = symbol + 2;
	size_t used = 0;
	const bool nested = *at == 'N';
	char name[256];

	at += nested || *at == 'L';
	while (isdigit((unsigned char)*at) || (nested && *at == 'L')) {
		char *end;
		at += *at == 'L';
		const unsigned long length = strtoul(at, &end, 10);
		if (strlen(end) < length || used + length + 3 > sizeof name)
			return false;
		const bool unnamed = length >= 10 && !strncmp(end, "_GLOBAL__N", 10);
		if (!unnamed)
			used += (size_t)snprintf(name + used, sizeof name - used, "%s%.*s", used ? "::" : "",
						 (int)length, end);
		at = end + length;
	}
	if ((nested && *at++ != 'E') || !used || (*at && *at != '.')) /* a part of it: "ring.0" */
		return false;
	snprintf(out, size, "%s%s", name, at);
	return true;
}

typedef char *demangler(const char *, char *, size_t *, int *);

/* By the C++ library, which a program in C++ has brought with it. */
static bool demangle(const char *symbol, char *out, size_t size)
{
	void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
	void *found = library ? dlsym(library, "__cxa_demangle") : NULL;
	demangler *names;
	int status = -1;

	memcpy(&names, &found, sizeof names); /* ISO C has no cast for that */
	char *text = found ? names(symbol, NULL, NULL, &status) : NULL;
	if (text && !status)
		snprintf(out, size, "%s", text);
	free(text);
	if (library)
		dlclose(library);
	return !status;
}

void lp_user_plain_name(const char *symbol, char *out, size_t size)
{
	if (strncmp(symbol, "_Z", 2) || (!simple_name(symbol, out, size) && !demangle(symbol, out, size)))
		snprintf(out, size, "%s", symbol);
}
