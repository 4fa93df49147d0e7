/* load_place.c -- a place in the address space for the object. */
#define _GNU_SOURCE
#include "frontend/load/load_place.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

static const size_t SIZE = (size_t)1 << 30, PAGE = 4096;

static void *map(size_t size)
{
	void *at = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

/* Fills the gaps that the system would use before it comes to the place.  Downwards, usually: those above it. */
static void fill_gaps(const void *place, bool downwards)
{
	for (size_t size = SIZE / 16; size >= PAGE;) {
		void *at = map(size);
		if (at && (at > place) == downwards)
			continue; /* it stays */
		if (at)
			munmap(at, size);
		size /= 2;
	}
}

void lp_load_place_reserve(struct lp_load_place *p)
{
	p->at = map(SIZE);
	p->size = SIZE;
	void *next = p->at ? map(SIZE) : NULL;
	if (!next)
		return;
	munmap(next, SIZE);
	fill_gaps(p->at, next < p->at);
}

void lp_load_place_release(struct lp_load_place *p)
{
	if (p && p->at)
		munmap(p->at, p->size);
	if (p)
		p->at = NULL;
}
