/* emit_test.h -- a client as a C program whose assertion fails, for `linchpin run`. */
#ifndef LP_REPORT_TEXT_EMIT_TEST_H
#define LP_REPORT_TEXT_EMIT_TEST_H

#include <stdbool.h>
#include <stdio.h>

struct lp_result;

/* `object` is the path of the object's source, to be included. */
void lp_emit_test(FILE *, const struct lp_result *, const char *object);

#endif
