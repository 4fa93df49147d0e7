/* The processor is the plainest of its kind, on every machine, and the scope says so.
 * processors: x86-64
 * expect sc,rc11: verified, executions 1, says "a processor without extensions"
 */
#include <assert.h>

__attribute__((target_clones("avx2", "default"))) int next(int x)
{
	return x + 1;
}

static int wide(int x)
{
	return x + 2;
}

static int narrow(int x)
{
	return x + 3;
}

static int ready;

/* Runs before all constructors, and its accesses are accesses like others. */
static int (*choose(void))(int)
{
	ready = 1;
	return __builtin_cpu_supports("avx512f") ? wide : narrow;
}

int chosen(int) __attribute__((ifunc("choose")));

static int (*const table[])(int) = { next, chosen };

__attribute__((constructor(101))) static void early(void)
{
	assert(ready && chosen(1) == 4);
}

int main(void)
{
	__builtin_cpu_init();
	assert(!__builtin_cpu_supports("avx2") && !__builtin_cpu_is("intel"));
	assert(next(1) == 2 && table[0](1) == 2 && table[1](1) == 4);
	return 0;
}
