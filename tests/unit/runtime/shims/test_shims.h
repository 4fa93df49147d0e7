/* test_shims.h -- the parts of the test of shims. */
#ifndef LP_TESTS_TEST_SHIMS_H
#define LP_TESTS_TEST_SHIMS_H

#include <stdbool.h>

#include "expect.h"

/* A shim has the type of what it stands for. */
#define SHIM(name) extern __typeof__(name) lp_shim_##name

/* The exit status of each part. */
int test_table(void);
int test_text(void);

#endif
