/* Local variables have bounds: those that are private, those that others have a pointer to, arrays of variable length.
 * expect sc,rc11: violation out of bounds at BUG, says "0 bytes behind a local variable of 16 bytes"
 * expect rc11 -- -O0: violation out of bounds at BUG
 * expect rc11 -- -O2: violation out of bounds at BUG
 * expect rc11 -- -DFAR: violation out of bounds at BUG, says "3984 bytes behind a local variable"
 * expect rc11 -- -DBEFORE: violation out of bounds at BUG, says "4 bytes before a local variable"
 * expect rc11 -- -DCONSTANT: violation out of bounds at BUG
 * expect rc11 -- -DCONSTANT -O2: violation out of bounds at BUG
 * expect rc11 -- -DUNWRITTEN: violation uninitialised at BUG
 * expect rc11 -- -DINLINED: violation out of bounds at BUG
 * expect rc11 -- -DPASSED: violation out of bounds at BUG, says "beyond a local variable of thread 0"
 * expect rc11 -- -DPASSED -O2: violation out of bounds at BUG
 * expect rc11 -- -DPASSED_BEFORE: violation out of bounds at BUG
 * expect rc11 -- -DSCALAR: violation out of bounds at BUG
 * expect rc11 -- -DSTRING: violation out of bounds at BUG
 * expect rc11 -- -DFILL: violation out of bounds at BUG
 * expect rc11 -- -DCOPY: violation out of bounds at BUG
 * expect rc11 -- -DVARIABLE: violation out of bounds at BUG
 * expect rc11 -- -DATOMIC: violation out of bounds at BUG
 * expect rc11 -- -DOTHER_THREAD: violation out of bounds at BUG
 */
#include <string.h>

#include "../parallel.h"

static int sink;
static volatile int four = 4;
static int *shared;

static __attribute__((noinline)) void put(int *p, int i)
{
	p[i] = 1; /* BUG */
}

static int sum(const int *p, int count)
{
	int total = 0;

	for (const int *end = p + count; p < end; p++)
		total += *p; /* BUG */
	return total;
}

static void other(void)
{
	put(shared, four);
}

int main(void)
{
	const int i = four;
	int array[4] = { 0, 1, 2, 3 }, neighbour[4] = { 0 };
#if defined FAR
	sink = array[i * 250]; /* BUG */
#elif defined BEFORE
	sink = array[3 - i]; /* BUG */
#elif defined CONSTANT
	array[4] = 1; /* BUG */
#elif defined UNWRITTEN
	int some[4];
	some[i - 4] = 1;
	sink = some[i - 4];
	sink = some[i - 3]; /* BUG */
#elif defined INLINED
	sink = sum(array, i + 1);
#elif defined PASSED
	put(array, i);
#elif defined PASSED_BEFORE
	put(array, i - 5);
#elif defined SCALAR
	int one = 1;
	put(&one, i - 3);
	sink = one;
#elif defined STRING
	char text[4];
	strcpy(text, "four"); /* BUG */
	sink = text[0];
#elif defined FILL
	memset(array, 0, sizeof array + (size_t)(i - 3)); /* BUG */
#elif defined COPY
	memcpy(array, neighbour, sizeof array + (size_t)(i - 3)); /* BUG */
#elif defined VARIABLE
	int some[i];
	put(some, i);
	sink = some[0];
#elif defined ATOMIC
	atomic_int some[4];
	atomic_init(&some[i], 1); /* BUG */
#elif defined OTHER_THREAD
	shared = array;
	parallel(other, other);
#else
	array[i] = 1; /* BUG */
#endif
	sink = array[0] + neighbour[0];
	(void)sum, (void)other, (void)put;
	return 0;
}
