/* describe.h -- a description of inline assembly as a line of text.
 *
 *     fence sc; $0 = add4 [m1] $0 sc; fence sc
 *
 * Registers are those of operands ($0), the machine's (r0) and spare ones (t0); operands in memory
 * are m1. */
#ifndef LP_TESTS_DESCRIBE_H
#define LP_TESTS_DESCRIBE_H

#include <stddef.h>

#include "frontend/assembly/assembly.h"

void describe(const struct lp_asm *, char *text, size_t size);

#endif
