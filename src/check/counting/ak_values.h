/* ak_values.h -- the values that a monitor of A_k stores.
 *
 * A value is in the table from the start of its insertion until both its insertion and its removal have returned, or
 * until its insertion has failed.
 *
 * The table is a hash table that grows and shrinks, so its memory is proportional to the number of values in it.
 * Pointers to entries are valid until the next put or drop.
 */
#ifndef LP_CHECK_COUNTING_AK_VALUES_H
#define LP_CHECK_COUNTING_AK_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#define LP_AK_OPEN UINT64_MAX /* `end` of a value whose insertion has not returned */

struct lp_ak_value {
	int64_t value;
	uint64_t start, end; /* the first and the last epoch of its insertion (ak.h) */
	uint64_t out_start, out_end; /* the first and the last epoch of its removal, if `taken` */
	uint8_t used;        /* 0: the entry is free */
	bool taken;          /* its removal has returned, but its insertion has not */
	bool lost;           /* a violation was reported because the value was not removed in time; the
			      * value was then subtracted from the counters (lp_ak_count()) */
};

struct lp_ak_values {
	struct lp_ak_value *at;
	uint64_t size, count; /* size is a power of two */
};

/* A zeroed table is empty. */
void lp_ak_values_close(struct lp_ak_values *t);
struct lp_ak_value *lp_ak_values_find(const struct lp_ak_values *t, int64_t value); /* NULL: not in the table */
struct lp_ak_value *lp_ak_values_put(struct lp_ak_values *t, int64_t value); /* `value` must not be in the table yet */
void lp_ak_values_drop(struct lp_ak_values *t, struct lp_ak_value *v);

#endif
