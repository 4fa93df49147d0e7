/* A library function uses bytes as it read them, although other threads write them before it returns.  Each of these calls
 * gives its answer only if it reads one byte before the two writes, and another after them.
 * options: --races ignore
 * expect sc -- -O0: violation assertion at BUG
 * expect sc -- -O0 -DFIND: violation assertion at BUG
 * expect sc -- -O0 -DSPAN: violation assertion at BUG
 * expect sc -- -O0 -DNUMBER: violation assertion at BUG
 */
#include <stdlib.h>
#include <string.h>

#include "../parallel.h"

#if defined FIND
static char text[] = "0", wanted[] = "1", *const place[] = { wanted, text }, byte[] = "21";
#define ANSWER (strstr(text, wanted) != NULL)
#elif defined SPAN
static char text[] = "0", set[] = "1", *const place[] = { text, set }, byte[] = "20";
#define ANSWER (strcspn(text, set) == 0)
#elif defined NUMBER
static char text[] = "00", *const place[] = { text, text + 1 }, byte[] = "11";
#define ANSWER (atoi(text) == 1)
#else
static char a[] = "0", b[] = "0", *const place[] = { a, b }, byte[] = "11";
#define ANSWER (memcmp(a, b, 1) < 0)
#endif

static void writer(void)
{
	*place[0] = byte[0];
	*place[1] = byte[1];
}

static void reader(void)
{
	assert(!ANSWER); /* BUG */
}

int main(void)
{
	parallel(reader, writer);
}
