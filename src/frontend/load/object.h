/* object.h -- the user's program, loaded into our address space as a shared object.
 *
 * Loading does not run any of the program's code: the program's lp_module (frontend/abi.h) lists its constructors, and the runtime
 * calls them.  When the constructors have run, lp_globals_snapshot() saves the contents of all writable memory of the object.
 * Every execution begins with these contents.
 *
 * Restoring these contents takes time in proportion to what was written.  If there is more than a page of globals, all pages are
 * write-protected at first.  The first write to a page faults, and the page is hot from then on; each part of it that is writable
 * memory of the object is a hot chunk.  Hot chunks are numbered in the order in which they became hot.  All other pages have their
 * initial contents.  So a write is undone even if no hook has seen it.
 */
#ifndef LP_FRONTEND_LOAD_OBJECT_H
#define LP_FRONTEND_LOAD_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"
#include "frontend/abi.h"

struct lp_object_range {
	uintptr_t start, end;
};

struct lp_chunk {
	uint8_t *at;
	uint32_t size;
	uint8_t *initial; /* its bytes in the snapshot */
};

#define LP_OBJECT_RANGES 8

struct lp_object {
	void *handle;
	int fd;                       /* the shared object's file, which has already been unlinked */
	uintptr_t base;               /* an address in the file plus `base` is the address in memory */
	struct lp_object_range image;        /* all memory that the object is mapped to */
	struct lp_object_range text[LP_OBJECT_RANGES];
	unsigned text_count;
	struct lp_object_range data[LP_OBJECT_RANGES]; /* writable memory, except RELRO and the data that instrumented code and the
							* runtime share */
	unsigned data_count;
	const struct lp_module *module;
	uintptr_t main;
	/* Globals. */
	uint8_t *snapshot;
	bool paged;
	struct {
		LP_VEC(struct lp_chunk);
	} hot;
	size_t hot_size;              /* the sum of the sizes of the hot chunks */
};

bool lp_object_open(struct lp_object *, const char *path, struct lp_error *);
void lp_object_close(struct lp_object *);

static inline bool lp_object_has(const struct lp_object *object, uintptr_t address)
{
	return address - object->image.start < object->image.end - object->image.start;
}

static inline bool lp_object_has_code(const struct lp_object *object, uintptr_t address)
{
	for (unsigned i = 0; i < object->text_count; i++)
		if (address - object->text[i].start < object->text[i].end - object->text[i].start)
			return true;
	return false;
}

void lp_globals_snapshot(struct lp_object *);

/* To be called from a signal handler when a write to `address` has faulted.  Returns true if the
 * page was write-protected as described above; the write can then be repeated.  Allocates nothing. */
bool lp_globals_fault(struct lp_object *, uintptr_t address);

#endif
