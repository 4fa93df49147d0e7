/* ignored.c -- findings that are not reported, because the user excludes them with --only or
 * --ignore. */
#include "runtime/ignored.h"

#include <string.h>

#include "frontend/load/site_names.h"
#include "runtime/machine.h"

/* Is `path` the file, or does it end in "/file"? */
static bool is_file(const char *path, const char *file)
{
	const size_t all = strlen(path), end = strlen(file);

	return all >= end && !strcmp(path + all - end, file) && (all == end || path[all - end - 1] == '/');
}

/* Does the function match the name that the user gives? The function that a macro of the harness makes from a
 * method matches the name of the method, and "id<int>" also matches "id". */
static bool is_function(const char *name, const char *wanted)
{
	static const char method[] = "lp_method_";
	const char *plain = strncmp(name, method, strlen(method)) ? name : name + strlen(method);
	const size_t length = strcspn(plain, "<");

	return !strcmp(plain, wanted) || (length && strlen(wanted) == length && !strncmp(plain, wanted, length));
}

static bool matches(const struct lp_finding_rule *r, enum lp_error_kind kind, const struct lp_source *source)
{
	if (r->kind != LP_ERROR_NONE && r->kind != kind)
		return false;
	if (!r->file && !r->function)
		return true;
	return source && (!r->file || is_file(lp_module_text(rt.module, source->file), r->file)) &&
	       (!r->line || r->line == source->line) &&
	       (!r->function || is_function(lp_module_text(rt.module, source->function), r->function));
}

static bool any_matches(const struct lp_finding_rules *rules, enum lp_error_kind kind, const struct lp_source *source)
{
	for (uint32_t i = 0; i < rules->count; i++)
		if (matches(&rules->at[i], kind, source))
			return true;
	return false;
}

static bool is_ignored(enum lp_error_kind kind, uintptr_t pc)
{
	const struct lp_ignored *all = rt.options.ignored;

	if (!all || rt.setting_up || !lp_is_ignorable(kind))
		return false;
	const struct lp_site *site = pc ? lp_site_of_module(rt.module, pc) : NULL;
	const struct lp_source *source = site ? lp_site_source(rt.module, site) : NULL;
	return any_matches(&all->ignore, kind, source) || (all->only.count && !any_matches(&all->only, kind, source));
}

bool lp_native_passes_over(enum lp_error_kind kind, uintptr_t pc)
{
	const bool ignored = is_ignored(kind, pc);

	if (ignored)
		rt_note_finding(RT_USE_PASSED, kind, pc);
	return ignored;
}

bool lp_native_cuts_off(enum lp_error_kind kind, uintptr_t pc)
{
	const bool ignored = is_ignored(kind, pc);

	if (ignored)
		rt_note_finding(RT_USE_CUT, kind, pc);
	return ignored;
}
