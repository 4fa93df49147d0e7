/* Global variables have bounds, for plain and for atomic accesses.
 * expect sc,rc11: violation out of bounds at BUG, says "0 bytes behind a variable of 16 bytes"
 * expect rc11 -- -O2: violation out of bounds at BUG
 * expect rc11 -- -DREAD: violation out of bounds at BUG
 * expect rc11 -- -DBEFORE: violation out of bounds at BUG
 * expect rc11 -- -DATOMIC: violation out of bounds at BUG
 * expect rc11 -- -DWIDER: violation out of bounds at BUG
 * expect rc11 -- -DFILL: violation out of bounds at BUG
 * expect rc11 -- -DCOPY: violation out of bounds at BUG
 * expect rc11 -- -DLITERAL: violation out of bounds at BUG
 * expect rc11 -- -DUNENDED: violation out of bounds at BUG
 * expect rc11 -- -DTHREAD_LOCAL: violation out of bounds at BUG, says "behind a thread-local variable of 8 bytes"
 * expect rc11 -- -DCOMMON -fcommon: violation out of bounds at BUG
 */
#include <string.h>

#include "../parallel.h"

static int before[4], array[4], behind[4];
static atomic_int atomics[2], more_atomics[2];
static const char unended[3] = "abc";
static _Thread_local char locals[8], more_locals[8];
int common_array[4], common_behind[4];
static int sink;
static volatile int four = 4;

static __attribute__((noinline)) void use(void)
{
	const int i = four;
#if defined READ
	sink = array[i]; /* BUG */
#elif defined BEFORE
	sink = array[3 - i]; /* BUG */
#elif defined ATOMIC
	store(&atomics[i - 2], 1, relaxed); /* BUG */
#elif defined WIDER
	store((_Atomic long *)&atomics[i - 4] + 1, 1L, relaxed); /* BUG */
#elif defined FILL
	memset(array, 0, (size_t)(i + 13)); /* BUG */
#elif defined COPY
	memcpy(array, before, (size_t)(i + 16)); /* BUG */
#elif defined LITERAL
	const char *text = "four";
	sink = text[i + 1]; /* BUG */
#elif defined UNENDED
	sink = (int)strlen(unended); /* BUG */
#elif defined THREAD_LOCAL
	locals[i + 4] = 1; /* BUG */
#elif defined COMMON
	common_array[i] = 1; /* BUG */
#else
	array[i] = 1; /* BUG */
#endif
}

int main(void)
{
	before[0] = behind[0] = common_behind[0] = 1;
	more_locals[0] = 1;
	store(&more_atomics[0], 1, relaxed);
	use();
	(void)unended;
	return before[0] + behind[0] + array[0] + more_locals[0] + locals[0] - 2 + sink;
}
