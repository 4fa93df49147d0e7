/* expect.h -- claims of a test: a false one is printed with its place, and counted.
 *
 *     EXPECT(size == 3);
 *     EXPECT(size == 3, "it is %u", size);    // says more
 *     ...
 *     return expect_status();                 // of main()
 *
 * For tests of one source file: each file that includes this has counts of its own.
 */
#ifndef LP_TESTS_EXPECT_H
#define LP_TESTS_EXPECT_H

#include <stdio.h>

static unsigned claims, failures;

/* The format, if there is one, is a literal. */
#define EXPECT(claim, ...)                                                          \
	do {                                                                        \
		claims++;                                                           \
		if (!(claim)) {                                                     \
			failures++;                                                 \
			printf("FAIL %s:%d: %s:", __FILE__, __LINE__, #claim);      \
			printf(" " __VA_ARGS__);                                    \
			printf("\n");                                               \
		}                                                                   \
	} while (0)

/* Prints how many claims there were; the exit status of the test. */
static inline int expect_status(void)
{
	printf("%u claims, %u failures\n", claims, failures);
	return failures != 0;
}

#endif
