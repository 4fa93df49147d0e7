/* states_product.h -- the monitor of `linchpin states` for objects whose calls may take effect
 * at any time. */
#ifndef LP_CLI_STATES_STATES_PRODUCT_H
#define LP_CLI_STATES_STATES_PRODUCT_H

#include "explore/state/state.h"

struct lp_product;

struct lp_state_monitor lp_states_product(struct lp_product *);

#endif
