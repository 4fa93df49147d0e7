/* check.h -- a claim of a test that is reported and counted when it is false. */
#ifndef LP_TESTS_CHECK_H
#define LP_TESTS_CHECK_H

#include <stdbool.h>
#include <stdio.h>

extern int failures;

#define CHECK(claim)                                                            \
	do {                                                                    \
		if (!(claim)) {                                                 \
			printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #claim); \
			failures++;                                             \
		}                                                               \
	} while (0)

/* A shim has the type of what it stands for. */
#define SHIM(name) extern __typeof__(name) lp_shim_##name

void test_table(void);
void test_text(void);

#endif
