/* object_globals.c -- the initial contents of the program's writable memory, and what has changed since. */
#include "frontend/load/object.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Below this much there is nothing to be gained by protecting pages. */
enum { SMALL = 4096 };

static uintptr_t page_size;

static size_t total_size(const struct lp_object *object)
{
	size_t size = 0;

	for (unsigned i = 0; i < object->data_count; i++)
		size += object->data[i].end - object->data[i].start;
	return size;
}

static void add_chunk(struct lp_object *object, uintptr_t start, uintptr_t end, uint8_t *initial)
{
	if (start == end)
		return;
	LP_PUSH(&object->hot,
		((struct lp_chunk){ (uint8_t *)start, (uint32_t)(end - start), initial }));
	object->hot_size += end - start;
}

/* Write-protects the pages of all ranges, which may share pages with RELRO (then
 * they already are), but not with code. */
static void protect(struct lp_object *object, int rights)
{
	for (unsigned i = 0; i < object->data_count; i++) {
		const uintptr_t start = object->data[i].start & ~(page_size - 1);
		const uintptr_t end = (object->data[i].end + page_size - 1) & ~(page_size - 1);
		if (start < end)
			mprotect((void *)start, end - start, rights);
	}
}

void lp_globals_snapshot(struct lp_object *object)
{
	const size_t size = total_size(object);
	uint8_t *to;

	page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
	object->snapshot = to = lp_alloc(size ? size : 1);
	for (unsigned i = 0; i < object->data_count; i++) {
		const size_t n = object->data[i].end - object->data[i].start;
		memcpy(to, (const void *)object->data[i].start, n);
		to += n;
	}
	object->paged = size > SMALL;
	if (object->paged) {
		/* Room for every page, so that the fault handler need not allocate. */
		LP_RESERVE(&object->hot, size / page_size + 2 * object->data_count + 2);
		protect(object, PROT_READ);
		return;
	}
	to = object->snapshot;
	for (unsigned i = 0; i < object->data_count; i++) {
		add_chunk(object, object->data[i].start, object->data[i].end, to);
		to += object->data[i].end - object->data[i].start;
	}
}

bool lp_globals_fault(struct lp_object *object, uintptr_t address)
{
	const uintptr_t page = address & ~(page_size - 1);
	uint8_t *initial = object->snapshot;
	bool ours = false;

	if (!object->paged)
		return false;
	for (uint32_t i = 0; i < object->hot.count; i++)
		if (((uintptr_t)object->hot.at[i].at & ~(page_size - 1)) == page)
			return false; /* it is writable: the fault has another cause */
	for (unsigned i = 0; i < object->data_count; i++) {
		const struct lp_object_range *range = &object->data[i];
		const uintptr_t start = range->start > page ? range->start : page;
		const uintptr_t end = range->end < page + page_size ? range->end :
								      page + page_size;
		if (start < end) {
			add_chunk(object, start, end, initial + (start - range->start));
			ours = true;
		}
		initial += range->end - range->start;
	}
	return ours && !mprotect((void *)page, page_size, PROT_READ | PROT_WRITE);
}

void lp_object_close(struct lp_object *object)
{
	if (object->paged)
		protect(object, PROT_READ | PROT_WRITE);
	if (object->handle)
		dlclose(object->handle);
	if (object->fd >= 0)
		close(object->fd);
	lp_free(object->snapshot);
	lp_free(object->hot.at);
	*object = (struct lp_object){ .fd = -1 };
}
