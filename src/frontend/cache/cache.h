/* cache.h -- results of earlier compilations.
 *
 * A result is what lp_compile() or lp_compile_plain() produces: a shared object, the messages of the
 * compiler, and findings.  A result is found in two steps:
 *
 *     recipe: command, contents of the sources, environment, programs  --key-->  list of variants
 *     variant: everything else that the result depends on (inputs.h)   -------->  result
 *
 * The first variant whose inputs are unchanged is used.  No result is kept if the compilation fails, if its inputs change
 * meanwhile, or if they cannot be determined.  store.h says where results are stored.
 */
#ifndef LP_FRONTEND_CACHE_CACHE_H
#define LP_FRONTEND_CACHE_CACHE_H

#include <stdbool.h>

#include "frontend/cache/inputs.h"
#include "frontend/cache/recipe.h"
#include "frontend/cache/store.h"
#include "frontend/compile/compile.h"

struct lp_cache {
	bool on;                  /* results are looked up and kept */
	const struct lp_recipe *recipe;
	struct lp_store store;
	struct lp_digest key;
	struct lp_inputs inputs;  /* the inputs that were noted so far */
	struct lp_input_bytes messages; /* the messages that were printed so far */
};

/* If `wanted` is false, or if the result must not be kept (recipe.h), the cache stays off: it finds and keeps
 * nothing.  The recipe must exist until the cache is closed. */
void lp_cache_open(struct lp_cache *, const struct lp_recipe *, bool wanted);

/* If there is a result, sets `shared`, adds the findings of the result, prints its messages, and returns true.  A result whose
 * shared object this process has already loaded is not used. */
bool lp_cache_find(struct lp_cache *, char shared[static LP_SHARED_PATH], struct lp_findings *);

/* Print the messages in the file, and store them with the result if the result is kept.  lp_cache_tell_source() is for the messages
 * of clang, which is run with -Xclang -v -MD -MF LIST if the result is kept; it also notes the files that clang has read. */
void lp_cache_tell(struct lp_cache *, const char *file);
void lp_cache_tell_source(struct lp_cache *, const char *file, const char *list);

/* Notes the files that the linker has listed, except those in `folder`, which are temporary. */
void lp_cache_note_linked(struct lp_cache *, const char *list, const char *folder);

/* Keeps the result, unless the cache is off, or an input has changed or could not be determined. */
void lp_cache_keep(struct lp_cache *, const char *shared, const struct lp_findings *);

void lp_cache_close(struct lp_cache *);

#endif
