/* What a variadic function is called with is part of where its caller is, although no frame has it as a value:
 * the loop has not come back to where it was if the argument is another one.
 * expect sc,tso,ra,rc11: violation assertion at BUG
 * expect sc --no-spin: violation assertion at BUG
 */
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>

static atomic_int x, ready, end;

__attribute__((noinline)) static int ends(int count, ...)
{
	const int ended = atomic_load(&end);
	va_list list;
	int seen = 0;

	va_start(list, count);
	while (count-- > 0)
		seen = va_arg(list, int);
	va_end(list);
	assert(!ended || !seen); /* BUG */
	return ended;
}

static void *body(void *unused)
{
	for (int first = 1;; first = 0) {
		const int seen = atomic_load(&x);
		if (first)
			atomic_store(&ready, 1);
		if (ends(2, 0, seen))
			return unused;
	}
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, body, NULL);
	while (!atomic_load(&ready))
		;
	atomic_store(&x, 1);
	atomic_store(&end, 1);
	pthread_join(t, NULL);
	return 0;
}
