/* cache.h -- compilations that need not be repeated.
 *
 * A result is what lp_compile() and lp_compile_plain() leave behind: a shared object, what the compiler
 * has printed on the way, and findings.  It is found in two steps:
 *
 *     recipe: command, contents of the sources, environment, programs  --key-->  list of variants
 *     variant: everything else that the result depends on (inputs.h)   -------->  result
 *
 * Of the variants, the first whose inputs hold is taken.  What goes wrong is not kept, nor is anything
 * of which it cannot be told what it depends on.  Where the results are: store.h.
 */
#ifndef LP_FRONTEND_CACHE_CACHE_H
#define LP_FRONTEND_CACHE_CACHE_H

#include <stdbool.h>

#include "frontend/cache/inputs.h"
#include "frontend/cache/recipe.h"
#include "frontend/cache/store.h"
#include "frontend/compile.h"

struct lp_cache {
	bool on;                  /* else nothing is kept, and the compiler need not be asked for more */
	const struct lp_recipe *recipe;
	struct lp_store store;
	struct lp_digest key;
	struct lp_inputs inputs;  /* so far */
	struct lp_bytes messages; /* so far */
};

/* `wanted`: the user has not said no.  The recipe must stay until the cache is closed. */
void lp_cache_open(struct lp_cache *, const struct lp_recipe *, bool wanted);

/* Has this been compiled before?  Then `shared` is the result, and what was printed then is printed. */
bool lp_cache_find(struct lp_cache *, char shared[static LP_SHARED_PATH], struct lp_findings *);

/* Prints what a program has printed, from the file, and keeps it with the result.  lp_cache_tell_source()
 * is for clang, with -Xclang -v -MD -MF LIST: it notes what clang has read. */
void lp_cache_tell(struct lp_cache *, const char *file);
void lp_cache_tell_source(struct lp_cache *, const char *file, const char *list);

/* Notes the files that the linker has listed, but for those in `folder`, which are ours. */
void lp_cache_note_linked(struct lp_cache *, const char *list, const char *folder);

/* Keeps the result. */
void lp_cache_keep(struct lp_cache *, const char *shared, const struct lp_findings *);

void lp_cache_close(struct lp_cache *);

#endif
