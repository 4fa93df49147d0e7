/* orders_patch.h -- the answer of `linchpin orders` as a patch. */
#ifndef LP_VERIFY_ORDERS_ORDERS_PATCH_H
#define LP_VERIFY_ORDERS_ORDERS_PATCH_H

#include <stdio.h>

#include "report/results/order_report.h"
#include "verify/orders/site_orders.h"

struct lp_arena;

/* The changes that could not be written into the patch. */
struct lp_unpatched_list {
	LP_VEC(struct lp_orders_unpatched);
};

/* Writes a patch that sets the choices to these orders.  Names of files below the current folder are relative to it,
 * with a/ and b/ in front. */
void lp_orders_write_patch(const struct lp_site_choices *, const uint8_t *orders, FILE *out, struct lp_arena *,
			   struct lp_unpatched_list *);

/* Makes a list of edits instead of a patch.  Returns the number of edits; 0 if not all changes can be expressed as
 * edits. */
uint32_t lp_orders_edits(const struct lp_site_choices *, const uint8_t *orders, struct lp_arena *,
			 const struct lp_result_edit **);

#endif
