/* product_monitor.c -- the specification of an object as the explorer's monitor. */
#include "product_monitor.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "check/product/points.h"
#include "check/product/product.h"
#include "check/quasi/quasi.h"
#include "object_calls.h"
#include "spec/spec.h"

struct product_monitor {
	struct lp_spec spec;
	struct lp_quasi rule;
	struct lp_product_call calls[16];
	struct lp_product *product;
	struct lp_points *points;
};

void object_rule(const struct object *object, uint32_t methods, struct lp_quasi *rule)
{
	*rule = (struct lp_quasi){ .count = methods };
	for (uint32_t m = 0; m < methods; m++) {
		rule->classes[m].methods = UINT64_C(1) << m;
		rule->classes[m].factor = object_factors(object)[m];
	}
}

struct product_monitor *product_monitor_open(const struct object *object, uint32_t threads)
{
	struct product_monitor *m = calloc(1, sizeof *m);
	struct lp_error error;

	if (!lp_spec_parse(&m->spec, object_spec(object), &error)) {
		fprintf(stderr, "%s\n", error.text);
		exit(1);
	}
	const uint32_t count = object_call_count(object);
	for (uint32_t c = 0; c < count; c++) {
		m->calls[c].method = object_method(object, c);
		m->calls[c].args = m->spec.kind->methods[m->calls[c].method].args;
		m->calls[c].arg[0] = object_argument(object, c);
	}
	m->product = lp_product_open(&m->spec, threads, m->calls, count);
	if (object_factors(object)) {
		object_rule(object, m->spec.kind->method_count, &m->rule);
		lp_product_relax(m->product, &m->rule);
	}
	m->points = lp_points_open(&m->spec, threads, m->calls, count);
	return m;
}

void *product_monitor_product(struct product_monitor *m)
{
	return m->product;
}

void *product_monitor_points(struct product_monitor *m)
{
	return m->points;
}

void product_monitor_close(struct product_monitor *m)
{
	lp_product_close(m->product);
	lp_points_close(m->points);
	free(m);
}
