/* A loop that only reads shared memory, and counts in memory of its own: its third iteration is not like its
 * first.  Wherever the count is, it is part of the thread's live state.
 * expect sc,rc11 -- -DARRAY: violation assertion at BUG
 * expect sc,rc11 -- -DSTRUCTURE: violation assertion at BUG
 * expect sc,rc11 -- -DARGUMENT: violation assertion at BUG
 * expect sc,rc11 -- -DJUMP: violation assertion at BUG
 * expect sc,rc11 -- -DJUMP -DBY_ADDRESS: violation assertion at BUG
 * expect sc,rc11 -- -DRECURSION: violation assertion at BUG
 * expect sc,rc11 -- -DCALLBACK: violation assertion at BUG
 * expect sc,rc11 -- -DARGUMENTS: violation assertion at BUG
 * expect sc,rc11 -- -DPOINTER: violation assertion at BUG
 * expect sc,rc11 -- -DHEAP: violation assertion at BUG
 * expect sc,rc11 -- -DFUNCTION: violation assertion at BUG
 * expect sc,rc11 -- -DSTRING: violation assertion at BUG
 * expect sc,rc11 -- -DTHREAD_LOCAL: violation assertion at BUG
 * expect sc,rc11 -- -DDOUBLE: violation assertion at BUG
 * expect sc,rc11 -- -DWIDE: violation assertion at BUG
 * expect sc,rc11 -- -DALLOCA: violation assertion at BUG
 * expect sc,rc11 -- -DLONG_DOUBLE: violation assertion at BUG
 * expect sc,rc11 -- -DVECTOR: violation assertion at BUG
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../parallel.h"

static atomic_int x, y;
static int counted;

#if defined ARRAY
static int spin(void)
{
	int count[4] = { 0 }, i = 0;

	while (!atomic_load(&x))
		if (++count[i & 3] == 3)
			return 1;
	return 0;
}
#elif defined STRUCTURE
struct counts {
	int at, count[3];
};

static struct counts next(struct counts c)
{
	c.count[c.at]++;
	return c;
}

static int spin(void)
{
	struct counts c = { 1, { 0 } };

	while (!atomic_load(&x)) {
		c = next(c);
		if (c.count[1] == 3)
			return 1;
	}
	return 0;
}
#elif defined ARGUMENT
struct large {
	long unused[5];
	int n;
};

static __attribute__((noinline)) int count(struct large c)
{
	while (!atomic_load(&x))
		if (++c.n == 3)
			return 1;
	return 0;
}

static int spin(void)
{
	return count((struct large){ .n = 0 });
}
#elif defined JUMP
static jmp_buf place;

static inline __attribute__((unused)) int more(volatile int *n)
{
	return ++*n;
}
#ifdef BY_ADDRESS
#define MORE(n) more(&(n))
#else
#define MORE(n) (++(n))
#endif

static int spin(void)
{
	volatile int n = 0;

	setjmp(place);
	if (!atomic_load(&x)) {
		if (MORE(n) == 3)
			return 1;
		longjmp(place, 1);
	}
	return 0;
}
#elif defined RECURSION
static int again(int n)
{
	if (atomic_load(&x))
		return 0;
	return n == 2 ? 1 : again(n + 1);
}

static int spin(void)
{
	return again(0);
}
#elif defined CALLBACK
static int calls;

static int compare(const void *a, const void *b)
{
	(void)a;
	(void)b;
	if (!atomic_load(&x))
		calls++;
	return 0;
}

static int spin(void)
{
	int v[3] = { 3, 2, 1 };

	qsort(v, 3, sizeof *v, compare);
	return calls >= 2;
}
#elif defined ARGUMENTS
static int sum(int n, ...)
{
	va_list list;
	int result = 0;

	va_start(list, n);
	for (int i = 0; i < n; i++)
		result += va_arg(list, int);
	va_end(list);
	return result;
}

static int spin(void)
{
	int n = 0;

	while (!atomic_load(&x)) {
		n = sum(3, n, 1, 0);
		if (n == 3)
			return 1;
	}
	return 0;
}
#elif defined POINTER
static int spin(void)
{
	int a = 0, b = 0, *p = &a;

	while (!atomic_load(&x)) {
		(*p)++;
		p = p == &a ? &b : &a;
		if (a == 2 && b == 1)
			return 1;
	}
	return 0;
}
#elif defined HEAP
static int spin(void)
{
	int *p = calloc(1, sizeof *p), result = 0;

	while (!atomic_load(&x) && !result)
		result = ++*p == 3;
	free(p);
	return result;
}
#elif defined FUNCTION
static int more(int n)
{
	return n + 1;
}

static int spin(void)
{
	int (*volatile f)(int) = more;
	int n = 0;

	while (!atomic_load(&x)) {
		n = f(n);
		if (n == 3)
			return 1;
	}
	return 0;
}
#elif defined STRING
static int spin(void)
{
	char text[8] = "";

	while (!atomic_load(&x)) {
		strcat(text, "a");
		if (strlen(text) == 3)
			return 1;
	}
	return 0;
}
#elif defined ALLOCA
static int spin(void)
{
	int *p = __builtin_alloca(sizeof *p * (1 + (unsigned)atomic_load(&y)));

	*p = 0;
	while (!atomic_load(&x))
		if (++*p == 3)
			return 1;
	return 0;
}
#else
#if defined THREAD_LOCAL
static _Thread_local int n;
#define STEP 1
#elif defined DOUBLE
static const double STEP = 0.5;
#define LOCAL double n = 0
#elif defined LONG_DOUBLE
static const long double STEP = 0.5L;
#define LOCAL long double n = 0
#elif defined WIDE
#define STEP ((unsigned __int128)1 << 70)
#define LOCAL unsigned __int128 n = 0
#elif defined VECTOR
#define STEP 1
#define LOCAL int n __attribute__((vector_size(16))) = { 0 }
#endif
#ifndef LOCAL
#define LOCAL
#endif
#ifdef VECTOR
#define N n[2]
#else
#define N n
#endif

static int spin(void)
{
	LOCAL;

	while (!atomic_load(&x)) {
		N += STEP;
		if (N == 3 * STEP)
			return 1;
	}
	return 0;
}
#endif

static void wait(void)
{
	counted = spin();
}

static void end(void)
{
	store(&x, 1, seq_cst);
}

int main(void)
{
	parallel(wait, end);
	assert(!counted); /* BUG */
	return 0;
}
