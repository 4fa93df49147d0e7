/* site_names.h -- the line and function of a site (frontend/abi.h), for reports.
 *
 * An operation on a std::atomic is performed somewhere in <bits/atomic_base.h>, but a report should show
 * the line of the user's code that called it.  For library code that was inlined, the records of the module have that line.  Library
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

/* Returns the site whose record is at address `pc`; NULL if there is none. */
const struct lp_site *lp_site_of_module(const struct lp_module *, uintptr_t pc);

/* Returns the source line of the site; a record of zeros if it is unknown. */
const struct lp_source *lp_site_source(const struct lp_module *, const struct lp_site *);

/* Writes the line of the site: "queue.c:31".  Returns false if it is not known. */
bool lp_site_place(const struct lp_module *, const struct lp_site *, char *out, size_t size);

/* Returns the name of the function that contains this line, such as "enqueue"; "" if it is unknown. */
const char *lp_site_function(const struct lp_module *, const struct lp_site *);

/* If the site is in an inlined function of another file, such as a wrapper of an atomic operation: writes the line that called the
 * function, "queue.h:88".  Returns false if it is not in such a function, or if the caller is the harness. */
bool lp_site_caller(const struct lp_module *, const struct lp_site *, char *out, size_t size);

#endif
