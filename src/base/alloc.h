/* alloc.h -- allocation that never fails: if there is no memory, the process ends.
 *
 * Only alloc.c calls malloc().  (linchpin-mpi, in ranks/agent/, is a separate program.)
 *
 * An lp_arena is for things that are freed together.  lp_arena_rewind() frees everything that was allocated after a mark; blocks of
 * an arena are not freed individually.
 */
#ifndef LP_BASE_ALLOC_H
#define LP_BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

void *lp_alloc(size_t size);               /* uninitialised */
void *lp_alloc_zero(size_t count, size_t size);
void *lp_realloc(void *block, size_t size);
void *lp_alloc_aligned(size_t align, size_t size);
char *lp_strdup(const char *text);

/* Like lp_alloc_zero(), for large tables that are accessed at random.  Uses huge pages if the system provides them, so that
 * an access causes fewer TLB misses. */
void *lp_alloc_table(size_t count, size_t size);

/* Zeroed pages, which take no memory until they are touched.  (lp_alloc_zero() may reuse a freed block, and then has to clear
 * all of it.)  If `shared` is set, a child process shares the pages with its parent; otherwise it gets a copy.
 * lp_try_alloc_pages() returns NULL if there is no memory. */
void *lp_alloc_pages(size_t size);
void *lp_try_alloc_pages(size_t size, bool shared);
void lp_free_pages(void *pages, size_t size); /* NULL: nothing happens */
/* Frees pages like lp_free_pages(), but the next lp_try_alloc_pages() of that size may return the same pages.  The pages must not
 * be shared, and the caller must have zeroed them again.  Clearing a few used pages takes less time than touching new ones. */
void lp_keep_pages(void *pages, size_t size);

/* The following functions are for linchpin's libraries, which run in the processes of other programs.  The functions lp_try_*()
 * return NULL if there is no memory.
 *
 * lp_alloc_on_failure() sets a function `escape` for this thread.  `escape` may jump out of the allocation, for example by
 * longjmp().  The functions above call `escape` if memory runs out, or if the limit of memory.h is reached.  If `escape` is NULL,
 * the process ends when memory runs out; when the limit is reached, this is only recorded. */
void lp_alloc_on_failure(void (*escape)(void *), void *context);
void *lp_try_alloc_zero(size_t count, size_t size);
void *lp_try_realloc(void *block, size_t size);
void *lp_try_alloc_aligned(size_t align, size_t size); /* `size` is rounded up to a multiple of `align` */

void lp_free(void *block);                 /* NULL is fine */

struct lp_arena {
	struct lp_arena_chunk *last;
	size_t used; /* bytes used in the last chunk */
};

struct lp_arena_mark {
	struct lp_arena_chunk *last;
	size_t used;
};

/* A zeroed struct lp_arena is an empty arena. */
void *lp_arena_alloc(struct lp_arena *arena, size_t size); /* aligned to 16, zeroed */
char *lp_arena_strdup(struct lp_arena *arena, const char *text);
struct lp_arena_mark lp_arena_mark(const struct lp_arena *arena);
void lp_arena_rewind(struct lp_arena *arena, struct lp_arena_mark mark);
void lp_arena_close(struct lp_arena *arena);

#endif
