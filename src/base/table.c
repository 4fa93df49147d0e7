/* table.c -- memory for large tables. */
#include "base/table.h"

#include <string.h>
#include <sys/mman.h>

#include "base/alloc.h"

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
