/* site_names.c -- names of sites. */
#include "frontend/load/site_names.h"

#include <stdio.h>
#include <string.h>

#include "frontend/system_file.h"

const struct lp_site *lp_site_of_module(const struct lp_module *module, uintptr_t pc)
{
	const uintptr_t offset = pc - (uintptr_t)module->sites;

	return offset < module->site_count * sizeof(struct lp_site) && !(offset % sizeof(struct lp_site)) ?
	       &module->sites[offset / sizeof(struct lp_site)] : NULL;
}

/* Goes out of functions that were inlined, as long as the line is the system's. */
static const struct lp_source *user_source(const struct lp_module *module, uint32_t index)
{
	const struct lp_source *innermost = &module->sources[index], *at = innermost;

	while (lp_is_system_file(lp_module_text(module, at->file)) && at->inlined_at)
		at = &module->sources[at->inlined_at];
	return lp_is_system_file(lp_module_text(module, at->file)) ? innermost : at;
}

const struct lp_source *lp_site_source(const struct lp_module *module, const struct lp_site *site)
{
	return user_source(module, site->source);
}

bool lp_site_place(const struct lp_module *module, const struct lp_site *site, char *out, size_t size)
{
	const struct lp_source *source = user_source(module, site->source);
	const char *file = lp_module_text(module, source->file), *slash = strrchr(file, '/');

	if (!*file || !source->line)
		return false;
	snprintf(out, size, "%s:%u", slash ? slash + 1 : file, source->line);
	return true;
}

/* A function that the macros of a harness have made. */
static bool is_harness(const char *function)
{
	static const char *const prefixes[] = { "lp_method_", "lp_thread_", "lp_setup", "lp_teardown", "lp_invariant",
						"lp_proposition_" };

	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (!strncmp(function, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

bool lp_site_caller(const struct lp_module *module, const struct lp_site *site, char *out, size_t size)
{
	const struct lp_source *at = user_source(module, site->source), *up = at;

	if (lp_is_system_file(lp_module_text(module, at->file)))
		return false;
	while (up->inlined_at) {
		up = &module->sources[up->inlined_at];
		const char *file = lp_module_text(module, up->file), *slash = strrchr(file, '/');
		if (up->file == at->file || lp_is_system_file(file))
			continue;
		if (!up->line || is_harness(lp_module_text(module, up->function)))
			return false;
		snprintf(out, size, "%s:%u", slash ? slash + 1 : file, up->line);
		return true;
	}
	return false;
}

const char *lp_site_function(const struct lp_module *module, const struct lp_site *site)
{
	return lp_module_text(module, user_source(module, site->source)->function);
}
