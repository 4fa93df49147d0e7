/* site_names.h -- the line and function of a site (frontend/abi.h), for reports.
 *
 * An operation on a std::atomic is performed somewhere in <bits/atomic_base.h>, but a report should show
 * the user's line that called it.  For library code that was inlined, debug information has that line.  Library
 * code that was not inlined is shown at its own line.
 */
#ifndef LP_FRONTEND_LOAD_SITE_NAMES_H
#define LP_FRONTEND_LOAD_SITE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "frontend/abi.h"

static inline const char *lp_module_text(const struct lp_module *module, uint32_t text)
{
	return module->texts + text;
}

/* The site at that address; NULL if there is none. */
const struct lp_site *lp_site_of_module(const struct lp_module *, uintptr_t pc);

/* The line that the site stands for, in the source; a record of zeros if it is unknown. */
const struct lp_source *lp_site_source(const struct lp_module *, const struct lp_site *);

/* "queue.c:31".  False if nothing is known of it. */
bool lp_site_place(const struct lp_module *, const struct lp_site *, char *out, size_t size);

/* "enqueue": the function that has that line; "" if unknown. */
const char *lp_site_function(const struct lp_module *, const struct lp_site *);

/* "queue.h:88": the line that called the function with the site's line, if that was inlined and is in another file, as wrappers
 * of atomic operations are.  False if there is none, or it is a harness that calls the object. */
bool lp_site_caller(const struct lp_module *, const struct lp_site *, char *out, size_t size);

#endif
