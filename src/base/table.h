/* table.h -- memory for large tables that are looked up here and there. */
#ifndef LP_BASE_TABLE_H
#define LP_BASE_TABLE_H

#include <stddef.h>

/* As lp_alloc_zero(), to be freed like that.  A large one has large pages, if the system has any:
 * then to find a place does not begin with finding its page. */
void *lp_alloc_table(size_t count, size_t size);

#endif
