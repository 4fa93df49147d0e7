/* product_monitor.h -- the specification of an object as the explorer's monitor. */
#ifndef LP_TEST_STATES_PRODUCT_MONITOR_H
#define LP_TEST_STATES_PRODUCT_MONITOR_H

#include <stdint.h>

struct lp_quasi;
struct object;
struct product_monitor;

/* Its quasi factors, a class for each method. */
void object_rule(const struct object *, uint32_t methods, struct lp_quasi *);

struct product_monitor *product_monitor_open(const struct object *, uint32_t threads);
void *product_monitor_product(struct product_monitor *);
void *product_monitor_points(struct product_monitor *);
void product_monitor_close(struct product_monitor *);

#endif
