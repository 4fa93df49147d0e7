/* expect.h -- claims of a test: a false one is printed with its place, and counted.
 *
 *     EXPECT(size == 3);
 *     EXPECT(size == 3, "it is %u", size);    // says more
 *     REQUIRE(size == 3);                     // and the test ends, since what follows would fail as well
 *     FAIL("there is no file\n");             // says what is wrong
 *     ...
 *     return expect_status();                 // of main()
 *
 * For tests of one source file: each file that includes this has counts of its own.
 */
#ifndef LP_TESTS_EXPECT_H
#define LP_TESTS_EXPECT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned claims, failures;

/* Of the random case that is tried: printed with a false claim, if it is not 0. */
static uint64_t expect_seed __attribute__((unused));

/* The format, if there is one, is a literal. */
#define EXPECT(claim, ...) EXPECT_CLAIM(claim, #claim, __VA_ARGS__)
#define REQUIRE(claim, ...)                                \
	do {                                               \
		EXPECT_CLAIM(claim, #claim, __VA_ARGS__);  \
		if (failures)                              \
			exit(expect_status());             \
	} while (0)

#define EXPECT_CLAIM(claim, text, ...)                                                     \
	do {                                                                               \
		claims++;                                                                  \
		if (!(claim)) {                                                            \
			failures++;                                                        \
			printf("FAIL %s:%d: %s:", __FILE__, __LINE__, text);               \
			printf(" " __VA_ARGS__);                                           \
			if (expect_seed)                                                   \
				printf(" (seed %llu)", (unsigned long long)expect_seed);   \
			printf("\n");                                                      \
		}                                                                          \
	} while (0)

#define FAIL(...)                    \
	do {                         \
		failures++;          \
		printf(__VA_ARGS__); \
	} while (0)

/* Prints how many claims there were; the exit status of the test. */
static inline int expect_status(void)
{
	printf("%u claims, %u failures\n", claims, failures);
	return failures != 0;
}

#endif
