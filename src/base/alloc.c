/* alloc.c -- allocation that never fails. */
#include "base/alloc.h"

#include "base/memory.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static _Thread_local void (*on_failure)(void *);
static _Thread_local void *on_failure_context;

void lp_alloc_on_failure(void (*escape)(void *), void *context)
{
	on_failure = escape;
	on_failure_context = context;
}

static void *checked(void *block)
{
	if (!block) {
		if (on_failure)
			on_failure(on_failure_context);
		fputs("linchpin: out of memory\n", stderr);
		_Exit(3); /* inconclusive: nothing was decided */
	}
	return block;
}

enum {
	LOOK = 1 << 20,       /* bytes that are allocated between two checks of the limit */
	LARGE = 16 * LOOK,    /* blocks of this size are counted before they are touched */
};

static _Thread_local size_t since_look;

/* `size` more bytes are about to be used.  At the limit on memory the allocation fails, if there is an
 * escape; otherwise the limit is left to loops that can stop in an orderly way. */
static void expect(size_t size)
{
	since_look += size;
	if (since_look < LOOK)
		return;
	since_look = 0;
	if (lp_memory_expect(size >= LARGE ? size : 0) && on_failure)
		on_failure(on_failure_context);
}

void *lp_alloc(size_t size)
{
	expect(size);
	return checked(malloc(size ? size : 1));
}

void *lp_alloc_zero(size_t count, size_t size)
{
	expect(count * size);
	return checked(calloc(count ? count : 1, size ? size : 1));
}

void *lp_realloc(void *block, size_t size)
{
	expect(size / 2); /* the block usually doubles, so half of it is new */
	return checked(realloc(block, size ? size : 1));
}

void *lp_alloc_aligned(size_t align, size_t size)
{
	expect(size);
	return checked(aligned_alloc(align, (size + align - 1) / align * align));
}

void *lp_alloc_table(size_t count, size_t size)
{
	const size_t page = (size_t)2 << 20, bytes = count * size;

	if (bytes < 2 * page)
		return lp_alloc_zero(count, size);
	void *table = lp_alloc_aligned(page, bytes);
#ifdef MADV_HUGEPAGE
	madvise(table, bytes, MADV_HUGEPAGE); /* if it does not help, it does no harm */
#endif
	return memset(table, 0, bytes);
}

/* Zeroed pages of this process. */
static struct {
	void *at;
	size_t size;
} kept[2];

void *lp_try_alloc_pages(size_t size, bool shared)
{
	for (size_t i = 0; i < sizeof kept / sizeof *kept && !shared; i++)
		if (kept[i].at && kept[i].size == size) {
			void *again = kept[i].at;
			kept[i].at = NULL;
			return again;
		}
	void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, (shared ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS, -1, 0);

	return pages == MAP_FAILED ? NULL : pages;
}

void *lp_alloc_pages(size_t size)
{
	expect(size);
	return checked(lp_try_alloc_pages(size, false));
}

void lp_free_pages(void *pages, size_t size)
{
	if (pages)
		munmap(pages, size);
}

void lp_keep_pages(void *pages, size_t size)
{
	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
		if (!kept[i].at) {
			kept[i].at = pages;
			kept[i].size = size;
			return;
		}
	lp_free_pages(pages, size);
}

void *lp_try_alloc_zero(size_t count, size_t size)
{
	return calloc(count ? count : 1, size ? size : 1);
}

void *lp_try_realloc(void *block, size_t size)
{
	return realloc(block, size ? size : 1);
}

void *lp_try_alloc_aligned(size_t align, size_t size)
{
	return aligned_alloc(align, (size + align - 1) / align * align);
}

char *lp_strdup(const char *text)
{
	const size_t size = strlen(text) + 1;
	return memcpy(lp_alloc(size), text, size);
}

void lp_free(void *block)
{
	free(block);
}

struct lp_arena_chunk {
	struct lp_arena_chunk *before;
	size_t size;
	_Alignas(16) char bytes[];
};

enum { CHUNK = 64 * 1024, ALIGN = 16 };

void *lp_arena_alloc(struct lp_arena *arena, size_t size)
{
	size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	if (!arena->last || arena->last->size - arena->used < size) {
		const size_t room = size > CHUNK ? size : CHUNK;
		struct lp_arena_chunk *chunk = lp_alloc(sizeof *chunk + room);
		chunk->before = arena->last;
		chunk->size = room;
		arena->last = chunk;
		arena->used = 0;
	}
	void *block = arena->last->bytes + arena->used;
	arena->used += size;
	return memset(block, 0, size);
}

char *lp_arena_strdup(struct lp_arena *arena, const char *text)
{
	const size_t size = strlen(text) + 1;
	return memcpy(lp_arena_alloc(arena, size), text, size);
}

struct lp_arena_mark lp_arena_mark(const struct lp_arena *arena)
{
	return (struct lp_arena_mark){ arena->last, arena->used };
}

void lp_arena_rewind(struct lp_arena *arena, struct lp_arena_mark mark)
{
	while (arena->last != mark.last) {
		struct lp_arena_chunk *chunk = arena->last;
		assert(chunk); /* the mark belongs to this arena, and is still valid */
		arena->last = chunk->before;
		free(chunk);
	}
	arena->used = mark.used;
}

void lp_arena_close(struct lp_arena *arena)
{
	lp_arena_rewind(arena, (struct lp_arena_mark){ NULL, 0 });
}
